import { afterEach, beforeEach } from 'node:test'
import { isMainThread } from 'node:worker_threads'

const MINUTE = 60_000

/** The time after which `node --test` lets a test fail. */
export const testTimeoutMs = (isDeep: boolean) => (isDeep ? 30 : 12) * MINUTE

// Tests may replace those of the global object.
const { setTimeout, clearTimeout } = globalThis

// run.ts loads this file before each test file; `node --test` itself and the threads of a service load it too.
if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined) {
  const limitMs = testTimeoutMs(process.env.TEST_DEEP === '1') + MINUTE
  let timer: NodeJS.Timeout | undefined
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(fail, limitMs, limitMs).unref()
  }
  beforeEach(restart)
  afterEach(restart)
  restart()
}

/** Ends a process that something keeps alive after its last test, as a client that a failed test left running would. */
function fail(limitMs: number): void {
  const resources = [...new Set(process.getActiveResourcesInfo())].sort().join(', ')
  console.error(`no test began or ended for ${limitMs / MINUTE} minutes in ${process.argv[1]} (${resources})`)
  process.exit(1)
}
