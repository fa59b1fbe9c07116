import { DAY } from '../../model/time.ts'

/** After so many entries of other days a story may be forgotten. */
const MAX_ENTRIES_SINCE = 1000

/**
 * Which days are being reported. It goes by what arrives and not by a clock: old entries that are read in later find
 * the stories of their day, and one entry dated in the far future does not end all others.
 */
export class ReportedDays {
  readonly #lastByDay = new Map<number, number>()
  #arrivals = 0

  note(publishedAt: number): void {
    this.#arrivals++
    const day = Math.floor(publishedAt / DAY)
    // Deleted first, so that the days stay in the order of their last arrival.
    this.#lastByDay.delete(day)
    this.#lastByDay.set(day, this.#arrivals)
    for (const [oldest, last] of this.#lastByDay) {
      if (this.#arrivals - last <= MAX_ENTRIES_SINCE) break
      this.#lastByDay.delete(oldest)
    }
  }

  /** Whether an entry between the two times arrived lately. */
  isReported(from: number, to: number): boolean {
    const first = Math.floor(from / DAY)
    const last = Math.floor(to / DAY)
    for (const day of this.#lastByDay.keys()) {
      if (day >= first && day <= last) return true
    }
    return false
  }
}
