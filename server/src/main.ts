import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { PaymentSandbox } from 'payment-sandbox'
import type { Logger } from 'pino'
import { Admission } from './admission/admit.ts'
import { openAccount, openDemoAccount } from './admission/open-account.ts'
import { StreamMeter } from './admission/streams/stream-meter.ts'
import { BalanceAlerts } from './alerts/balance-alerts.ts'
import { WebhookClient } from './alerts/webhook.ts'
import { dailyDatasets } from './api/export/datasets.ts'
import { endpoints } from './api/index.ts'
import { STATUS_PATH } from './api/service/endpoints.ts'
import { Readiness } from './api/service/readiness.ts'
import { StatusReport } from './api/service/status.ts'
import type { Services } from './api/services.ts'
import { type Billing, createBilling } from './billing/billing.ts'
import { MonthlyGrants } from './billing/monthly-grants.ts'
import { readPaymentSettings } from './billing/payment-settings.ts'
import type { Bus } from './bus/bus.ts'
import { type Clock, systemClock } from './clock.ts'
import { clockWatch } from './clock-watch.ts'
import { type Config, OperatorError } from './config.ts'
import { markUnused } from './data-folder.ts'
import {
  createIngest,
  createMeter,
  exportFolder,
  openBus,
  openDb,
  openExportStorage,
  openRedis,
  openReplica,
} from './drivers.ts'
import { BulkExports } from './export/bulk-exports.ts'
import { DailyFiles } from './export/daily-files.ts'
import { Encoding } from './export/encoding.ts'
import type { Logs } from './http/answer.ts'
import { createApp } from './http/app.ts'
import { Drain } from './http/drain.ts'
import type { AnyEndpoint } from './http/endpoint.ts'
import type { ReadData } from './http/pipeline.ts'
import { ServiceAddress } from './http/public-url.ts'
import type { Ingest } from './ingest/ingest.ts'
import { createAlertJob, createBillingJob, createGrantJob, createHeartbeat, createSampleLive } from './jobs.ts'
import { lazily } from './lazily.ts'
import { createLog } from './log.ts'
import { Metrics } from './metrics/metrics.ts'
import { RequestMetrics } from './metrics/request-metrics.ts'
import { Traffic } from './metrics/traffic.ts'
import { DatabaseUnavailable } from './model/errors.ts'
import { MINUTE, SECOND } from './model/time.ts'
import { openMailer, openOidc, openPayments, openSpans } from './outside-services.ts'
import { type Part, Parts } from './parts.ts'
import { PeriodicJob } from './periodic-job.ts'
import { STREAM_COST } from './plans/cost.ts'
import type { RedisLink } from './redis/redis-link.ts'
import { createErrorLog } from './repeated-lines.ts'
import { LogRetention } from './retention.ts'
import { hasSample, loadSample, SAMPLE_WARNING } from './sample/load.ts'
import { SemanticSearch } from './search/semantic-search.ts'
import { loadSecrets } from './secrets.ts'
import { Mails } from './sign-in/mails.ts'
import { SignIn } from './sign-in/sign-in.ts'
import { changedGroups, DEFAULT_THRESHOLDS, mergeThresholds, type Thresholds } from './signals/detect/thresholds.ts'
import { SignalWorker } from './signals/follow/signal-worker.ts'
import { Fetcher } from './sources/fetch/fetcher.ts'
import type { ReachEvent } from './sources/reach.ts'
import { SourceRunner } from './sources/runner.ts'
import { SourceSink } from './sources/sink.ts'
import { SourceManager } from './sources/source-manager.ts'
import type { DefaultOptions, SourceSettings } from './sources/sources-file.ts'
import type { OutageEvent } from './store/engines/postgres-connections.ts'
import { SQLITE_FILES } from './store/engines/sqlite.ts'
import type { Replica } from './store/replica.ts'
import { createStore, type Store } from './store/store.ts'
import { createStreams, type Streams } from './streams/streams.ts'
import { version } from './version.ts'

