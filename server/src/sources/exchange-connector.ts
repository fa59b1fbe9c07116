import Type, { type Static } from 'typebox'
import type { NewCandle, StoredInterval } from '../model/markets.ts'
import { DAY, HOUR, MINUTE, startOfDay } from '../model/time.ts'
import type { CandleAnswer } from './candles.ts'
import type { Connector, PairMarket, PollContext } from './connector.ts'

const Options = Type.Object(
  {
    pairs: Type.Array(Type.String({ pattern: '^[A-Z0-9]{2,12}/[A-Z0-9]{2,12}$' }), {
      minItems: 1,
      maxItems: 200,
      description: 'Pairs of currencies, such as BTC/USD',
    }),
    url: Type.Optional(Type.String({ pattern: '^https?://', description: 'Address of the API, if not the usual one' })),
  },
  { additionalProperties: false },
)

/** The opening time of the last closed candle that is stored, per interval. */
type State = Partial<Record<StoredInterval, number>>

/** An exchange may finish a candle late, and the clock of this machine may be ahead. */
const SETTLE_MS = MINUTE

const LENGTHS: Record<StoredInterval, number> = { '1d': DAY, '1h': HOUR, '1m': MINUTE }

/**
 * How far back candles are read at first. A finer interval starts where a candle of the next coarser one starts, which
 * it then replaces as a whole.
 */
const FIRST: Record<StoredInterval, (now: number) => number> = {
  '1d': (now) => startOfDay(now - 719 * DAY),
  '1h': (now) => startOfDay(now - 28 * DAY),
  '1m': (now) => Math.floor((now - 11 * HOUR) / HOUR) * HOUR,
}

/** What differs between exchanges. */
export interface Exchange {
  kind: 'kraken' | 'coinbase' | 'binance'
  venue: string
  url: string
  /** Time between two requests. */
  gapMs: number
  /** Candles in one answer, at most. An answer without candles says that there are none in so many intervals. */
  pageSize: number
  /** Candles of each interval that the exchange has; older ones are gone. */
  kept?: number
  /** Returns the address of the candles that open at `from` or later, oldest first. */
  urlOf(base: string, pair: Pair, interval: StoredInterval, from: number): string
}

export interface Pair {
  base: string
  quote: string
}

/** Candles of an exchange: history first, then the newest every minute. */
export function exchangeConnector(exchange: Exchange): Connector<typeof Options, State> {
  const { kind } = exchange
  return {
    kind,
    brings: 'candles',
    options: Options,
    split: ({ pairs, ...rest }) => pairs.map((pair) => ({ ...rest, pairs: [pair] })),
    keyOf: ({ pairs }) => `${kind}:${pairs.join(',')}`,
    politeness: { atOnce: 1, gapMs: exchange.gapMs },
    every: { first: MINUTE, least: MINUTE, most: MINUTE },

    async *poll(context) {
      const [base = '', quote = ''] = context.options.pairs[0]?.split('/') ?? []
      const pair = { base, quote }
      const market = marketOf(exchange, pair)
      let { state } = context
      let isChanged = false
      // Coarse to fine: after a long pause the finest have gaps, which the coarser ones fill.
      for (const interval of ['1d', '1h', '1m'] as const) {
        for await (const { answer, closed } of readOn(exchange, context, pair, interval, state[interval])) {
          state = { ...state, [interval]: closed }
          const { candles, rejected } = answer
          yield {
            items: { kind: 'candles', market, interval, candles, reasons: rejected.map((row) => row.reason) },
            state,
          }
          isChanged = true
        }
      }
      return { isChanged }
    },
  }
}

/** Reads the candles after the last closed one, page by page. The last candles of the last page may still change. */
async function* readOn(
  { kind, url, pageSize, kept = Number.POSITIVE_INFINITY, urlOf }: Exchange,
  { options, now, fetch, parse }: PollContext<Static<typeof Options>, State>,
  pair: Pair,
  interval: StoredInterval,
  lastClosed: number | undefined,
): AsyncGenerator<{ answer: CandleAnswer; closed: number }> {
  const length = LENGTHS[interval]
  const lastEnded = Math.floor((now - SETTLE_MS) / length) * length - length
  const isLost = lastClosed === undefined || lastClosed + length < now - (kept - 1) * length
  let from = isLost ? FIRST[interval](now) : lastClosed + length
  // Coarse candles are read when they are closed: until then, finer ones make them up.
  while (from <= (interval === '1m' ? now : lastEnded)) {
    const { body } = await fetch({ url: urlOf(options.url ?? url, pair, interval, from) })
    const answer: CandleAnswer = await parse(kind, body)
    const candles = answer.candles.filter(({ openedAt }) => openedAt >= from && openedAt <= now)
    const lastSeen = candles.findLast(({ openedAt }) => openedAt <= lastEnded)?.openedAt
    // Without trades there are no candles: go on after the page, but not beyond what may still come.
    const empty = Math.min(from + (pageSize - 1) * length, lastEnded)
    const closed = candles.length > 0 ? (lastSeen ?? from - length) : Math.max(empty, from - length)
    if (candles.length > 0 || closed >= from) yield { answer: { ...answer, candles }, closed }
    if (closed < from || isOpenOnly(candles, closed)) return
    from = closed + length
  }
}

const isOpenOnly = (candles: readonly NewCandle[], closed: number) => (candles.at(-1)?.openedAt ?? 0) > closed

function marketOf({ kind, venue }: Exchange, { base, quote }: Pair): PairMarket {
  return {
    symbol: `${kind.toUpperCase()}:${base}-${quote}`,
    name: `${base} / ${quote}`,
    assetKey: base,
    assetName: base,
    type: 'crypto',
    venue,
    baseCurrency: base,
    quoteCurrency: quote,
    timezone: 'UTC',
    status: 'active',
    volumeDecimals: 8,
    quoteVolumeDecimals: 4,
  }
}
