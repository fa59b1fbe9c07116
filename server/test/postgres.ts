import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, glob, mkdir, mkdtemp, open, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { installWithApt } from './apt.ts'
import { fastestFolder } from './scratch.ts'

const OLDEST_MAJOR = 15
const START_SECONDS = 60

/** Server settings. Durability is off: the data never outlives the test run. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // a socket path is limited to 107 bytes, and TMPDIR may be longer
  max_connections: '300', // three test processes, each with up to three instances
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB', // the data folder may be in memory
  autovacuum: 'off', // no test runs long enough to need it, and it keeps a database from being copied
  jit: 'off',
}

/** Settings of a server that a replica follows, which receives only what is flushed. */
export const REPLICABLE = { wal_level: 'replica', max_wal_senders: '4', synchronous_commit: 'on' }

export interface RunningPostgres {
  url: string
  /** Id of the process that accepts connections. */
  pid(): number | undefined
  /** Shuts the server down, which ends all connections, and starts it on the same port and data. */
  restart(): Promise<void>
  /** Starts a streaming replica of this server, which must be `REPLICABLE`. */
  replica(): Promise<RunningPostgres>
  stop(): Promise<void>
}

interface Installed {
  /** The folder of the programs. */
  programs: string
  account: Account
}

/**
 * Starts a PostgreSQL server with its own empty data folder. The server ends with `stop()`, and also when this process dies
 * without calling it, even by `kill -9`. Throws if PostgreSQL is installed but does not start.
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningPostgres | { unavailable: string }> {
  if (process.platform === 'win32') return { unavailable: 'the tests start PostgreSQL on Linux and macOS only' }
  const isRoot = process.getuid?.() === 0
  if (!isRoot && !hasName()) return { unavailable: 'initdb refuses a user id that has no name in /etc/passwd' }

  let account = isRoot ? await findOrdinaryAccount() : {}
  let programs = account && (await findPrograms(account))
  if (!programs) {
    if (!isRoot) return { unavailable: `no initdb and postgres >= ${OLDEST_MAJOR} on PATH or in /usr/lib/postgresql` }
    const failure = await installOnce()
    account = await findOrdinaryAccount() // the package brings the postgres account
    programs = account && (await findPrograms(account))
    if (!account || !programs) {
      return { unavailable: failure ?? `the package brought no PostgreSQL >= ${OLDEST_MAJOR} that runs here` }
    }
  }

  if (!account) return { unavailable: 'no account that runs PostgreSQL' }
  const installed = { programs, account }
  return serve(installed, { ...SETTINGS, ...settings }, (data) => initialise(installed, data))
}

/** Starts a server on the data that `prepare` writes. */
async function serve(
  installed: Installed,
  settings: Readonly<Record<string, string>>,
  prepare: (data: string) => Promise<void>,
): Promise<RunningPostgres | { unavailable: string }> {
  const folder = await makeFolder(installed.account)
  if (!folder) return { unavailable: 'no temporary folder that the PostgreSQL account can enter' }
  const watchdog = watch(folder)
  try {
    await prepare(join(folder, 'data'))
    const { server: first, port } = await startServer(installed, folder, settings)
    let server = first
    let stopping: Promise<void> | undefined
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      pid: () => server.pid,
      async restart() {
        const ended = hasEnded(server) ? undefined : once(server, 'exit')
        server.kill('SIGINT')
        await ended
        server = await launch(installed, folder, settings, port)
        if (!(await becomesReady(server, join(folder, 'data')))) throw new Error('PostgreSQL did not start again')
      },
      async replica() {
        const replica = await serve(installed, settings, (data) => copyServer(installed, port, data))
        if ('unavailable' in replica) throw new Error(replica.unavailable)
        return replica
      },
      stop: () => {
        stopping ??= stopServer(server, watchdog)
        return stopping
      },
    }
  } catch (error) {
    await release(watchdog)
    throw error
  }
}

/** System account that runs the server; empty for the caller's account. PostgreSQL refuses to run as root. */
interface Account {
  uid?: number
  gid?: number
}

async function findOrdinaryAccount(): Promise<Account | undefined> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

/** Returns the folder that holds initdb and postgres: the first suitable folder on PATH, else Debian's highest version. */
async function findPrograms(account: Account): Promise<string | undefined> {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'))
  for (const folder of onPath) {
    if ((await majorVersion(folder, account)) >= OLDEST_MAJOR) return folder
  }
  let best: { folder: string; major: number } | undefined
  for await (const folder of glob('/usr/lib/postgresql/*/bin')) {
    const major = await majorVersion(folder, account)
    if (major >= OLDEST_MAJOR && major > (best?.major ?? 0)) best = { folder, major }
  }
  return best?.folder
}

/** Returns 0 if the account cannot run both programs from this folder. */
async function majorVersion(folder: string, account: Account): Promise<number> {
  try {
    await run(join(folder, 'initdb'), ['--version'], account)
    const version = await run(join(folder, 'postgres'), ['--version'], account)
    return Number(/\(PostgreSQL\) (\d+)/.exec(version)?.[1] ?? 0)
  } catch {
    return 0
  }
}

let installing: Promise<string | undefined> | undefined

function installOnce(): Promise<string | undefined> {
  installing ??= installPostgres()
  return installing
}

