import { createHmac, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import { Admission } from './admission/admit.ts'
import { MemoryMeter } from './admission/memory-meter.ts'
import { openAccount, openDemoAccount } from './admission/open-account.ts'
import { StreamMeter } from './admission/streams/stream-meter.ts'
import { type AdminServices, adminEndpoints } from './api/admin/endpoints.ts'
import { CANCELLED_PATH, DONE_PATH, SUCCESS_PATH } from './api/billing/return-pages.ts'
import { WEBHOOK_PATH } from './api/billing/webhook.ts'
import { endpoints } from './api/index.ts'
import type { Services } from './api/services.ts'
import { type Billing, createBilling } from './billing/billing.ts'
import { MonthlyGrants } from './billing/grants.ts'
import { type PaymentMode, readPaymentSettings } from './billing/payment-settings.ts'
import type { PaymentProcessor } from './billing/processor.ts'
import { Sandbox } from './billing/sandbox/sandbox.ts'
import { STRIPE_EVENT_TYPES } from './billing/stripe/events.ts'
import { StripeProcessor } from './billing/stripe/stripe.ts'
import type { Bus } from './bus/bus.ts'
import { MemoryBus } from './bus/memory-bus.ts'
import { PostgresBus } from './bus/postgres-bus.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Config, OperatorError } from './config.ts'
import type { Embedder } from './enrich/embed/embedder.ts'
import { onnxEmbedder } from './enrich/embed/onnx.ts'
import { openAiEmbedder } from './enrich/embed/openai.ts'
import { useLiteEmbedder } from './enrich/embed/use-lite.ts'
import { every } from './every.ts'
import { createApp } from './http/app.ts'
import { localUrl, publicUrl } from './http/public-url.ts'
import { Enrichment } from './ingest/entries/enrichment.ts'
import { EntryIntake } from './ingest/entries/entry-intake.ts'
import { Reindex } from './ingest/entries/reindex.ts'
import { Indexing } from './ingest/indexing/indexing.ts'
import { SECOND } from './model/time.ts'
import { STREAM_COST } from './plans/cost.ts'
import { sampleLive } from './sample/live.ts'
import { hasSample, loadSample } from './sample/load.ts'
import { SemanticSearch } from './search/semantic-search.ts'
import { VectorIndex } from './search/vector-index.ts'
import { checkPepper, loadSecrets } from './secrets.ts'
import { changedGroups, DEFAULT_THRESHOLDS, mergeThresholds, type Thresholds } from './signals/detect/thresholds.ts'
import { SignalWorker } from './signals/follow/signal-worker.ts'
import { SignalStreams } from './signals/stream/signal-streams.ts'
import type { Db } from './store/db.ts'
import { migrate } from './store/engines/migrate.ts'
import { openPostgres } from './store/engines/postgres.ts'
import { FolderInUse, openSqlite } from './store/engines/sqlite.ts'
import { createStore, type Store } from './store/store.ts'

export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export interface Mintick {
  app: FastifyInstance
  store: Store
  admission: Admission
  streamMeter: StreamMeter
  grants: MonthlyGrants
  billing: Billing | undefined
  sandbox: Sandbox | undefined
  ingest: Ingest
  streams: SignalStreams
  bus: Bus
  signalling: SignalWorker
  clock: Clock
  pepper: string
  adminToken: string
  /** The owner's key, on the start that made it. */
  ownerKey: string | undefined
  close(): Promise<void>
}

const OWNER_CREDITS = 1_000_000
const CLOSE_GRACE_MS = 5_000
const LIVE_STEP_MS = 1_000
const GRANTS_EVERY_MS = 10 * SECOND
const BILLING_EVERY_MS = 5 * SECOND

/** Puts the service together: the only place where engines and drivers are chosen. */
export async function createMintick(
  config: Config,
  parts: { clock?: Clock; log?: Logger; say?: (line: string) => void } = {},
): Promise<Mintick> {
  const clock = parts.clock ?? systemClock
  const log =
    parts.log ??
    pino({ level: config.LOG_LEVEL }, pino.destination({ dest: 1, sync: false, minLength: 12_288, periodicFlush: 250 }))
  // Settings that contradict each other are refused before anything is made.
  const payments = readPaymentSettings(config)
  const { pepper, adminToken } = loadSecrets(config)
  const thresholds = readThresholds(config.SIGNAL_THRESHOLDS)
  const db = await openDb(config, clock)
  const bus = await openBus(config, log).catch(async (error: unknown) => {
    await db.close()
    throw error
  })
  let onFailure: () => Promise<void> | undefined = () => undefined
  try {
    const store = createStore(db)
    await checkPepper(store, pepper)
    const demoAccountId = await openDemoAccount({ store, clock, pepper })
    if (config.SAMPLE_DATA) await loadSample(store, clock, parts.say)
    if (config.SAMPLE_LIVE && !(await hasSample(store))) {
      throw new OperatorError('SAMPLE_LIVE needs the sample data, which this store does not hold; turn it off')
    }

    const meter = new MemoryMeter(clock)
    const onError = (error: unknown) => log.error({ err: error }, 'calls could not be written')
    const admission = new Admission({ store, clock, meter, pepper, onError })
    bus.subscribe('accounts', () => admission.callers.forget())
    const onStreamError = (error: unknown) => log.error({ err: error }, 'streams could not be metered')
    const streamMeter = new StreamMeter({
      store,
      clock,
      meter,
      bus,
      perMinute: STREAM_COST.perMinute,
      onError: onStreamError,
    })
    await streamMeter.start()
    const onGrantError = (error: unknown) => log.error({ err: error }, 'credits could not be granted')
    const grants = new MonthlyGrants({
      store,
      clock,
      onGranted: (id) => admission.reloadBalance(id),
      onError: onGrantError,
    })
    const onBillingError = (error: unknown) => log.error({ err: error }, 'payments could not be seen to')
    const address = () => app.server.address()
    const { processor, sandbox } = await openPayments(payments, config, {
      store,
      clock,
      pepper,
      address,
      onError: onBillingError,
    })
    onFailure = () => sandbox?.close()
    const billing =
      processor &&
      createBilling({
        store,
        processor,
        clock,
        async onChanged(id) {
          await admission.reloadBalance(id)
          await bus.publish('accounts', id)
        },
        onError: onBillingError,
      })
    const ingest = await createIngest(config, store, clock)
    const changed = changedGroups(thresholds)
    if (changed.length > 0) log.info({ changed }, 'thresholds of signals differ from their defaults')
    const signalling = new SignalWorker({
      store,
      clock,
      thresholds,
      onLogged: () => bus.publish('signals', ''),
    })
    await signalling.begin()
    const { embedder, index } = ingest
    const search = new SemanticSearch({
      store,
      embedder,
      index,
      fusion: config.SEARCH_FUSION,
      onError: (error) => log.error({ err: error }, 'a search by meaning had to do with words'),
    })
    const { enrichment, intake, reindex } = ingest
    const streams = new SignalStreams({
      log: store.signalLog,
      bus,
      meter: streamMeter,
      clock,
      onError: (error) => log.error({ err: error }, 'a stream could not go on'),
    })
    await streams.start()
    const services = {
      streams,
      store,
      search,
      enrichment,
      intake,
      reindex,
      clock,
      admission,
      billing,
      sandbox,
      bus,
      pepper,
      version,
      startedAt: clock.now(),
    }
    const app = createApp<Services & AdminServices>({
      endpoints: [...endpoints, ...adminEndpoints],
      services,
      admission,
      adminToken,
      clock,
      log,
    })
    // Last, because its key is shown once: nothing may fail between.
    const owner = await openAccount(
      { email: 'owner@localhost', name: 'Owner', planSlug: 'custom', credits: OWNER_CREDITS },
      { store, clock, pepper },
    )
    const live = config.SAMPLE_LIVE ? startLive({ store, intake }, clock, log) : undefined
    const chores = streamMeter.tasks.map(({ everyMs, run }) => every(everyMs, run, onStreamError))
    const granting = every(
      GRANTS_EVERY_MS,
      async () => {
        await admission.refillDemoPool(demoAccountId)
        await grants.run()
      },
      onGrantError,
    )
    granting.run()
    const selling = every(
      BILLING_EVERY_MS,
      async () => {
        await sandbox?.run()
        await billing?.sweeper.run()
      },
      onBillingError,
    )
    ingest.indexing.start((error) => log.error({ err: error }, 'entries could not be indexed'))
    signalling.start((error) => log.error({ err: error }, 'signals could not be found'))
    return {
      app,
      store,
      admission,
      streamMeter,
      grants,
      billing,
      sandbox,
      ingest,
      streams,
      bus,
      signalling,
      clock,
      pepper,
      adminToken,
      ownerKey: owner?.apiKey,
      async close() {
        await streams.close()
        grants.stop()
        await granting.stop()
        billing?.sweeper.stop()
        await selling.stop()
        await Promise.all(chores.map((chore) => chore.stop()))
        await streamMeter.stop()
        // Whoever has not finished a request by then is cut off.
        const cutOff = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS).unref()
        await app.close()
        clearTimeout(cutOff)
        await sandbox?.close()
        await live?.stop()
        await signalling.stop()
        await ingest.close()
        await admission.requestWriter.drain()
        await bus.close()
        await store.close()
        log.flush()
      },
    }
  } catch (error) {
    await onFailure()
    await bus.close()
    await db.close()
    throw error
  }
}

