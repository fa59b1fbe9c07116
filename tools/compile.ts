/** Runs before `npm pack`: writes the sources as JavaScript, since Node runs no TypeScript below node_modules. */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, posix } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const SANDBOX = 'payment-sandbox/dist/sandbox.js'

/** Returns a TypeScript source as JavaScript; `path` is where it goes, from the root of the repository. */
export function compile(path: string, source: string): string {
  const sandbox = posix.relative(posix.dirname(path), SANDBOX)
  return stripTypeScriptTypes(source)
    .replaceAll(/'(\.{1,2}\/[^'\n]*)\.ts'/g, "'$1.js'")
    .replaceAll(" from 'payment-sandbox'", ` from '${sandbox}'`)
}

if (import.meta.main) {
  for (const part of ['server', 'payment-sandbox']) {
    const [from, to] = [join(ROOT, part, 'src'), join(ROOT, part, 'dist')]
    rmSync(to, { recursive: true, force: true })
    for (const file of globSync('**/*', { cwd: from, withFileTypes: true })) {
      if (!file.isFile() || file.name.endsWith('.test.ts')) continue
      const source = join(file.parentPath, file.name)
      const path = source.slice(from.length + 1).replaceAll('\\', '/')
      const target = join(to, path.replace(/\.ts$/, '.js'))
      mkdirSync(dirname(target), { recursive: true })
      if (file.name.endsWith('.ts'))
        writeFileSync(target, compile(`${part}/dist/${path}`, readFileSync(source, 'utf8')))
      // A store knows its migrations by the checksum of their sources.
      if (!file.name.endsWith('.ts') || path.startsWith('store/migrations/')) cpSync(source, join(to, path))
    }
  }
}
