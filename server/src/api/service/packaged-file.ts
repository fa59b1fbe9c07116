import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lazily } from '../../lazily.ts'

const ROOT = join(import.meta.dirname, '../../../..')

/** Returns a function that returns a file of the package, which is read on the first call. */
export function packagedFile(path: string, type: string): () => Promise<{ type: string; text: string }> {
  return lazily(async () => ({ type: `${type}; charset=utf-8`, text: await readFile(join(ROOT, path), 'utf8') }))
}
