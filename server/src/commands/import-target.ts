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

/** The destination of an import: the store, or the running service that has it open. */
export interface ImportTarget {
  take(values: readonly unknown[]): Promise<Upserted>
  /** Waits until the imported records are indexed. */
  finish(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Longer texts are cut before they are sent: a request body is limited to 1 MB. */
export const MAX_SENT_LENGTH = 120_000

export async function openTarget(config: Config, noun: Noun): Promise<ImportTarget> {
  process.umask(0o077)
  try {
    const store = await openStore(config)
    return noun === 'entries' ? await entriesTarget(config, store) : catalogueTarget(store, noun)
  } catch (error) {
    if (!(error instanceof StoreInUse)) throw error
    return serviceTarget(config, noun)
  }
}

async function openStore(config: Config): Promise<Store> {
  const store = createStore(await openDb(config, systemClock))
  if (await loadBuiltInCatalogue(store, systemClock.now())) {
    process.stderr.write('The store was empty: added the built-in assets and topics.\n')
  }
  return store
}

async function entriesTarget(config: Config, store: Store): Promise<ImportTarget> {
  const ingest = await createIngest(config, { store, clock: systemClock })
  // Indexes the first entries while the next ones are imported.
  ingest.indexing.start(() => {})
  return {
    take: async (values) => toUpserted(await ingest.intake.take(values)),
    finish: (signal) => finishIndexing(ingest.indexing, signal),
    async close() {
      await ingest.stop()
      await store.close()
    },
  }
}

function catalogueTarget(store: Store, catalogue: CatalogueName): ImportTarget {
  return {
    take: (values) => loadRecords(store, catalogue, values, systemClock.now()),
    finish: async () => {},
    close: () => store.close(),
  }
}

function serviceTarget(config: Config, noun: Noun): ImportTarget {
  const api = adminClient(config)
  const send = <Answer>(values: readonly unknown[]) =>
    api<Answer>('POST', `/admin/${noun}`, { [noun]: values.map((value) => value ?? null) })
  return {
    take: async (values) =>
      noun === 'entries' ? toUpserted(await send<IntakeResult>(values.map(shortenTexts))) : send<Upserted>(values),
    async finish() {
      const indexing = noun === 'entries' ? ' and indexes them in the background' : ''
      process.stderr.write(`The running service stored the ${noun}${indexing}.\n`)
    },
    close: async () => {},
  }
}

/** Entries are never changed by an import. */
const toUpserted = ({ added, known, refused }: IntakeResult): Upserted => ({
  added,
  changed: 0,
  unchanged: known,
  refused,
})

/** Cuts long texts. The service cuts them anyway. */
function shortenTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      typeof field === 'string' ? field.slice(0, MAX_SENT_LENGTH) : field,
    ]),
  )
}
