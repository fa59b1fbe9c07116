import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AccountVersions, NO_VERSIONS, ONE_VERSION } from './admission/callers.ts'
import { MemoryMeter } from './admission/memory-meter.ts'
import type { Meter } from './admission/meter.ts'
import type { Bus } from './bus/bus.ts'
import { MemoryBus } from './bus/memory-bus.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Config, OperatorError } from './config.ts'
import { checkUsed } from './data-folder.ts'
import { builtInEmbedder } from './enrich/embed/built-in.ts'
import type { Embedder } from './enrich/embed/embedder.ts'
import { onnxEmbedder } from './enrich/embed/onnx.ts'
import { openAiEmbedder } from './enrich/embed/openai.ts'
import { type ExportStorage, FolderStorage } from './export/storage.ts'
import { markOlderEntries } from './ingest/entries/reindex.ts'
import { Ingest } from './ingest/ingest.ts'
import type { Part } from './parts.ts'
import type { RedisLink } from './redis/redis-link.ts'
import { PgvectorHolder } from './search/pgvector-index.ts'
import { memoryHolder, VectorIndex } from './search/vector-index.ts'
import type { Db } from './store/db.ts'
import { diskProblem } from './store/engines/disk-problem.ts'
import { migrate } from './store/engines/migrate.ts'
import type { OutageEvent } from './store/engines/postgres-connections.ts'
import { FolderInUse, openSqlite } from './store/engines/sqlite.ts'
import { Replica } from './store/replica.ts'
import type { Store } from './store/store.ts'

/** Chooses engines and drivers by the settings. Nothing else does. */

/** Another process has the embedded store open. */
export class StoreInUse extends OperatorError {}

/** Opens the store's engine and applies pending migrations. */
export async function openDb(config: Config, clock: Clock, onOutage?: (event: OutageEvent) => void): Promise<Db> {
  if (config.DATABASE_URL === undefined) checkUsed(config.DATA_DIR)
  let db: Db | undefined
  try {
    // What the settings do not need is not loaded: loading takes most of the time of a start.
    db =
      config.DATABASE_URL === undefined
        ? openSqlite(config.DATA_DIR)
        : await (await import('./store/engines/postgres.ts')).openPostgres(config.DATABASE_URL, {
            timeoutMs: config.DATABASE_TIMEOUT_MS,
            directUrl: config.DATABASE_DIRECT_URL,
            onOutage,
          })
    await migrate(db, clock.now())
    return db
  } catch (error) {
    await db?.close()
    if (error instanceof FolderInUse) throw new StoreInUse(`DATA_DIR: ${error.message}`)
    const reason = error instanceof Error ? error.message || ('code' in error ? String(error.code) : '') : String(error)
    if (config.DATABASE_URL !== undefined)
      throw new OperatorError(`DATABASE_URL: the store cannot be opened (${reason})`)
    const problem = diskProblem(config.DATA_DIR, error)
    throw new OperatorError(
      `DATA_DIR: the store cannot be opened (${reason})${problem === undefined ? '' : `; ${problem}`}`,
    )
  }
}

/** The primary answers at once where the replica does not, so a request waits less for the replica. */
const REPLICA_TIMEOUT_MS = 2_000

/** Opens the replica, if it is set. It may be away. */
export async function openReplica(
  { DATABASE_READ_URL: url, DATABASE_TIMEOUT_MS }: Config,
  primary: Db,
  onOutage: (event: OutageEvent) => void,
): Promise<Replica | undefined> {
  if (url === undefined) return undefined
  const timeoutMs = Math.min(DATABASE_TIMEOUT_MS, REPLICA_TIMEOUT_MS)
  const { openReplica } = await import('./store/engines/postgres.ts')
  return new Replica(openReplica(url, { timeoutMs, onOutage }), primary)
}

/** Connects to Redis, if it is set. */
export async function openRedis({ REDIS_URL: address }: Config): Promise<RedisLink | undefined> {
  return address && (await import('./redis/redis-link.ts')).RedisLink.open(address)
}

