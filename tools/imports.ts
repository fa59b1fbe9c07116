import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * The allowed imports of server/src and of the workspace payment-sandbox. A name is a folder or file of server/src, or a
 * workspace; own files are always allowed. What is not listed here is refused, so a new folder needs a row.
 */
const MAY_IMPORT: Record<string, readonly string[] | 'all'> = {
  model: [],
  plans: [], // the plan table is read everywhere, so it must drag nothing along
  'config.ts': [],
  'clock.ts': [],
  'thread.ts': [],
  'parts.ts': [],
  'periodic-job.ts': ['parts.ts'],
  'version.ts': [],
  'secrets.ts': ['config.ts', 'store'],

  // data: sources -> ingest -> enrich -> store
  enrich: ['model', 'thread.ts'],
  store: ['model', 'thread.ts', 'periodic-job.ts'], // every write is given its time, so the store needs no clock
  'store/sandbox.ts': ['store', 'payment-sandbox'], // implements its storage
  search: ['enrich', 'store', 'model', 'thread.ts'],
  catalogue: ['enrich', 'store', 'model'],
  ingest: ['enrich', 'search', 'store', 'model', 'clock.ts', 'thread.ts', 'periodic-job.ts'],
  sample: ['catalogue', 'enrich', 'ingest', 'signals', 'store', 'model', 'clock.ts'],

  // requests: http -> admission -> api -> store
  bus: ['model'],
  admission: ['bus', 'plans', 'store', 'model', 'clock.ts'],
  billing: ['plans', 'store', 'model', 'clock.ts', 'config.ts'],
  http: ['admission', 'plans', 'model', 'clock.ts'], // not store: handlers receive it
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
    'payment-sandbox',
  ],

  'payment-sandbox': [], // could be a package of its own

  reference: 'all', // derives documents from endpoints, plans and settings
  commands: 'all',
  'drivers.ts': 'all', // chooses engines and drivers
  'main.ts': 'all', // the composition root
}

const SOURCE = 'server/src/'
const WORKSPACE = 'payment-sandbox'
const READS_ENVIRONMENT = 'config.ts'

/** Takes file texts by path from the repository's root; returns one line for each violation. */
export function checkImports(files: Map<string, string>): string[] {
  const ruled = [...files].filter(([path]) => isRuled(path)).sort(([a], [b]) => (a < b ? -1 : 1))
  const graph = new Map<string, Import[]>()
  const violations: string[] = []
  for (const [path, text] of ruled) {
    const code = blankComments(text)
    const imports = listImports(path, code)
    graph.set(path, imports)
    violations.push(...checkFile(path, imports), ...checkEnvironment(path, code))
  }
  return [...violations, ...findCycles(graph)]
}

interface Import {
  target: string
  line: number
}

function isRuled(path: string): boolean {
  return rootOf(path) !== undefined && path.endsWith('.ts') && !path.endsWith('.test.ts')
}

function checkFile(path: string, imports: Import[]): string[] {
  const area = areaOf(path)
  const allowed = MAY_IMPORT[area]
  if (!allowed) return [`${path}:1 belongs to no row of the import rule (tools/imports.ts): declare ${area}`]
  const own = area.endsWith('.ts') ? [] : [area]
  const root = rootOf(path) ?? ''
  return imports
    .filter(({ target }) => {
      if (!target.startsWith(root) && target !== WORKSPACE) return true
      return allowed !== 'all' && ![...own, ...allowed].some((name) => isWithin(target, name))
    })
    .map(({ target, line }) => {
      const names = allowed === 'all' ? `all of ${SOURCE}` : [...own, ...allowed].join(', ') || 'none'
      return `${path}:${line} imports ${shorten(target)}: allowed are ${names}`
    })
}

function rootOf(path: string): string | undefined {
  return [SOURCE, `${WORKSPACE}/`].find((root) => path.startsWith(root))
}

