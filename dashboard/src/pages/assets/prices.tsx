import type { Entry, Market, MarketCandle, Signal } from 'mintick-client'
import { useMemo, useState } from 'preact/hooks'
import type { ApiCall } from '../../api/api-call.ts'
import { showPaid, type usePaidQuery } from '../../api/paid-query.ts'
import { type CandleData, candleAt, type Happening } from '../../charts/candle-data.ts'
import { useAddress } from '../../ui/address.ts'
import { Chart, ChartCredit } from '../../ui/chart.tsx'
import { Choices } from '../../ui/choices.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { formatCompact, formatNumber, formatPrice } from '../../ui/format.ts'
import { Change } from '../../ui/market-data.tsx'
import { RunBar } from '../../ui/run-bar.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Day, Time } from '../../ui/time.tsx'

const MAX_POINTS = 1000
/** Candles below which a range is not offered. */
const LEAST_CANDLES = 5
const DAY_MS = 86_400_000
const DAILY = ['1d', '1w', '1mo']
const RANGES = {
  '1 day': 1,
  '5 days': 5,
  '1 month': 30,
  '3 months': 91,
  '1 year': 365,
  '5 years': 1826,
  All: undefined,
}

/** Returns the interval of the address, or the usual one of the market. */
export function intervalOf(market: Market | undefined, chosen: string | undefined): string {
  const [first = '1d'] = market?.intervals ?? []
  return chosen ?? (market?.intervals.includes('1d') ? '1d' : first)
}

export const candlesOf = (symbol: string, interval: string): ApiCall<'markets.candles'> => ({
  path: `/markets/${encodeURIComponent(symbol)}/candles`,
  method: 'markets.candles',
  kind: 'list',
  args: [symbol],
  params: { interval, maxPoints: MAX_POINTS },
})

interface PricesProps {
  markets: readonly Market[]
  market: Market
  /** The candles of the market in the interval of the address. */
  candles: ReturnType<typeof usePaidQuery<'markets.candles'>>
  entries: readonly Entry[]
  signals: readonly Signal[]
}

/** The candles of a market, with a choice of intervals, which cost credits, and of ranges, which do not. */
export function Prices({ markets, market, candles, entries, signals }: PricesProps) {
  const { values, linkTo, route } = useAddress()
  const interval = intervalOf(market, values.interval)
  const show = (symbol: string, chosen: string) => {
    route(linkTo({ market: symbol === markets[0]?.symbol ? undefined : symbol, interval: chosen }))
    if (candles.isAsked) showPaid(candlesOf(symbol, chosen))
  }
  return (
    <>
      <div class="chart-tools">
        {markets.length > 1 && (
          <Choices
            label="Market"
            values={markets.map(({ symbol }) => symbol)}
            chosen={market.symbol}
            onChoose={(symbol) => show(symbol, interval)}
          />
        )}
        <Choices
          label="Interval"
          values={market.intervals}
          chosen={interval}
          onChoose={(chosen) => show(market.symbol, chosen)}
        />
      </div>
      <RunBar of={[candles]} label="Load the candles" isPart />
      {candles.isAsked && (
        <Loaded of={candles.query}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="There are no candles of this interval." />
            ) : (
              <Candles candles={data} interval={interval} {...{ market, entries, signals }} />
            )
          }
        </Loaded>
      )}
    </>
  )
}

type CandlesProps = Omit<PricesProps, 'markets' | 'candles'> & { candles: readonly MarketCandle[]; interval: string }

function Candles({ candles, interval, market, entries, signals }: CandlesProps) {
  const [range, setRange] = useState<keyof typeof RANGES>('All')
  const [pointed, setPointed] = useState<number>()
  const isDaily = DAILY.includes(interval)
  const happenings = useMemo(() => happeningsOf(entries, signals), [entries, signals])
  const data = useMemo<CandleData>(
    () => ({ candles, happenings, isDaily, from: startOf(candles, RANGES[range]) }),
    [candles, happenings, isDaily, range],
  )
  const ranges = (Object.keys(RANGES) as (keyof typeof RANGES)[]).filter((name) => isUseful(candles, RANGES[name]))
  return (
    <>
      <Choices label="Range" values={ranges} chosen={range} onChoose={setRange} />
      <Legend candles={candles} index={pointed ?? candles.length - 1} happenings={happenings} isDaily={isDaily} />
      <Chart
        load={() => import('../../charts/candles.ts')}
        data={data}
        onPoint={setPointed}
        caption={<ChartCredit />}
        label={`Candles of ${market.symbol}, ${formatNumber(candles.length)} of ${interval}; the table below has the figures`}
      />
      <Figures candles={candles} isDaily={isDaily} />
    </>
  )
}