/** Creates the meter, with the versions of accounts by which callers are cached. */
export async function createMeter(parts: {
  redis: RedisLink | undefined
  store: Store
  clock: Clock
  onError: (error: unknown) => void
}): Promise<{ meter: Meter; versions: AccountVersions; part: Part | undefined }> {
  const { redis, store, clock, onError } = parts
  if (redis === undefined) {
    return { meter: new MemoryMeter(clock), versions: store.exclusive ? ONE_VERSION : NO_VERSIONS, part: undefined }
  }
  const { RedisMeter } = await import('./admission/redis-meter.ts')
  const meter = new RedisMeter({
    redis,
    prefix: await redisPrefix(store),
    now: () => clock.now(),
    isFake: clock !== systemClock,
    countInstances: async () => (await store.streams.instances.list()).filter(({ isDead }) => !isDead).length,
    onError,
  })
  return { meter, versions: meter, part: meter }
}

/** Services that share a Redis tell their keys apart by the id of their store. */
async function redisPrefix(store: Store): Promise<string> {
  return `mintick:${await storeIdOf(store)}:`
}

const storeIdOf = (store: Store) => store.metadata.remember('store-id', randomUUID())

/** Opens the place of the export files. */
export async function openExportStorage(config: Config, clock: Clock): Promise<ExportStorage> {
  if (config.EXPORT_S3_URL === undefined) return new FolderStorage(exportFolder(config))
  const { S3Storage } = await import('./export/s3-storage.ts')
  return new S3Storage(config.EXPORT_S3_URL, clock)
}

/** Returns the folder in which export files are built. */
export const exportFolder = ({ DATA_DIR }: Config): string => join(DATA_DIR, 'exports')

export async function openBus(
  config: Config,
  { redis, store, onError }: { redis: RedisLink | undefined; store: Store; onError: (error: unknown) => void },
): Promise<Bus> {
  if (config.DATABASE_URL === undefined) return new MemoryBus(onError)
  if (redis !== undefined && config.REDIS_URL !== undefined) {
    const { RedisLink } = await import('./redis/redis-link.ts')
    const { BLOCK_MS, RedisBus } = await import('./bus/redis-bus.ts')
    const receiver = await RedisLink.open(config.REDIS_URL, 2 * BLOCK_MS)
    return RedisBus.open({ sender: redis, receiver }, `${await redisPrefix(store)}bus`, onError)
  }
  const { PostgresBus } = await import('./bus/postgres-bus.ts')
  return PostgresBus.open(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL, onError)
}

/** Creates the path of entries into the store, with the embedding model of the settings. */
export async function createIngest(
  config: Config,
  parts: { store: Store; clock: Clock; onError?: (error: unknown) => void; onWarning?: (message: string) => void },
): Promise<Ingest> {
  const { onWarning, ...others } = parts
  const embedder = createEmbedder(config)
  const index = embedder && (await createIndex(config, parts.store, embedder, onWarning))
  const ingest = new Ingest({ ...others, embedder, index })
  await ingest.indexing.begin()
  await markOlderEntries(parts.store)
  return ingest
}

/** Returns undefined when embeddings are off; search then uses words alone. */
function createEmbedder(config: Config): Embedder | undefined {
  if (!config.EMBEDDINGS) return undefined
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_KEY: key, EMBEDDINGS_MODEL_DIR: folder } = config
  if (url !== undefined && folder !== undefined) {
    throw new OperatorError('EMBEDDINGS_URL and EMBEDDINGS_MODEL_DIR exclude each other; set one of them')
  }
  if (url !== undefined && model === undefined) throw new OperatorError('EMBEDDINGS_URL needs EMBEDDINGS_MODEL')
  if (url !== undefined && model !== undefined) return openAiEmbedder({ url, model, key })
  if (folder !== undefined && !existsSync(folder))
    throw new OperatorError(`EMBEDDINGS_MODEL_DIR: there is no folder ${folder}`)
  return folder === undefined ? builtInEmbedder() : onnxEmbedder(folder)
}

/** Creates the index of vectors: in PostgreSQL if it has pgvector, and else in this process. */
async function createIndex(
  config: Config,
  store: Store,
  { model }: Embedder,
  onWarning: (message: string) => void = () => {},
): Promise<VectorIndex> {
  const { isReady, problem } = await store.pgvector.prepare()
  if (isReady) {
    const holder = await PgvectorHolder.open(store, model)
    return new VectorIndex(store, model, () => holder)
  }
  if (problem !== undefined)
    onWarning(`pgvector is not used, and each instance has its own index of vectors: ${problem}`)
  const folder = join(config.DATA_DIR, 'vectors')
  return new VectorIndex(store, model, memoryHolder({ folder, storeId: await storeIdOf(store), model }))
}
