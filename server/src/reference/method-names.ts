import { type AnyEndpoint, isInReference } from '../http/endpoint.ts'

/** The names by which the clients in sdk/ call an endpoint. */
export interface MethodName {
  /** The operator API has a client of its own. */
  client: 'data' | 'admin'
  /** The objects that lead to the method, such as `sec`, `insiderTrades`. */
  resource: readonly string[]
  /** Such as `list`. */
  method: string
  /** The parameters in the path, which come first. */
  pathParams: readonly string[]
}

type Endpoint = AnyEndpoint<never>

/**
 * Returns the method of each endpoint that clients call. A path that has several methods or further paths below it is a
 * resource with the methods list, get, create, update and delete; any other path is itself a method of the resource above.
 */
export function methodNames(endpoints: readonly Endpoint[]): ReadonlyMap<Endpoint, MethodName> {
  // A WebSocket has the same events as the stream beside it. Files have helpers of their own.
  const called = endpoints.filter(
    (endpoint) => isInReference(endpoint) && !['websocket', 'download'].includes(endpoint.returns),
  )
  return new Map(
    called.map((endpoint) => {
      const own = nounsOf(endpoint)
      const others = called.filter((other) => clientOf(other) === clientOf(endpoint)).map(nounsOf)
      const isResource = own.length === 1 || others.filter((other) => startsWith(other, own)).length > 1
      const names = own.map(camel)
      return [
        endpoint,
        {
          client: clientOf(endpoint),
          resource: isResource ? names : names.slice(0, -1),
          method: isResource ? verbOf(endpoint) : (names.at(-1) ?? ''),
          pathParams: [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
        },
      ]
    }),
  )
}

const clientOf = ({ access }: Endpoint) => (access === 'operator' ? 'admin' : 'data')

/** Names that differ from the path. */
const RENAMED: Record<string, string> = { 'api-keys': 'keys' }

/** Returns the words of the path. The endpoints outside of the API belong to the resource `service`. */
function nounsOf({ path, access }: Endpoint): string[] {
  const words = path.split('/').filter((segment) => segment !== '' && !segment.startsWith(':'))
  const place = access === 'open' ? ['service', ...words] : access === 'operator' ? words.slice(1) : words
  return place.map((word, index) => (index === 0 && word === 'export' ? 'exports' : (RENAMED[word] ?? word)))
}

const startsWith = (whole: readonly string[], start: readonly string[]) =>
  start.every((word, index) => whole[index] === word)

const VERBS = { GET: 'get', POST: 'create', PATCH: 'update', DELETE: 'delete' } as const

function verbOf({ method, path, returns }: Endpoint): string {
  const isList = returns.endsWith('list') || returns === 'series'
  return method === 'GET' && isList && !/:\w+$/.test(path) ? 'list' : VERBS[method]
}

/** Returns kebab-case words as camelCase. */
function camel(words: string): string {
  return words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
