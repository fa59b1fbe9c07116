import { load } from './load.ts'
import { median, print, printRatio, type Service } from './service.ts'

const MAX_GROWTH = 1.5
const PAGES = 40
const ROUNDS = 5
const REQUESTS_PER_ROUND = 40

/** The path of a list to page through, or paths to request in turn. */
export type BenchQuery = string | readonly string[]

/** Prints the median times of a query with the small and the large store, and their ratio. */
export async function compare(
  name: string,
  services: readonly [Service, Service],
  queryOf: (service: Service) => Promise<BenchQuery>,
): Promise<void> {
  const [small, large] = services
  const timeSmall = await timer(name, small, await queryOf(small))
  const timeLarge = await timer(name, large, await queryOf(large))
  if (timeSmall === undefined || timeLarge === undefined) {
    print(name, 'not measured: the only page is cached   MISSED')
    return
  }
  const times: [number[], number[]] = [[], []]
  // Alternating, so that other load on the machine slows both.
  for (let round = 0; round < ROUNDS; round += 1) {
    times[0].push(await timeSmall())
    times[1].push(await timeLarge())
  }
  printGrowth(name, median(times[0]), median(times[1]))
}

export function printGrowth(name: string, before: number, after: number): void {
  printRatio(`${name}: ${before.toFixed(2)} → ${after.toFixed(2)} ms`, after / before, 'at most', MAX_GROWTH)
}

/** Returns a function that sends many requests and returns their median time; undefined if all would hit the cache. */
async function timer(name: string, service: Service, query: BenchQuery): Promise<(() => Promise<number>) | undefined> {
  const { port, headers } = service
  // Each request is for another page, so that none hits the page cache.
  const paths = typeof query === 'string' ? await distinctPages(service, query, PAGES) : query
  if (typeof query === 'string' && paths[0] === query && (await isCached(service, query))) return undefined
  let sent = 0
  const time = async () => {
    const turn = Array.from({ length: REQUESTS_PER_ROUND }, () => paths[sent++ % paths.length] ?? '')
    const { p50, failures } = await load({ port, headers, paths: turn, connections: 1, requests: turn.length })
    if (failures > 0) throw new Error(`${name}: ${failures} requests failed`)
    return p50
  }
  await time()
  return time
}

/** Returns the paths of up to `count` pages of a list, without the first if there are others. */
export async function distinctPages(service: Service, path: string, count: number): Promise<string[]> {
  const paths = [path]
  let next: string | undefined = path
  while (paths.length <= count) {
    const { meta } = await get(service, next)
    next = nextPath(path, meta)
    if (next === undefined) break
    paths.push(next)
  }
  return paths.length === 1 ? paths : paths.slice(1)
}

/** Cursor lists cache their first pages. */
async function isCached(service: Service, path: string): Promise<boolean> {
  return (await get(service, path)).meta?.nextCursor !== undefined
}

function nextPath(path: string, meta: Meta | undefined): string | undefined {
  const start = `${path}${path.includes('?') ? '&' : '?'}`
  if (meta?.nextCursor) return `${start}after=${meta.nextCursor}`
  return meta?.nextPage ? `${start}page=${meta.nextPage}` : undefined
}

interface Meta {
  nextCursor?: string | null
  nextPage?: number | null
}

export async function get(service: Service, path: string) {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers: service.headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${text}`)
  return JSON.parse(text) as { data: { urlDomain: string }[]; meta?: Meta }
}
