import { loadBuiltInCatalogue } from '../catalogue/built-in/built-in.ts'
import { type CatalogueName, loadRecords } from '../catalogue/load.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { createIngest, openDb, StoreInUse } from '../drivers.ts'
import type { IntakeResult } from '../ingest/entries/entry-intake.ts'
import type { Upserted } from '../store/lists/catalogue-writes.ts'
import { createStore, type Store } from '../store/store.ts'
import { adminClient } from './admin-client.ts'
import { finishIndexing } from './finish-indexing.ts'

export type Noun = CatalogueName | 'entries'

/** What became of a portion of a file. Entries are never changed: one that is there stays as it is. */
export type Outcome = Upserted

/** Where a file goes: into the store, or to the service that has it open. */
export interface Target {
  take(values: readonly unknown[]): Promise<Outcome>
  /** Waits for what follows from what was taken. */
  finish(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** The most of a text that is sent: a request of the service takes a megabyte. */
export const LONGEST_SENT = 120_000

export async function openTarget(config: Config, noun: Noun): Promise<Target> {
  process.umask(0o077)
  try {
    const store = await openStore(config)
    return noun === 'entries' ? await entriesTarget(config, store) : catalogueTarget(store, noun)
  } catch (error) {
    if (!(error instanceof StoreInUse)) throw error
    return runningService(config, noun)
  }
}

async function openStore(config: Config): Promise<Store> {
  const store = createStore(await openDb(config, systemClock))
  if (await loadBuiltInCatalogue(store, systemClock.now())) {
    process.stderr.write('The store was empty: it now has the assets and topics that come with Mintick.\n')
  }
  return store
}

async function entriesTarget(config: Config, store: Store): Promise<Target> {
  const ingest = await createIngest(config, { store, clock: systemClock })
  // Stories and vectors of the first entries are found while the next ones are read.
  ingest.indexing.start(() => {})
  return {
    take: async (values) => toOutcome(await ingest.intake.take(values)),
    finish: (signal) => finishIndexing(ingest.indexing, signal),
    async close() {
      await ingest.stop()
      await store.close()
    },
  }
}

function catalogueTarget(store: Store, catalogue: CatalogueName): Target {
  return {
    take: (values) => loadRecords(store, catalogue, values, systemClock.now()),
    finish: async () => {},
    close: () => store.close(),
  }
}

function runningService(config: Config, noun: Noun): Target {
  const api = adminClient(config)
  const send = <Answer>(values: readonly unknown[]) =>
    api<Answer>('POST', `/admin/${noun}`, { [noun]: values.map((value) => value ?? null) })
  return {
    take: async (values) =>
      noun === 'entries' ? toOutcome(await send<IntakeResult>(values.map(shortened))) : send<Upserted>(values),
    // The service finds stories and meanings itself.
    async finish() {
      const rest = noun === 'entries' ? '; it finds their stories in the background' : ''
      process.stderr.write(`The running service took the ${noun}${rest}.\n`)
    },
    close: async () => {},
  }
}

const toOutcome = ({ added, known, refused }: IntakeResult): Outcome => ({
  added,
  changed: 0,
  unchanged: known,
  refused,
})

/** A request takes a megabyte, and the service cuts every text anyway. */
function shortened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      typeof field === 'string' ? field.slice(0, LONGEST_SENT) : field,
    ]),
  )
}