function happeningsOf(entries: readonly Entry[], signals: readonly Signal[]): Happening[] {
  return [
    ...entries.map(({ publishedAt, title, sentimentScore }): Happening => {
      const score = sentimentScore ?? 0
      return { at: publishedAt, kind: 'news', tone: score >= 0.15 ? 'good' : score <= -0.15 ? 'bad' : 'plain', title }
    }),
    ...signals.map(({ generatedAt, direction, title }): Happening => {
      const tone = ({ bullish: 'good', bearish: 'bad', neutral: 'plain' } as const)[direction]
      return { at: generatedAt, kind: 'signal', tone, title }
    }),
  ]
}

const timeOf = (candle: MarketCandle | undefined) => (candle === undefined ? 0 : Date.parse(candle.openedAt))

/** Returns the time of the first candle of the last days; undefined for all. */
const startOf = (candles: readonly MarketCandle[], days: number | undefined) =>
  days === undefined ? undefined : candles[firstOf(candles, days)]?.openedAt

function firstOf(candles: readonly MarketCandle[], days: number): number {
  const from = timeOf(candles.at(-1)) - days * DAY_MS
  return candles.findIndex((candle) => timeOf(candle) >= from)
}

/** Returns whether a range shows a part of the candles, and enough of them for a chart. */
function isUseful(candles: readonly MarketCandle[], days: number | undefined): boolean {
  if (days === undefined) return true
  const first = firstOf(candles, days)
  return first > 0 && candles.length - first >= LEAST_CANDLES
}

interface LegendProps {
  candles: readonly MarketCandle[]
  index: number
  happenings: readonly Happening[]
  isDaily: boolean
}

/** The figures of a candle, and what happened in it. */
function Legend({ candles, index, happenings, isDaily }: LegendProps) {
  const candle = candles[index]
  if (candle === undefined) return null
  const before = candles[index - 1]?.close
  const inside = happenings.filter(({ at }) => candleAt(candles, at) === index)
  return (
    <section class="legend" aria-label="Candle under the pointer">
      <p>
        <strong>{isDaily ? <Day day={candle.openedAt.slice(0, 10)} /> : <Time at={candle.openedAt} />}</strong>{' '}
        <span>Open {formatPrice(candle.open)}</span> <span>High {formatPrice(candle.high)}</span>{' '}
        <span>Low {formatPrice(candle.low)}</span> <span>Close {formatPrice(candle.close)}</span>{' '}
        {before !== undefined && before !== 0 && <Change percent={(candle.close / before - 1) * 100} />}{' '}
        <span class="quiet">Volume {formatCompact(candle.volume)}</span>
      </p>
      <p class="quiet small legend-news">
        {inside.length === 0
          ? 'Dots are news, arrows are signals.'
          : inside
              .slice(0, 2)
              .map(({ title }) => title)
              .join(' · ')}
        {inside.length > 2 && ` · ${inside.length - 2} more`}
      </p>
    </section>
  )
}

const SHOWN_CANDLES = 50

function Figures({ candles, isDaily }: { candles: readonly MarketCandle[]; isDaily: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const shown = candles.slice(-SHOWN_CANDLES).reverse()
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The last {shown.length} candles as a table</summary>
      {isOpen && (
        <DataTable
          caption="Candles"
          rows={shown}
          keyOf={({ openedAt }) => openedAt}
          columns={[
            {
              title: 'Opened',
              cell: ({ openedAt }) => (isDaily ? <Day day={openedAt.slice(0, 10)} /> : <Time at={openedAt} />),
            },
            { title: 'Open', isNumber: true, cell: ({ open }) => formatPrice(open) },
            { title: 'High', isNumber: true, cell: ({ high }) => formatPrice(high) },
            { title: 'Low', isNumber: true, cell: ({ low }) => formatPrice(low) },
            { title: 'Close', isNumber: true, cell: ({ close }) => formatPrice(close) },
            { title: 'Volume', isNumber: true, cell: ({ volume }) => formatNumber(volume) },
          ]}
        />
      )}
    </details>
  )
}
