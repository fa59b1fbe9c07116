import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { openAccount } from '../src/admission/open-account.ts'
import { readConfig } from '../src/config.ts'
import { createMintick, type Mintick } from '../src/main.ts'
import type { PlanSlug } from '../src/plans/plans.ts'
import { loadSample } from '../src/sample/load.ts'
import type { Db } from '../src/store/db.ts'
import { migrate } from '../src/store/engines/migrate.ts'
import { openPostgres } from '../src/store/engines/postgres.ts'
import { openSqlite, SQLITE_FILES } from '../src/store/engines/sqlite.ts'
import { createStore, type Store } from '../src/store/store.ts'
import { assertOk } from './envelope.ts'
import { onceForAllTests } from './once.ts'
import { hasRedis } from './redis.ts'
import { NO_LIMITS } from './unlimited-account.ts'

export type Engine = Db['engine']

/** Set by run.ts and by `npm run chaos`. */
const postgresUrl = () => process.env.TEST_POSTGRES_URL
const ENGINES = (['sqlite', 'postgres'] as const).filter((engine) => (process.env.TEST_ENGINE ?? engine) === engine)

/** `--instances` lets the tests on PostgreSQL call several instances in turn. */
export const instancesOf = (engine: Engine) => (engine === 'postgres' ? Number(process.env.TEST_INSTANCES ?? 1) : 1)

/** Declares the same suite for every engine, or only for the engine chosen with `--engine`. */
export function onEveryEngine(name: string, suite: (engine: Engine) => void): void {
  for (const engine of ENGINES) on(engine, name, suite)
}

/**
 * Declares a suite that does not depend on the store: about a client, a protocol or headers. It runs on SQLite or
 * the engine chosen with `--engine`: every-endpoint.test.ts calls every endpoint on both, and same-answers.test.ts compares their data.
 */
export function onAnyEngine(name: string, suite: (engine: Engine) => void): void {
  for (const engine of ENGINES.slice(0, 1)) on(engine, name, suite)
}

function on(engine: Engine, name: string, suite: (engine: Engine) => void): void {
  if (engine === 'postgres') onPostgres(`${name} [postgres]`, () => suite(engine))
  else describe(`${name} [${engine}]`, () => suite(engine))
}

/** Declares a suite that needs PostgreSQL. */
export function onPostgres(name: string, suite: () => void): void {
  if (ENGINES.includes('postgres')) describe(name, { skip: postgresUrl() === undefined && 'no PostgreSQL' }, suite)
}

/** Declares a suite that needs PostgreSQL and Redis. */
export function onRedis(name: string, suite: () => void): void {
  onPostgres(hasRedis() ? name : `${name} (skipped: no redis-server)`, hasRedis() ? suite : () => {})
}

/** Declares a suite that compares the engines. */
export function onBothEngines(name: string, suite: (engines: readonly [Engine, Engine]) => void): void {
  if (ENGINES.length === 2) onPostgres(name, () => suite(['sqlite', 'postgres']))
}

/** A clock that moves only when told to. */
export class FakeClock {
  #now: number
  #elapsed = 0

  constructor(now: number | string = '2026-03-02T10:20:30.400Z') {
    this.#now = new Date(now).getTime()
  }

  now = () => this.#now

  elapsed = () => this.#elapsed

  advance(ms: number): void {
    this.#now += ms
    this.#elapsed += ms
  }

  /** Changes the wall clock but not the elapsed time, as an operator who sets the machine's clock does. */
  jump(ms: number): void {
    this.#now += ms
  }
}

export interface Place {
  env: Record<string, string>
  remove(): Promise<void>
}

/** Creates a place for one store, empty or a copy: a temporary folder, or a separate database on the test server. */
export async function createPlace(engine: Engine, original?: string): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-test-'))
  const env: Record<string, string> = {
    DATA_DIR: folder,
    SAMPLE_DATA: 'off',
    EMBEDDINGS: 'off',
    LOG_LEVEL: 'silent',
    PORT: '0',
    DRAIN_MS: '0',
  }
  if (engine === 'sqlite') {
    if (original !== undefined)
      for (const file of Object.values(SQLITE_FILES)) copyFileSync(join(original, file), join(folder, file))
    return { env, remove: async () => rmSync(folder, { recursive: true }) }
  }

  const name = `mintick_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name}${original === undefined ? '' : ` template ${original} strategy file_copy`}`)
  return {
    env: { ...env, DATABASE_URL: new URL(`/${name}`, postgresUrl()).href },
    async remove() {
      rmSync(folder, { recursive: true })
      await onServer(`drop database ${name} with (force)`)
    },
  }
}

const databaseOf = (url: string | undefined) => new URL(url ?? '').pathname.slice(1)

