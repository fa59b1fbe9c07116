import { DAY, startOfDay } from '../../../model/time.ts'

import type { TradingPeriod } from './question.ts'

/** Returns the period from the start of one day to the end of another, both counted in days from today. */
export function tradingPeriod(now: number, opensIn: number, closesIn: number): TradingPeriod {
  const today = startOfDay(now)
  return { openAt: today + opensIn * DAY, closeAt: today + (closesIn + 1) * DAY }
}

/** Returns the last day of the period, such as 7 April 2026. */
export function closeDate({ closeAt }: TradingPeriod): string {
  return dates.format(closeAt - 1)
}

/** Returns the month of the last day, such as April 2026. */
export function closeMonth({ closeAt }: TradingPeriod): string {
  return months.format(closeAt - 1)
}

/** Returns the last quarter that has ended by the last day, such as Q1 2026. */
export function lastQuarter({ closeAt }: TradingPeriod): string {
  const date = new Date(closeAt - 1)
  const quarter = Math.floor(date.getUTCMonth() / 3)
  return quarter === 0 ? `Q4 ${date.getUTCFullYear() - 1}` : `Q${quarter} ${date.getUTCFullYear()}`
}

export function fillDates(text: string, period: TradingPeriod): string {
  return text
    .replace('{date}', closeDate(period))
    .replace('{month}', closeMonth(period))
    .replace('{quarter}', lastQuarter(period))
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
