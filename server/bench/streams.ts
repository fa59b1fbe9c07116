import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { killHard, ready } from '../test/spawn.ts'
import { load } from './load.ts'
import { order, startProcess } from './orders.ts'
import { filled, openAccount, print, printRatio, type Service, type Settings, serve } from './service.ts'
import type { ClientOrder, StreamKind } from './stream-clients.ts'
import type { ServiceOrder, ServiceState } from './stream-service.ts'

const STREAMS = 10_000
const WARM_UP = 1_000
/** So many that their plan allows each its share of the streams twice over. */
const ACCOUNTS = 200
/** Files that a process has open besides. */
const OTHER_FILES = 500
const ENTRIES = 5_000
const SIGNALS = 10
const SIGNALS_APART_MS = 500
const CALLERS = 4
const PAUSE_MS = 10

const EVENTS = '/api/v1/signals/stream'
const WEB_SOCKET = '/api/v1/signals/ws'

interface Kind extends StreamKind {
  /** Whether its filters let the signals of this bench through. */
  isReached: boolean
}

/** Very many open streams: what each of them holds, and how soon a signal reaches them all. */
export async function streams(settings: Settings): Promise<void> {
  const count = affordable()
  const place = await filled({ ...settings, folder: join(settings.folder, 'streams') }, ENTRIES)
  const service = await serve(place, startService)
  const { port } = service
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => openAccount(port)))
  const authorizations = accounts.map(({ authorization }) => authorization)
  const open = (kinds: readonly StreamKind[]): ClientOrder => ({ type: 'open', port, authorizations, kinds })

  const warmUp = [{ path: EVENTS, count: WARM_UP }]
  await withClients(open(warmUp), (clients) => giveSignals(service, clients, WARM_UP))
  const before = await allClosed(service)
  for (const [name, kinds] of Object.entries({
    [`${count} streams`]: [{ path: EVENTS, count, isReached: true }],
    // Whatever the first left behind shows in the memory of these.
    [`${count} again, WebSockets and filters among them`]: mixOf(count),
  })) {
    print(name, '')
    await withClients(open(kinds), (clients) => measure(service, clients, kinds, before))
    const after = await allClosed(service)
    printRatio('left in the heap by each', tenths((after.heapKb - before.heapKb) / count), 'at most', 1, 'KB')
  }
  await service.stop()
}

async function measure(
  service: Service,
  clients: ChildProcess,
  kinds: readonly Kind[],
  before: ServiceState,
): Promise<void> {
  const open = await stateOf(service)
  const perStream = (kb: number) => tenths(kb / open.openStreams)
  printRatio('resident memory of each', perStream(open.residentKb - before.residentKb), 'at most', 25, 'KB')
  print('of it in the heap', `${perStream(open.heapKb - before.heapKb)} KB`)

  const reached = kinds.reduce((sum, { isReached, count }) => sum + (isReached ? count : 0), 0)
  await longestHold(service)
  printTimes(`a signal to ${reached} of them`, await giveSignals(service, clients, reached))
  printRatio('longest hold of the main thread meanwhile', Math.round(await longestHold(service)), 'at most', 20, 'ms')

  const quiet = await loadEntries(service)
  const [times, busy] = await Promise.all([giveSignals(service, clients, reached), loadEntries(service)])
  printTimes('the same while entries are asked for', times)
  print('the newest 50 meanwhile, p99', `${tenths(busy.p99)} ms; without signals ${tenths(quiet.p99)} ms`)
}

/** As many streams as the processes at both ends may have open. */
function affordable(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  const files = Number(/Max open files\s+\d+\s+(\d+)/.exec(limits)?.[1] ?? Infinity)
  const count = Math.min(STREAMS, files - OTHER_FILES)
  if (count < STREAMS) print(`ulimit -n is ${files}: too low for ${STREAMS} streams`, `${count} are opened   MISSED`)
  return count
}

async function startService(env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = startProcess('stream-service.ts', {
    env: { ...env, EMBEDDINGS: 'off' },
    // The first as the command has it.
    flags: ['--max-semi-space-size=4', '--expose-gc'],
  })
  return { child, url: await ready(child) }
}

/** The clients vanish without a word afterwards. */
async function withClients(open: ClientOrder, work: (clients: ChildProcess) => Promise<unknown>): Promise<void> {
  const clients = startProcess('stream-clients.ts')
  await order<ClientOrder, number>(clients, open)
  await work(clients)
  await killHard(clients)
}

/** Gives the times from the commit of a signal to its arrival at each client, of several signals. */
async function giveSignals(service: Service, clients: ChildProcess, reached: number): Promise<number[]> {
  const times: number[] = []
  for (let signal = 0; signal < SIGNALS; signal += 1) {
    const arrived = order<ClientOrder, number[]>(clients, { type: 'collect', count: reached })
    const committedAt = await order<ServiceOrder, number>(service.child, { type: 'signal' })
    const arrivals = await arrived
    if (arrivals.length !== reached) throw new Error(`a signal came ${arrivals.length} times instead of ${reached}`)
    times.push(...arrivals.map((at) => at - committedAt))
    await delay(SIGNALS_APART_MS)
  }
  return times
}

/** Half of them have filters, and some of these let nothing through. */
function mixOf(count: number): Kind[] {
  const tenth = Math.floor(count / 10)
  return [
    { path: EVENTS, count: 4 * tenth, isReached: true },
    { path: `${EVENTS}?assetKey=AAPL,MSFT&strengthMin=0.2`, count: 3 * tenth, isReached: true },
    { path: `${EVENTS}?assetKey=TSLA`, count: 2 * tenth, isReached: false },
    { path: WEB_SOCKET, count: tenth, isWebSocket: true, isReached: true },
  ]
}

function loadEntries({ port, headers }: Service) {
  const seconds = (SIGNALS * SIGNALS_APART_MS) / 1_000
  return load({ port, headers, paths: ['/api/v1/entries'], connections: CALLERS, pauseMs: PAUSE_MS, seconds })
}

function stateOf({ child }: Service): Promise<ServiceState> {
  return order<ServiceOrder, ServiceState>(child, { type: 'state' })
}

/** Once the service has noticed that all clients are gone. */
async function allClosed(service: Service): Promise<ServiceState> {
  let state = await stateOf(service)
  while (state.openStreams > 0) state = await stateOf(service)
  return state
}

function longestHold({ child }: Service): Promise<number> {
  return order<ServiceOrder, number>(child, { type: 'longest-hold' })
}

function printTimes(name: string, times: number[]): void {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN)
  printRatio(`${name}, p99`, at(0.99), 'at most', 250, 'ms')
  print('p50 and the last', `${at(0.5)} ms and ${at(1)} ms`)
}

const tenths = (value: number) => Math.round(value * 10) / 10