/** Who takes the money: Stripe, or the sandbox, which speaks its language; nobody where nothing is sold. */
async function openPayments(
  payments: PaymentMode,
  config: Config,
  parts: {
    store: Store
    clock: Clock
    pepper: string
    address: () => ReturnType<FastifyInstance['server']['address']>
    onError: (error: unknown) => void
  },
): Promise<{ processor?: PaymentProcessor; sandbox?: Sandbox }> {
  const base = () => publicUrl(config, parts.address())
  const urls = () => ({
    success: `${base()}${SUCCESS_PATH}?session_id={CHECKOUT_SESSION_ID}`,
    cancel: base() + CANCELLED_PATH,
    portalReturn: base() + DONE_PATH,
  })
  if (payments.kind === 'off') return {}
  if (payments.kind === 'stripe') return { processor: new StripeProcessor({ ...payments, urls }) }
  const secret = (of: string) => createHmac('sha256', parts.pepper).update(of).digest('hex')
  const secrets = { secretKey: `sk_sandbox_${secret('sandbox')}`, webhookSecret: `whsec_${secret('sandbox webhook')}` }
  const sandbox = await Sandbox.open({
    ...secrets,
    store: parts.store.sandbox,
    clock: parts.clock,
    publicUrl: base,
    webhookEvents: STRIPE_EVENT_TYPES,
    webhookUrl() {
      const address = parts.address()
      if (address === null || typeof address === 'string') return undefined
      return localUrl(config.HOST, address.port) + WEBHOOK_PATH
    },
    onError: parts.onError,
  })
  const server = { host: '127.0.0.1', port: sandbox.port, protocol: 'http' } as const
  return { sandbox, processor: new StripeProcessor({ ...secrets, urls, server }) }
}

