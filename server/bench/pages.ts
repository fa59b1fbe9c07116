import { DAY, isoTime } from '../src/model/time.ts'
import { Connection, requestOf } from './connection.ts'
import { print, printFigure } from './figures.ts'
import { median, type Service } from './service.ts'

const PAGES = 40
const ROUNDS = 5
const REQUESTS_PER_ROUND = 40
/** Of two days, so that the pages are full whatever the filters. */
const PAST_STEP_MS = (2 * DAY) / 240
const MAX_PAST_RATIO = 1.5

/** The path of a list to page through, or paths to request in turn. */
export type BenchQuery = string | readonly string[]

/** Prints the median times of a query with the small and the large store, and their ratio. */
export async function compare(
  name: string,
  [small, large]: readonly [Service, Service],
  maxGrowth: number,
  queryOf: (service: Service) => Promise<BenchQuery>,
): Promise<void> {
  const before = await timer(name, small, await queryOf(small))
  await printRatio(name, before, await timer(name, large, await queryOf(large)), maxGrowth)
}

/** Prints the median times of pages of a list and of first pages of its past, and their ratio. */
export async function comparePast(name: string, service: Service, path: string, now: number): Promise<void> {
  // Each request is for another moment, so that none finds its page or its total in a cache.
  const moments = Array.from({ length: (ROUNDS + 1) * REQUESTS_PER_ROUND }, (_, place) => now - place * PAST_STEP_MS)
  const past = moments.map((moment) => `${path}&asOf=${isoTime(moment)}`)
  await printRatio(name, await timer(name, service, path), await timer(name, service, past), MAX_PAST_RATIO)
}

/** Prints the median times of two queries of one service, and the ratio of the second to the first. */
export async function compareQueries(
  name: string,
  service: Service,
  [one, other]: readonly [BenchQuery, BenchQuery],
  maxRatio: number,
): Promise<void> {
  await printRatio(name, await timer(name, service, one), await timer(name, service, other), maxRatio)
}

type Timer = () => Promise<number>

async function printRatio(name: string, timeBefore: Timer | undefined, timeAfter: Timer | undefined, max: number) {
  if (timeBefore === undefined || timeAfter === undefined) {
    print(name, 'not measured: the only page is cached   MISSED')
    return
  }
  const times: [number[], number[]] = [[], []]
  // Alternating, so that other load on the machine slows both.
  for (let round = 0; round < ROUNDS; round += 1) {
    times[0].push(await timeBefore())
    times[1].push(await timeAfter())
  }
  printGrowth(name, median(times[0]), median(times[1]), max)
}

export function printGrowth(name: string, before: number, after: number, maxGrowth: number): void {
  const detail = `${before.toFixed(2)} → ${after.toFixed(2)} ms`
  printFigure(name, after / before, 'at most', maxGrowth, { detail })
}

/** Returns a function that sends many requests and returns their median time; undefined if all would hit the cache. */
async function timer(name: string, service: Service, query: BenchQuery): Promise<Timer | undefined> {
  // Each request is for another page, so that none hits the page cache.
  const paths = typeof query === 'string' ? await distinctPages(service, query, PAGES) : query
  if (typeof query === 'string' && paths[0] === query && (await isCached(service, query))) return undefined
  const messages = paths.map((path) => requestOf(path, service.headers.authorization))
  let sent = 0
  const time = async () => {
    const connection = await Connection.open(service.port)
    const times: number[] = []
    for (let request = 0; request < REQUESTS_PER_ROUND; request += 1) {
      const message = messages[sent++ % messages.length] ?? Buffer.alloc(0)
      const from = performance.now()
      if ((await connection.get(message)) !== 200) throw new Error(`${name}: a request failed`)
      times.push(performance.now() - from)
    }
    connection.close()
    return median(times)
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

/** The fields of a list item that the bench reads; each list has some of them. */
interface Item {
  id: string
  urlDomain: string
  entryIds?: string[]
}

export async function get(service: Service, path: string) {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers: service.headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${text}`)
  return JSON.parse(text) as { data: Item[]; meta?: Meta }
}
