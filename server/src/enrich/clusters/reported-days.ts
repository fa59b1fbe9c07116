import { DAY } from '../../model/time.ts'

/** A day counts as reported until this many entries of other days have arrived. */
const MAX_ENTRIES_SINCE = 1000

/**
 * The publication days of recent arrivals. Clusters expire by arrivals and not by a clock: backfilled entries still
 * find the clusters of their day, and an entry dated in the far future does not expire all others.
 */
export class ReportedDays {
  readonly #lastByDay = new Map<number, number>()
  #arrivals = 0

  add(publishedAt: number): void {
    this.#arrivals++
    const day = Math.floor(publishedAt / DAY)
    // Deleted first, so that the map stays in the order of the last arrivals.
    this.#lastByDay.delete(day)
    this.#lastByDay.set(day, this.#arrivals)
    for (const [oldest, last] of this.#lastByDay) {
      if (this.#arrivals - last <= MAX_ENTRIES_SINCE) break
      this.#lastByDay.delete(oldest)
    }
  }

  /** Reports whether an entry published between the two times arrived recently. */
  isReported(from: number, to: number): boolean {
    const first = Math.floor(from / DAY)
    const last = Math.floor(to / DAY)
    for (const day of this.#lastByDay.keys()) {
      if (day >= first && day <= last) return true
    }
    return false
  }
}
