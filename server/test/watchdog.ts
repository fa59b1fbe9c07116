import { after } from 'node:test'
import { isMainThread } from 'node:worker_threads'

const GRACE_MS = 30_000

// run.ts loads this file before each test file; `node --test` itself and the threads of a service load it too.
if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined) after(() => void setTimeout(fail, GRACE_MS).unref())

/** Ends a process that something keeps alive after its last test, as a client that a failed test left running would. */
function fail(): void {
  const resources = [...new Set(process.getActiveResourcesInfo())].sort().join(', ')
  console.error(`tests still running ${GRACE_MS / 1_000} s after the last one ended: ${process.argv[1]} (${resources})`)
  process.exit(1)
}
