import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { seed } from '../src/sample/seed.ts'
import { migrate } from '../src/store/engines/migrate.ts'
import { openPostgres } from '../src/store/engines/postgres.ts'
import { createStore } from '../src/store/store.ts'
import { REPLICABLE, type RunningPostgres, startPostgres } from '../test/postgres.ts'
import { RedisServer } from '../test/redis.ts'
import { type Load, saturate } from './client.ts'
import { print, printFigure, record, startTable } from './figures.ts'
import { childrenMicros, cpuMicros } from './machine.ts'
import { quiet } from './measure.ts'
import { get } from './pages.ts'
import type { FloorAnswer } from './pg-floor.ts'
import {
  median,
  openUnlimitedAccount,
  type Server,
  type Service,
  type Settings,
  serveFloor,
  servePinned,
  timed,
} from './service.ts'

const CONNECTIONS = 64
const KEYS = 100
const IDS = 100
const ROUNDS = 5
const SECONDS = 2
const MAX_CPU_RATIO = 2
const LEAST_CHARGES_PER_COMMIT = 20

/** As operators run it: with durable commits. */
const DURABLE = { fsync: 'on', full_page_writes: 'on', autovacuum: 'on' }

/** How an instance reads data. */
interface Form {
  name: string
  env: Record<string, string>
}

/**
 * Measures the CPU time of an instance on PostgreSQL and Redis per request, against a bare Fastify that reads the same rows
 * and sends the same bytes, with and without a replica.
 */
export async function benchInstances({ folder, small }: Settings): Promise<void> {
  const postgres = await startPostgres({ ...REPLICABLE, ...DURABLE })
  if ('unavailable' in postgres) throw new Error(postgres.unavailable)
  const redis = await RedisServer.start()
  try {
    await fill(postgres.url, small)
    const replica = await postgres.replica()
    const shared = { DATABASE_URL: postgres.url, REDIS_URL: redis.url }
    const printRow = startTable([
      '64 connections',
      'requests/s',
      'floor req/s',
      'CPU µs',
      'floor CPU',
      'CPU ratio',
      'charges/commit',
      'scripts/request',
      'PostgreSQL µs',
      'Redis µs',
      'WAL bytes',
      'target             ',
    ])
    const forms: Form[] = [
      { name: 'primary', env: shared },
      { name: 'replica', env: { ...shared, DATABASE_READ_URL: replica.url } },
    ]
    const servers = { postgres, redis }
    for (const form of forms) await benchForm(form, join(folder, 'instances'), servers, printRow)
    await replica.stop()
    await printSizes(postgres.url)
  } finally {
    await redis.stop()
    await postgres.stop()
  }
}

async function fill(url: string, entries: number): Promise<void> {
  const db = await openPostgres(url)
  const now = Date.now()
  await migrate(db, now)
  await timed(entries, 'entries', () => seed(createStore(db), { entries, to: now, now }))
  await db.close()
}

interface Servers {
  postgres: RunningPostgres
  redis: RedisServer
}

async function benchForm(
  { name, env }: Form,
  place: string,
  servers: Servers,
  printRow: (row: readonly string[]) => void,
): Promise<void> {
  mkdirSync(place, { recursive: true })
  const service = await servePinned(place, { env })
  const floor = await serveFloor('pg-floor.ts', servers.postgres.url)
  await quiet(service)
  const keys = [service.account.authorization]
  while (keys.length < KEYS) keys.push((await openUnlimitedAccount(service.port)).authorization)
  for (const [what, { paths, isShared, sql, params }] of Object.entries(await readsOf(service))) {
    await teach(floor, service, paths[0] ?? '', { sql, params })
    const authorizations = isShared ? keys : keys.slice(0, 1)
    const load = { paths, authorizations, connections: CONNECTIONS, seconds: SECONDS }
    const own: Round[] = []
    const floors: Round[] = []
    for (let round = 0; round <= ROUNDS; round += 1) floors.push(await measure(floor, load))
    const before = await countersOf(service, servers)
    for (let round = 0; round <= ROUNDS; round += 1) own.push(await measure(service, load))
    const after = await countersOf(service, servers)
    const perRequest = (key: keyof typeof after) => (after[key] - before[key]) / (after.requests - before.requests)
    // The first round is a warm-up.
    const middle = (rounds: Round[], key: keyof Round) => median(rounds.slice(1).map((round) => round[key]))
    const ratio = middle(own, 'cpu') / middle(floors, 'cpu')
    const perCommit = (after.requests - before.requests) / (after.batches - before.batches)
    const title = `${what}, ${name}`
    const slow = record(`${title}, CPU time / that of the floor`, ratio, 'at most', MAX_CPU_RATIO)
    const small = record(`${title}, charges per commit`, perCommit, 'at least', LEAST_CHARGES_PER_COMMIT)
    printRow([
      title,
      middle(own, 'rate').toFixed(0),
      middle(floors, 'rate').toFixed(0),
      middle(own, 'cpu').toFixed(0),
      middle(floors, 'cpu').toFixed(0),
      ratio.toFixed(2),
      perCommit.toFixed(1),
      perRequest('scripts').toFixed(2),
      perRequest('postgresMicros').toFixed(0),
      perRequest('redisMicros').toFixed(0),
      perRequest('walBytes').toFixed(0),
      `${MAX_CPU_RATIO}, ${LEAST_CHARGES_PER_COMMIT}${slow || small}`,
    ])
  }
  if (env.DATABASE_READ_URL !== undefined) {
    const { replica, primary } = await countersOf(service, servers)
    const share = (100 * replica) / (replica + primary)
    printFigure('requests for data that the replica answered', share, 'at least', 95, { unit: '%' })
  }
  await benchLoneCall(name, service, floor, keys)
  await service.stop()
  await floor.stop()
}

