import { LineSeries, type UTCTimestamp } from 'lightweight-charts'
import { colourReader } from './colours.ts'
import type { OddsData } from './odds-data.ts'
import { secondOf, themedChart } from './themed-chart.ts'

/** Draws the probability of each outcome. `onPoint` gets the position of the point under the pointer. Returns a function that removes it. */
export function draw(
  element: HTMLElement,
  { history: { interval, points }, outcomes }: OddsData,
  onPoint: (index: number | undefined) => void,
): () => void {
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
  chart.subscribeCrosshairMove(({ logical }) => {
    const index = logical === undefined ? -1 : Math.round(logical)
    onPoint(points[index] === undefined ? undefined : index)
  })
  chart.timeScale().fitContent()
  return () => chart.remove()
}
