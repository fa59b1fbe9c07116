import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Type, { type Static, type TObject } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import { OperatorError } from '../config.ts'
import { fieldErrors } from '../model/field-errors.ts'
import type { ConfiguredSource, SourceSpec } from '../store/sources/sources.ts'
import { CONNECTORS } from './catalogue.ts'
import type { Connector } from './connector.ts'

const FOLDER = join(import.meta.dirname, 'presets')
/** Not a preset: addresses that `sources add` warns about. */
const DEAD_FEEDS = 'dead-feeds'
const MAX_PROBLEMS = 10

export const PRESETS: readonly string[] = globSync('*.yaml', { cwd: FOLDER })
  .map((file) => basename(file, '.yaml'))
  .filter((name) => name !== DEAD_FEEDS)
  .sort()

const SourcesFile = Type.Object(
  {
    presets: Type.Optional(Type.Array(Type.Enum(PRESETS as string[]), { description: 'Presets to read as well' })),
    allowHosts: Type.Optional(
      Type.Array(Type.String(), { description: 'Hosts that may have private addresses, such as an intranet' }),
    ),
    sources: Type.Optional(Type.Array(Type.Object({ kind: Type.Enum([...CONNECTORS.keys()]) }))),
  },
  { additionalProperties: false },
)

export interface SourceSettings {
  sources: ConfiguredSource[]
  allowHosts: string[]
}

/** Options of a kind that sources need not repeat. */
export type DefaultOptions = Readonly<Record<string, object>>

/** Reads what SOURCES names: a preset, or a YAML or JSON file. Throws OperatorError with line, field and reason. */
export function readSources(setting: string, defaults: DefaultOptions = {}): SourceSettings {
  const isPreset = PRESETS.includes(setting)
  const path = isPreset ? join(FOLDER, `${setting}.yaml`) : setting
  if (!isPreset && !existsSync(path)) {
    throw new OperatorError(`there is neither a file nor a preset ${setting}; presets are ${PRESETS.join(', ')}`)
  }
  return readFile(path, isPreset ? `preset ${setting}` : setting, defaults)
}

function readFile(path: string, name: string, defaults: DefaultOptions): SourceSettings {
  const lines = new LineCounter()
  const document = parseDocument(readText(path), { lineCounter: lines, uniqueKeys: true, prettyErrors: false })
  const problems = document.errors.map(({ message, pos }) => `${name}:${lines.linePos(pos[0]).line}: ${message}`)
  if (problems.length > 0) throw new OperatorError(problems.slice(0, MAX_PROBLEMS).join('\n'))
  const at = (keys: readonly (string | number)[]) => `${name}:${lineOf(document, lines, keys)}: ${fieldName(keys)}`

  const content = contentOf(document, name)
  const invalid = problemsOf(SourcesFile, content).map(({ keys, message }) => `${at(keys)} ${message}`)
  if (invalid.length > 0) throw new OperatorError(invalid.slice(0, MAX_PROBLEMS).join('\n'))
  const { presets = [], allowHosts = [], sources = [] } = content as Static<typeof SourcesFile>

  const read: ConfiguredSource[] = []
  const lineByKey = new Map<string, number>()
  for (const [index, given] of sources.entries()) {
    const result = readSource(given, defaults)
    if ('problems' in result) {
      problems.push(...result.problems.map(({ keys, message }) => `${at(['sources', index, ...keys])} ${message}`))
      continue
    }
    for (const spec of result.specs) {
      const earlier = lineByKey.get(spec.key)
      if (earlier !== undefined) problems.push(`${at(['sources', index])} is the same source as in line ${earlier}`)
      lineByKey.set(spec.key, lineOf(document, lines, ['sources', index]))
      read.push({ ...spec, by: name })
    }
  }
  if (problems.length > 0) throw new OperatorError(problems.slice(0, MAX_PROBLEMS).join('\n'))
  // Own sources win over those of presets.
  const inherited = presets.flatMap((preset) => readSources(preset, defaults).sources)
  return { sources: [...new Map([...inherited, ...read].map((source) => [source.key, source])).values()], allowHosts }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new OperatorError(`${path} cannot be read (${(error as Error).message})`)
  }
}

function contentOf(document: Document, name: string): object {
  let content: unknown
  try {
    content = document.toJS({ maxAliasCount: 100 }) ?? {}
  } catch (error) {
    throw new OperatorError(`${name}:1: ${(error as Error).message}`)
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content
  throw new OperatorError(`${name}:1: the file must have fields such as sources`)
}

interface Problem {
  /** The place of the value, from the outside in. */
  keys: (string | number)[]
  message: string
}

/** Checks the options of one source, which may name several things to read. */
export function readSource(
  given: object,
  defaults: DefaultOptions = {},
): { specs: SourceSpec[] } | { problems: Problem[] } {
  const { kind = '', ...own } = given as { kind?: string }
  const options = { ...defaults[kind], ...own }
  const connector = CONNECTORS.get(kind)
  if (connector === undefined) {
    return { problems: [{ keys: ['kind'], message: `must be one of ${[...CONNECTORS.keys()].join(', ')}` }] }
  }
  const problems = [...problemsOf(connector.options, options), ...badAddresses(options)].map(({ keys, message }) => {
    const hint = connector.hints?.[String(keys[0])]
    return { keys, message: hint === undefined ? message : `${message}: ${hint}` }
  })
  return problems.length > 0 ? { problems } : { specs: specsOf(connector, options) }
}

/** The schemas check only how addresses begin. */
function badAddresses(options: Record<string, unknown>): Problem[] {
  return Object.entries(options).flatMap(([name, value]) =>
    typeof value === 'string' && /^https?:/.test(value) && !URL.canParse(value)
      ? [{ keys: [name], message: 'is not an address' }]
      : [],
  )
}

function specsOf(connector: Connector, options: Record<string, unknown>): SourceSpec[] {
  const parts = connector.split?.(options) ?? [options]
  return parts.map((part) => ({ key: connector.keyOf(part), kind: connector.kind, options: part }))
}

const compiled = new Map<TObject, Validator>()

function problemsOf(schema: TObject, value: unknown): Problem[] {
  const check = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, check)
  if (check.Check(value)) return []
  return fieldErrors(check.Errors(value)).map(({ field, message }) => ({
    keys: field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
    message,
  }))
}

/** Returns the line of a value, or of the nearest value around it. */
function lineOf(document: Document, lines: LineCounter, keys: readonly (string | number)[]): number {
  for (let depth = keys.length; depth >= 0; depth -= 1) {
    const node = depth === 0 ? document.contents : document.getIn(keys.slice(0, depth), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}

const fieldName = (keys: readonly (string | number)[]) =>
  keys.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')

/** Returns what became of a feed that is known to be dead. */
export function findDeadFeed(url: string): string | undefined {
  const dead: Record<string, string> = parseDocument(readFileSync(join(FOLDER, `${DEAD_FEEDS}.yaml`), 'utf8')).toJS()
  return dead[url]
}
