import uPlot from 'uplot'
import type { Draw } from '../ui/chart.tsx'
import { formatCompact, formatNumber } from '../ui/format.ts'
import { colourReader } from './colours.ts'

export interface DayUsage {
  /** A day of UTC, such as 2026-01-31. */
  day: string
  requests: number
  failed: number
}

const HEIGHT = 210
const NAMED_DAYS_PX = 70
const dayNames = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Draws requests and errors per day as bars. A click names the day. */
export const draw: Draw<readonly DayUsage[]> = (element, days, onPoint) => {
  const colour = colourReader(element)
  const nameOf = (index: number) => dayNames.format(new Date(`${days[index]?.day ?? ''}T12:00:00Z`))
  const sizeOf = () => ({ width: element.clientWidth, height: HEIGHT })
  const bars = (label: string, name: string): uPlot.Series => ({
    label,
    fill: colour(name),
    stroke: colour(name),
    width: 0,
    ...(uPlot.paths.bars !== undefined && { paths: uPlot.paths.bars({ size: [0.7, 40] }) }),
    points: { show: false },
    value: (_, value) => (value == null ? '–' : formatNumber(value)),
  })
  const axis = { stroke: colour('--quiet'), ticks: { show: false }, font: '12px system-ui' }
  const plot = new uPlot(
    {
      ...sizeOf(),
      // The days are equally wide, whatever the zone of the reader.
      scales: {
        x: { time: false, range: [-0.6, days.length - 0.4] },
        y: { range: (_, __, most) => [0, Math.max(4, most * 1.1)] },
      },
      series: [
        { label: 'Day', value: (_, index) => (index == null ? '–' : nameOf(index)) },
        bars('Requests', '--accent'),
        bars('Errors', '--bad'),
      ],
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 28,
          splits: () => days.map((_, index) => index),
          values: ({ width }, splits) => {
            const step = Math.max(1, Math.ceil((NAMED_DAYS_PX * days.length) / Math.max(1, width)))
            return splits.map((index) => ((days.length - 1 - index) % step === 0 ? nameOf(index) : ''))
          },
        },
        {
          ...axis,
          grid: { stroke: colour('--line'), width: 1 },
          size: 48,
          values: (_, splits) => splits.map((value) => (value % 1 === 0 ? formatCompact(value) : '')),
        },
      ],
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    },
    [days.map((_, index) => index), days.map(({ requests }) => requests), days.map(({ failed }) => failed)],
    element,
  )
  plot.over.addEventListener('click', () => onPoint(plot.cursor.idx ?? undefined))
  const size = new ResizeObserver(() => plot.setSize(sizeOf()))
  size.observe(element)
  return () => {
    size.disconnect()
    plot.destroy()
  }
}
