import type { Engine } from '../test/harness.ts'
import { startPostgres } from '../test/postgres.ts'
import { adminGuesses } from './clients/admin-guesses.ts'
import { bytes } from './clients/bytes.ts'
import { hostile } from './clients/hostile/hostile.ts'
import { Random } from './clients/hostile/random.ts'
import { cursors, unknownParameters } from './clients/lists.ts'
import { nestedBodies } from './clients/nested-bodies.ts'
import { silentConnections } from './clients/silent-connections.ts'
import { unreadPongs } from './clients/unread-pongs.ts'
import { type Fault, type Scale, Skipped, Tally } from './fault.ts'
import { clockJumps } from './surroundings/clock-jumps.ts'
import { credits } from './surroundings/credits.ts'
import { logDisk, storeDisk } from './surroundings/full-disks.ts'
import { kill } from './surroundings/kill.ts'
import { postgresFrozen, postgresRestarted, postgresSilent } from './surroundings/postgres.ts'
import { sigterm, sigtermBehindProxy } from './surroundings/sigterm.ts'

/** All faults, in the order of a run. */
export const FAULTS: readonly Fault[] = [
  hostile,
  bytes,
  nestedBodies,
  cursors,
  unknownParameters,
  unreadPongs,
  silentConnections,
  adminGuesses,
  logDisk,
  storeDisk,
  postgresSilent,
  postgresFrozen,
  postgresRestarted,
  sigterm,
  sigtermBehindProxy,
  clockJumps,
  credits,
  kill,
]

export interface Result {
  name: string
  engine: Engine
  tries: string
  tried: number
  wrong: number
  problems: readonly string[]
  longestRecoveryMs: number | undefined
  seconds: number
  note: string
  /** Why the fault was not tried. */
  skipped: string | undefined
}

interface Options extends Scale {
  names: readonly string[]
  engines: readonly Engine[]
  seed: number
  onResult(result: Result): void
}

/** Runs the faults one after the other, on each engine, with a PostgreSQL of their own. */
export async function runFaults({ names, engines, seed, onResult, ...scale }: Options): Promise<Result[]> {
  const started = engines.includes('postgres') ? await startPostgres() : { unavailable: 'not asked for' }
  const postgres = 'url' in started ? started : undefined
  if (postgres !== undefined) process.env.TEST_POSTGRES_URL = postgres.url
  const results: Result[] = []
  try {
    for (const fault of FAULTS.filter(({ name }) => names.includes(name))) {
      const chosen = fault.engines.filter((engine) => engines.includes(engine))
      for (const engine of chosen) {
        // Each fault has choices of its own, so that --only repeats them.
        const choices = new Random(seed + hashOf(`${fault.name} ${engine}`))
        const result = await resultOf(fault, engine, (tally) => {
          if (engine === 'postgres' && 'unavailable' in started) throw new Skipped(started.unavailable)
          return fault.run({ ...scale, engine, engines: chosen, random: () => choices.number(), tally, postgres })
        })
        results.push(result)
        onResult(result)
      }
    }
  } finally {
    await postgres?.stop()
  }
  return results
}

async function resultOf(fault: Fault, engine: Engine, run: (tally: Tally) => Promise<void>): Promise<Result> {
  const tally = new Tally()
  const from = performance.now()
  let skipped: string | undefined
  try {
    await run(tally)
  } catch (error) {
    if (error instanceof Skipped) skipped = error.message
    else tally.fail(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  const { name, tries } = fault
  const { tried, wrong, problems, longestRecoveryMs, note } = tally
  const seconds = (performance.now() - from) / 1_000
  return { name, engine, tries, tried, wrong, problems, longestRecoveryMs, seconds, note, skipped }
}

function hashOf(text: string): number {
  return [...text].reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) >>> 0, 0)
}
