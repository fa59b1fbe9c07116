/** Shared parts of the bench: stores, the service, and printing of figures. */
import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { seed } from '../src/sample/seed.ts'
import type { Db } from '../src/store/db.ts'
import { migrate } from '../src/store/engines/migrate.ts'
import { openSqlite } from '../src/store/engines/sqlite.ts'
import { createStore, type Store } from '../src/store/store.ts'
import { killHard, spawnService } from '../test/spawn.ts'

export interface Settings {
  /** Folder for the stores. */
  folder: string
  isFolderKept: boolean
  small: number
  large: number
  /** Number of requests before memory is measured. */
  requests: number
  /** Names of the lists to measure; empty for all. */
  lists: readonly string[]
}

export const CONNECTIONS = 16
const ADMIN_TOKEN = 'bench-bench-bench'
const NO_LIMITS = {
  requestsPerMinute: 1e9,
  requestsPerHour: 1e9,
  requestsPerDay: 1e9,
  burst: 1e9,
  realtimeConnections: 1e6,
}

export interface Service {
  folder: string
  port: number
  child: ChildProcess
  headers: { authorization: string }
  stop(): Promise<void>
}

/** Starts the service on a store. `start` replaces the usual command. */
export async function serve(place: string, start: typeof spawnService = spawnService): Promise<Service> {
  const { child, url } = await start(environment(place))
  const port = Number(new URL(url).port)
  return { folder: place, port, child, headers: await openUnlimitedAccount(port), stop: () => killHard(child) }
}

/** Creates an account without limits and returns its request headers. */
export async function openUnlimitedAccount(port: number): Promise<Service['headers']> {
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` }
  const post = async (method: string, path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: admin,
      body: JSON.stringify(body),
    })
    return ((await response.json()) as { data: { account: { id: string }; apiKey: string } }).data
  }
  const email = `bench-${process.pid}-${performance.now()}@test.example`
  const opened = await post('POST', '/admin/accounts', { email, plan: 'custom', credits: 1e9 })
  await post('PATCH', `/admin/accounts/${opened.account.id}`, { overrides: NO_LIMITS })
  return { authorization: `Bearer ${opened.apiKey}` }
}

export function environment(place: string, more: Record<string, string> = {}): Record<string, string> {
  const logs = { LOG_LEVEL: 'info' }
  return { DATA_DIR: place, PORT: '0', SAMPLE_DATA: 'off', ADMIN_TOKEN, ...logs, ...more }
}

/** Returns a folder with a store of `count` entries, built on first use. */
export function filled({ folder }: Settings, count: number): Promise<string> {
  return withStore(join(folder, String(count)), async (store) => {
    if ((await store.entries.total()) >= count) return
    const now = Date.now()
    await timed(count, 'entries', () => seed(store, { entries: count, to: now, now }))
  })
}

/** Runs `work` on the store of a folder, creating it if needed, and returns the folder. */
export async function withStore(place: string, work: (store: Store, db: Db) => Promise<void>): Promise<string> {
  mkdirSync(place, { recursive: true })
  const db = openSqlite(place)
  await migrate(db, Date.now())
  const store = createStore(db)
  await work(store, db)
  await store.close()
  return place
}

/** Prints how fast `work` adds `count` rows. */
export async function timed(count: number, what: string, work: () => Promise<unknown>): Promise<void> {
  const from = performance.now()
  await work()
  print(`filled ${count} ${what}`, `${Math.round(count / ((performance.now() - from) / 1_000))} rows/s`)
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

export function print(name: string, value: string): void {
  process.stdout.write(`  ${name.padEnd(66)} ${value}\n`)
}

export function printRatio(
  name: string,
  value: number,
  bound: 'at least' | 'at most',
  target: number,
  unit = '',
): void {
  const isMet = bound === 'at least' ? value >= target : value <= target
  const shown = unit === '' ? value.toFixed(2) : `${value} ${unit}`
  print(name, `${shown.padEnd(10)} ${bound} ${target}${unit && ` ${unit}`}${isMet ? '' : '   MISSED'}`)
}
