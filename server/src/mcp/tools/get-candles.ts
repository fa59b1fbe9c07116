import Type from 'typebox'
import { CANDLE_INTERVALS, type Candle, type CandleMeta } from '../../model/markets.ts'
import { listText, minute, plural } from '../text.ts'
import { defineTool, from, namedPart, rows, rowsOf, to } from '../tool.ts'

const MAX_ROWS = 200
/** The most that the API returns at once. */
const MAX_CANDLES = 5_000

export const getCandles = defineTool({
  name: 'get_candles',
  title: 'Get candles',
  description:
    'Prices of a market over time: open, high, low, close, volume. Without a range: the newest candles. With from, and perhaps to: the whole range; if it has more candles than rows, neighbours are merged, so that the rows still cover all of it. 2 credits.',
  input: Type.Object(
    {
      market: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Symbol of the market such as BTC-USD, or key of the asset such as AAPL',
      }),
      interval: Type.Optional(
        Type.Enum(CANDLE_INTERVALS, {
          default: '1d',
          description: 'Interval of the candles; fine ones reach less far back',
        }),
      ),
      from: from('Opened'),
      to: to('Opened'),
      limit: rows(MAX_ROWS),
    },
    { additionalProperties: false },
  ),
  example: { market: 'BTC-USD', from: '2026-01-01', limit: 30 },
  request: (args) => ({
    path: `/markets/${namedPart('market', args.market)}/candles`,
    params: {
      interval: args.interval,
      openedAfter: args.from,
      openedBefore: args.to,
      maxPoints: args.from === undefined ? rowsOf(args) : MAX_CANDLES,
    },
  }),
  render({ data, meta, notes }, args) {
    const { interval = '1d' } = args
    const candles = data as Candle[]
    const { hasMore, nextOpenedAfter, historyStartAt } = meta as CandleMeta
    const perRow = Math.ceil(candles.length / rowsOf(args)) || 1
    const start = historyStartAt[interval]
    return listText({
      title:
        candles.length === 0
          ? `No ${interval} candles of ${args.market} in this range. ${start === null ? 'There are none at all; try another interval.' : `They begin at ${minute(start)}.`}`
          : `${plural(candles.length, `${interval} candle`)} of ${args.market}, oldest first${perRow > 1 ? `; each row merges ${perRow}` : ''}`,
      columns: [
        { name: 'opened', value: ({ openedAt }) => minute(openedAt) },
        { name: 'open', value: ({ open }) => open },
        { name: 'high', value: ({ high }) => high },
        { name: 'low', value: ({ low }) => low },
        { name: 'close', value: ({ close }) => close },
        { name: 'volume', value: ({ volume }) => volume },
      ],
      rows: downsample(candles, perRow),
      foot: (shown) => [
        ...(shown < Math.ceil(candles.length / perRow) ? [`Later rows are left out: ask with limit=${shown}.`] : []),
        ...(candles.length > 0 && candles.at(-1)?.isClosed === false ? ['The last candle is not closed yet.'] : []),
        ...(args.from !== undefined && hasMore
          ? [`The range goes on: ask with from=${nextOpenedAfter}, or with a longer interval.`]
          : []),
        ...notes,
      ],
    })
  },
})

type Prices = Pick<Candle, 'openedAt' | 'open' | 'high' | 'low' | 'close' | 'volume'>

/** Merges each `perRow` neighbours into one candle; the last one may have fewer. */
export function downsample(candles: readonly Prices[], perRow: number): Prices[] {
  const merged: Prices[] = []
  for (let at = 0; at < candles.length; at += perRow) merged.push(merge(candles.slice(at, at + perRow)))
  return merged
}

function merge(candles: readonly Prices[]): Prices {
  const [first, last] = [candles[0], candles.at(-1)]
  if (first === undefined || last === undefined) throw new Error('there are no candles to merge')
  return {
    openedAt: first.openedAt,
    open: first.open,
    high: Math.max(...candles.map(({ high }) => high)),
    low: Math.min(...candles.map(({ low }) => low)),
    close: last.close,
    // Sums of decimal fractions have digits that no venue reported.
    volume: Number(candles.reduce((sum, { volume }) => sum + volume, 0).toPrecision(12)),
  }
}