/** Returns the reason if the installation failed. */
async function installPostgres(): Promise<string | undefined> {
  const noCluster = '/etc/postgresql-common/createcluster.d/mintick-tests.conf'
  // The package would otherwise create a system-wide cluster and start it.
  await mkdir('/etc/postgresql-common/createcluster.d', { recursive: true })
  await writeFile(noCluster, 'create_main_cluster = false\n')
  return installWithApt('postgresql').finally(() => rm(noCluster, { force: true }))
}

/** Creates a folder that the server's account can enter: TMPDIR may be below a folder open only to its owner. */
async function makeFolder(account: Account): Promise<string | undefined> {
  for (const parent of new Set([fastestFolder(), resolve(tmpdir()), '/tmp', '/var/tmp', '/dev/shm'])) {
    const folder = await mkdtemp(join(parent, 'mintick-postgres-')).catch(() => undefined)
    if (!folder) continue
    try {
      await chmod(folder, 0o700)
      if (account.uid !== undefined && account.gid !== undefined) await chown(folder, account.uid, account.gid)
      await run('/bin/sh', ['-c', 'cd "$0" && : > probe && rm probe', folder], account)
      return folder
    } catch {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return undefined
}

async function initialise({ programs, account }: Installed, data: string): Promise<void> {
  const cluster = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  const initdb = (more: string[]) => run(join(programs, 'initdb'), [`--pgdata=${data}`, ...cluster, ...more], account)
  // Most databases use a linguistic collation, so a store that relies on byte order must say so. Not every build of
  // PostgreSQL has such a collation.
  await initdb(['--locale-provider=icu', '--icu-locale=en-US']).catch(() => initdb([]))
}

/** Copies the data of a running server, so that the copy follows it. */
async function copyServer({ programs, account }: Installed, port: number, data: string): Promise<void> {
  const source = ['--host=127.0.0.1', `--port=${port}`, '--username=postgres', '--checkpoint=fast']
  // PATH may have links to some of the programs only.
  const folder = dirname(await realpath(join(programs, 'postgres')))
  await run(
    join(folder, 'pg_basebackup'),
    [`--pgdata=${data}`, ...source, '--write-recovery-conf', '--no-sync'],
    account,
  )
}

async function startServer(installed: Installed, folder: string, settings: Readonly<Record<string, string>>) {
  // Another process may take the free port first: then the server exits, and another port is tried.
  for (let attempt = 1; attempt <= 3; attempt++) {
    const port = await findFreePort()
    const server = await launch(installed, folder, settings, port)
    if (await becomesReady(server, join(folder, 'data'))) return { server, port }
  }
  throw new Error(`PostgreSQL did not start:\n${await readFile(logIn(folder), 'utf8')}`)
}

const logIn = (folder: string) => join(folder, 'log')

async function launch(
  { programs, account }: Installed,
  folder: string,
  settings: Readonly<Record<string, string>>,
  port: number,
): Promise<ChildProcess> {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = await open(logIn(folder), 'w')
  const server = spawn(join(programs, 'postgres'), ['-D', join(folder, 'data'), '-p', String(port), ...options], {
    ...account,
    cwd: folder,
    env: cleanEnvironment(),
    stdio: ['ignore', log.fd, log.fd],
    detached: true, // Ctrl-C reaches the tests first; the server is stopped after them
  })
  server.on('error', () => {}) // seen as an exit code by becomesReady
  server.unref()
  await log.close()
  return server
}

/** Waits for the server's own status file, as pg_ctl does: a connection might reach another server on that port. */
async function becomesReady(server: ChildProcess, data: string): Promise<boolean> {
  const deadline = Date.now() + START_SECONDS * 1000
  while (!hasEnded(server) && Date.now() < deadline) {
    const status = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
    if (status.split('\n')[7]?.trim() === 'ready') return true
    await sleep(10)
  }
  server.kill('SIGKILL')
  return false
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port on 127.0.0.1')
  return address.port
}

/**
 * Shell script that stops the server. `cat` ends when this process closes the pipe or dies; then the script requests a fast
 * shutdown from the pid in the server's status file until that file is gone. A second `rm` catches an initdb that was still
 * writing.
 */
const WATCHDOG = `
  cat > /dev/null
  tries=0
  while pid=$(head -n 1 "$0/data/postmaster.pid" 2> /dev/null) && [ $tries -lt 200 ]; do
    kill -INT "$pid"
    sleep 0.05
    tries=$((tries + 1))
  done
  [ -z "$pid" ] || kill -QUIT "$pid"
  rm -rf "$0" || { sleep 3; rm -rf "$0"; }
`

function watch(folder: string): ChildProcess {
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, folder], {
    cwd: '/',
    env: cleanEnvironment(),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // must survive a signal to this process group
  })
  watchdog.unref()
  return watchdog
}

async function stopServer(server: ChildProcess, watchdog: ChildProcess): Promise<void> {
  server.ref()
  const ended = hasEnded(server) ? undefined : once(server, 'exit')
  server.kill('SIGINT')
  await release(watchdog) // the watchdog also stops a server that ignores the signal
  await ended
}

async function release(watchdog: ChildProcess): Promise<void> {
  watchdog.ref()
  watchdog.stdin?.end()
  if (!hasEnded(watchdog)) await once(watchdog, 'exit')
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Resolves to the program's output; rejects if the program fails. */
async function run(program: string, args: string[], account: Account): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { ...account, cwd: '/', env: cleanEnvironment() })
  return stdout
}

/** Returns the environment without PG… variables, which PostgreSQL would obey. */
function cleanEnvironment() {
  return { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }
}
