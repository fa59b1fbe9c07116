import Type, { type Static } from 'typebox'
import type { Odds, PredictionMarket } from '../model/prediction-markets.ts'
import { HOUR, MINUTE } from '../model/time.ts'
import type { Connector, Items, PollContext } from './connector.ts'
import { FetchError } from './fetch/fetch-error.ts'
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
      for (let page = 1; page <= (venue.pages ?? MAX_PAGES); page += 1) {
        const answer = await readPage(context, venue, base, cursor)
        const isLast = answer.cursor === null || answer.cursor === cursor || page === venue.pages
        cursor = isLast ? null : answer.cursor
        const followed = answer.markets.filter(({ volume }) => volume >= minVolume)
        const markets = followed.filter(({ outcomes }) => outcomes.length > 0)
        incomplete.push(...followed.filter(({ outcomes }) => outcomes.length === 0))
        yield { items: itemsOf(answer, markets), state: { cursor } }
        if (isLast) break
      }
      for (const market of [...incomplete.slice(0, MAX_LOOKUPS), ...(await unsettled(kind, MAX_LOOKUPS))]) {
        const answer = await lookUp(context, kind, venue.marketUrl(base, market))
        yield { items: itemsOf(answer, answer.markets), state: { cursor } }
      }
      for (const market of await withoutHistory(kind, MAX_LOOKUPS)) {
        const from = Date.parse(market.openAt ?? market.createdAt)
        const points: OddsPoint[] = []
        const reasons: string[] = []
        for (const { url, outcomeId } of venue.historyUrls(historyBase, market, from, now)) {
          const { history, rejected } = await lookUp(context, kind, url)
          points.push(...history.map((point) => ({ ...point, outcomeId: point.outcomeId ?? outcomeId })))
          reasons.push(...rejected.map(({ reason }) => reason))
        }
        const history = [{ id: market.id, odds: oddsOf(points, market) }]
        yield { items: { kind: 'odds', markets: [], history, reasons }, state: { cursor } }
      }
      return { isChanged: true }
    },
  }
}

type Context = PollContext<Static<typeof Options>, State>

/** Reads a page; the first one if the venue no longer knows the cursor, which may be from a run of long ago. */
async function readPage(
  context: Context,
  { kind, pageUrl }: Venue,
  base: string,
  cursor: string | null,
): Promise<VenueAnswer> {
  try {
    return await read(context, kind, pageUrl(base, cursor))
  } catch (error) {
    if (cursor === null || !isRefusal(error)) throw error
    return read(context, kind, pageUrl(base, null))
  }
}

/** Reads what concerns one market. A venue that does not have it must not keep the others from being read. */
async function lookUp(context: Context, kind: Venue['kind'], url: string): Promise<VenueAnswer> {
  try {
    return await read(context, kind, url)
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { markets: [], history: [], cursor: null, rejected: [{ row: 1, reason: error.message }] }
  }
}

const REFUSALS = [400, 404, 410, 422]

const isRefusal = (error: unknown): error is FetchError =>
  error instanceof FetchError && error.status !== undefined && REFUSALS.includes(error.status)

async function read({ fetch, parse, now }: Context, kind: Venue['kind'], url: string): Promise<VenueAnswer> {
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