/** Returns a store with the sample world at the start time of a FakeClock, for copying: loading it is slow. */
function sampleStore(engine: Engine): Promise<string | undefined> {
  return storeToCopy(engine, 'sample', async (store, clock) => {
    await loadSample(store, clock)
  })
}

/** Returns an empty store for copying, which is faster than creating the tables each time. */
function emptyStore(engine: Engine): Promise<string | undefined> {
  return storeToCopy(engine, 'empty', async () => {})
}

function storeToCopy(
  engine: Engine,
  name: string,
  fill: (store: Store, clock: FakeClock) => Promise<void>,
): Promise<string | undefined> {
  return onceForAllTests(`${name}-${engine}`, async (folder) => {
    const clock = new FakeClock()
    const { env } = await createPlace(engine)
    const { DATABASE_URL, DATA_DIR = '' } = env
    const db = DATABASE_URL === undefined ? openSqlite(DATA_DIR) : await openPostgres(DATABASE_URL)
    await migrate(db, clock.now())
    await fill(createStore(db), clock)
    await db.close()
    if (DATABASE_URL === undefined) {
      renameSync(DATA_DIR, join(folder, name))
      return join(folder, name)
    }
    rmSync(DATA_DIR, { recursive: true })
    return databaseOf(DATABASE_URL)
  })
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl() })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** Opens the database of a place and migrates it. */
export async function openPlace({ env: { DATABASE_URL, DATA_DIR = '' } }: Place): Promise<Db> {
  const db = DATABASE_URL === undefined ? openSqlite(DATA_DIR) : await openPostgres(DATABASE_URL)
  await migrate(db, 0)
  return db
}

/** Returns the `original` argument with which `createPlace` copies this place. The store must not be in use. */
export function originalOf({ env: { DATABASE_URL, DATA_DIR = '' } }: Place): string {
  return DATABASE_URL === undefined ? DATA_DIR : databaseOf(DATABASE_URL)
}

/** Opens a migrated store without a service. */
export async function openTestDb(engine: Engine): Promise<{ db: Db; place: Place; close(): Promise<void> }> {
  const place = await createPlace(engine, await emptyStore(engine))
  const db = await openPlace(place)
  return {
    db,
    place,
    async close() {
      await db.close()
      await place.remove()
    },
  }
}

/** Declares a store for the tests of a suite, opened before them and removed after them. */
export function storeForSuite(engine: Engine): () => Store {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  let store: Store
  before(async () => {
    opened = await openTestDb(engine)
    store = createStore(opened.db)
  })
  after(() => opened.close())
  return () => store
}

/** `--pgbouncer` lets services reach PostgreSQL through a pooler. */
function throughPooler({ DATABASE_URL }: Place['env']): Place['env'] {
  const { TEST_PGBOUNCER_URL: pooler } = process.env
  if (pooler === undefined || DATABASE_URL === undefined) return {}
  return { DATABASE_URL: new URL(new URL(DATABASE_URL).pathname, pooler).href, DATABASE_DIRECT_URL: DATABASE_URL }
}

export interface Reply {
  status: number
  headers: Record<string, string>
  /** The parsed JSON, or the text of a page or a file. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

export interface CallOptions {
  method?: string
  body?: unknown
  headers?: Record<string, string>
}

/** The whole service on its own store, called without a port. */
export class TestService {
  mintick!: Mintick
  /** Further instances, which answer calls in turn with the first one. */
  #others: Mintick[] = []
  #calls = 0
  place!: Place
  readonly clock: FakeClock
  log = pino({ level: 'silent' })
  /** Set it before the start for a suite about one process: it has one instance, whatever `--instances` says. */
  isAlone = false
  #env!: Record<string, string | undefined>

  constructor(clock: FakeClock) {
    this.clock = clock
  }

  static async start(engine: Engine, env: Record<string, string> = {}, clock = new FakeClock()): Promise<TestService> {
    const service = new TestService(clock)
    await service.start(engine, env)
    return service
  }

