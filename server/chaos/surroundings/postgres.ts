import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { RunningPostgres } from '../../test/postgres.ts'
import { TcpProxy } from '../../test/tcp-proxy.ts'
import type { Fault, Run } from '../fault.ts'
import { Rig } from '../rig.ts'

const CALLERS = 8
const TIMEOUT_MS = 2_000
const OUTAGE_MS = 5_000
/** A call may wait for the database, and then for a busy machine. */
const MAX_WAIT_MS = 3 * TIMEOUT_MS

export const postgresSilent: Fault = {
  name: 'postgres-silent',
  tries: `a network that drops every packet to PostgreSQL for ${OUTAGE_MS / 1_000} s under load; calls fail in time, and costs nothing that failed`,
  engines: ['postgres'],
  run: (run) =>
    outage(run, async ({ proxy }) => {
      proxy.silence()
      return async () => proxy.restore()
    }),
}

export const postgresFrozen: Fault = {
  name: 'postgres-frozen',
  tries: `a PostgreSQL whose processes stop for ${OUTAGE_MS / 1_000} s under load (SIGSTOP)`,
  engines: ['postgres'],
  run: (run) =>
    outage(run, async ({ postgres }) => {
      const pids = await processesOf(postgres)
      for (const pid of pids) signal(pid, 'SIGSTOP')
      return async () => {
        for (const pid of pids) signal(pid, 'SIGCONT')
      }
    }),
}

export const postgresRestarted: Fault = {
  name: 'postgres-restarted',
  tries: 'a restart of PostgreSQL under load',
  engines: ['postgres'],
  run: (run) =>
    outage(
      run,
      async ({ postgres }) =>
        () =>
          postgres.restart(),
      0,
    ),
}

interface Database {
  proxy: TcpProxy
  postgres: RunningPostgres
}

/** Breaks the database under load and repairs it, several times. `breakIt` returns the repair. */
async function outage(
  { engine, repeats, tally, postgres }: Run,
  breakIt: (database: Database) => Promise<() => Promise<void>>,
  lengthMs = OUTAGE_MS,
): Promise<void> {
  if (postgres === undefined) throw new Error('there is no PostgreSQL')
  const proxy = await TcpProxy.start(new URL(postgres.url))
  try {
    await Rig.with(
      engine,
      tally,
      async (rig) => {
        for (let round = 0; round < Math.ceil(repeats / 2); round += 1) {
          const statuses = await rig.underLoad(CALLERS, async () => {
            await delay(200)
            const repair = await breakIt({ proxy, postgres })
            try {
              if (lengthMs > 0) await checkWait(rig, tally)
              await delay(lengthMs)
            } finally {
              await repair()
            }
            await rig.recover(tally)
          })
          const odd = [...statuses.keys()].filter((status) => ![200, 500].includes(status))
          tally.check(odd.length === 0, () => `calls were answered with ${odd.join()}`)
        }
      },
      { proxy, env: { DATABASE_TIMEOUT_MS: String(TIMEOUT_MS) } },
    )
  } finally {
    await proxy.close()
  }
}

async function checkWait(rig: Rig, tally: Run['tally']): Promise<void> {
  const from = performance.now()
  const { status } = await rig.api('/entries')
  const waited = performance.now() - from
  tally.check(waited < MAX_WAIT_MS, () => `a call waited ${Math.round(waited)} ms for an answer ${status}`)
}

/** Returns the ids of all processes of the server, the one that accepts connections last. */
async function processesOf(postgres: RunningPostgres): Promise<number[]> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const { rows } = await client.query('select pid from pg_stat_activity where pid <> pg_backend_pid()')
  await client.end()
  return [...rows.map(({ pid }) => Number(pid)), postgres.pid() ?? Number.NaN]
}

/** Sends a signal to a process that may have ended. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
