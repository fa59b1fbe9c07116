import { load } from './load.ts'
import { median, print, printRatio, type Service } from './service.ts'

const MAX_GROWTH = 1.5
const PAGES = 40
const ROUNDS = 5
const REQUESTS_PER_ROUND = 40

/** A path, of whose list pages are read, or paths that are asked for in turn. */
export type Question = string | readonly string[]

/** Prints the median times of one question on a small and on a large store, and how they compare. */
export async function compare(
  name: string,
  services: readonly [Service, Service],
  ask: (service: Service) => Promise<Question>,
): Promise<void> {
  const [small, large] = services
  const timeSmall = await timer(name, small, await ask(small))
  const timeLarge = await timer(name, large, await ask(large))
  if (timeSmall === undefined || timeLarge === undefined) {
    print(name, 'not measured: one page, which the cache has   MISSED')
    return
  }
  const times: [number[], number[]] = [[], []]
  // By turns, so that what else the machine does slows both.
  for (let round = 0; round < ROUNDS; round += 1) {
    times[0].push(await timeSmall())
    times[1].push(await timeLarge())
  }
  printGrowth(name, median(times[0]), median(times[1]))
}

export function printGrowth(name: string, before: number, after: number): void {
  printRatio(`${name}: ${before.toFixed(2)} → ${after.toFixed(2)} ms`, after / before, 'at most', MAX_GROWTH)
}

/** Gives a function that asks many times and gives the median time; undefined when only the cache would be asked. */
async function timer(name: string, service: Service, question: Question): Promise<(() => Promise<number>) | undefined> {
  const { port, headers } = service
  // Every request asks for another page, so that none is answered from the cache of pages.
  const paths = typeof question === 'string' ? await distinctPages(service, question, PAGES) : question
  if (typeof question === 'string' && paths[0] === question && (await isCached(service, question))) return undefined
  let asked = 0
  const time = async () => {
    const turn = Array.from({ length: REQUESTS_PER_ROUND }, () => paths[asked++ % paths.length] ?? '')
    const { p50, failures } = await load({ port, headers, paths: turn, connections: 1, requests: turn.length })
    if (failures > 0) throw new Error(`${name}: ${failures} requests failed`)
    return p50
  }
  await time()
  return time
}

/** Paths of as many different pages of one list as there are, up to `count`; without the first if there are others. */
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

/** First pages of lists with cursors are kept. */
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
