/** Shared parts of the bench: stores, the service, the floor. */
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { systemClock } from '../src/clock.ts'
import { readConfig } from '../src/config.ts'
import { openDb } from '../src/drivers.ts'
import { seed } from '../src/sample/seed.ts'
import type { Db } from '../src/store/db.ts'
import { createStore, type Store } from '../src/store/store.ts'
import { killHard, ready, spawnOwned, spawnService } from '../test/spawn.ts'
import { openAccountOver } from '../test/unlimited-account.ts'
import { order } from './child-process.ts'
import { print } from './figures.ts'
import { pinned } from './machine.ts'
import { storeAt } from './places.ts'

export interface Settings {
  /** Folder for the stores. */
  folder: string
  isFolderKept: boolean
  /** Entries or rows of the stores that a section fills. */
  small: number
  large: number
  /** Number of requests before memory is measured. */
  requests: number
  /** Rows of the request log before endpoints are measured. */
  logRows: number
  /** Vectors in the index of the section `search`. */
  vectors: number
  /** Large sizes of the section `growth`; the small ones are a hundredth. */
  growth: { entries: number; logged: number; assets: number; candles: number }
  /** Names of the lists to measure; empty for all. */
  lists: readonly string[]
}

const ADMIN_TOKEN = 'bench-bench-bench'
const BLOCK_MONITOR = pathToFileURL(join(import.meta.dirname, 'block-monitor.ts')).href

/** A running server: the service or the floor. */
export interface Server {
  port: number
  child: ChildProcess
  stop(): Promise<void>
}

export interface BenchAccount {
  id: string
  authorization: string
}

export interface Service extends Server {
  folder: string
  account: BenchAccount
  headers: { authorization: string }
}

interface ServeOptions {
  env?: Record<string, string>
  /** An account that the store has; otherwise one is created. */
  account?: BenchAccount | undefined
  /** Replaces the usual command. */
  start?: (env: Record<string, string>) => Promise<{ child: ChildProcess; url: string }>
}

/** Starts the service on a store. */
export async function serve(place: string, { env = {}, account, start = spawnService }: ServeOptions = {}) {
  const { child, url } = await start(await environment(place, env))
  const port = Number(new URL(url).port)
  const { id, authorization } = account ?? (await openUnlimitedAccount(port))
  const service: Service = {
    folder: place,
    port,
    child,
    account: { id, authorization },
    headers: { authorization },
    stop: () => killHard(child),
  }
  return service
}

/** Starts the service without embeddings on the server's core, with the monitor of its event loop. */
export function servePinned(place: string, options: Omit<ServeOptions, 'start'> = {}): Promise<Service> {
  const start = (env: Record<string, string>) =>
    spawnService({ ...env, NODE_OPTIONS: `--import=${BLOCK_MONITOR}` }, (command, args) =>
      pinned('server', command, args),
    )
  return serve(place, { ...options, env: { EMBEDDINGS: 'off', ...options.env }, start })
}

/** Starts a floor on the server's core, with the same monitor. */
export async function serveFloor(file = 'floor.ts', ...args: string[]): Promise<Server> {
  const flags = [`--import=${BLOCK_MONITOR}`, join(import.meta.dirname, file), ...args]
  const child = spawnOwned(...pinned('server', process.execPath, flags), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  return { port: Number(new URL(await ready(child)).port), child, stop: () => killHard(child) }
}

/** Returns the longest block of the event loop since the last call, in milliseconds. */
export const longestBlock = ({ child }: Server) =>
  order<{ type: 'longest-block' }, number>(child, { type: 'longest-block' })

/** Creates an account without limits. */
export async function openUnlimitedAccount(port: number): Promise<BenchAccount> {
  const { id, key } = await openAccountOver(`http://127.0.0.1:${port}`, ADMIN_TOKEN)
  return { id, authorization: `Bearer ${key}` }
}

export async function environment(place: string, more: Record<string, string> = {}): Promise<Record<string, string>> {
  const logs = { LOG_LEVEL: 'info' }
  return { ...(await storeAt(place)), PORT: '0', SAMPLE_DATA: 'off', ADMIN_TOKEN, ...logs, ...more }
}

/** Returns a folder with a store of `count` entries, built on first use. */
export function filled({ folder }: Pick<Settings, 'folder'>, count: number): Promise<string> {
  return withStore(join(folder, String(count)), async (store) => {
    if ((await store.entries.total()) >= count) return
    const now = Date.now()
    await timed(count, 'entries', () => seed(store, { entries: count, to: now, now }))
  })
}

/** Runs `work` on the store of a folder, creating it if needed, and returns the folder. */
export async function withStore(place: string, work: (store: Store, db: Db) => Promise<void>): Promise<string> {
  const db = await openDb(readConfig(await storeAt(place)), systemClock)
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
