import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * Which folders and top-level files below server/src, and which workspace, each folder may import besides its own files. A folder without a
 * row is an error, so a new folder needs a row. Biome checks import cycles and the use of process.env (biome.json).
 */
const MAY_IMPORT: Record<string, readonly string[] | 'all'> = {
  model: [],
  plans: [], // the plan table is read everywhere, so it must drag nothing along
  'config.ts': ['model'],
  'data-folder.ts': ['config.ts'],
  'clock.ts': [],
  'clock-watch.ts': ['clock.ts'],
  'thread.ts': [],
  'few-at-once.ts': [],
  'lazily.ts': [],
  'log.ts': [],
  'node-http.ts': [],
  'parts.ts': [],
  'periodic-job.ts': ['parts.ts'],
  'repeated-lines.ts': ['clock.ts'],
  'version.ts': [],
  'trace.ts': [],
  'secrets.ts': ['config.ts', 'store'],
  'retention.ts': ['store', 'model', 'clock.ts', 'parts.ts', 'periodic-job.ts'],
  backup: ['store', 'config.ts', 'secrets.ts', 'version.ts'],

  // data: sources -> import -> ingest -> enrich -> store
  sources: [
    'import',
    'ingest',
    'store',
    'model',
    'config.ts',
    'clock.ts',
    'thread.ts',
    'parts.ts',
    'periodic-job.ts',
    'node-http.ts',
    'version.ts',
  ],
  enrich: ['model', 'thread.ts', 'few-at-once.ts', 'trace.ts'],
  store: ['model', 'thread.ts', 'periodic-job.ts'], // not clock.ts: callers pass the time of every write
  'store/sandbox.ts': ['store', 'payment-sandbox'], // implements its storage
  search: ['enrich', 'store', 'model', 'thread.ts', 'few-at-once.ts'],
  catalogue: ['enrich', 'store', 'model'],
  ingest: ['enrich', 'search', 'store', 'model', 'clock.ts', 'thread.ts', 'periodic-job.ts', 'few-at-once.ts'],
  import: ['ingest', 'enrich', 'store', 'model'],
  sample: ['catalogue', 'enrich', 'ingest', 'signals', 'store', 'model', 'clock.ts', 'thread.ts'],

  // requests: http -> admission -> api -> store
  redis: ['config.ts', 'model'],
  bus: ['redis', 'model'],
  'metrics/metrics.ts': ['metrics', 'admission', 'store'],
  'metrics/traffic.ts': ['metrics', 'clock.ts', 'parts.ts', 'periodic-job.ts', 'model'],
  'metrics/span-exporter.ts': ['clock.ts', 'parts.ts', 'periodic-job.ts', 'trace.ts'],
  metrics: [], // counters that any part may keep
  admission: ['bus', 'redis', 'metrics', 'plans', 'store', 'model', 'clock.ts'],
  alerts: ['sources/fetch', 'store', 'model', 'clock.ts', 'node-http.ts', 'version.ts'],
  'sign-in': ['admission', 'alerts', 'bus', 'store', 'model', 'clock.ts', 'lazily.ts'],
  billing: ['plans', 'store', 'model', 'clock.ts', 'config.ts'],
  http: ['admission', 'plans', 'model', 'clock.ts', 'node-http.ts', 'repeated-lines.ts', 'trace.ts'], // not store: handlers receive it
  export: ['http', 'admission', 'store', 'model', 'clock.ts', 'thread.ts', 'parts.ts', 'periodic-job.ts'],
  'signals/detect': ['model'], // pure: the detectors are shown what happens
  'signals/outcomes': ['signals/detect', 'store', 'model', 'clock.ts'],
  'signals/follow': [
    'signals/detect',
    'signals/outcomes',
    'enrich',
    'ingest',
    'store',
    'model',
    'clock.ts',
    'periodic-job.ts',
  ],
  streams: ['bus', 'http', 'admission', 'store', 'model', 'clock.ts'],
  api: [
    'lazily.ts',
    'http',
    'mcp/api.ts',
    'admission',
    'alerts',
    'export',
    'metrics',
    'signals',
    'streams',
    'import',
    'ingest',
    'sample',
    'search',
    'sign-in',
    'sources',
    'store',
    'billing',
    'bus',
    'plans',
    'model',
    'clock.ts',
    'payment-sandbox',
  ],

  mcp: ['http', 'admission', 'api/account/schema.ts', 'model', 'version.ts'],

  'payment-sandbox': [], // could be a package of its own
  sdk: [], // runs in browsers

  reference: 'all', // generates documents from endpoints, plans and settings
  commands: 'all',
  'drivers.ts': 'all', // chooses engines and drivers
  'outside-services.ts': 'all',
  'jobs.ts': 'all', // work of several parts that is repeated
  'main.ts': 'all', // the composition root
}

const SOURCE = 'server/src/'
const WORKSPACES = ['payment-sandbox', 'sdk']

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
  return rootOf(path) !== undefined && path.endsWith('.ts') && !path.endsWith('.test.ts')
}

function checkFile(path: string, imports: Import[]): string[] {
  const area = areaOf(path)
  const allowed = MAY_IMPORT[area]
  if (!allowed) return [`${path}:1 is in no row of the import table: add a row for ${area} to tools/imports.ts`]
  const own = area.endsWith('.ts') ? [] : [area]
  const root = rootOf(path) ?? ''
  return imports
    .filter(({ target }) => {
      if (!target.startsWith(root) && !WORKSPACES.includes(target)) return true
      return allowed !== 'all' && ![...own, ...allowed].some((name) => isWithin(target, name))
    })
    .map(({ target, line }) => {
      const names = allowed === 'all' ? `files of ${SOURCE}` : [...own, ...allowed].join(', ') || 'packages'
      return `${path}:${line} imports ${shorten(target)}, but may import only ${names}`
    })
}

function rootOf(path: string): string | undefined {
  return [SOURCE, ...WORKSPACES.map((name) => `${name}/`)].find((root) => path.startsWith(root))
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

/** Matches imports of relative paths and workspaces as Biome formats them, the last line of a long one included. */
const IMPORT =
  /(?:^import |^(?:import|export|\}).* from |\bimport\(\s*)'(?<specifier>(?:\.|payment-sandbox|mintick)[^']*)'/gm

/** Returns the imports of a file in all their forms, except packages and JSON, which is data. */
export function listImports(path: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)]
    .map((match) => {
      const { specifier = '' } = match.groups ?? {}
      const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier
      return { target, line: text.slice(0, match.index + match[0].length).split('\n').length }
    })
    .filter(({ target }) => !target.endsWith('.json'))
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const paths = globSync([`${SOURCE}**/*.ts`, ...WORKSPACES.map((name) => `${name}/src/**/*.ts`)], { cwd: root }).map(
    (path) => path.replaceAll('\\', '/'),
  )
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const violations = checkImports(files)
  for (const violation of violations) console.error(violation)
  if (violations.length > 0) process.exitCode = 1
  else console.log(`imports: ${paths.filter(isChecked).length} files follow the import table`)
}
