/** Names of operations, schemas and tags, from the methods and paths of endpoints. */
import type { TSchema } from 'typebox'
import type { AnyEndpoint, Returns } from '../http/endpoint.ts'
import { SHARED_SCHEMAS } from './openapi-components.ts'

export type SchemaNames = ReadonlyMap<object, string>

const VERBS = { GET: 'get', POST: 'create', PATCH: 'update', DELETE: 'delete' } as const
const verbOf = ({ method, returns }: AnyEndpoint<never>) =>
  method === 'GET' && isList(returns) ? 'list' : VERBS[method]

/**
 * A schema is named after the path that returns it. Where one path returns several shapes (an API key with and without
 * its secret), the later ones get a distinguishing name.
 */
const DIFFERENCE = {
  get: (noun: string) => `${noun}Detail`,
  list: (noun: string) => `${noun}Item`,
  create: (noun: string) => `Created${noun}`,
  update: (noun: string) => `Updated${noun}`,
  delete: (noun: string) => `Deleted${noun}`,
}
const NAMING_ORDER = Object.keys(DIFFERENCE)

/** Returns the names of the schemas that endpoints return. */
export function nameSchemas(endpoints: readonly AnyEndpoint<never>[]): SchemaNames {
  const names = new Map<object, string>()
  const taken = new Set(Object.keys(SHARED_SCHEMAS))
  // The rows of a file are mostly the items of a list, which names them.
  const placeOf = (endpoint: AnyEndpoint<never>) =>
    endpoint.returns === 'download' ? NAMING_ORDER.length : NAMING_ORDER.indexOf(verbOf(endpoint))
  const byVerb = endpoints.toSorted((a, b) => placeOf(a) - placeOf(b))
  for (const endpoint of byVerb) {
    const { data } = endpoint
    const noun = pascal(operationWords(endpoint, isList(endpoint.returns)))
    const name = [noun, DIFFERENCE[verbOf(endpoint)](noun)].find((candidate) => !taken.has(candidate))
    for (const [own, schema] of Object.entries(definitionsOf(data))) names.set(schema, own)
    if (name === undefined || names.has(data) || !('properties' in data || 'anyOf' in data)) continue
    names.set(data, name)
    taken.add(name)
  }
  return new Map([...names].sort(([, a], [, b]) => (a < b ? -1 : 1)))
}

/** Returns the named definitions of a recursive schema, to which it refers by name. */
function definitionsOf(schema: TSchema): Record<string, object> {
  return '$defs' in schema ? (schema.$defs as Record<string, object>) : {}
}

/** Returns verb and path, such as `listEntries`, `getEntry`, `listTopicEntries`, `createAccountApiKey`. */
export function operationIdOf(endpoint: AnyEndpoint<never>): string {
  return verbOf(endpoint) + pascal(operationWords(endpoint, false))
}

/** Returns the words of the path, in the singular before an id, for created resources and for parent resources. */
function operationWords(endpoint: AnyEndpoint<never>, isOne: boolean): string[] {
  const segments = endpoint.path.split('/').filter((segment) => segment !== '')
  const nouns = segments.filter((segment) => !segment.startsWith(':'))
  const isLastOne = isOne || segments.at(-1)?.startsWith(':') || verbOf(endpoint) === 'create'
  const words = nouns.map((noun, index) => (index < nouns.length - 1 || isLastOne ? singular(noun) : noun))
  return words.length === 0 ? [SERVICE] : words.flatMap((word) => word.split('-'))
}

function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`
  return /[^sui]s$/.test(noun) ? noun.slice(0, -1) : noun
}

const SERVICE = 'service'
export const tagOf = ({ path }: AnyEndpoint<never>) => path.split('/')[1] || SERVICE

export const TAGS: Record<string, string> = {
  service: 'The server itself',
  health: 'Liveness, for process supervisors',
  ready: 'Readiness, for load balancers',
  status: 'Uptime, and how current the data is',
  entries: 'Financial news',
  assets: 'Companies, currencies, cryptocurrencies, commodities, indices and funds',
  topics: 'Subjects of entries, in a tree',
  publishers: 'Who publishes entries',
  clusters: 'Entries about the same event',
  markets: 'Places where assets trade, with charts and candles',
  'prediction-markets': 'Questions about the future with their odds',
  sec: 'Records from filings at the SEC; needs a plan with SEC data',
  signals: 'What stands out about an asset, as lists and as live streams',
  changes: 'Inserts, revisions and removals of records, for mirrors',
  stats: 'Numbers of records, and how often signals were right',
  export: 'Whole lists as files; needs a plan with bulk export',
  account: 'The account of the key: balance, usage, request logs, keys and alerts; free of charge',
  billing: 'Credit packs, plans and subscriptions; free of charge',
  admin: "The operator's API, with a token of the operator",
}

export const pascal = (words: readonly string[]) =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('')

export const isList = (returns: Returns) => returns.endsWith('list') || returns === 'series'
