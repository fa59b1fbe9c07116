import type { Signal, SignalChange } from '../../model/signals.ts'
import { DAY, HOUR } from '../../model/time.ts'
import { ActiveSignals } from './active-signals.ts'
import { ActivistStakes, activistStake, STAKES_MS } from './activist-stake.ts'
import { breakingCluster } from './breaking-cluster.ts'
import type { Finding } from './finding.ts'
import { insiderClusterBuy } from './insider-cluster-buy.ts'
import { insiderLargeSale } from './insider-large-sale.ts'
import { InsiderTrades, TRADES_MS, type Trade } from './insider-trades.ts'
import { materialEvent } from './material-event.ts'
import { type AssetMoment, ENTRIES_MS, HOURS_MS, News } from './news.ts'
import { newsVolumeSpike } from './news-volume-spike.ts'
import type { AssetPrices, EntryObservation, FilingObservation, Observation, OddsObservation } from './observation.ts'
import { ODDS_MS, OddsHistory } from './odds.ts'
import { predictionMarketMove } from './prediction-market-move.ts'
import { priceNewsDivergence } from './price-news-divergence.ts'
import { sentimentShift } from './sentiment-shift.ts'
import type { Thresholds } from './thresholds.ts'

export interface DetectionOptions {
  thresholds: Thresholds
  nameOf(assetKey: string): string
}

/**
 * Runs all detectors over the observations in the order in which the store received them. The same history always yields the
 * same signals.
 *
 * After a restart its state is rebuilt from the store: entries of the last `lookback.entriesMs`, filings of `filingsMs` and odds
 * of `oddsMs` one by one and in order; older entries as hourly sums, back to `hoursMs`, each entry once; and the active signals.
 */
export class Detection {
  readonly lookback = {
    entriesMs: ENTRIES_MS,
    hoursMs: HOURS_MS,
    filingsMs: Math.max(TRADES_MS, STAKES_MS),
    oddsMs: ODDS_MS,
  }

  readonly #thresholds: Thresholds
  readonly #nameOf: (assetKey: string) => string
  readonly #news = new News()
  readonly #trades = new InsiderTrades()
  readonly #stakes = new ActivistStakes()
  readonly #odds = new OddsHistory()
  readonly #signals: ActiveSignals

  constructor({ thresholds, nameOf }: DetectionOptions) {
    this.#thresholds = thresholds
    this.#nameOf = nameOf
    this.#signals = new ActiveSignals(thresholds.every_kind)
  }

