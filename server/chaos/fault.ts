import type { Engine } from '../test/harness.ts'
import type { RunningPostgres } from '../test/postgres.ts'

/** A service must answer again within this time after a single fault. */
export const MAX_RECOVERY_MS = 10_000
const SHOWN_PROBLEMS = 5

/** How much a run tries. */
export interface Scale {
  /** Rounds of `kill -9`, over both engines together. */
  rounds: number
  /** Hostile requests, over both engines together. */
  requests: number
  /** Repetitions of every other fault. */
  repeats: number
}

export interface Run extends Scale {
  engine: Engine
  /** Engines of the whole run, which share `rounds` and `requests`. */
  engines: readonly Engine[]
  /** Returns numbers from 0 to 1, the same ones for the same seed. */
  random: () => number
  tally: Tally
  /** The server of the run; a fault on that engine always has it. */
  postgres: RunningPostgres | undefined
}

/** Something that goes wrong around the service, or that a client does to it. */
export interface Fault {
  name: string
  /** Describes the fault in the report. */
  tries: string
  engines: readonly Engine[]
  run(run: Run): Promise<void>
}

/** Thrown by a fault that this machine cannot produce. */
export class Skipped extends Error {}

/** Counts the attempts of a fault and collects the failures. */
export class Tally {
  tried = 0
  wrong = 0
  longestRecoveryMs: number | undefined
  readonly problems: string[] = []
  note = ''

  check(isRight: boolean, problem: () => string): void {
    this.tried += 1
    if (!isRight) this.fail(problem())
  }

  fail(problem: string): void {
    this.wrong += 1
    if (this.problems.length < SHOWN_PROBLEMS) this.problems.push(problem)
  }

  recovered(ms: number): void {
    this.longestRecoveryMs = Math.max(this.longestRecoveryMs ?? 0, ms)
    if (ms > MAX_RECOVERY_MS) this.fail(`it took ${Math.round(ms)} ms to recover`)
  }
}
