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
import { kill } from './kill.ts'

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
  const postgres = engines.includes('postgres') ? await startPostgres() : { unavailable: 'not asked for' }
  if ('url' in postgres) process.env.TEST_POSTGRES_URL = postgres.url
  const unavailable = 'unavailable' in postgres ? postgres.unavailable : undefined
  const results: Result[] = []
  try {
    for (const fault of FAULTS.filter(({ name }) => names.includes(name))) {
      const chosen = fault.engines.filter((engine) => engines.includes(engine))
      for (const engine of chosen) {
        const isMissing = engine === 'postgres' && unavailable !== undefined
        const result = await runFault(fault, engine, chosen, seed, scale, isMissing ? unavailable : undefined)
        results.push(result)
        onResult(result)
      }
    }
  } finally {
    if ('stop' in postgres) await postgres.stop()
  }
  return results
}

async function runFault(
  fault: Fault,
  engine: Engine,
  engines: readonly Engine[],
  seed: number,
  scale: Scale,
  missing: string | undefined,
): Promise<Result> {
  const tally = new Tally()
  const from = performance.now()
  let skipped = missing
  // Each fault has choices of its own, so that --only repeats them.
  const choices = new Random(seed + hashOf(`${fault.name} ${engine}`))
  try {
    if (skipped === undefined) await fault.run({ ...scale, engine, engines, random: () => choices.number(), tally })
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
