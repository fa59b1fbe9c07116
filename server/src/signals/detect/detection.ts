import type { Signal, SignalChange } from '../../model/signals.ts'
import { DAY, HOUR } from '../../model/time.ts'
import { ActivistStakes, activistStake, STAKES_MS } from './activist-stake.ts'
import { Book } from './book.ts'
import { breakingCluster } from './breaking-cluster.ts'
import type { Finding } from './finding.ts'
import type { AssetPrices, EntryHappening, FilingHappening, Happening, OddsHappening } from './happening.ts'
import { insiderClusterBuy } from './insider-cluster-buy.ts'
import { insiderLargeSale } from './insider-large-sale.ts'
import { InsiderTrades, TRADES_MS, type Trade } from './insider-trades.ts'
import { materialEvent } from './material-event.ts'
import { type AssetMoment, ENTRIES_MS, HOURS_MS, News } from './news.ts'
import { newsVolumeSpike } from './news-volume-spike.ts'
import { ODDS_MS, Odds } from './odds.ts'
import { predictionMarketMove } from './prediction-market-move.ts'
import { priceNewsDivergence } from './price-news-divergence.ts'
import { sentimentShift } from './sentiment-shift.ts'
import type { Thresholds } from './thresholds.ts'

export interface DetectionOptions {
  thresholds: Thresholds
  nameOf(assetKey: string): string
}

/**
 * All detectors over one history: what happens is taken in the order in which the store learned of it, and the same history
 * gives the same signals.
 *
 * After a restart it is told what it has to know of what was taken before, and goes on as if nothing had been: the entries
 * that came within `remembers.entriesMs` and the filings and odds of `filingsMs` and `oddsMs`, one by one and in their order;
 * earlier entries by the hour, as far back as `hoursMs`, so that every entry is told once; and the active signals.
 */
export class Detection {
  readonly remembers = {
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
  readonly #odds = new Odds()
  readonly #book: Book

  constructor({ thresholds, nameOf }: DetectionOptions) {
    this.#thresholds = thresholds
    this.#nameOf = nameOf
    this.#book = new Book(thresholds.every_kind)
  }

  take(happening: Happening, prices: AssetPrices): SignalChange[] {
    return this.#look(happening, prices).flatMap((finding) => {
      const occasion = { at: happening.at, name: nameOfHappening(happening) }
      return this.#book.decide(finding, occasion, prices) ?? []
    })
  }

  /** What was taken before a restart. */
  remember(happening: Happening): void {
    if (happening.type === 'entry') this.#news.add(happening)
    else if (happening.type === 'filing') this.#rememberFiling(happening)
    else this.#rememberOdds(happening)
  }

  /** Entries about an asset that were taken before a restart and published (or, if earlier, taken) in the hour of this time. */
  rememberHour(assetKey: string, hour: number, news: { entries: number; scored: number; sentimentSum: number }): void {
    this.#news.addHour(assetKey, hour, news)
  }

  /** The active signals as the store has them: they replace those that were known. */
  restore(active: readonly Signal[]): void {
    this.#book.restore(active)
  }

  /** How many things are kept in memory. */
  get size(): number {
    return this.#news.size + this.#trades.size + this.#stakes.size + this.#odds.size + this.#book.size
  }

  #look(happening: Happening, prices: AssetPrices): Finding[] {
    switch (happening.type) {
      case 'entry':
        return this.#lookAtEntry(happening, prices)
      case 'filing':
        return this.#lookAtFiling(happening)
      case 'odds':
        return this.#lookAtOdds(happening)
    }
  }

  #lookAtEntry(entry: EntryHappening, prices: AssetPrices): Finding[] {
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
    const ofStory = breakingCluster(this.#news, entry, limits.breaking_cluster, limits.every_kind, this.#nameOf)
    return [...ofAssets.filter((finding) => finding !== undefined), ...ofStory]
  }

  #lookAtFiling({ at, dataset, record }: FilingHappening): Finding[] {
    const { assetKey } = record
    if (assetKey === null) return []
    const limits = this.#thresholds
    const moment = this.#momentOf(assetKey, at)
    const isLate = at - Date.parse(record.filedAt) > limits.every_kind.staleFilingDays * DAY
    const isNews = record.supersededById === null && !isLate
    switch (dataset) {
      case 'insider-trades': {
        const trade = this.#trades.add(at, record)
        return trade !== undefined && isNews ? this.#lookAtTrade(moment, trade) : []
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

  #lookAtTrade(moment: AssetMoment, trade: Trade): Finding[] {
    const { insider_cluster_buy, insider_large_sale } = this.#thresholds
    return listOf(
      trade.side === 'purchase'
        ? insiderClusterBuy(this.#trades, moment, insider_cluster_buy)
        : insiderLargeSale(this.#trades, moment, trade, insider_large_sale),
    )
  }

  #lookAtOdds(odds: OddsHappening): Finding[] {
    this.#rememberOdds(odds)
    if (!isFollowed(odds)) return []
    return predictionMarketMove(this.#odds, odds, this.#thresholds.prediction_market_move)
  }

  #momentOf(assetKey: string, at: number): AssetMoment {
    return { assetKey, name: this.#nameOf(assetKey), at, recent: this.#news.recent(assetKey, at) }
  }

  #rememberFiling({ at, dataset, record }: FilingHappening): void {
    if (dataset === 'insider-trades') this.#trades.add(at, record)
    else if (dataset === 'beneficial-ownership' && record.isActivist) this.#stakes.add(at, record)
  }

  #rememberOdds(odds: OddsHappening): void {
    const { at, market, probability } = odds
    if (isFollowed(odds)) this.#odds.add(at, market.id, probability)
    else this.#odds.drop(market.id)
  }
}

/**
 * What comes of a market that has closed is its result, not a move; and of a question with more answers than yes and no, the
 * odds of one of them say nothing about the asset.
 */
const isFollowed = ({ market: { status, type, assetKeys } }: OddsHappening) =>
  status === 'open' && type === 'binary' && assetKeys.length > 0

const listOf = (finding: Finding | undefined): Finding[] => (finding === undefined ? [] : [finding])

function nameOfHappening(happening: Happening): string {
  switch (happening.type) {
    case 'entry':
      return happening.id
    case 'filing':
      return happening.record.id
    case 'odds':
      return `${happening.market.id} ${happening.probability}`
  }
}
