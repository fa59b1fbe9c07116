import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * Which folders and top-level files below server/src each folder may import, besides its own files. A folder without a
 * row is an error, so a new folder needs a row. Biome checks import cycles and the use of process.env (biome.json).
 */
const MAY_IMPORT: Record<string, readonly string[] | 'all'> = {
  model: [],
  plans: [], // everybody reads the plan table, so it depends on nothing
  'config.ts': [],
  'clock.ts': [],
  'thread.ts': [],
  'every.ts': [],
  'secrets.ts': ['config.ts', 'store'],

  // data: sources -> ingest -> enrich -> store
  enrich: ['model', 'thread.ts'],
  store: ['model', 'thread.ts'], // not clock.ts: callers pass the time of every write
  search: ['enrich', 'store', 'model', 'thread.ts'],
  catalogue: ['enrich', 'store', 'model'],
  ingest: ['enrich', 'search', 'store', 'model', 'clock.ts', 'thread.ts', 'every.ts'],
  sample: ['catalogue', 'enrich', 'ingest', 'signals', 'store', 'model', 'clock.ts'],

  // requests: http -> admission -> api -> store
  bus: ['model'],
  admission: ['bus', 'plans', 'store', 'model', 'clock.ts'],
  billing: ['plans', 'store', 'model', 'clock.ts', 'config.ts'],
  http: ['admission', 'plans', 'model', 'clock.ts'], // not store: handlers receive it as an argument
  'signals/detect': ['model'], // pure: detectors receive events as arguments
  'signals/outcomes': ['signals/detect', 'store', 'model', 'clock.ts'],
  'signals/follow': [
    'signals/detect',
    'signals/outcomes',
    'enrich',
    'ingest',
    'store',
    'model',
    'clock.ts',
    'every.ts',
  ],
  'signals/stream': ['bus', 'http', 'admission', 'store', 'model', 'clock.ts'],
  api: [
    'http',
    'admission',
    'signals',
    'catalogue',
    'ingest',
    'search',
    'store',
    'billing',
    'bus',
    'plans',
    'model',
    'clock.ts',
  ],

  reference: 'all', // generates documents from endpoints, plans and settings
  commands: 'all',
  'main.ts': 'all', // the composition root
}

const SOURCE = 'server/src/'

/**
 * Returns one line per violation. Keys of `files` are paths from the root of the repository, values are their texts.
 */
export function checkImports(files: Map<string, string>): string[] {
  return [...files]
    .filter(([path]) => isChecked(path))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, text]) => checkFile(path, listImports(path, text)))
}

interface Import {
  target: string
  line: number
}

function isChecked(path: string): boolean {
  return path.startsWith(SOURCE) && path.endsWith('.ts') && !path.endsWith('.test.ts')
}

function checkFile(path: string, imports: Import[]): string[] {
  const area = areaOf(path)
  const allowed = MAY_IMPORT[area]
  if (!allowed) return [`${path}:1 is in no row of the import table: add a row for ${area} to tools/imports.ts`]
  const own = area.endsWith('.ts') ? [] : [area]
  return imports
    .filter(({ target }) => {
      if (!target.startsWith(SOURCE)) return true
      return allowed !== 'all' && ![...own, ...allowed].some((name) => isWithin(target, name))
    })
    .map(({ target, line }) => {
      const names = allowed === 'all' ? `files of ${SOURCE}` : [...own, ...allowed].join(', ') || 'packages'
      return `${path}:${line} imports ${shorten(target)}, but may import only ${names}`
    })
}

/** Returns the most specific row that covers the path, or else its first folder or file name. */
function areaOf(path: string): string {
  const rows = Object.keys(MAY_IMPORT).filter((name) => isWithin(path, name))
  return rows.sort((a, b) => b.length - a.length)[0] ?? shorten(path).split('/')[0] ?? ''
}

function isWithin(path: string, name: string): boolean {
  return shorten(path) === name || shorten(path).startsWith(`${name}/`)
}

function shorten(path: string): string {
  return path.startsWith(SOURCE) ? path.slice(SOURCE.length) : path
}

/**
 * Matches relative imports as Biome formats them: one per line, in single quotes, the last line of a long one included.
 */
const IMPORT = /(?:^import |^(?:import|export|\}).* from |\bimport\(\s*)'(?<specifier>\.[^']*)'/gm

/** Returns the relative imports of a file in all their forms, except JSON, which is data. */
function listImports(path: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)]
    .map((match) => ({
      target: posix.join(posix.dirname(path), match.groups?.specifier ?? ''),
      line: text.slice(0, match.index + match[0].length).split('\n').length,
    }))
    .filter(({ target }) => !target.endsWith('.json'))
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const paths = globSync(`${SOURCE}**/*.ts`, { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const violations = checkImports(files)
  for (const violation of violations) console.error(violation)
  if (violations.length > 0) process.exitCode = 1
  else console.log(`imports: ${paths.filter(isChecked).length} files follow the import table`)
}
