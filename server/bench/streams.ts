import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { killHard, LAUNCHER, ready } from '../test/spawn.ts'
import { order, startProcess } from './child-process.ts'
import { atRate } from './client.ts'
import { print, printFigure } from './figures.ts'
import { filled, openUnlimitedAccount, type Service, type Settings, serve } from './service.ts'
import type { ClientOrder, StreamGroup } from './stream-clients.ts'
import type { Noun, ServiceOrder, ServiceState } from './stream-service.ts'

const STREAMS = 10_000
const WARM_UP = 1_000
/** Enough that each account uses half of the connections that its plan allows. */
const ACCOUNTS = 200
/** Files that a process opens in addition to streams. */
const OTHER_FILES = 500
const ENTRIES = 5_000
const RECORDS = 10
const RECORDS_APART_MS = 500
const AFTERMATH_MS = 5_000
const CALLERS = 4
const RATE = 300

/** The streams of each kind of record, with filters that its records match. */
const KINDS: Record<Noun, { path: string; filters: string }> = {
  signal: { path: '/api/v1/signals', filters: 'assetKey=AAPL,MSFT&strengthMin=0.2' },
  entry: { path: '/api/v1/entries', filters: 'assetKey=AAPL,MSFT&publishedAfter=2020-01-01' },
}

interface MeasuredGroup extends StreamGroup {
  /** Whether the records of this bench match its filters. */
  isReached: boolean
}

/** Measures the memory per open stream, and how soon a signal or an entry reaches all streams. */
export async function benchStreams(settings: Settings): Promise<void> {
  const count = maxStreams()
  const place = await filled({ folder: join(settings.folder, 'streams') }, ENTRIES)
  const service = await serve(place, { start: startService })
  const { port } = service
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => openUnlimitedAccount(port)))
  const authorizations = accounts.map(({ authorization }) => authorization)
  const open = (groups: readonly StreamGroup[]): ClientOrder => ({ type: 'open', port, authorizations, groups })

  for (const noun of ['signal', 'entry'] as const) {
    const path = `${KINDS[noun].path}/stream`
    const warmUp = [{ path, count: WARM_UP }]
    await withClients(open(warmUp), (clients) => sendRecords(service, clients, noun, WARM_UP))
    const before = await allClosed(service)
    for (const [name, groups] of Object.entries({
      [`${count} streams, each ${noun}`]: [{ path, count, isReached: true }],
      // A leak of the first run would show in the memory of the second.
      [`${count} again, WebSockets and filters among them`]: mixOf(noun, count),
    })) {
      print(name, '')
      await withClients(open(groups), (clients) => measure(service, clients, noun, groups, before))
      const after = await allClosed(service)
      printFigure('heap not freed, per stream', (after.heapKb - before.heapKb) / count, 'at most', 1, { unit: 'KB' })
    }
  }
  await service.stop()
}

async function measure(
  service: Service,
  clients: ChildProcess,
  noun: Noun,
  groups: readonly MeasuredGroup[],
  before: ServiceState,
): Promise<void> {
  const open = await stateOf(service)
  const perStream = (kb: number) => tenths(kb / open.openStreams)
  printFigure('resident memory per stream', perStream(open.residentKb - before.residentKb), 'at most', 25, {
    unit: 'KB',
  })
  print('of which heap', `${perStream(open.heapKb - before.heapKb)} KB`)

  const reached = groups.reduce((sum, { isReached, count }) => sum + (isReached ? count : 0), 0)
  await longestBlock(service)
  printTimes(`${noun} to ${reached} of them`, await sendRecords(service, clients, noun, reached))
  printFigure('longest block of the main thread meanwhile', await longestBlock(service), 'at most', 20, { unit: 'ms' })

  const quiet = await loadEntries(service)
  const [times, busy] = await Promise.all([sendRecords(service, clients, noun, reached), loadEntries(service)])
  printTimes('the same under load on /entries', times)
  print('newest 50 meanwhile, p99', `${tenths(busy.p99)} ms; without events ${tenths(quiet.p99)} ms`)
}

