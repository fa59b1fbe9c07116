import type { NewAsset } from '../../../model/assets.ts'
import { DAY, MINUTE } from '../../../model/time.ts'

/** First minute of the UTC day in which it trades, and the first in which it does not any more. */
type Session = readonly [from: number, to: number]

/** When an asset trades: all times are UTC the year round, there are no holidays and no breaks. */
export interface Hours {
  /** From Sunday to Saturday; null: closed all day. */
  week: readonly (Session | null)[]
  /** Of a full day. */
  minutesPerDay: number
}

export function hoursOf(asset: Pick<NewAsset, 'type' | 'countryCode'>): Hours {
  if (asset.type === 'crypto') return always
  if (asset.type === 'currency' || asset.type === 'commodity') return sundayToFriday
  return hoursByCountry.get(asset.countryCode ?? '') ?? europe
}

/** The session of the UTC day that begins at `dayStart`, in epoch milliseconds. */
export function findSession(hours: Hours, dayStart: number): { from: number; to: number } | undefined {
  // The first of January 1970 was a Thursday.
  const session = hours.week[(dayStart / DAY + 4) % 7]
  if (session === undefined || session === null) return undefined
  return { from: dayStart + session[0] * MINUTE, to: dayStart + session[1] * MINUTE }
}

/** How long it trades between two times. */
export function tradingMinutes(hours: Hours, from: number, to: number): number {
  let total = 0
  for (let day = startOfTradingDay(from); day < to; day += DAY) {
    const session = findSession(hours, day)
    if (session === undefined) continue
    total += Math.max(0, Math.min(session.to, to) - Math.max(session.from, from)) / MINUTE
  }
  return total
}

export function startOfTradingDay(at: number): number {
  return Math.floor(at / DAY) * DAY
}

const ALL_DAY: Session = [0, 1440]
const always: Hours = { week: Array.from({ length: 7 }, () => ALL_DAY), minutesPerDay: 1440 }
const sundayToFriday: Hours = {
  week: [[1320, 1440], ALL_DAY, ALL_DAY, ALL_DAY, ALL_DAY, [0, 1320], null],
  minutesPerDay: 1440,
}

const europe = weekdays('08:00', '16:30')
const america = weekdays('14:30', '21:00')
const china = weekdays('01:30', '08:00')

const hoursByCountry = new Map<string, Hours>([
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

function weekdays(from: string, to: string): Hours {
  const session: Session = [minuteOf(from), minuteOf(to)]
  return { week: [null, session, session, session, session, session, null], minutesPerDay: session[1] - session[0] }
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}
