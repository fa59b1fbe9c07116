import {
  CandlestickSeries,
  createSeriesMarkers,
  HistogramSeries,
  type SeriesMarker,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { MarketCandle } from 'mintick-client'
import type { Draw } from '../ui/chart.tsx'
import { type CandleData, candleAt, type Happening } from './candle-data.ts'
import { colourReader } from './colours.ts'
import { followPointer, secondOf, themedChart } from './themed-chart.ts'

const TONES = { good: '--good', bad: '--bad', plain: '--quiet' } as const

/** Draws candles with their volume. */
export const draw: Draw<CandleData> = (element, { candles, happenings, isDaily, from }, onPoint) => {
  const colour = colourReader(element)
  const chart = themedChart(element, colour, isDaily)
  const [good, bad] = [colour('--good'), colour('--bad')]
  const least = Math.min(...candles.map(({ low }) => low))
  const precision = least >= 10 ? 2 : least >= 1 ? 4 : 8
  const prices = chart.addSeries(CandlestickSeries, {
    upColor: good,
    downColor: bad,
    borderVisible: false,
    wickUpColor: good,
    wickDownColor: bad,
    priceFormat: { type: 'price', precision, minMove: 10 ** -precision },
  })
  const times = candles.map(({ openedAt }) => secondOf(openedAt))
  prices.setData(
    candles.map(({ open, high, low, close }, index) => ({
      time: times[index] as UTCTimestamp,
      open,
      high,
      low,
      close,
    })),
  )
  const volume = chart.addSeries(HistogramSeries, {
    color: colour('--line'),
    priceFormat: { type: 'volume' },
    priceScaleId: 'volume',
    lastValueVisible: false,
    priceLineVisible: false,
  })
  volume.setData(candles.map((candle, index) => ({ time: times[index] as UTCTimestamp, value: candle.volume })))
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })
  createSeriesMarkers(prices, markersOf(candles, happenings, colour))
  followPointer(chart, candles.length, onPoint)
  const [last] = times.slice(-1)
  if (from === undefined || last === undefined) chart.timeScale().fitContent()
  else chart.timeScale().setVisibleRange({ from: secondOf(from), to: last })
  return () => chart.remove()
}

/** Returns a dot below each candle with news and an arrow above or below each candle with signals. */
function markersOf(
  candles: readonly MarketCandle[],
  happenings: readonly Happening[],
  colour: (name: string) => string,
): SeriesMarker<UTCTimestamp>[] {
  const found = new Map<string, SeriesMarker<UTCTimestamp>>()
  for (const { at, kind, tone } of happenings) {
    const index = candleAt(candles, at)
    const candle = candles[index]
    if (candle === undefined) continue
    const isUp = tone !== 'bad'
    found.set(`${kind} ${index} ${kind === 'signal' ? isUp : ''}`, {
      time: secondOf(candle.openedAt),
      color: colour(TONES[tone]),
      ...(kind === 'news'
        ? { position: 'belowBar', shape: 'circle', size: 0.5 }
        : { position: isUp ? 'belowBar' : 'aboveBar', shape: isUp ? 'arrowUp' : 'arrowDown', size: 1 }),
    })
  }
  return [...found.values()].sort((one, other) => one.time - other.time)
}
