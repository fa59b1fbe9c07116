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

type Step = (
  venue: Venue,
  context: PollContext<Static<typeof Options>, State>,
  before: State,
) => AsyncGenerator<Batch<State>>

/** Reads the open markets. */
const readPages: Step = async function* (venue, context, state) {
  const { options } = context
  const base = options.url ?? venue.url
  const minVolume = options.minVolume ?? MIN_VOLUME
  let { cursor } = state
  for (let page = 1; page <= (venue.pages ?? MAX_PAGES); page += 1) {
    const answer = await read(context, venue, venue.pageUrl(base, cursor))
    const isLast = answer.cursor === null || answer.cursor === cursor || page === venue.pages
    cursor = isLast ? null : answer.cursor
    const followed = answer.markets.filter(({ volume }) => volume >= minVolume)
    const complete = followed.filter(({ outcomes }) => outcomes.length > 0)
    yield { items: itemsOf(complete, answer), state: { ...state, cursor } }
    // Lists may leave out the outcomes of some markets.
    for (const market of followed.filter(({ outcomes }) => outcomes.length === 0).slice(0, MAX_LOOKUPS)) {
      const single = await readIfThere(context, venue, venue.marketUrl(base, market))
      if (single !== undefined) yield { items: itemsOf(single.markets, single), state: { ...state, cursor } }
    }
    if (isLast) return
  }
}

/** Reads markets again that have closed, until they have a result. */
const lookUpResults: Step = async function* (venue, context, state) {
  const { options, unsettled } = context
  const markets = await unsettled(venue.kind, state.settledAfter, MAX_LOOKUPS)
  for (const market of markets) {
    const answer = await readIfThere(context, venue, venue.marketUrl(options.url ?? venue.url, market))
    yield { items: itemsOf(answer?.markets ?? [], answer), state: { ...state, settledAfter: market.place } }
  }
  if (markets.length < MAX_LOOKUPS) yield { items: { kind: 'nothing' }, state: { ...state, settledAfter: 0 } }
}

/** Reads the past of markets that are new here. */
const readHistories: Step = async function* (venue, context, state) {
  const { options, now, withoutHistory } = context
  const base = options.historyUrl ?? venue.historyUrl ?? options.url ?? venue.url
  const markets = await withoutHistory(venue.kind, state.historyAfter, MAX_LOOKUPS)
  for (const market of markets) {
    const points: OddsPoint[] = []
    const from = Date.parse(market.openAt ?? market.createdAt)
    for (const { url, outcomeId } of venue.historyUrls(base, market, from, now)) {
      const answer = await readIfThere(context, venue, url)
      for (const point of answer?.history ?? []) points.push({ ...point, outcomeId: point.outcomeId ?? outcomeId })
    }
    const history = [{ id: market.id, odds: oddsOf(points, market) }]
    yield { items: { ...itemsOf([]), history }, state: { ...state, historyAfter: market.place } }
  }
  if (markets.length < MAX_LOOKUPS) yield { items: { kind: 'nothing' }, state: { ...state, historyAfter: 0 } }
}

async function read(
  { fetch, parse, now }: PollContext<Static<typeof Options>, State>,
  { kind }: Venue,
  url: string,
): Promise<VenueAnswer> {
  const { body } = await fetch({ url })
  return parse(kind, body, { now })
}

/** Returns undefined for what the venue does not have any more. */
async function readIfThere(
  context: PollContext<Static<typeof Options>, State>,
  venue: Venue,
  url: string,
): Promise<VenueAnswer | undefined> {
  try {
    return await read(context, venue, url)
  } catch (error) {
    if (error instanceof FetchError && error.status === 404) return undefined
    throw error
  }
}

function itemsOf(markets: VenueMarket[], answer?: VenueAnswer): Extract<Items, { kind: 'odds' }> {
  return { kind: 'odds', markets, history: [], reasons: answer?.rejected.map(({ reason }) => reason) ?? [] }
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
