import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listImports } from '../../tools/imports.ts'

const DEPTH = 'server/test/depth.ts'
/** depth.ts sets how often it runs a property. */
const PROPERTIES = "'fast-check'"

/** Returns the test files that do more in a deep run, by what they and the files that they import use. */
export function listDeeper(files: readonly string[], read: (path: string) => string = readSource): string[] {
  const imports = new Map<string, readonly string[]>()
  const usesDepth = (path: string, seen: Set<string>): boolean => {
    if (path === DEPTH) return true
    if (seen.has(path)) return false
    seen.add(path)
    const known = imports.get(path) ?? importsOf(path, read(path))
    imports.set(path, known)
    return known.some((target) => usesDepth(target, seen))
  }
  return files.filter((file) => usesDepth(file, new Set()))
}

/** Returns every `count`th item, from the item `number` on, which is 1 for the first share. */
export function shareOf<Item>(items: readonly Item[], number: number, count: number): Item[] {
  return items.filter((_, index) => index % count === number - 1)
}

function importsOf(path: string, text: string): string[] {
  if (text.includes(PROPERTIES)) return [DEPTH]
  return listImports(path, text)
    .map(({ target }) => target)
    .filter((target) => target.endsWith('.ts'))
}

/** Returns an empty text for a file that only a text names, as in the tests of imports. */
function readSource(path: string): string {
  const file = join(import.meta.dirname, '../..', path)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
