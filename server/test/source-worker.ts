/**
 * Reads simulated sources in a process of its own, so that tests can kill it. A message with a time moves the clock;
 * the answer comes when nothing is due at that time any more, and lists what went wrong.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { openPostgres } from '../src/store/engines/postgres.ts'
import { openSqlite } from '../src/store/engines/sqlite.ts'
import { Leases } from '../src/store/leases.ts'
import { Pace } from '../src/store/pace.ts'
import { createStore } from '../src/store/store.ts'
import { simulatedRunner } from './simulated-sources.ts'

/** So short that the others need not wait long for the sources of a process that was killed. */
const LEASE_MS = 500

export type WorkerMessage = { isReady: true } | { errors: string[] } | { pacedAt: number }

const send = (message: WorkerMessage) => process.send?.(message)

const [file = '', folder = '', databaseUrl] = process.argv.slice(2)
let now = 0
const clock = { now: () => now, elapsed: () => now }
const db = databaseUrl === undefined ? openSqlite(folder) : await openPostgres(databaseUrl)
const dialect = {
  get now() {
    return String(now)
  },
}
const pace = new Pace({ dialect, transaction: (work) => db.ledger.transaction(work) })
const reserve = pace.reserve.bind(pace)
pace.reserve = async (name, gapMs) => {
  const waitMs = await reserve(name, gapMs)
  send({ pacedAt: now + waitMs })
  return waitMs
}
const store = { ...createStore(db), leases: new Leases(db.ledger, { ttlMs: LEASE_MS }), pace }
const { runner, errors } = await simulatedRunner(store, clock, file)

const isDue = async () =>
  (await store.sources.list()).some(({ stopped, nextRunAt }) => stopped === null && nextRunAt <= now)

process.on('message', async (time: number) => {
  now = time
  for (; await isDue(); await delay(10)) await runner.runDue()
  send({ errors: errors.splice(0).map(String) })
})
process.on('disconnect', () => process.exit())
send({ isReady: true })