export interface Ingest {
  enrichment: Enrichment
  intake: EntryIntake
  embedder: Embedder | undefined
  index: VectorIndex | undefined
  indexing: Indexing
  reindex: Reindex
  close(): Promise<void>
}

/** What takes entries in and keeps up with them. */
export async function createIngest(config: Config, store: Store, clock: Clock): Promise<Ingest> {
  const embedder = createEmbedder(config)
  const index = embedder && (await createIndex(config, store, embedder))
  const enrichment = new Enrichment(store)
  const indexing = new Indexing({ store, embedder, index, clock })
  await indexing.begin()
  const reindex = new Reindex({ store, enrichment, indexing, clock })
  return {
    enrichment,
    intake: new EntryIntake({ store, enrichment, clock }),
    embedder,
    index,
    indexing,
    reindex,
    async close() {
      await reindex.stop()
      await indexing.stop()
      await index?.close()
      await embedder?.close()
      await enrichment.close()
    },
  }
}

/** The model that says what texts mean; undefined when words alone are to do. */
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
  return folder === undefined ? useLiteEmbedder() : onnxEmbedder(folder)
}

async function createIndex(config: Config, store: Store, embedder: Embedder): Promise<VectorIndex> {
  const storeId = await store.metadata.remember('store-id', randomUUID())
  return new VectorIndex(store, embedder.model, { folder: join(config.DATA_DIR, 'vectors'), storeId })
}

function startLive(parts: { store: Store; intake: EntryIntake }, clock: Clock, log: Logger) {
  const live = sampleLive(parts, clock.now())
  const onError = (error: unknown) => log.error({ err: error }, 'sample data could not be added')
  return every(LIVE_STEP_MS, () => live.step(clock.now()), onError)
}

/** The thresholds of signals, with what the operator's file says otherwise. */
function readThresholds(file: string | undefined): Thresholds {
  if (file === undefined) return DEFAULT_THRESHOLDS
  if (!existsSync(file)) throw new OperatorError(`SIGNAL_THRESHOLDS: there is no file ${file}`)
  try {
    return mergeThresholds(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new OperatorError(`SIGNAL_THRESHOLDS: ${error instanceof Error ? error.message : 'the file is not usable'}`)
  }
}

async function openBus(config: Config, log: Logger): Promise<Bus> {
  const onError = (error: unknown) => log.error({ err: error }, 'a hint between instances was lost')
  return config.DATABASE_URL === undefined ? new MemoryBus(onError) : PostgresBus.open(config.DATABASE_URL, onError)
}

/** Another process has the embedded store open. */
export class StoreInUse extends OperatorError {}

/** The store's engine, brought up to date. */
export async function openDb(config: Config, clock: Clock): Promise<Db> {
  let db: Db | undefined
  try {
    db = config.DATABASE_URL === undefined ? openSqlite(config.DATA_DIR) : await openPostgres(config.DATABASE_URL)
    await migrate(db, clock.now())
    return db
  } catch (error) {
    await db?.close()
    if (error instanceof FolderInUse) throw new StoreInUse(`DATA_DIR: ${error.message}`)
    const reason = error instanceof Error ? error.message || ('code' in error ? String(error.code) : '') : String(error)
    throw new OperatorError(
      `${config.DATABASE_URL === undefined ? 'DATA_DIR' : 'DATABASE_URL'}: the store cannot be opened (${reason})`,
    )
  }
}
