import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { OperatorError, readConfig } from '../config.ts'
import { parseInstant } from '../model/instant.ts'
import { seed } from '../sample/seed.ts'
import type { Store } from '../store/store.ts'
import { stopOnInterrupt } from './interrupt.ts'
import { ProgressLine } from './progress.ts'

const MAX_ENTRIES = 100_000_000

/** `mintick seed`: adds many sample entries for load tests. */
export async function seedCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { entries: { type: 'string' }, to: { type: 'string' } } })
  const entries = Number(values.entries)
  if (!/^\d+$/.test(values.entries ?? '') || entries < 1 || entries > MAX_ENTRIES) {
    throw new OperatorError(`--entries must be a whole number from 1 to ${MAX_ENTRIES}`)
  }
  const now = systemClock.now()
  const to = values.to === undefined ? now : parseInstant(values.to)
  if (to === undefined) throw new OperatorError('--to must be a time such as 2026-01-31 or 2026-01-31T12:00:00Z')
  // createdAt never decreases: an entry in the future would push all later ones there.
  if (to > now) throw new OperatorError('--to must not be in the future')
  if (to < 0) throw new OperatorError('--to must not be before 1970')

  process.umask(0o077)
  const start = performance.now()
  const opening = openStore()
  const stop = stopOnInterrupt()
  const progress = new ProgressLine(process.stderr, { total: entries, noun: 'entries' }, () => performance.now())
  try {
    const done = await seed(opening, {
      entries,
      to,
      now,
      signal: stop,
      onEntries: (count) => progress.at(count),
      onStep: (step) => progress.step(step),
    })
    progress.end()
    const seconds = (performance.now() - start) / 1_000
    process.stdout.write(
      `${done === entries ? 'Added' : 'Interrupted after'} ${done} entries in ${seconds.toFixed(1)} s, ${Math.round(done / seconds)} per second\n`,
    )
    if (stop.aborted) process.exitCode = 130
  } finally {
    await opening.then(
      (store) => store.close(),
      () => {},
    )
  }
}

/** Loads the store's modules only now, so that the thread that creates the entries need not wait for them. */
async function openStore(): Promise<Store> {
  const [{ openDb }, { createStore }] = await Promise.all([import('../drivers.ts'), import('../store/store.ts')])
  return createStore(await openDb(readConfig(), systemClock))
}
