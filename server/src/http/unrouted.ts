import { ApiError } from '../model/errors.ts'
import { type AnyEndpoint, API_PREFIX, isInReference, methodsOf, routeOf } from './endpoint.ts'
import { distanceOf } from './nearest.ts'

/** Longer paths are not compared with routes. */
const MAX_COMPARED = 200

interface KnownRoute {
  path: string
  segments: readonly string[]
  methods: readonly string[]
  isListed: boolean
  /** Whether its last segment is the name of a dataset. */
  isExport: boolean
  /** The words that a person might look for: those of the path and those of the summary. */
  pathWords: ReadonlySet<string>
  summaryWords: ReadonlySet<string>
}

/** Returns a function that explains why a request matches no route: its method or its path. */
export function unroutedErrors(endpoints: readonly AnyEndpoint<never>[]): (method: string, url: string) => ApiError {
  const routes = endpoints.map((endpoint): KnownRoute => {
    const path = routeOf(endpoint)
    return {
      path,
      segments: segmentsOf(path),
      methods: methodsOf(endpoint),
      isListed: isInReference(endpoint),
      isExport: endpoint.cost.perRows !== undefined,
      pathWords: new Set(wordsOf(path)),
      summaryWords: new Set(wordsOf(endpoint.summary)),
    }
  })
  const listed = routes.filter(({ isListed }) => isListed).sort(callersFirst)
  return (method, url) => {
    const [path = ''] = url.slice(0, MAX_COMPARED).split('?')
    const segments = segmentsOf(path)
    const matching = routes.filter((route) => fixedPart(route, segments) === fixedPart(route, route.segments))
    const allow = [...new Set(matching.flatMap(({ methods }) => methods))].sort()
    if (allow.length > 0 && !allow.includes(method)) {
      const methods = allow.join(', ')
      return new ApiError('NOT_FOUND', `This route has no method ${method}, but ${methods}`, {
        headers: { allow: methods },
      })
    }
    const beside = listBeside(listed, segments)
    const details =
      beside.length > 0 ? [{ field: 'path', message: `must end with one of ${namesOf(beside)}` }] : undefined
    const reason = reasonFor(listed, segments, beside)
    return new ApiError('NOT_FOUND', reason, details && { details })
  }
}

function reasonFor(listed: readonly KnownRoute[], segments: readonly string[], beside: readonly KnownRoute[]): string {
  const alike = findSpelledAlike(listed, segments)
  const datasets = beside.filter(({ isExport }) => isExport)
  if (alike === undefined && datasets.length > 0) {
    return `There is no dataset ${segments.at(-1)}; the datasets are ${namesOf(datasets)}`
  }
  const nearest = alike ?? findSameWords(listed, segments)
  return nearest === undefined
    ? 'No such route'
    : `No such route; the nearest one is ${nearest.methods[0]} ${nearest.path}`
}

const namesOf = (routes: readonly KnownRoute[]) => routes.map(({ segments }) => segments.at(-1)).join(', ')

/** Returns the routes that differ in the last segment, in a folder that is no route itself, such as that of exports. */
function listBeside(routes: readonly KnownRoute[], segments: readonly string[]): KnownRoute[] {
  const folder = segments.slice(0, -1).join('/')
  if (folder === '' || PREFIX.startsWith(folder) || routes.some((route) => route.segments.join('/') === folder))
    return []
  return routes.filter((route) => route.segments.slice(0, -1).join('/') === folder)
}

const PREFIX = segmentsOf(API_PREFIX).join('/')

/** Orders routes by how probably a person means them: those of callers, reads and short paths first. */
function callersFirst(a: KnownRoute, b: KnownRoute): number {
  const rankOf = ({ path, methods, segments }: KnownRoute) =>
    (path.startsWith(API_PREFIX) ? 0 : 200) + (methods.includes('GET') ? 0 : 100) + segments.length
  return rankOf(a) - rankOf(b)
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** Returns the segments at the places where the route has no parameter; undefined if their numbers differ. */
function fixedPart(route: KnownRoute, segments: readonly string[]): string | undefined {
  if (segments.length !== route.segments.length) return undefined
  return segments.filter((_, place) => !route.segments[place]?.startsWith(':')).join('/')
}

/** Finds the route with the nearest spelling, also for a path without the prefix of the API or with another version. */
function findSpelledAlike(routes: readonly KnownRoute[], segments: readonly string[]): KnownRoute | undefined {
  const prefix = segmentsOf(API_PREFIX)
  const [best] = routes
    .flatMap((route) =>
      [segments, [...prefix, ...withoutPrefix(segments)]].map((given) => ({ route, given: fixedPart(route, given) })),
    )
    .filter(({ given }) => given !== undefined)
    .map(({ route, given = '' }) => ({
      route,
      distance: distanceOf(given, fixedPart(route, route.segments) ?? ''),
      length: given.replace(`${prefix.join('/')}/`, '').length,
    }))
    .sort((a, b) => a.distance - b.distance)
  return best && best.distance <= best.length / 3 ? best.route : undefined
}

/** Finds the route that shares most words with a path: `/news` is the list of news entries. */
function findSameWords(routes: readonly KnownRoute[], segments: readonly string[]): KnownRoute | undefined {
  const words = wordsOf(withoutPrefix(segments).join('/'))
  const [best] = routes
    .map((route) => ({
      route,
      shared: words.reduce(
        (sum, word) => sum + (route.pathWords.has(word) ? 2 : 0) + (route.summaryWords.has(word) ? 1 : 0),
        0,
      ),
    }))
    .sort((a, b) => b.shared - a.shared)
  return best !== undefined && best.shared > 0 ? best.route : undefined
}

function withoutPrefix(segments: readonly string[]): readonly string[] {
  const start = segments.findIndex((segment) => !/^(api|v[\d.]+)$/i.test(segment))
  return start < 0 ? [] : segments.slice(start)
}

/** Returns the words of a text in the singular, without the short ones. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]{4,}/g) ?? []
  return words.map((word) => word.replace(/ies$/, 'y').replace(/s$/, ''))
}
