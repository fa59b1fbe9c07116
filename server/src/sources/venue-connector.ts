import Type, { type Static } from 'typebox'
import type { Odds, PredictionMarket } from '../model/prediction-markets.ts'
import { HOUR, MINUTE } from '../model/time.ts'
import type { Connector, Items, PollContext } from './connector.ts'
import { type OddsPoint, roundShare, type VenueAnswer, type VenueMarket } from './venue-market.ts'

const Options = Type.Object(
  {
    minVolume: Type.Optional(
      Type.Number({ minimum: 0, description: 'Volume from which a market is followed; 10000 by default' }),
    ),
    url: Type.Optional(Type.String({ pattern: '^https?://', description: 'Address of the API, if not the usual one' })),
    historyUrl: Type.Optional(
      Type.String({ pattern: '^https?://', description: 'Address of the API with the history, if not the usual one' }),
    ),
  },
  { additionalProperties: false },
)

type State = {
  /** Where the next page starts, in the middle of a run that was interrupted. */
  cursor: string | null
}

const MIN_VOLUME = 10_000
/** Pages per run; a longer list is continued in the next run. */
const MAX_PAGES = 200
/** Markets per run that are looked up one by one. */
const MAX_LOOKUPS = 50

/** What differs between venues. */
export interface Venue {
  kind: PredictionMarket['venue']
  url: string
  historyUrl?: string
  gapMs: number
  /** Pages to read per run, for a list that is sorted by its latest changes. */
  pages?: number
  /** Returns the address of a page of open markets. */
  pageUrl(base: string, cursor: string | null): string
  /** Returns the address of a single market. */
  marketUrl(base: string, market: Pick<PredictionMarket, 'venueMarketId'>): string
  /** Returns the addresses of the history of a market, each with the outcome that its points are about. */
  historyUrls(
    base: string,
    market: PredictionMarket,
    from: number,
    to: number,
  ): { url: string; outcomeId: string | null }[]
}

/** Prediction markets of a venue: open ones with their odds, then results of those that closed, then histories. */
export function venueConnector(venue: Venue): Connector<typeof Options, State> {
  const { kind } = venue
  return {
    kind,
    options: Options,
    keyOf: () => kind,
    politeness: { atOnce: 1, gapMs: venue.gapMs },
    every: { first: 10 * MINUTE, least: 5 * MINUTE, most: HOUR },

    async *poll(context) {
      const { options, now, unsettled, withoutHistory } = context
      const base = options.url ?? venue.url
      const historyBase = options.historyUrl ?? venue.historyUrl ?? base
      const minVolume = options.minVolume ?? MIN_VOLUME
      let cursor = context.state.cursor ?? null
      // Lists may leave out the outcomes of some markets.
      const incomplete: VenueMarket[] = []
      for (let page = 0; page < (venue.pages ?? MAX_PAGES); page += 1) {
        const answer = await read(context, kind, venue.pageUrl(base, cursor))
        const isLast = answer.cursor === null || answer.cursor === cursor
        cursor = isLast ? null : answer.cursor
        const followed = answer.markets.filter(({ volume }) => volume >= minVolume)
        const markets = followed.filter(({ outcomes }) => outcomes.length > 0)
        incomplete.push(...followed.filter(({ outcomes }) => outcomes.length === 0))
        yield { items: itemsOf(answer, markets), state: { cursor } }
        if (isLast) break
      }
      if (venue.pages !== undefined) cursor = null
      for (const market of [...incomplete.slice(0, MAX_LOOKUPS), ...(await unsettled(kind, MAX_LOOKUPS))]) {
        const answer = await read(context, kind, venue.marketUrl(base, market))
        yield { items: itemsOf(answer, answer.markets), state: { cursor } }
      }
      for (const market of await withoutHistory(kind, MAX_LOOKUPS)) {
        const from = Date.parse(market.openAt ?? market.createdAt)
        const points: OddsPoint[] = []
        for (const { url, outcomeId } of venue.historyUrls(historyBase, market, from, now)) {
          const answer = await read(context, kind, url)
          points.push(...answer.history.map((point) => ({ ...point, outcomeId: point.outcomeId ?? outcomeId })))
        }
        const history = [{ id: market.id, odds: oddsOf(points, market) }]
        yield { items: { kind: 'odds', markets: [], history, reasons: [] }, state: { cursor } }
      }
      return { isChanged: true }
    },
  }
}

async function read(
  { fetch, parse, now }: PollContext<Static<typeof Options>, State>,
  kind: Venue['kind'],
  url: string,
): Promise<VenueAnswer> {
  const { body } = await fetch({ url })
  return parse(kind, body, { now })
}

function itemsOf({ rejected }: VenueAnswer, markets: VenueMarket[]): Extract<Items, { kind: 'odds' }> {
  return { kind: 'odds', markets, history: [], reasons: rejected.map(({ reason }) => reason) }
}

/** Combines the points of outcomes into odds, one per hour. Of two outcomes, one gives the other. */
function oddsOf(points: readonly OddsPoint[], { outcomes }: PredictionMarket): Odds[] {
  const [first, second] = outcomes.length === 2 ? outcomes : []
  const hours = new Map<number, Odds>()
  let probabilities: Odds['probabilities'] = {}
  for (const { at, outcomeId, probability } of points.toSorted((one, other) => one.at - other.at)) {
    const id = outcomeId ?? outcomes[0]?.id
    if (id === undefined) continue
    const other = id === first?.id ? second?.id : id === second?.id ? first?.id : undefined
    probabilities = {
      ...probabilities,
      [id]: probability,
      ...(other !== undefined && { [other]: roundShare(1 - probability) }),
    }
    hours.set(Math.floor(at / HOUR), { at, probabilities })
  }
  return [...hours.values()]
}
