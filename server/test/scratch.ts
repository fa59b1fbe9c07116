import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'
const NEEDED_BYTES = 3e9

/**
 * Returns the folder for the files of a test run: in memory where there is room, since creating, copying and removing
 * databases on a disk takes several times as long. TMPDIR overrides it.
 */
export function fastestFolder(): string {
  if (process.env.TMPDIR !== undefined) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    accessSync(IN_MEMORY, constants.W_OK)
    return bavail * bsize >= NEEDED_BYTES ? IN_MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
