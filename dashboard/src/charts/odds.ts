import { LineSeries, type UTCTimestamp } from 'lightweight-charts'
import type { Draw } from '../ui/chart.tsx'
import { colourReader } from './colours.ts'
import type { OddsData } from './odds-data.ts'
import { followPointer, secondOf, themedChart } from './themed-chart.ts'

/** Draws the probability of each outcome. */
export const draw: Draw<OddsData> = (element, { history: { interval, points }, outcomes }, onPoint) => {
  const colour = colourReader(element)
  const chart = themedChart(element, colour, interval === '1d' || interval === '1w')
  const times = points.map(({ at }) => secondOf(at))
  for (const outcome of outcomes) {
    const line = chart.addSeries(LineSeries, {
      color: colour(outcome.colour),
      lineWidth: 2,
      priceLineVisible: false,
      priceFormat: { type: 'custom', minMove: 0.001, formatter: (share: number) => `${Math.round(share * 100)}%` },
    })
    line.setData(
      points.map(({ probabilities }, index) => {
        const time = times[index] as UTCTimestamp
        const value = probabilities[outcome.id]
        return value === undefined ? { time } : { time, value }
      }),
    )
  }
  followPointer(chart, points.length, onPoint)
  chart.timeScale().fitContent()
  return () => chart.remove()
}
