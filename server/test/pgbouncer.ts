import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { installWithApt } from './apt.ts'
import { freePort } from './spawn.ts'

const START_MS = 10_000
/** Fewer than the connections of one instance, so that its transactions share them. */
const SERVER_CONNECTIONS = 6

/** Debian keeps it out of the PATH of ordinary users. */
const PATH = `${process.env.PATH}:/usr/sbin`

export const hasPgBouncer = () => spawnSync('pgbouncer', ['--version'], { env: { PATH } }).error === undefined

/** Installs PgBouncer if it is missing and this is root. Returns the reason if the tests have to do without. */
export async function preparePgBouncer(): Promise<string | undefined> {
  if (hasPgBouncer()) return undefined
  return process.getuid?.() === 0 ? installWithApt('pgbouncer') : 'no pgbouncer on PATH'
}

export interface PgBouncer {
  /** Returns the URL of a database of the server, through the pooler. */
  urlOf(url: string): string
  stop(): Promise<void>
}

/** Starts a pooler of transactions in front of a server. */
export async function startPgBouncer(server: string): Promise<PgBouncer> {
  // It refuses to run as root, and TMPDIR may be open to root only.
  const isRoot = process.getuid?.() === 0
  const folder = mkdtempSync(join(isRoot ? '/tmp' : tmpdir(), 'mintick-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'users'), '"postgres" ""\n')
  writeFileSync(file, configOf(port, new URL(server), folder))
  // The shell ends the pooler once this process closes the pipe or dies.
  const shell = spawn('/bin/sh', ['-c', 'pgbouncer -q "$0" & cat > /dev/null; kill -9 $!; wait', file], {
    ...(isRoot && { uid: 65_534, gid: 65_534 }),
    cwd: '/',
    env: { PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const urlOf = (url: string) => {
    const pooled = new URL(url)
    pooled.port = String(port)
    return pooled.href
  }
  await untilAnswers(urlOf(server))
  return {
    urlOf,
    async stop() {
      const ended = once(shell, 'exit')
      shell.stdin?.end()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilAnswers(url: string): Promise<void> {
  const until = performance.now() + START_MS
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      if (performance.now() > until) throw error
      await delay(20)
    } finally {
      void client.end().catch(() => {})
    }
  }
}

const configOf = (port: number, server: URL, folder: string) => `
[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 1000
`
