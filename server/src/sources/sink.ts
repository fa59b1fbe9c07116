import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { Enrichment } from '../ingest/entries/enrichment.ts'
import type { EntryIntake } from '../ingest/entries/entry-intake.ts'
import { idOf } from '../model/ids.ts'
import type { NewPredictionMarket, Odds } from '../model/prediction-markets.ts'
import type { Brought } from '../store/sources/sources.ts'
import type { Store } from '../store/store.ts'
import type { Items, PairMarket } from './connector.ts'
import { countReasons } from './count-reasons.ts'
import { EdgarSink } from './edgar/edgar-sink.ts'
import { namesOf, toIntakeItem } from './feed/intake-item.ts'
import type { VenueMarket } from './venue-market.ts'

type ItemsOf<Kind extends Items['kind']> = Extract<Items, { kind: Kind }>

const NOTHING: Brought = { added: 0, changed: 0, rejections: {}, lagMs: null }
/** Markets whose assets and topics are kept in memory. */
const KNOWN_MARKETS = 20_000

/** Stores what sources bring. Storing the same items again changes nothing. */
export class SourceSink {
  readonly #store: Store
  readonly #intake: EntryIntake
  readonly #enrichment: Enrichment
  readonly #clock: Clock
  readonly #edgar: EdgarSink
  readonly #findings = new LRUCache<string, Pick<NewPredictionMarket, 'assetKeys' | 'topicSlugs'>>({
    maxSize: KNOWN_MARKETS,
    sizeCalculation: () => 1,
  })

  constructor(parts: { store: Store; intake: EntryIntake; enrichment: Enrichment; clock: Clock }) {
    this.#store = parts.store
    this.#intake = parts.intake
    this.#enrichment = parts.enrichment
    this.#clock = parts.clock
    this.#edgar = new EdgarSink(parts)
  }

  async take(sourceKey: string, items: Items): Promise<Brought> {
    switch (items.kind) {
      case 'nothing':
        return NOTHING
      case 'entries':
        return this.#takeEntries(sourceKey, items)
      case 'candles':
        return this.#takeCandles(items)
      case 'odds':
        return this.#takeOdds(items)
      case 'companies':
        return this.#edgar.takeCompanies(items)
      case 'filings':
        return this.#edgar.takeFilings(items)
      case 'reports':
        return this.#edgar.takeReports(items)
    }
  }

  async #takeEntries(sourceKey: string, { feed, publisher }: ItemsOf<'entries'>): Promise<Brought> {
    const { items } = feed
    const names = namesOf(items)
    const known = await this.#store.sources.entriesOf(sourceKey, names)
    const offered = items.map((item, place) => {
      const origin = { sourceKey, guid: names[place] ?? '' }
      const intake = toIntakeItem(item, { feed, publisher, sourceKey, entryId: known.get(origin.guid) })
      return { ...intake, origin }
    })
    // Only the source that brought an entry changes it: others may word the same article differently.
    const own = offered.filter(({ entryId }) => entryId !== undefined)
    const fresh = offered.filter(({ entryId }) => entryId === undefined)
    const added = await this.#intake.takeItems(fresh)
    const changed = await this.#intake.takeItems(own, { update: true })
    // Also those of entries that were there before.
    await this.#store.sources.rememberItems(
      fresh.flatMap(({ origin }, place) => {
        const entryId = added.ids[place]
        return entryId ? [{ ...origin, entryId }] : []
      }),
    )
    const now = this.#clock.now()
    const times = items.map(({ publishedAt }) => publishedAt ?? 0).filter((time) => time <= now)
    const latest = times.reduce((time, other) => Math.max(time, other), 0)
    return {
      added: added.added,
      changed: changed.changed,
      rejections: countReasons([...added.refused, ...changed.refused].map(({ reason }) => reason)),
      lagMs: added.added > 0 && latest > 0 ? now - latest : null,
    }
  }

  async #takeCandles({ market, interval, candles, reasons }: ItemsOf<'candles'>): Promise<Brought> {
    const series = await this.#marketOf(market)
    const known = series.lastPriceAt ?? Number.NEGATIVE_INFINITY
    await this.#store.candles.insert(series.id, interval, candles, this.#clock.now())
    const added = candles.filter(({ openedAt }) => openedAt > known).length
    const latest = candles.at(-1)?.openedAt
    return {
      added,
      changed: candles.length - added,
      rejections: countReasons(reasons),
      lagMs: latest === undefined ? null : Math.max(0, this.#clock.now() - latest),
    }
  }

  /** Finds a market, or creates it and its asset. */
  async #marketOf({ assetName, ...market }: PairMarket) {
    const known = await this.#store.markets.findSeries(market.symbol)
    if (known !== undefined) return known
    const now = this.#clock.now()
    const { assetKey: key, type, quoteCurrency: currency } = market
    const asset = { key, name: assetName, type: ASSET_TYPES[type], currency }
    await this.#store.assets.upsert([asset], now, { update: false })
    await this.#store.markets.insert([{ ...market, id: idOf(`mintick:market:${market.symbol}`) }], now)
    const created = await this.#store.markets.findSeries(market.symbol)
    if (created === undefined) throw new Error(`failed to create the market ${market.symbol}`)
    return created
  }

  async #takeOdds({ markets, history, reasons }: ItemsOf<'odds'>): Promise<Brought> {
    const now = this.#clock.now()
    const findings = await this.#findingsOf(markets)
    const described = markets.map((market, place): NewPredictionMarket => {
      const [id, at] = [marketId(market), now]
      return { ...market, id, ...(findings[place] ?? { assetKeys: [], topicSlugs: [] }), history: [oddsOf(market, at)] }
    })
    const { added, changed } = await this.#store.predictionMarkets.follow(described, now)
    for (const { id, odds } of history) await this.#store.predictionMarkets.addHistory(id, odds, now)
    return { added, changed, rejections: countReasons(reasons), lagMs: null }
  }

  /** Finds the assets and topics of questions. */
  async #findingsOf(markets: readonly VenueMarket[]) {
    const fresh = markets.filter((market) => !this.#findings.has(textKey(market)))
    const read = await this.#enrichment.read(
      fresh.map(({ question, description }) => ({ title: question, content: description, language: 'en' })),
    )
    for (const [place, market] of fresh.entries()) {
      const { assetKeys = [], topicSlugs = [] } = read[place] ?? {}
      this.#findings.set(textKey(market), { assetKeys, topicSlugs })
    }
    return markets.map((market) => this.#findings.get(textKey(market)))
  }
}

const ASSET_TYPES = {
  stock: 'equity',
  etf: 'etf',
  index: 'index',
  crypto: 'crypto',
  fx: 'currency',
  commodity: 'commodity',
} as const

const marketId = ({ venue, venueMarketId }: Pick<VenueMarket, 'venue' | 'venueMarketId'>) =>
  idOf(`mintick:prediction-market:${venue}:${venueMarketId}`)

const textKey = ({ venue, venueMarketId, question }: VenueMarket) => `${venue} ${venueMarketId} ${question}`

const oddsOf = ({ outcomes }: VenueMarket, at: number): Odds => ({
  at,
  probabilities: Object.fromEntries(
    outcomes.flatMap(({ id, probability }) => (probability === null ? [] : [[id, probability]])),
  ),
})
