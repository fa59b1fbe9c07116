import type { NewAsset } from '../../../model/assets.ts'
import { DAY, MINUTE, startOfDay } from '../../../model/time.ts'

/** First minute of trading within the UTC day, and the first minute after it. */
type Session = readonly [from: number, to: number]

/** Trading hours in UTC. They ignore daylight saving time, holidays and breaks. */
export interface TradingHours {
  /** From Sunday to Saturday; null on closed days. */
  week: readonly (Session | null)[]
  /** Minutes of a full trading day. */
  minutesPerDay: number
}

export function tradingHoursOf(asset: Pick<NewAsset, 'type' | 'countryCode'>): TradingHours {
  if (asset.type === 'crypto') return always
  if (asset.type === 'currency' || asset.type === 'commodity') return sundayToFriday
  return hoursByCountry.get(asset.countryCode ?? '') ?? europe
}

/** Returns the session of the UTC day that begins at `dayStart`, in epoch milliseconds. */
export function findSession(hours: TradingHours, dayStart: number): { from: number; to: number } | undefined {
  // 1 January 1970 was a Thursday.
  const session = hours.week[(dayStart / DAY + 4) % 7]
  if (session === undefined || session === null) return undefined
  return { from: dayStart + session[0] * MINUTE, to: dayStart + session[1] * MINUTE }
}

/** Counts the trading minutes between two times. */
export function tradingMinutes(hours: TradingHours, from: number, to: number): number {
  let total = 0
  for (let day = startOfDay(from); day < to; day += DAY) {
    const session = findSession(hours, day)
    if (session === undefined) continue
    total += Math.max(0, Math.min(session.to, to) - Math.max(session.from, from)) / MINUTE
  }
  return total
}

const ALL_DAY: Session = [0, 1440]
const always: TradingHours = { week: Array.from({ length: 7 }, () => ALL_DAY), minutesPerDay: 1440 }
const sundayToFriday: TradingHours = {
  week: [[1320, 1440], ALL_DAY, ALL_DAY, ALL_DAY, ALL_DAY, [0, 1320], null],
  minutesPerDay: 1440,
}

const europe = weekdays('08:00', '16:30')
const america = weekdays('14:30', '21:00')
const china = weekdays('01:30', '08:00')

const hoursByCountry = new Map<string, TradingHours>([
  ['US', america],
  ['CA', america],
  ['MX', america],
  ['BR', weekdays('13:00', '20:00')],
  ['JP', weekdays('00:00', '06:00')],
  ['CN', china],
  ['HK', china],
  ['TW', weekdays('01:00', '05:30')],
  ['KR', weekdays('00:00', '06:30')],
  ['IN', weekdays('03:45', '10:00')],
  ['AU', weekdays('00:00', '06:00')],
])

function weekdays(from: string, to: string): TradingHours {
  const session: Session = [minuteOf(from), minuteOf(to)]
  return { week: [null, session, session, session, session, session, null], minutesPerDay: session[1] - session[0] }
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}
