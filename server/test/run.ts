import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { listDeeper, shareOf } from './deeper-files.ts'
import { preparePgBouncer, startPgBouncer } from './pgbouncer.ts'
import { startPostgres } from './postgres.ts'
import { prepareRedis, RedisServer } from './redis.ts'
import { fastestFolder } from './scratch.ts'
import { testTimeoutMs } from './watchdog.ts'

/**
 * Runs the tests, on SQLite and on a PostgreSQL of their own:
 *
 *   npm test                                        all tests, with few repetitions
 *   npm run test:deep                               all tests, with many repetitions
 *   npm run test:deep -- --only-deeper              the files that do more than with npm test
 *   npm run test:deep -- --only-deeper --share 2/8  the second of eight parts of them
 *   npm test -- --engine sqlite                     one engine
 *   npm test -- --engine postgres --instances 3 …   calls three instances in turn, which share a Redis
 *   npm test -- --engine postgres --pgbouncer …     lets services reach PostgreSQL through PgBouncer
 *   npm test -- <file> … --test-name-pattern=<name> single files, reported test by test
 */

const ROOT = join(import.meta.dirname, '../..')
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const KILL_AFTER_SECONDS = 10
const ENGINES = ['sqlite', 'postgres']
const OWN_OPTIONS = ['engine', 'instances', 'pgbouncer', 'deep', 'only-deeper', 'share']

/**
 * Files that run in a process of their own, the longest first, so that none of them is left for the end: they take long,
 * measure memory or block the event loop. The other files share processes, which saves loading the same modules in each.
 */
const ALONE = [
  'server/test/flows/dashboard-explore.test.ts',
  'server/test/flows/dashboard-account.test.ts',
  'server/test/flows/import.test.ts',
  'server/test/flows/seed.test.ts',
  'server/test/flows/dashboard-operator.test.ts',
  'server/test/flows/backup.test.ts',
  'server/test/flows/instances-faults.test.ts',
  'server/test/flows/export.test.ts',
  'server/test/flows/code-samples.test.ts',
  'server/test/flows/instances.test.ts',
  'server/chaos/chaos.test.ts',
  'server/src/billing/crash.test.ts',
  'server/src/sample/live.test.ts',
  'server/src/sources/edgar/edgar-sink.test.ts',
  'server/test/flows/edgar.test.ts',
  'server/test/flows/drain.test.ts',
  'server/test/sdk/python.test.ts',
  'server/test/flows/reference-browser.test.ts',
  'server/src/signals/follow/signal-task.test.ts',
  'server/test/flows/sources.test.ts',
  'server/src/billing/any-order.test.ts',
  'server/src/billing/money.test.ts',
  'server/src/reference/openapi.test.ts',
  'server/src/sources/edgar/connector.test.ts',
  'server/src/sources/edgar/hostile.test.ts',
  'server/src/sources/edgar/recordings.test.ts',
  'server/src/admission/streams/stream-meter.test.ts',
  'server/test/flows/crash.test.ts',
  'server/test/flows/database-outage.test.ts',
  'server/test/flows/export-files-crash.test.ts',
  'server/test/flows/log.test.ts',
  'server/test/flows/replica.test.ts',
  'server/test/flows/stream-clients.test.ts',
  'server/test/flows/billing-browser.test.ts',
]
const FILES_PER_PROCESS = 10

/** One more than the cores of a small machine: tests wait for browsers, databases and other processes. */
const PROCESSES_AT_ONCE = 3

const TERSE = [`--test-reporter=${join(import.meta.dirname, 'reporter.ts')}`, '--test-reporter-destination=stdout']

let tests: ChildProcess | undefined
let interruptedBy: (typeof SIGNALS)[number] | undefined
for (const signal of SIGNALS) {
  process.on(signal, () => {
    interruptedBy = signal
    tests?.kill('SIGTERM') // on SIGHUP, `node --test` would leave its test files running
    setTimeout(() => tests?.kill('SIGKILL'), KILL_AFTER_SECONDS * 1000).unref()
  })
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // Ctrl-C also reaches a program that is preparing the database; its failure needs no report.
  if (!interruptedBy) console.error(error)
  process.exitCode = 1
}
if (interruptedBy) process.exitCode = 128 + constants.signals[interruptedBy]

async function main(args: string[]): Promise<number> {
  const run = readArguments(args)
  if (run.engine !== undefined && !ENGINES.includes(run.engine)) {
    console.error(`--engine must be one of ${ENGINES.join(', ')}`)
    return 1
  }
  if (run.share === undefined) {
    console.error('--share must be a part and the number of parts, such as 2/8')
    return 1
  }
  if (run.engine === 'sqlite') return runTests(run)

  const postgres = await startPostgres()
  if ('unavailable' in postgres) {
    console.error(`PostgreSQL tests skipped: ${postgres.unavailable}`)
    if (process.env.CI === 'true' || run.engine === 'postgres') return 1
    return runTests(run)
  }
  try {
    const lacking = { Redis: await prepareRedis(), PgBouncer: await preparePgBouncer() }
    for (const [name, reason] of Object.entries(lacking)) {
      if (reason === undefined) continue
      console.error(`${name} tests skipped: ${reason}`)
      if (process.env.CI === 'true') return 1
    }
    const redis = run.instances === undefined ? undefined : await RedisServer.start()
    const pooler = run.isPooled ? await startPgBouncer(postgres.url) : undefined
    try {
      return await runTests(run, {
        TEST_POSTGRES_URL: postgres.url,
        TEST_PGBOUNCER_URL: pooler?.urlOf(postgres.url),
        TEST_REDIS_URL: redis?.url,
      })
    } finally {
      await pooler?.stop()
      await redis?.stop()
    }
  } finally {
    await postgres.stop()
  }
}

