import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startPostgres } from './postgres.ts'

/** Runs the tests against one PostgreSQL of their own: `npm test`, `npm test -- <file> … --test-name-pattern=<name>`. */

const ROOT = join(import.meta.dirname, '../..')
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const KILL_AFTER_SECONDS = 10

let tests: ChildProcess | undefined
let interruptedBy: (typeof SIGNALS)[number] | undefined
for (const signal of SIGNALS) {
  process.on(signal, () => {
    interruptedBy = signal
    tests?.kill('SIGTERM') // at SIGHUP `node --test` would leave its test files running
    setTimeout(() => tests?.kill('SIGKILL'), KILL_AFTER_SECONDS * 1000).unref()
  })
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // Ctrl-C also reaches a program that was preparing the database; its failure is then no news.
  if (!interruptedBy) console.error(error)
  process.exitCode = 1
}
if (interruptedBy) process.exitCode = 128 + constants.signals[interruptedBy]

async function main(args: string[]): Promise<number> {
  const options = args.filter((arg) => arg.startsWith('-'))
  const named = args.filter((arg) => !arg.startsWith('-')).map(locate)
  const files = named.length > 0 ? named : listTests()
  if (files.length === 0) {
    console.error('No test files')
    return 1
  }

  const postgres = await startPostgres()
  if ('unavailable' in postgres) {
    console.error(`PostgreSQL tests skipped: ${postgres.unavailable}`)
    if (process.env.CI === 'true') return 1
    return runTests(options, files, undefined)
  }
  try {
    return await runTests(options, files, postgres.url)
  } finally {
    await postgres.stop()
  }
}

function listTests(): string[] {
  return globSync('{payment-sandbox,server,tools}/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules'] }).sort()
}

/** A file is named from the current folder or from the repository's root. */
function locate(file: string): string {
  return existsSync(resolve(file)) ? resolve(file) : resolve(ROOT, file)
}

async function runTests(options: string[], files: string[], postgresUrl: string | undefined): Promise<number> {
  if (interruptedBy) return 1
  const shared = mkdtempSync(join(tmpdir(), 'mintick-tests-'))
  tests = spawn(process.execPath, ['--test', '--test-concurrency=2', ...options, ...files], {
    cwd: ROOT,
    env: {
      ...process.env,
      TEST_POSTGRES_URL: postgresUrl,
      TEST_SHARED_DIR: shared,
      // Each file is a process of its own, and would strip and compile all sources again.
      NODE_COMPILE_CACHE: join(shared, 'compiled'),
    },
    stdio: 'inherit',
  })
  await once(tests, 'exit')
  rmSync(shared, { recursive: true, force: true })
  return tests.exitCode ?? 1
}