  observe(observation: Observation, prices: AssetPrices): SignalChange[] {
    return this.#detect(observation, prices).flatMap((finding) => {
      const trigger = { at: observation.at, name: nameOfObservation(observation) }
      return this.#signals.decide(finding, trigger, prices) ?? []
    })
  }

  /** Restores an observation that was processed before a restart. */
  remember(observation: Observation): void {
    if (observation.type === 'entry') this.#news.add(observation)
    else if (observation.type === 'filing') this.#rememberFiling(observation)
    else this.#rememberOdds(observation)
  }

  /** Restores the entries about an asset of one hour, by publication time or, if earlier, the time the store received them. */
  rememberHour(assetKey: string, hour: number, news: { entries: number; scored: number; sentimentSum: number }): void {
    this.#news.addHour(assetKey, hour, news)
  }

  /** Replaces the active signals with those of the store. */
  restore(active: readonly Signal[]): void {
    this.#signals.restore(active)
  }

  /** Number of items in memory. */
  get size(): number {
    return this.#news.size + this.#trades.size + this.#stakes.size + this.#odds.size + this.#signals.size
  }

  #detect(observation: Observation, prices: AssetPrices): Finding[] {
    switch (observation.type) {
      case 'entry':
        return this.#detectInEntry(observation, prices)
      case 'filing':
        return this.#detectInFiling(observation)
      case 'odds':
        return this.#detectInOdds(observation)
    }
  }

  #detectInEntry(entry: EntryObservation, prices: AssetPrices): Finding[] {
    this.#news.add(entry)
    const limits = this.#thresholds
    const { at, publishedAt, assetKeys } = entry
    if (at - publishedAt > limits.every_kind.staleEntryHours * HOUR) return []
    const ofAssets = assetKeys.flatMap((assetKey) => {
      const moment = this.#momentOf(assetKey, at)
      return [
        sentimentShift(this.#news, moment, limits.sentiment_shift),
        newsVolumeSpike(this.#news, moment, limits.news_volume_spike, limits.every_kind),
        priceNewsDivergence(prices, moment, limits.price_news_divergence),
      ]
    })
    const ofCluster = breakingCluster(this.#news, entry, limits.breaking_cluster, limits.every_kind, this.#nameOf)
    return [...ofAssets.filter((finding) => finding !== undefined), ...ofCluster]
  }

  #detectInFiling({ at, dataset, record }: FilingObservation): Finding[] {
    const { assetKey } = record
    if (assetKey === null) return []
    const limits = this.#thresholds
    const moment = this.#momentOf(assetKey, at)
    const isLate = at - Date.parse(record.filedAt) > limits.every_kind.staleFilingDays * DAY
    const isNews = record.supersededById === null && !isLate
    switch (dataset) {
      case 'insider-trades': {
        const trade = this.#trades.add(at, record)
        return trade !== undefined && isNews ? this.#detectInTrade(moment, trade) : []
      }
      case 'beneficial-ownership': {
        if (!record.isActivist) return []
        const before = this.#stakes.add(at, record)
        return listOf(isNews ? activistStake(record, before, moment, limits.activist_stake) : undefined)
      }
      case 'material-events':
        if (!isNews || record.isAmendment) return []
        return listOf(materialEvent(record, moment, limits.material_event, limits.every_kind))
      default:
        return []
    }
  }

  #detectInTrade(moment: AssetMoment, trade: Trade): Finding[] {
    const { insider_cluster_buy, insider_large_sale } = this.#thresholds
    return listOf(
      trade.side === 'purchase'
        ? insiderClusterBuy(this.#trades, moment, insider_cluster_buy)
        : insiderLargeSale(this.#trades, moment, trade, insider_large_sale),
    )
  }

  #detectInOdds(odds: OddsObservation): Finding[] {
    this.#rememberOdds(odds)
    if (!isFollowed(odds)) return []
    return predictionMarketMove(this.#odds, odds, this.#thresholds.prediction_market_move)
  }

  #momentOf(assetKey: string, at: number): AssetMoment {
    return { assetKey, name: this.#nameOf(assetKey), at, recent: this.#news.recent(assetKey, at) }
  }

  #rememberFiling({ at, dataset, record }: FilingObservation): void {
    if (dataset === 'insider-trades') this.#trades.add(at, record)
    else if (dataset === 'beneficial-ownership' && record.isActivist) this.#stakes.add(at, record)
  }

  #rememberOdds(odds: OddsObservation): void {
    const { at, market, probability } = odds
    if (isFollowed(odds)) this.#odds.add(at, market.id, probability)
    else this.#odds.drop(market.id)
  }
}

/**
 * Closed markets are ignored because their last change is the result, not a move; markets with more answers than yes and no
 * because the odds of one answer say nothing about the asset.
 */
const isFollowed = ({ market: { status, type, assetKeys } }: OddsObservation) =>
  status === 'open' && type === 'binary' && assetKeys.length > 0

const listOf = (finding: Finding | undefined): Finding[] => (finding === undefined ? [] : [finding])

function nameOfObservation(observation: Observation): string {
  switch (observation.type) {
    case 'entry':
      return observation.id
    case 'filing':
      return observation.record.id
    case 'odds':
      return `${observation.market.id} ${observation.probability}`
  }
}
