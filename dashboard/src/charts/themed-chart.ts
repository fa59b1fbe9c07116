import { createChart, type IChartApi, TickMarkType, type Time, type UTCTimestamp } from 'lightweight-charts'

/** Returns the second of a time, as the chart counts. */
export const secondOf = (time: string) => (Date.parse(time) / 1_000) as UTCTimestamp

/** Creates a chart in the colours of the page. Times of days are UTC days; finer ones are in the zone of the reader. */
export function themedChart(element: HTMLElement, colour: (name: string) => string, isDaily: boolean): IChartApi {
  const timeZone = isDaily ? 'UTC' : undefined
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(undefined, { ...options, timeZone })
    return (time: Time) => formatter.format(Number(time) * 1_000)
  }
  const marks: Record<TickMarkType, (time: Time) => string> = {
    [TickMarkType.Year]: format({ year: 'numeric' }),
    [TickMarkType.Month]: format({ month: 'short' }),
    [TickMarkType.DayOfMonth]: format({ day: 'numeric', month: 'short' }),
    [TickMarkType.Time]: format({ timeStyle: 'short' }),
    [TickMarkType.TimeWithSeconds]: format({ timeStyle: 'medium' }),
  }
  return createChart(element, {
    autoSize: true,
    layout: {
      // The logo would insert a style element, which the policy of the page forbids; the page names the library instead.
      attributionLogo: false,
      background: { color: 'transparent' },
      textColor: colour('--quiet'),
      fontFamily: 'system-ui, sans-serif',
    },
    grid: { vertLines: { color: colour('--line') }, horzLines: { color: colour('--line') } },
    rightPriceScale: { borderColor: colour('--line') },
    timeScale: {
      borderColor: colour('--line'),
      timeVisible: !isDaily,
      tickMarkFormatter: (time: Time, type: TickMarkType) => marks[type](time),
    },
    crosshair: { vertLine: { labelBackgroundColor: '#4c5661' }, horzLine: { labelBackgroundColor: '#4c5661' } },
    localization: {
      timeFormatter: format(isDaily ? { dateStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' }),
    },
    handleScroll: { mouseWheel: false },
    handleScale: { mouseWheel: false },
  })
}

/** Passes the position under the pointer on, of a chart with so many positions; undefined beside all of them. */
export function followPointer(chart: IChartApi, length: number, onPoint: (index: number | undefined) => void): void {
  chart.subscribeCrosshairMove(({ logical }) => {
    const index = logical === undefined ? -1 : Math.round(logical)
    onPoint(index >= 0 && index < length ? index : undefined)
  })
}