export interface Mintick {
  app: FastifyInstance
  /** Serves the operator API if it has an address of its own. */
  adminApp: FastifyInstance | undefined
  address: ServiceAddress
  store: Store
  admission: Admission
  streamMeter: StreamMeter
  grants: MonthlyGrants
  alerts: BalanceAlerts
  billing: Billing | undefined
  sandbox: PaymentSandbox | undefined
  ingest: Ingest
  streams: Streams
  /** Undefined if no export files are built. */
  dailyFiles: DailyFiles | undefined
  bus: Bus
  signalWorker: SignalWorker
  traffic: Traffic
  clock: Clock
  pepper: string
  adminToken: string
  /** Whether the demo key worked when the service started: the operator may suspend its account. */
  isDemoActive: boolean
  /** The owner's key, on the start that created it. */
  ownerKey: string | undefined
  signIn: SignIn
  mails: Mails
  /** Whether this start created the user who owns the service. */
  isOwnerNew: boolean
  /** Stops the service. It stays reachable for `drainMs`, but is no longer ready. */
  close(drainMs?: number): Promise<void>
}

interface Options {
  clock?: Clock
  log?: Logger
  /** Prints progress for the operator. */
  say?: (line: string) => void
}

const OWNER_EMAIL = 'owner@localhost'
const OWNER_CREDITS = 1_000_000
const CLOCK_EVERY_MS = SECOND
const SIGN_IN_EVERY_MS = 10 * MINUTE
const CLEARING_EVERY_MS = 10 * SECOND
const PARTS_EVERY_MS = 10 * MINUTE
/** What an instance without the API answers. */
const WORKER_PATHS = ['/health', '/ready', '/metrics']

/** Builds the service from its parts and starts them. It does not listen yet. */
export async function createMintick(config: Config, options: Options = {}): Promise<Mintick> {
  const parts = new Parts()
  try {
    return await start(config, options, parts)
  } catch (error) {
    await parts.stop()
    throw error
  }
}

