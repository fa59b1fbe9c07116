import { MINUTE, SECOND } from '../model/time.ts'

/** A change that the operator should know of. */
export type ReachEvent =
  | { kind: 'lost'; unanswered: number; sources: number; reason: string }
  | { kind: 'regained'; seconds: number }

/** Runs count for this time, which is longer than the pause between two attempts to reach a source. */
const REMEMBERED_MS = 15 * MINUTE
/** Fewer sources without an answer are their own problem. */
const LEAST_SOURCES = 5
/** The share of sources without an answer at which the network counts as lost, and as regained. */
const LOST = 0.5
const REGAINED = 0.25

/** Tells an outage of this machine's network from problems of single sources: most sources do not answer then. */
export class Reach {
  readonly #onChange: (event: ReachEvent) => void
  readonly #runs = new Map<string, { at: number; isAnswered: boolean }>()
  #lostAt: number | undefined

  constructor(onChange: (event: ReachEvent) => void) {
    this.#onChange = onChange
  }

  /** Notes how the latest run of a source ended; `problem` is the reason why nothing answered. */
  note(key: string, problem: string | undefined, now: number): void {
    this.#runs.set(key, { at: now, isAnswered: problem === undefined })
    for (const [other, { at }] of this.#runs) if (at < now - REMEMBERED_MS) this.#runs.delete(other)
    const sources = this.#runs.size
    const unanswered = [...this.#runs.values()].filter(({ isAnswered }) => !isAnswered).length
    if (this.#lostAt === undefined) {
      if (problem === undefined || unanswered < LEAST_SOURCES || unanswered <= LOST * sources) return
      this.#lostAt = now
      this.#onChange({ kind: 'lost', unanswered, sources, reason: problem })
    } else if (unanswered <= REGAINED * sources) {
      this.#onChange({ kind: 'regained', seconds: Math.round((now - this.#lostAt) / SECOND) })
      this.#lostAt = undefined
    }
  }
}