/** Measures calls of one client, one after the other, for the read that the floor was taught last. */
async function benchLoneCall(name: string, service: Service, floor: Server, keys: readonly string[]): Promise<void> {
  const { paths } = (await readsOf(service))['entry by id']
  const load = { paths, authorizations: keys.slice(0, 1), connections: 1, seconds: SECONDS }
  const [own, bare] = [await measure(service, load), await measure(floor, load)]
  print(`lone call by id, ${name}, p50`, `${own.p50.toFixed(2)} ms; floor ${bare.p50.toFixed(2)} ms`)
}

/** Returns paths, for one or for all keys, each with a statement that reads as many rows. */
async function readsOf(service: Service) {
  const { data } = await get(service, `/api/v1/entries?limit=${IDS}`)
  const pathsById = data.map(({ id }) => `/api/v1/entries/${id}`)
  const byId = { sql: 'select doc, created_at from entries where id = $1', params: [String(data[0]?.id)] }
  const pageSql = (where: string) =>
    `select string_agg(doc, ',') as docs from (select doc from entries ${where} order by seq desc limit 52) e`
  return {
    'newest page': { paths: ['/api/v1/entries?limit=50'], isShared: false, sql: pageSql(''), params: [] },
    'entry by id': { paths: pathsById, isShared: false, ...byId },
    [`entry by id, ${KEYS} keys`]: { paths: pathsById, isShared: true, ...byId },
  }
}

/** Lets the floor answer as the service does. */
async function teach(
  floor: Server,
  service: Service,
  path: string,
  statement: Omit<FloorAnswer, 'body'>,
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers: service.headers })
  const answer: FloorAnswer = { ...statement, body: await response.text() }
  const headers = { 'content-type': 'application/json' }
  await fetch(`http://127.0.0.1:${floor.port}`, { method: 'PUT', headers, body: JSON.stringify(answer) })
}

interface Round {
  rate: number
  /** Microseconds per request. */
  cpu: number
  p50: number
}

async function measure(server: Server, load: Omit<Load, 'port'>): Promise<Round> {
  const before = cpuMicros(server.child.pid)
  const result = await saturate({ port: server.port, ...load })
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`)
  const cpu = (cpuMicros(server.child.pid) - before) / result.requests
  return { rate: result.requestsPerSecond, cpu, p50: result.p50 }
}

/** Reads the counters of the service, of Redis and of PostgreSQL. */
async function countersOf({ port }: Service, { postgres, redis }: Servers) {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: 'Bearer bench-bench-bench' },
  })
  const text = await response.text()
  const read = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    )
  const stats = `${await redis.command('info', 'commandstats')}${await redis.command('info', 'cpu')}`
  const cpuOf = (kind: string) => Number(new RegExp(`^used_cpu_${kind}:(.+)`, 'm').exec(stats)?.[1] ?? 0)
  const [wal] = await ask<{ bytes: number }>(postgres.url, "select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes")
  return {
    batches: read('mintick_commit_batches_total'),
    requests: read('mintick_commit_requests_total'),
    redisMicros: (cpuOf('user') + cpuOf('sys')) * 1e6,
    postgresMicros: childrenMicros(postgres.pid()),
    walBytes: Number(wal?.bytes),
    scripts: Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0),
    replica: read('mintick_data_reads_total{database="replica"}'),
    primary: read('mintick_data_reads_total{database="primary"}'),
  }
}

/** Prints what a row of the two largest tables takes, with its indexes and side tables. */
async function printSizes(url: string): Promise<void> {
  const sizes = await ask<{ kind: string; bytes: number }>(
    url,
    `select case when relname like 'request_log%' then 'logged request' else 'entry' end as kind,
       sum(pg_total_relation_size(oid))::bigint as bytes
     from pg_class where relkind = 'r' and (relname like 'request_log%' or relname like 'entries%' or relname like 'entry_%')
     group by 1 order by 1`,
  )
  for (const { kind, bytes } of sizes) {
    const table = kind === 'entry' ? 'entries' : 'request_log'
    const [rows] = await ask<{ count: number }>(url, `select count(*) as count from ${table}`)
    print(`bytes per ${kind}, with indexes`, String(Math.round(Number(bytes) / Number(rows?.count))))
  }
}

async function ask<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