/** Returns the longest name of a row that the path is in; without one, the first folder or the file itself. */
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

const STATIC_IMPORT =
  /\b(?:import|export)\b(?:[\s\w$*{},]*?\bfrom\b)?\s*(['"])(?<specifier>(?:\.|payment-sandbox|mintick)[^'"\n]*)\1/g
const DYNAMIC_IMPORT = /\bimport\s*\(\s*(['"`])(?<specifier>(?:\.|payment-sandbox|mintick)[^'"`\n]*)\1/g

/** Lists imports of relative paths and of workspaces, in all their forms. JSON is data, so the rule ignores it. */
function listImports(path: string, code: string): Import[] {
  return [STATIC_IMPORT, DYNAMIC_IMPORT]
    .flatMap((pattern) => [...code.matchAll(pattern)])
    .map((match) => {
      const { specifier = '' } = match.groups ?? {}
      const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier
      return { target, line: lineAt(code, match.index + match[0].length) }
    })
    .filter(({ target }) => !target.endsWith('.json'))
    .sort((a, b) => a.line - b.line)
}

const ENVIRONMENT = [
  /\bprocess\s*\??\.\s*env\b/g,
  /\bprocess\s*(?:\?\.)?\s*\[\s*['"`]env['"`]/g,
  /\{[^{}]*\benv\b[^{}]*\}\s*(?:=|from)\s*(?:globalThis\.)?['"]?(?:node:)?process\b/g,
]

function checkEnvironment(path: string, code: string): string[] {
  if (shorten(path) === READS_ENVIRONMENT) return []
  const lines = ENVIRONMENT.flatMap((pattern) => [...code.matchAll(pattern)]).map((match) => lineAt(code, match.index))
  return lines.map((line) => `${path}:${line} reads process.env: only ${SOURCE}${READS_ENVIRONMENT} may`)
}

function lineAt(code: string, index: number): number {
  return code.slice(0, index).split('\n').length
}

/** Each cycle once, told at the import that closes it. */
function findCycles(graph: Map<string, Import[]>): string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: string[]) => {
    for (const { target, line } of graph.get(path) ?? []) {
      const start = trail.indexOf(target)
      if (start >= 0) {
        const cycle = [...trail.slice(start), target].map(shorten).join(' -> ')
        cycles.push(`${path}:${line} imports ${shorten(target)}: closes the cycle ${cycle}`)
      } else if (!done.has(target)) {
        visit(target, [...trail, target])
      }
    }
    done.add(path)
  }
  for (const path of graph.keys()) {
    if (!done.has(path)) visit(path, [path])
  }
  return cycles
}

/**
 * Strings, templates and regular expressions are matched as well, so that a `//` inside one is no comment. A slash
 * begins a regular expression only where a value may begin.
 */
const COMMENT_OR_LITERAL = new RegExp(
  [
    /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)/,
    /'(?:[^'\\\n]|\\.)*'/,
    /"(?:[^"\\\n]|\\.)*"/,
    /`(?:[^`\\$]|\\[\s\S]|\$(?!\{)|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\})*`/,
    /(?<=(?:^|[(,=:[!&|?{};+\-*%<>~^]|\breturn)\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//,
  ]
    .map((part) => part.source)
    .join('|'),
  'g',
)

/** Line breaks stay, so that line numbers do. */
function blankComments(text: string): string {
  return text.replace(COMMENT_OR_LITERAL, (match, comment: string | undefined) =>
    comment === undefined ? match : match.replace(/[^\n]/g, ' '),
  )
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const paths = globSync([`${SOURCE}**/*.ts`, `${WORKSPACE}/src/**/*.ts`], { cwd: root }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const violations = checkImports(files)
  for (const violation of violations) console.error(violation)
  if (violations.length > 0) process.exitCode = 1
  else console.log(`imports: ${paths.filter(isRuled).length} files, rule holds`)
}
