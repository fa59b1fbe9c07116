import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const WAIT_MS = 120_000

/**
 * Makes something that takes long once for all test files of a run, each of which is a process of its own. `make` puts
 * it into the folder of the run, or says where it is. Undefined when the files are not run by run.ts, which removes it.
 */
export async function onceForAllTests(
  name: string,
  make: (folder: string) => Promise<string>,
): Promise<string | undefined> {
  const folder = process.env.TEST_SHARED_DIR
  if (folder === undefined) return undefined
  const note = join(folder, name)
  // The others stand still until the first has made it or died.
  const lock = new DatabaseSync(`${note}.lock`, { timeout: WAIT_MS })
  try {
    lock.exec('begin exclusive')
    if (!existsSync(note)) writeFileSync(note, await make(folder))
    return readFileSync(note, 'utf8')
  } finally {
    lock.close()
  }
}
