import { DAY, HOUR } from '../../model/time.ts'

export const MOVE_DAYS = 28
const DAY_HOURS = 24
const KEPT_HOURS = (MOVE_DAYS + 1) * DAY_HOURS

/** Lookback, including the current hour. */
export const ODDS_MS = (KEPT_HOURS + 1) * HOUR

/** Last odds of an hour. */
interface HourlyOdds {
  hour: number
  probability: number
}

/** Hourly odds of each market for four weeks and a day. */
export class OddsHistory {
  readonly #markets = new Map<string, HourlyOdds[]>()
  #forgottenAt = 0

  add(at: number, marketId: string, probability: number): void {
    this.#forget(at)
    const points = this.#markets.get(marketId) ?? []
    const hour = Math.floor(at / HOUR)
    const index = points.findLastIndex((point) => point.hour <= hour)
    const known = points[index]
    if (known?.hour === hour) known.probability = probability
    else points.splice(index + 1, 0, { hour, probability })
    this.#markets.set(marketId, points)
  }

  drop(marketId: string): void {
    this.#markets.delete(marketId)
  }

  /** Returns the move of the last 24 hours, or undefined if no earlier odds are known. */
  move(marketId: string, at: number): number | undefined {
    return movesOf(this.#levels(marketId, at, 1))[0]
  }

  /** Returns the daily moves before the last 24 hours that end at this time of day, newest first. */
  movesBefore(marketId: string, at: number): number[] {
    return movesOf(this.#levels(marketId, at, MOVE_DAYS + 1)).slice(1)
  }

  /** Returns the odds at this time of day on the last days, newest first, as far back as they are known. */
  #levels(marketId: string, at: number, days: number): number[] {
    const now = Math.floor(at / HOUR)
    const points = this.#markets.get(marketId) ?? []
    const levels: number[] = []
    let index = points.length - 1
    for (let day = 0; day <= days; day += 1) {
      while (index >= 0 && (points[index]?.hour ?? 0) > now - day * DAY_HOURS) index -= 1
      const point = points[index]
      if (point === undefined || point.hour < now - KEPT_HOURS) break
      levels.push(point.probability)
    }
    return levels
  }

  get size(): number {
    return [...this.#markets.values()].reduce((sum, points) => sum + 1 + points.length, 0)
  }

  #forget(at: number): void {
    if (at < this.#forgottenAt + DAY) return
    this.#forgottenAt = at
    const first = Math.floor(at / HOUR) - KEPT_HOURS
    for (const [marketId, points] of this.#markets) {
      const kept = points.filter(({ hour }) => hour >= first)
      if (kept.length === 0) this.#markets.delete(marketId)
      else this.#markets.set(marketId, kept)
    }
  }
}

function movesOf(levels: readonly number[]): number[] {
  return levels.slice(1).map((before, day) => (levels[day] ?? before) - before)
}