interface Run {
  engine: string | undefined
  /** Number of instances that the tests on PostgreSQL call; one if undefined. */
  instances: string | undefined
  /** Whether services reach PostgreSQL through a pooler. */
  isPooled: boolean
  isDeep: boolean
  /** Whether to leave out the files whose tests are the same in a quick run. */
  isOnlyDeeper: boolean
  /** Part of the files to run, such as [2, 8]; undefined if it makes no sense. */
  share: readonly [number: number, count: number] | undefined
  /** Files to run; empty for all. */
  files: string[]
  /** Options for `node --test`. */
  options: string[]
}

function readArguments(args: string[]): Run {
  const { values, tokens } = parseArgs({
    args,
    options: {
      engine: { type: 'string' },
      instances: { type: 'string' },
      pgbouncer: { type: 'boolean' },
      deep: { type: 'boolean' },
      'only-deeper': { type: 'boolean' },
      share: { type: 'string', default: '1/1' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const files = tokens.flatMap((token) => (token.kind === 'positional' ? [locate(token.value)] : []))
  const options = tokens.flatMap((token) => {
    if (token.kind !== 'option' || OWN_OPTIONS.includes(token.name)) return []
    return [token.value === undefined ? token.rawName : `${token.rawName}=${token.value}`]
  })
  return {
    engine: values.engine?.toString(),
    instances: values.instances?.toString(),
    isPooled: values.pgbouncer === true,
    isDeep: values.deep === true,
    isOnlyDeeper: values['only-deeper'] === true,
    share: readShare(String(values.share)),
    files,
    options,
  }
}

function readShare(text: string): Run['share'] {
  const [, number, count] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []).map(Number)
  return number !== undefined && count !== undefined && number > 0 && number <= count ? [number, count] : undefined
}

/** Resolves a file named from the current folder or from the repository's root. */
function locate(file: string): string {
  return existsSync(resolve(file)) ? resolve(file) : resolve(ROOT, file)
}

async function runTests(run: Run, servers: Record<string, string | undefined> = {}): Promise<number> {
  const { engine, instances, isDeep, files, options } = run
  if (interruptedBy) return 1
  const shared = mkdtempSync(join(fastestFolder(), 'mintick-tests-'))
  const temporary = join(shared, 'tmp')
  mkdirSync(temporary)
  const reporter = options.some((option) => option.startsWith('--test-reporter')) || files.length > 0 ? [] : TERSE
  tests = spawn(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${PROCESSES_AT_ONCE}`,
      `--test-timeout=${testTimeoutMs(isDeep)}`,
      `--import=${join(import.meta.dirname, 'watchdog.ts')}`,
      `--import=${join(import.meta.dirname, 'depth.ts')}`,
      ...reporter,
      ...options,
      ...(files.length > 0 ? files : listProcesses(shared, run)),
    ],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        ...servers,
        TEST_INSTANCES: instances,
        TEST_ENGINE: engine,
        TEST_DEEP: isDeep ? '1' : undefined,
        TEST_SHARED_DIR: shared,
        TMPDIR: temporary,
        // Without a cache, every process would strip and compile all sources again.
        NODE_COMPILE_CACHE: join(shared, 'compiled'),
      },
      stdio: 'inherit',
    },
  )
  await once(tests, 'exit')
  rmSync(shared, { recursive: true, force: true })
  return tests.exitCode ?? 1
}

/** Returns a module for each process, named in the order in which they start: `node --test` sorts its files. */
function listProcesses(folder: string, { isOnlyDeeper, share = [1, 1] }: Run): string[] {
  const all = globSync(
    ['payment-sandbox/**/*.test.ts', 'sdk/**/*.test.ts', 'server/**/*.test.ts', 'tools/**/*.test.ts'],
    {
      cwd: ROOT,
      exclude: ['**/node_modules'],
    },
  )
  const chosen = isOnlyDeeper ? listDeeper(all) : all
  const alone = shareOf(
    ALONE.filter((file) => chosen.includes(file)),
    ...share,
  )
  const together = shareOf(chosen.filter((file) => !ALONE.includes(file)).sort(), ...share)
  const count = Math.ceil(together.length / FILES_PER_PROCESS)
  const groups = Array.from({ length: count }, (_, group) => shareOf(together, group + 1, count))
  return [...alone.map((file) => [file]), ...groups].map((files, index) => {
    const module = join(folder, `${String(index).padStart(3, '0')}.mjs`)
    const imports = files.map((file) => `await import('${pathToFileURL(join(ROOT, file))}')\n`)
    writeFileSync(module, imports.join(''))
    return module
  })
}
