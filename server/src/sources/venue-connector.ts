import Type, { type Static } from 'typebox'
import type { Odds, PredictionMarket } from '../model/prediction-markets.ts'
import { HOUR, MINUTE } from '../model/time.ts'
import type { Batch, Connector, Items, PollContext } from './connector.ts'
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

interface State {
  /** Where the next page starts, in the middle of a run that was interrupted. */
  cursor: string | null
  /** Places of the last markets looked up: the next run goes on after them, so that all have their turn. */
  settledAfter: number
  historyAfter: number
}

const START: State = { cursor: null, settledAfter: 0, historyAfter: 0 }
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

/** Reads the prediction markets of a venue: first open ones with their odds, then results of closed ones, then histories. */
export function venueConnector(venue: Venue): Connector<typeof Options, State> {
  const { kind } = venue
  return {
    kind,
    brings: 'prediction-markets',
    options: Options,
    keyOf: () => kind,
    politeness: { atOnce: 1, gapMs: venue.gapMs },
    every: { first: 10 * MINUTE, least: 5 * MINUTE, most: HOUR },

    async *poll(context) {
      let state: State = { ...START, ...context.state }
      for (const step of [readPages, lookUpResults, readHistories]) {
        for await (const batch of step(venue, context, state)) {
          state = batch.state
          yield batch
        }
      }
      return { isChanged: true }
    },
  }
}

type Context = PollContext<Static<typeof Options>, State>

type Step = (venue: Venue, context: Context, before: State) => AsyncGenerator<Batch<State>>

/** Reads the open markets. */
const readPages: Step = async function* (venue, context, state) {
  const { options } = context
  const base = options.url ?? venue.url
  const minVolume = options.minVolume ?? MIN_VOLUME
  let { cursor } = state
  for (let page = 1; page <= (venue.pages ?? MAX_PAGES); page += 1) {
    const answer = await readPage(context, venue, base, cursor)
    const isLast = answer.cursor === null || answer.cursor === cursor || page === venue.pages
    cursor = isLast ? null : answer.cursor
    const followed = answer.markets.filter(({ volume }) => volume >= minVolume)
    const complete = followed.filter(({ outcomes }) => outcomes.length > 0)
    yield { items: itemsOf(answer, complete), state: { ...state, cursor } }
    // Lists may leave out the outcomes of some markets.
    for (const market of followed.filter(({ outcomes }) => outcomes.length === 0).slice(0, MAX_LOOKUPS)) {
      const single = await lookUp(context, venue.kind, venue.marketUrl(base, market))
      yield { items: itemsOf(single, single.markets), state: { ...state, cursor } }
    }
    if (isLast) return
  }
}

/** Reads markets again that have closed, until they have a result. */
const lookUpResults: Step = async function* (venue, context, state) {
  const { options, unsettled } = context
  const markets = await unsettled(venue.kind, state.settledAfter, MAX_LOOKUPS)
  for (const market of markets) {
    const answer = await lookUp(context, venue.kind, venue.marketUrl(options.url ?? venue.url, market))
    yield { items: itemsOf(answer, answer.markets), state: { ...state, settledAfter: market.place } }
  }
  const isLast = markets.length < MAX_LOOKUPS && (markets.length > 0 || state.settledAfter > 0)
  if (isLast) yield { items: { kind: 'nothing' }, state: { ...state, settledAfter: 0 } }
}

/** Reads the past of markets that are new here. */
const readHistories: Step = async function* (venue, context, state) {
  const { options, now, withoutHistory } = context
  const base = options.historyUrl ?? venue.historyUrl ?? options.url ?? venue.url
  const markets = await withoutHistory(venue.kind, state.historyAfter, MAX_LOOKUPS)
  for (const market of markets) {
    const points: OddsPoint[] = []
    const reasons: string[] = []
    const from = Date.parse(market.openAt ?? market.createdAt)
    for (const { url, outcomeId } of venue.historyUrls(base, market, from, now)) {
      const answer = await lookUp(context, venue.kind, url)
      for (const point of answer.history) points.push({ ...point, outcomeId: point.outcomeId ?? outcomeId })
      reasons.push(...answer.rejected.map(({ reason }) => reason))
    }
    const history = [{ id: market.id, odds: oddsOf(points, market) }]
    yield { items: { kind: 'odds', markets: [], history, reasons }, state: { ...state, historyAfter: market.place } }
  }
  const isLast = markets.length < MAX_LOOKUPS && (markets.length > 0 || state.historyAfter > 0)
  if (isLast) yield { items: { kind: 'nothing' }, state: { ...state, historyAfter: 0 } }
}

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

function itemsOf({ rejected }: VenueAnswer, markets: VenueMarket[]): Items {
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
