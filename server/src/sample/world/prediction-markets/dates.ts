import { DAY } from '../../../model/time.ts'
import { startOfTradingDay } from '../prices/hours.ts'
import type { Span } from './question.ts'

/** From the start of a day to the end of another; both in days from today. */
export function spanOf(now: number, opensIn: number, closesIn: number): Span {
  const today = startOfTradingDay(now)
  return { openAt: today + opensIn * DAY, closeAt: today + (closesIn + 1) * DAY }
}

/** The last day of a span, such as 7 April 2026. */
export function dateOf({ closeAt }: Span): string {
  return dates.format(closeAt - 1)
}

/** The month of that day, such as April 2026. */
export function monthOf({ closeAt }: Span): string {
  return months.format(closeAt - 1)
}

/** The last quarter that is over on that day, such as Q1 2026. */
export function quarterOf({ closeAt }: Span): string {
  const date = new Date(closeAt - 1)
  const quarter = Math.floor(date.getUTCMonth() / 3)
  return quarter === 0 ? `Q4 ${date.getUTCFullYear() - 1}` : `Q${quarter} ${date.getUTCFullYear()}`
}

export function fillDates(text: string, span: Span): string {
  return text.replace('{date}', dateOf(span)).replace('{month}', monthOf(span)).replace('{quarter}', quarterOf(span))
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
