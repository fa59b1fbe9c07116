import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const WAIT_MS = 120_000

/**
 * Creates an expensive resource once for all test files of a run, each of which runs in its own process. `make` puts the
 * resource into the folder of the run, or returns its location. Returns undefined outside of run.ts.
 */
export async function onceForAllTests(
  name: string,
  make: (folder: string) => Promise<string>,
): Promise<string | undefined> {
  const folder = process.env.TEST_SHARED_DIR
  if (folder === undefined) return undefined
  const note = join(folder, name)
  // Other processes wait here until the first has created the resource or died.
  const lock = new DatabaseSync(`${note}.lock`, { timeout: WAIT_MS })
  try {
    lock.exec('begin exclusive')
    if (!existsSync(note)) writeFileSync(note, await make(folder))
    return readFileSync(note, 'utf8')
  } finally {
    lock.close()
  }
}
