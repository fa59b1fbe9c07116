import { loadBuiltInCatalogue } from '../catalogue/built-in/built-in.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { createIngest, openDb, StoreInUse } from '../drivers.ts'
import {
  type Importable,
  type ImportOptions,
  type ImportOutcome,
  importRows,
  MAX_ROWS_PER_REQUEST,
} from '../import/importable.ts'
import { IMPORTABLES, type ResourceName } from '../import/resources.ts'
import { hasSample, SAMPLE_WARNING } from '../sample/load.ts'
import { createStore, type Store } from '../store/store.ts'
import { adminClient } from './admin-client.ts'
import { finishIndexing } from './finish-indexing.ts'

/** The destination of an import: the store, or the running service that has it open. */
export interface ImportTarget {
  /** Limits of a batch. A row above maxRowBytes is refused. */
  limits: { rows: number; bytes: number; maxRowBytes: number }
  take(rows: readonly unknown[], options: ImportOptions): Promise<ImportOutcome>
  /** Waits until the imported records are indexed. */
  finish(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const BATCH_BYTES = 8_000_000
/** A request body is limited to 1 MB. */
const REQUEST_BYTES = 500_000
/** Longer texts of entries are cut before they are sent; the service cuts them anyway. */
const MAX_SENT_LENGTH = 120_000

export async function openTarget(config: Config, name: ResourceName): Promise<ImportTarget> {
  process.umask(0o077)
  try {
    return await storeTarget(config, await openStore(config), IMPORTABLES[name])
  } catch (error) {
    if (!(error instanceof StoreInUse)) throw error
    return serviceTarget(config, name)
  }
}

async function openStore(config: Config): Promise<Store> {
  const store = createStore(await openDb(config, systemClock))
  if (await loadBuiltInCatalogue(store, systemClock.now())) {
    process.stderr.write('The store was empty: added the built-in assets and topics.\n')
  }
  if (await hasSample(store)) process.stderr.write(`${SAMPLE_WARNING}\n`)
  return store
}

async function storeTarget(config: Config, store: Store, resource: Importable): Promise<ImportTarget> {
  const ingest = await createIngest(config, { store, clock: systemClock })
  const { intake, indexing } = ingest
  const isIndexed = resource === IMPORTABLES.entries
  // Indexes the first entries while the next ones are imported.
  if (isIndexed) indexing.start(() => {})
  return {
    limits: { rows: resource.batchRows, bytes: BATCH_BYTES, maxRowBytes: Number.POSITIVE_INFINITY },
    take: (rows, options) => importRows(resource, rows, options, { store, intake, now: systemClock.now() }),
    finish: async (signal) => {
      if (isIndexed) await finishIndexing(indexing, signal)
    },
    async close() {
      await ingest.stop()
      await store.close()
    },
  }
}

function serviceTarget(config: Config, name: ResourceName): ImportTarget {
  const api = adminClient(config)
  const isEntries = name === 'entries'
  return {
    limits: {
      rows: MAX_ROWS_PER_REQUEST,
      bytes: REQUEST_BYTES,
      maxRowBytes: isEntries ? Number.POSITIVE_INFINITY : REQUEST_BYTES,
    },
    take: (rows, options) =>
      api<ImportOutcome>('POST', `/admin/import/${name}`, {
        rows: isEntries ? rows.map(shortenTexts) : rows,
        ...options,
      }),
    async finish() {
      const indexing = isEntries ? ' and indexes them in the background' : ''
      process.stderr.write(`The running service stored the ${IMPORTABLES[name].noun}${indexing}.\n`)
    },
    close: async () => {},
  }
}

/** Cuts long texts. */
function shortenTexts(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return row
  return Object.fromEntries(
    Object.entries(row).map(([name, field]) => [
      name,
      typeof field === 'string' ? field.slice(0, MAX_SENT_LENGTH).toWellFormed() : field,
    ]),
  )
}
