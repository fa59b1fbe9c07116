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
}

/** Returns a function that explains why a request matches no route: its method or its path. */
export function unroutedErrors(endpoints: readonly AnyEndpoint<never>[]): (method: string, url: string) => ApiError {
  const routes = endpoints.map((endpoint): KnownRoute => {
    const path = routeOf(endpoint)
    return { path, segments: segmentsOf(path), methods: methodsOf(endpoint), isListed: isInReference(endpoint) }
  })
  return (method, url) => {
    const [path = ''] = url.slice(0, MAX_COMPARED).split('?')
    const segments = segmentsOf(path)
    const matching = routes.filter((route) => fixedPart(route, segments) === fixedPart(route, route.segments))
    const allow = [...new Set(matching.flatMap(({ methods }) => methods))].sort()
    if (allow.length > 0 && !allow.includes(method)) {
      return new ApiError('NOT_FOUND', `This route has no method ${method}, but ${allow.join(', ')}`, { allow })
    }
    const nearest = nearestOf(
      routes.filter(({ isListed }) => isListed),
      segments,
    )
    return new ApiError('NOT_FOUND', `No such route${nearest === undefined ? '' : `; the nearest one is ${nearest}`}`)
  }
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '')

/** Returns the segments at the places where the route has no parameter; undefined if their numbers differ. */
function fixedPart(route: KnownRoute, segments: readonly string[]): string | undefined {
  if (segments.length !== route.segments.length) return undefined
  return segments.filter((_, place) => !route.segments[place]?.startsWith(':')).join('/')
}

/** Finds the nearest route, also for a path without the prefix of the API or with another version. */
function nearestOf(routes: readonly KnownRoute[], segments: readonly string[]): string | undefined {
  const prefix = segmentsOf(API_PREFIX)
  const rest = segments.slice(segments.findIndex((segment) => !/^(api|v[\d.]+)$/i.test(segment)))
  const [best] = routes
    .flatMap((route) => [segments, [...prefix, ...rest]].map((given) => ({ route, given: fixedPart(route, given) })))
    .filter(({ given }) => given !== undefined)
    .map(({ route, given = '' }) => ({
      route,
      distance: distanceOf(given, fixedPart(route, route.segments) ?? ''),
      length: given.replace(`${prefix.join('/')}/`, '').length,
    }))
    .sort((a, b) => a.distance - b.distance)
  return best && best.distance <= best.length / 3 ? `${best.route.methods[0]} ${best.route.path}` : undefined
}