async function start(
  config: Config,
  { clock = systemClock, say, ...options }: Options,
  parts: Parts,
): Promise<Mintick> {
  const log: Logger & { droppedLines?: number } = options.log ?? createLog(config.LOG_LEVEL)
  const logError = createErrorLog(log, clock)
  const failedTo = (action: string) => (error: unknown) => {
    // An outage of the database is logged as a whole.
    if (!(error instanceof DatabaseUnavailable)) logError(error, `failed to ${action}`)
  }

  // Settings that contradict each other are refused before anything is created.
  const payments = readPaymentSettings(config)
  const thresholds = readThresholds(config.SIGNAL_THRESHOLDS, log)
  const works = config.ROLE !== 'api'
  const serves = config.ROLE !== 'worker'

  // Before the secrets: opening the store completes an interrupted restore, which may bring them.
  const db = await openDb(config, clock, outageLog(log, 'the database', 'requests fail until it does'))
  const store = parts.add(createStore(db))
  const replica = await openReplica(config, db, outageLog(log, 'the replica', 'the primary answers all requests'))
  if (replica !== undefined) parts.add(replica)
  const { pepper, adminToken } = await loadSecrets(config, store)
  if (config.DATABASE_URL !== undefined) leaveEmbeddedStore(config.DATA_DIR, log)
  const redis = await openRedis(config)
  if (redis !== undefined) logRedis(parts.add(redis), log)
  const bus = parts.add(await openBus(config, { redis, store, onError: failedTo('notify another instance') }))
  const demoAccountId = await openDemoAccount({ store, clock, pepper })
  if (config.SAMPLE_DATA) await loadSample(store, clock, say)

  const {
    meter,
    versions,
    part: meterPart,
  } = await createMeter({ redis, store, clock, onError: failedTo('count a request in Redis') })
  const admission = new Admission({
    store,
    clock,
    meter,
    versions,
    bus,
    pepper,
    adminToken,
    oidcOperators: config.OIDC_OPERATORS,
    onError: failedTo('write the request log or the audit trail'),
  })
  bus.subscribe('accounts', () => admission.callers.forget())
  // A failover may lose the last changes of versions.
  redis?.watch({ down: () => admission.callers.forget() })
  const streamMeter = new StreamMeter({
    store,
    clock,
    meter,
    bus,
    perMinute: STREAM_COST.perMinute,
    onError: failedTo('meter streams'),
  })
  const streams = createStreams({ store, bus, meter: streamMeter, clock, onError: failedTo('continue a stream') })

  const encoding = new Encoding()
  const exports = new BulkExports({ store, admission, clock, encoding, onError: failedTo('continue an export') })
  const exportStorage = await openExportStorage(config, clock)
  const dailyFiles =
    config.EXPORT_FILES_DAYS === 0
      ? undefined
      : new DailyFiles({
          store,
          clock,
          storage: exportStorage,
          encoding,
          folder: exportFolder(config),
          datasets: dailyDatasets({ store, clock }),
          days: config.EXPORT_FILES_DAYS,
          onError: failedTo('build an export file'),
        })

  const address = new ServiceAddress(config)
  const { processor, sandbox } = await openPayments(payments, { store, clock, pepper, address, failedTo })
  if (sandbox) parts.add(sandbox)
  const billing =
    processor &&
    createBilling({
      store,
      processor,
      clock,
      async onChanged(accountId) {
        await admission.reloadBalance(accountId)
        await admission.announce(accountId)
      },
      onError: failedTo('process payments'),
    })
  const grants = new MonthlyGrants({
    store,
    clock,
    onGranted: (accountId) => admission.reloadBalance(accountId),
    onError: failedTo('grant monthly credits'),
  })

  const webhooks = new WebhookClient({ allowHosts: config.WEBHOOK_HOSTS })
  const mailer = await openMailer(config)
  const mails = new Mails(mailer, log)
  const signIn = new SignIn({
    store,
    clock,
    pepper,
    announce: (accountId) => admission.announce(accountId),
    sessions: admission.sessions,
    mails,
    allowsSignUp: config.SIGNUP,
    hasAdminPort: config.ADMIN_PORT !== undefined,
    oidc: openOidc(config, address),
    urlOf: (page) => `${address.publicUrl}/dashboard${page}`,
  })
  const alerts = new BalanceAlerts({ store, clock, pepper, webhooks, mailer })

  const ingest = await createIngest(config, {
    store,
    clock,
    onError: failedTo('index entries'),
    onWarning: (message) => log.warn(message),
  })
  const { enrichment, intake, reindex, embedder, index } = ingest
  const searchIn = (data: Store) =>
    new SemanticSearch({
      store: data,
      embedder,
      index,
      now: () => clock.now(),
      onError: failedTo('search by meaning; words alone were used'),
    })
  const search = searchIn(store)
  const signalWorker = new SignalWorker({
    store,
    clock,
    thresholds,
    onLogged: () => bus.publish('signals', ''),
    onError: failedTo('detect signals'),
  })

  const defaults = config.EDGAR_CONTACT === undefined ? {} : { edgar: { contact: config.EDGAR_CONTACT } }
  const settings =
    config.SOURCES === undefined ? { sources: [], allowHosts: [] } : await readSettings(config.SOURCES, defaults)
  const runner = new SourceRunner({
    store,
    sink: new SourceSink({ store, intake, enrichment, clock }),
    fetcher: new Fetcher({
      contact: config.SOURCES_CONTACT,
      allowHosts: settings.allowHosts,
      now: () => clock.now(),
    }),
    clock,
    onError: failedTo('read a source'),
    onReach: reachLog(log),
  })
  const readsSources = works && config.SOURCES_RUN
  // Without the setting, an instance that leaves the reading to others leaves the sources to them too.
  if (readsSources || config.SOURCES !== undefined) await store.sources.configure(settings.sources, clock.now())
  if (settings.sources.length > 0 && (await hasSample(store))) say?.(SAMPLE_WARNING)
  const sources = new SourceManager({ store, runner, clock, defaults })

  const drain = new Drain()
  const readiness = new Readiness({ store, clock, log, drain })
  const requests = new RequestMetrics()
  const droppedLines = () => log.droppedLines ?? 0
  const metrics = new Metrics({ version, requests, admission, streams, store, redis, replica, readiness, droppedLines })
  const traffic = new Traffic({
    requests,
    credits: () => admission.requestWriter.stats.credits,
    streams: () => streams.count,
    clock,
    onError: failedTo('keep the traffic of the last minute'),
  })
  const services: Services = {
    store,
    search,
    enrichment,
    intake,
    indexing: ingest.indexing,
    reindex,
    streams,
    exports,
    exportStorage,
    sources,
    admission,
    billing,
    sandbox,
    webhooks,
    signIn,
    sendsMail: mailer !== undefined,
    bus,
    clock,
    pepper,
    readiness,
    status: new StatusReport({ store, clock, version }),
    reference: referenceAt(address),
    mcp: mcpAt(failedTo('call a tool')),
    metrics,
    traffic,
    version,
    startedAt: clock.now(),
  }
  const spans = await openSpans(config.OTEL_EXPORTER_OTLP_ENDPOINT, clock, failedTo('export spans'))
  const logs: Logs = {
    log,
    logError,
    logRequests: config.LOG_REQUESTS,
    observe(endpoint, statusCode, durationMs) {
      requests.observe(endpoint, statusCode, durationMs)
      spans?.observe(endpoint, statusCode, durationMs)
    },
  }
  const appParts = {
    services,
    readData:
      replica &&
      readDataFrom(replica, services, { ...services, store: replica.store, search: searchIn(replica.store) }),
    admission,
    clock,
    logs,
    connectionsPerAddress: config.CONNECTIONS_PER_ADDRESS,
    trustedProxies: config.TRUSTED_PROXIES,
    address,
    corsOrigins: config.CORS_ORIGINS,
    drain,
  }
  const hasAdminPort = config.ADMIN_PORT !== undefined
  const app = createApp({
    ...appParts,
    endpoints: endpoints.filter(
      ({ access, path }) =>
        !(hasAdminPort && access === 'operator') &&
        (config.STATUS_PAGE || path !== STATUS_PATH) &&
        (serves || WORKER_PATHS.includes(path)),
    ),
  })
  const adminApp = hasAdminPort ? createApp({ ...appParts, endpoints: endpointsOfAdminPort() }) : undefined
  address.attach(app.server)

  // In the order of their start; they stop in reverse.
  const running: Part[] = [
    metrics,
    traffic,
    ...(spans ? [spans] : []),
    ...(meterPart ? [meterPart] : []),
    { stop: () => admission.requestWriter.drain() },
    { start: () => ingest.start(works ? 'index' : 'follow'), stop: () => ingest.stop() },
    ...(works ? [signalWorker] : []),
    ...(readsSources ? [runner] : []),
    ...(works && config.SAMPLE_LIVE
      ? [await createSampleLive({ store, intake }, clock, failedTo('add sample data'))]
      : []),
    {
      async stop() {
        // Together, because they share the drain.
        await Promise.all([app, ...(adminApp ? [adminApp] : [])].map((each) => closeApp(each, drain)))
      },
    },
    ...(serves ? [streamMeter] : []),
    ...(serves ? streamMeter.tasks : []).map(
      ({ everyMs, run }) => new PeriodicJob(everyMs, run, failedTo('meter streams')),
    ),
    new PeriodicJob(CLOCK_EVERY_MS, clockWatch(clock, log), failedTo('watch the clock')),
    createHeartbeat(store, clock, failedTo('record the uptime')),
    mails,
    ...(works
      ? [
          createBillingJob({ billing, sandbox }, failedTo('process payments')),
          new PeriodicJob(
            CLEARING_EVERY_MS,
            () => store.removal.clearLogs(clock.now()),
            failedTo('clear the logs of deleted accounts'),
          ),
          new PeriodicJob(
            PARTS_EVERY_MS,
            () => store.partitions.prepare(clock.now()),
            failedTo('create the parts of tables'),
          ),
          new PeriodicJob(SIGN_IN_EVERY_MS, () => signIn.removeExpired(), failedTo('remove expired sessions')),
          createGrantJob({ admission, grants, demoAccountId }, failedTo('grant monthly credits')),
          createAlertJob(alerts, failedTo('tell accounts about low balances')),
        ]
      : []),
    ...(works && config.LOG_RETENTION_DAYS > 0
      ? [new LogRetention({ store, clock, days: config.LOG_RETENTION_DAYS, onError: failedTo('remove old requests') })]
      : []),
    // Also without the API: they announce the changes that this instance makes.
    { start: () => streams.start(), stop: () => streams.close() },
    { stop: () => encoding.close() },
    exports,
    ...(works && dailyFiles ? [dailyFiles] : []),
  ]
  for (const part of running) await parts.start(part)

  const isDemoActive = (await store.accounts.find(demoAccountId))?.isActive === true
  // Last, because the key is shown only once: nothing may fail after it.
  const owner = await openAccount(
    { email: OWNER_EMAIL, name: 'Owner', planSlug: 'custom', credits: OWNER_CREDITS },
    { store, clock, pepper },
  )
  const isOwnerNew = (await store.users.openOwner(OWNER_EMAIL, clock.now())) !== undefined
  return {
    app,
    adminApp,
    address,
    store,
    admission,
    streamMeter,
    grants,
    alerts,
    billing,
    sandbox,
    ingest,
    streams,
    dailyFiles,
    bus,
    signalWorker,
    traffic,
    clock,
    pepper,
    adminToken,
    isDemoActive,
    ownerKey: owner?.apiKey,
    signIn,
    mails,
    isOwnerNew,
    close(drainMs = 0) {
      drain.begin(drainMs)
      return parts.stop()
    },
  }
}