  /** `change` returns further settings for those of the new place. */
  async start(
    engine: Engine,
    env: Record<string, string> = {},
    change: (env: Place['env']) => Place['env'] = () => ({}),
  ): Promise<void> {
    const isUsual = env.SAMPLE_DATA === 'on' && this.clock.now() === new FakeClock().now()
    this.place = await createPlace(engine, await (isUsual ? sampleStore(engine) : emptyStore(engine)))
    const instances = this.isAlone ? 1 : instancesOf(engine)
    const shared = instances > 1 && { REDIS_URL: process.env.TEST_REDIS_URL }
    const place = { ...this.place.env, ...throughPooler(this.place.env) }
    this.#env = { ...place, ...shared, ...env, ...change(place) }
    this.mintick = await this.#create()
    while (this.#others.length < instances - 1) this.#others.push(await this.#create())
  }

  /** All instances, which calls reach in turn. */
  get instances(): readonly Mintick[] {
    return [this.mintick, ...this.#others]
  }

  /** Name of the PostgreSQL database. */
  get databaseName(): string {
    return databaseOf(this.#env.DATABASE_URL)
  }

  /** Starts a second instance on the same store (PostgreSQL only), with further settings. */
  async twin(env: Record<string, string> = {}): Promise<TestService> {
    const twin = new TestService(this.clock)
    twin.place = this.place
    twin.#env = { ...this.#env, ...env }
    twin.mintick = await twin.#create()
    return twin
  }

  /** Returns the service with its first instance alone, for tests of what each process has for itself. */
  alone(): TestService {
    const first = new TestService(this.clock)
    first.place = this.place
    first.#env = this.#env
    first.mintick = this.mintick
    return first
  }

  /** Restarts the service on the same store. */
  async restart(): Promise<void> {
    const others = this.#others.splice(0)
    for (const mintick of [this.mintick, ...others]) await mintick.close()
    this.mintick = await this.#create()
    while (this.#others.length < others.length) this.#others.push(await this.#create())
  }

  async stop(): Promise<void> {
    for (const mintick of this.instances) await mintick.close()
    await this.place.remove()
  }

  /** Starts to listen. Returns the URL of /api/v1. */
  async listen(): Promise<string> {
    return `${await this.mintick.app.listen({ port: 0, host: '127.0.0.1' })}/api/v1`
  }

  /** Opens an account and returns its id and first key. `credits` defaults to the credits of the plan. */
  async open(planSlug: PlanSlug = 'enterprise', credits?: number): Promise<{ id: string; key: string }> {
    const { store, clock } = this.mintick
    const opened = await openAccount(
      { email: `${randomUUID()}@test.example`, name: null, planSlug, credits },
      { store, clock, pepper: this.mintick.pepper },
    )
    if (opened === undefined) throw new Error('the account was not opened')
    return { id: opened.account.id, key: opened.apiKey }
  }

  /** Opens an account that never hits a rate limit or runs out of credits. */
  async openUnlimited(): Promise<{ id: string; key: string }> {
    const account = await this.open('custom', 10_000_000)
    await this.admin(`/accounts/${account.id}`, {
      method: 'PATCH',
      body: {
        overrides: NO_LIMITS,
      },
    })
    return account
  }

  /** Sends a request to a path below /api/v1, with or without a key. */
  api(path: string, key: string | undefined, options: CallOptions = {}): Promise<Reply> {
    return this.call(`/api/v1${path}`, {
      ...options,
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...options.headers },
    })
  }

  /** Returns the body of a GET request to a path below /api/v1, which must succeed. */
  async get(path: string, key: string): Promise<Reply['body']> {
    const reply = await this.api(path, key)
    assertOk(reply)
    return reply.body
  }

  admin(path: string, options: CallOptions = {}): Promise<Reply> {
    return this.call(`/admin${path}`, {
      ...options,
      headers: { authorization: `Bearer ${this.mintick.adminToken}`, ...options.headers },
    })
  }

  async call(url: string, { method = 'GET', body, headers = {} }: CallOptions = {}): Promise<Reply> {
    const { instances } = this
    this.#calls += 1
    const { app, admission } = instances[this.#calls % instances.length] ?? this.mintick
    const response = await app.inject({
      method: method as 'GET',
      url,
      headers,
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    // Tests that wait for the log wait for that of the first instance.
    if (admission !== this.mintick.admission) await admission.requestWriter.drain()
    const parse = String(response.headers['content-type']).startsWith('application/json') ? JSON.parse : String
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      body: response.body === '' ? undefined : parse(response.body),
    }
  }

  #create(): Promise<Mintick> {
    return createMintick(readConfig(this.#env), { clock: this.clock, log: this.log })
  }

  async balance(accountId: string): Promise<number> {
    for (const { admission } of this.instances) await admission.requestWriter.drain()
    return this.mintick.store.ledger.balance(accountId)
  }
}

/** Declares a service for the tests of a suite: started before them, checked and stopped after them. */
export function serviceForSuite(
  engine: Engine,
  env: Record<string, string> = {},
  check?: (service: TestService) => Promise<void>,
): TestService {
  const service = new TestService(new FakeClock())
  before(() => service.start(engine, env))
  after(async () => {
    await check?.(service)
    await service.stop()
  })
  return service
}

/** Declares a service with the sample world for the tests of a suite, and an account without limits to query it. */
export function sampleForSuite(engine: Engine) {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })
  let key: string
  before(async () => {
    key = (await service.openUnlimited()).key
  })
  return {
    service,
    get: (path: string) => service.get(path, key),
    /** Returns the reply, which may be an error. */
    call: (path: string) => service.api(path, key),
  }
}
