import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../../..')

/** Returns a function that returns a file of the package, which is read on the first call. */
export function packagedFile(path: string, type: string): () => Promise<{ type: string; text: string }> {
  let file: Promise<{ type: string; text: string }> | undefined
  const read = async () => ({ type: `${type}; charset=utf-8`, text: await readFile(join(ROOT, path), 'utf8') })
  return () => {
    file ??= read().catch((error: unknown) => {
      file = undefined
      throw error
    })
    return file
  }
}