/** Tells the operator about a store that lies in the folder of a service that uses PostgreSQL. */
function leaveEmbeddedStore(folder: string, log: Logger): void {
  markUnused(folder)
  if (!existsSync(join(folder, SQLITE_FILES.data))) return
  log.warn({ folder }, 'DATABASE_URL is set: the embedded store in DATA_DIR is not used, and nothing was moved from it')
}

/** Returns the documents of the reference, which are written at the first request. */
function referenceAt(address: ServiceAddress): Services['reference'] {
  const documents = lazily(async () => (await import('./reference/site/site.ts')).writeSite(address.publicUrl))
  return async (path) => (await documents()).get(path)
}

/** Returns the service of the Model Context Protocol, whose library is loaded at the first request. */
function mcpAt(onError: (error: unknown) => void): Services['mcp'] {
  return async (relay) => (await import('./mcp/http-handler.ts')).serveMcp(relay, onError)
}

/** The port of the operator API may be closed to others, so that tools without a token can read there. */
function endpointsOfAdminPort(): AnyEndpoint<Services>[] {
  return endpoints
    .filter(({ access, isOpenOnAdminPort }) => access === 'operator' || isOpenOnAdminPort)
    .map((endpoint) => (endpoint.isOpenOnAdminPort ? { ...endpoint, access: 'open' } : endpoint))
}

