import { join } from 'node:path'
import { endpoints } from '../src/api/index.ts'
import type { Services } from '../src/api/services.ts'
import { type AnyEndpoint, API_PREFIX, hasEnvelope, isInReference, isStream, routeOf } from '../src/http/endpoint.ts'
import { print, printFigure, record, startTable } from './figures.ts'
import { Contest, type Measured, quiet } from './measure.ts'
import { get } from './pages.ts'
import { removeStore } from './places.ts'
import { withRequestLog } from './request-log.ts'
import { type Service, type Settings, servePinned } from './service.ts'

const CONNECTIONS = 8
/** The first round is a warm-up. */
const ROUNDS = 4
const SECONDS = 1
const LEAST_RATIO = 0.15
const LEAST_RATIO_OF_LISTS = 0.3
const MAX_BLOCK_MS = 20
const CATALOGUES = ['/assets', '/topics', '/topics/tree', '/publishers', '/markets', '/sec/datasets']

/** Finds ids for paths whose part before `:id` is not a list. */
const IDS: Record<string, (service: Service) => Promise<string>> = {
  '/signals/by-entry/:id': async (service) => (await first(service, '/signals')).entryIds?.[0] ?? '',
}

/** Queries of endpoints that need one. */
const QUERIES: Record<string, string> = { '/account/cost': '?path=%2Fentries' }

/** Measures every GET endpoint of callers against a bare server that sends the same bytes. */
export async function benchEndpoints(settings: Settings): Promise<void> {
  const contest = await Contest.start(await serveSample(settings))
  const { service } = contest
  await quiet(service)
  const isForCallers = (endpoint: AnyEndpoint<Services>) =>
    endpoint.method === 'GET' && isInReference(endpoint) && endpoint.access !== 'operator'
  const listed = endpoints.filter(isForCallers)
  const measured = listed.filter(({ returns }) => hasEnvelope(returns))
  // The load itself is logged: endpoints that read the log of the account come before it grows.
  const readsLog = ({ path }: AnyEndpoint<Services>) => Number(/^\/(account|billing)/.test(path))

  const printRow = startTable([
    'endpoint',
    '   bytes',
    'CPU µs',
    'floor CPU',
    'ratio',
    'requests/s',
    'floor req/s',
    'p50 ms',
    'p99 ms',
    'block ms',
    'target             ',
  ])
  let longest = 0
  let longestOfFloor = 0
  for (const endpoint of measured.toSorted((a, b) => readsLog(b) - readsLog(a))) {
    const path = await resolvePath(endpoint, service)
    const { status, bytes } = await contest.copy(path)
    const requests = { paths: [path], connections: CONNECTIONS, seconds: SECONDS }
    const rounds: { own: Measured; floor: Measured }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ floor: await contest.measureFloor(requests), own: await contest.measureService(requests) })
    }
    const owns = rounds.slice(1).map((round) => round.own)
    const floors = rounds.slice(1).map((round) => round.floor)
    const own = fastest(owns)
    const floor = fastest(floors)
    if (own.failures !== (status === 200 ? 0 : own.requests)) throw new Error(`${path}: ${own.failures} failures`)

    const ratio = floor.cpuMicrosPerRequest / own.cpuMicrosPerRequest
    const isList = endpoint.returns === 'cursor-list' || CATALOGUES.includes(endpoint.path)
    const target = isList ? LEAST_RATIO_OF_LISTS : LEAST_RATIO
    const missed = record(`GET ${endpoint.path}`, ratio, 'at least', target)
    const block = Math.max(...owns.map(({ longestBlock }) => longestBlock))
    longest = Math.max(longest, block)
    longestOfFloor = Math.max(longestOfFloor, ...floors.map(({ longestBlock }) => longestBlock))
    printRow([
      status === 200 ? endpoint.path : `${endpoint.path} (${status})`,
      String(bytes),
      own.cpuMicrosPerRequest.toFixed(0),
      floor.cpuMicrosPerRequest.toFixed(0),
      ratio.toFixed(2),
      own.requestsPerSecond.toFixed(0),
      floor.requestsPerSecond.toFixed(0),
      own.p50.toFixed(2),
      own.p99.toFixed(2),
      block.toFixed(1),
      `${target}${missed}`,
    ])
  }
  const detail = `floor ${longestOfFloor.toFixed(1)}`
  printFigure('longest event-loop block', longest, 'at most', MAX_BLOCK_MS, { unit: 'ms', detail })
  const streams = listed.filter(({ returns }) => isStream(returns)).map(({ path }) => path)
  print('not measured here', `${streams.join(', ')} (section streams), query= (section search)`)
  await contest.stop()
  // The load has filled the log of the account, so that a later run needs a new store.
  await removeStore(service.folder)
}

/**
 * Returns the round that other load on the machine disturbed least. Not the one with the least CPU time per request: in a
 * round with a long stall, the few requests may take less than one tick.
 */
function fastest(rounds: readonly Measured[]): Measured {
  return rounds.reduce((best, round) => (round.requestsPerSecond > best.requestsPerSecond ? round : best))
}

/** Starts the service with the sample data and an account that has a request log. */
async function serveSample({ folder, logRows }: Settings): Promise<Service> {
  const place = join(folder, `endpoints-${logRows}`)
  const env = { SAMPLE_DATA: 'on', SAMPLE_LIVE: 'off' }
  const account = await withRequestLog(place, logRows, async () => {
    const service = await servePinned(place, { env })
    await service.stop()
    return service.account
  })
  return servePinned(place, { env, account })
}

/** Returns the path of an endpoint, with the first id of its list. */
async function resolvePath(endpoint: AnyEndpoint<Services>, service: Service): Promise<string> {
  const path = routeOf(endpoint) + (QUERIES[endpoint.path] ?? '')
  if (!path.includes(':id')) return path
  const find = IDS[endpoint.path] ?? (async () => (await first(service, endpoint.path.split('/:id')[0] ?? '')).id)
  return path.replace(':id', encodeURIComponent(await find(service)))
}

async function first(service: Service, list: string): Promise<{ id: string; entryIds?: string[] }> {
  const [item] = (await get(service, `${API_PREFIX}${list}?limit=1`)).data
  if (item === undefined) throw new Error(`${list} is empty`)
  return item
}
