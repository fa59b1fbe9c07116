import uPlot from 'uplot'
import type { Draw } from '../ui/chart.tsx'
import { colourReader } from './colours.ts'

export interface Line {
  name: string
  /** Name of a colour of the style sheet, such as --accent. */
  colour: string
  values: readonly (number | null)[]
}

export interface Lines {
  /** Seconds since 1970, ascending. */
  times: readonly number[]
  lines: readonly Line[]
  format: (value: number) => string
  /** Whether the axis has only whole numbers. */
  isWhole: boolean
}

const LEGEND_HEIGHT = 52
/** Seconds between two times on the axis. */
const STEPS = [60, 300, 600, 1_800, 3_600, 7_200, 14_400]

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const clockOf = (seconds: number) => clock.format(seconds * 1_000)

/** Draws lines over time, in the zone of the reader. */
export const draw: Draw<Lines> = (element, { times, lines, format, isWhole }, onPoint) => {
  const colour = colourReader(element)
  const axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui',
  }
  const sizeOf = () => ({ width: element.clientWidth, height: element.clientHeight - LEGEND_HEIGHT })
  const plot = new uPlot(
    {
      ...sizeOf(),
      scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] } },
      series: [
        { label: 'Time', value: (_, time) => (time == null ? '–' : clockOf(time)) },
        ...lines.map((line) => ({
          label: line.name,
          stroke: colour(line.colour),
          width: 1.5,
          points: { show: false },
          value: (_: uPlot, value: number | null) => (value == null ? '–' : format(value)),
        })),
      ],
      axes: [
        { ...axis, grid: { show: false }, incrs: STEPS, space: 80, values: (_, splits) => splits.map(clockOf) },
        {
          ...axis,
          size: 64,
          values: (_, splits) => splits.map((value) => (isWhole && value % 1 !== 0 ? '' : format(value))),
        },
      ],
      cursor: { y: false, drag: { x: false, y: false } },
      hooks: { setCursor: [(self) => onPoint(self.cursor.idx ?? undefined)] },
    },
    [[...times], ...lines.map(({ values }) => [...values])],
    element,
  )
  const resized = new ResizeObserver(() => plot.setSize(sizeOf()))
  resized.observe(element)
  return () => {
    resized.disconnect()
    plot.destroy()
  }
}