/** Reads data from the replica if it is current, and else from the primary. */
function readDataFrom(replica: Replica, primary: Services, copy: Services): ReadData<Services> {
  return (read) => replica.read((isFromReplica) => read(isFromReplica ? copy : primary))
}

function outageLog(log: Logger, server: string, consequence: string): (event: OutageEvent) => void {
  return ({ kind, ...details }) => {
    if (kind === 'began') log.error(details, `${server} does not answer; ${consequence}`)
    else if (kind === 'ended') log.warn(details, `${server} answers again`)
    else log.warn(details, `lost connections to ${server}`)
  }
}

/** Logs when Redis stops answering and when it answers again. */
function logRedis(redis: RedisLink, log: Logger): void {
  const down = () =>
    log.error(
      'Redis does not answer; each instance counts its share of the rate limits, and reads keys from PostgreSQL',
    )
  if (!redis.isUp) down()
  redis.watch({ up: () => log.warn('Redis answers again'), down })
}

function reachLog(log: Logger): (event: ReachEvent) => void {
  return ({ kind, ...details }) => {
    if (kind === 'lost') log.error(details, 'most sources do not answer; check the network and the DNS of this machine')
    else log.warn(details, 'the sources answer again')
  }
}

/** Reads the sources of the SOURCES setting. */
async function readSettings(setting: string, defaults: DefaultOptions): Promise<SourceSettings> {
  const { readSources } = await import('./sources/sources-file.ts')
  try {
    return readSources(setting, defaults)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    throw new OperatorError(`SOURCES: ${error.message}`)
  }
}

/** Reads the thresholds of signals: the defaults, with the changes of the operator's file. */
function readThresholds(file: string | undefined, log: Logger): Thresholds {
  if (file === undefined) return DEFAULT_THRESHOLDS
  if (!existsSync(file)) throw new OperatorError(`SIGNAL_THRESHOLDS: there is no file ${file}`)
  try {
    const thresholds = mergeThresholds(JSON.parse(readFileSync(file, 'utf8')))
    const changed = changedGroups(thresholds)
    if (changed.length > 0) log.info({ changed }, 'signal thresholds differ from their defaults')
    return thresholds
  } catch (error) {
    throw new OperatorError(`SIGNAL_THRESHOLDS: ${error instanceof Error ? error.message : 'the file is not usable'}`)
  }
}

/** Closes the server once its connections have ended. */
async function closeApp(app: FastifyInstance, drain: Drain): Promise<void> {
  await drain.end(app.server)
  await app.close()
}