/** Returns the number of streams that the limit on open files allows. */
function maxStreams(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  const files = Number(/Max open files\s+\d+\s+(\d+)/.exec(limits)?.[1] ?? Infinity)
  const count = Math.min(STREAMS, files - OTHER_FILES)
  if (count < STREAMS) print(`ulimit -n is ${files}: too low for ${STREAMS} streams`, `${count} are opened   MISSED`)
  return count
}

async function startService(env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = startProcess('stream-service.ts', {
    env: { ...env, EMBEDDINGS: 'off' },
    flags: [...flagsOf(LAUNCHER), '--expose-gc'],
  })
  return { child, url: await ready(child) }
}

/** Returns the flags of Node in the first line of a script. */
const flagsOf = (script: string): string[] => readFileSync(script, 'utf8').split('\n', 1)[0]?.match(/--\S+/g) ?? []

/** Runs `work` with open streams, then kills the client process without closing them. */
async function withClients(open: ClientOrder, work: (clients: ChildProcess) => Promise<unknown>): Promise<void> {
  const clients = startProcess('stream-clients.ts')
  await order<ClientOrder, number>(clients, open)
  await work(clients)
  await killHard(clients)
}

/** Sends several records and returns the times from commit to arrival at each client. */
async function sendRecords(service: Service, clients: ChildProcess, noun: Noun, reached: number): Promise<number[]> {
  const times: number[] = []
  for (let record = 0; record < RECORDS; record += 1) {
    const arrived = order<ClientOrder, number[]>(clients, { type: 'collect', count: reached })
    const committedAt = await order<ServiceOrder, number>(service.child, { type: 'insert', noun })
    const arrivals = await arrived
    if (arrivals.length !== reached) throw new Error(`a ${noun} arrived ${arrivals.length} times instead of ${reached}`)
    times.push(...arrivals.map((at) => at - committedAt))
    await delay(RECORDS_APART_MS)
  }
  return times
}

/** Returns groups of which half have filters, some of them without matches. */
function mixOf(noun: Noun, count: number): MeasuredGroup[] {
  const { path, filters } = KINDS[noun]
  const tenth = Math.floor(count / 10)
  return [
    { path: `${path}/stream`, count: 4 * tenth, isReached: true },
    { path: `${path}/stream?${filters}`, count: 3 * tenth, isReached: true },
    { path: `${path}/stream?assetKey=TSLA`, count: 2 * tenth, isReached: false },
    { path: `${path}/ws`, count: tenth, isWebSocket: true, isReached: true },
  ]
}

function loadEntries({ port, headers }: Service) {
  const seconds = (RECORDS * RECORDS_APART_MS) / 1_000
  const authorizations = [headers.authorization]
  return atRate({ port, authorizations, paths: ['/api/v1/entries'], connections: CALLERS, rate: RATE, seconds })
}

function stateOf({ child }: Service): Promise<ServiceState> {
  return order<ServiceOrder, ServiceState>(child, { type: 'state' })
}

/** Waits until the service has noticed that all clients are gone and has settled their streams. */
async function allClosed(service: Service): Promise<ServiceState> {
  while ((await stateOf(service)).openStreams > 0) await delay(AFTERMATH_MS / 10)
  await delay(AFTERMATH_MS)
  return stateOf(service)
}

function longestBlock({ child }: Service): Promise<number> {
  return order<ServiceOrder, number>(child, { type: 'longest-block' })
}

function printTimes(name: string, times: number[]): void {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN)
  printFigure(`${name}, p99`, at(0.99), 'at most', 250, { unit: 'ms' })
  print('p50 and maximum', `${at(0.5)} ms and ${at(1)} ms`)
}

const tenths = (value: number) => Math.round(value * 10) / 10
