import { atRate, type Load, type LoadResult } from './client.ts'
import { record, startTable } from './figures.ts'
import { Contest, type Measured, quiet } from './measure.ts'
import { distinctPages, get } from './pages.ts'
import { filled, longestBlock, median, type Server, type Service, type Settings, servePinned } from './service.ts'

type Contenders = Readonly<Record<string, readonly string[]>>

const CONNECTIONS = [16, 64]
const ROUNDS = 5
const SECONDS = 2
/** Least ratio of requests/s to those of the floor, by number of connections. */
const TARGETS: Record<string, Record<number, number>> = {
  'newest page': { 16: 0.4, 64: 0.65 },
  'entry by id': { 16: 0.4, 64: 0.4 },
  'filtered pages, not cached': {},
}
const SHARE_OF_PEAK = 0.8
const CONNECTIONS_AT_RATE = 64
const ROUNDS_AT_RATE = 3
const SECONDS_AT_RATE = 5
const MAX_P99_RATIO = 4
const MAX_BLOCK_MS = 20

/** Measures the newest page, an entry and uncached pages against a bare server that sends the same bytes. */
export async function benchThroughput(settings: Settings): Promise<void> {
  const service = await servePinned(await filled(settings, settings.small))
  const contest = await Contest.start(service)
  await quiet(service)
  const [newest] = (await get(service, '/api/v1/entries?limit=1')).data
  const contenders = {
    'newest page': ['/api/v1/entries'],
    'entry by id': [`/api/v1/entries/${newest?.id}`],
    'filtered pages, not cached': await crawl(service),
  }
  const peaks = await measurePeaks(contest, contenders)
  await measureLatencies(contest, contenders, peaks)
  await contest.stop()
}

/** The highest rate of the service, and how much more CPU time of all its threads a request took then than one of the floor. */
interface Peak {
  rate: number
  extraMicros: number
}

/** Measures requests/s at full load and returns the peak of each contender. */
async function measurePeaks(contest: Contest, contenders: Contenders): Promise<Map<string, Peak>> {
  const peaks = new Map<string, Peak>()
  const printRow = startTable([
    'full load',
    'connections',
    'requests/s',
    'floor req/s',
    'ratio',
    'CPU µs',
    'floor CPU',
    'CPU ratio',
    'target             ',
  ])
  for (const connections of CONNECTIONS) {
    for (const [name, { own, floor }] of await alternate(contest, contenders, connections)) {
      const rates = [own, floor].map((rounds) => median(rounds.map((round) => round.requestsPerSecond)))
      const cpus = [own, floor].map((rounds) => median(rounds.map((round) => round.cpuMicrosPerRequest)))
      const [rate = 0, floorRate = 0, cpu = 0, floorCpu = 0] = [...rates, ...cpus]
      if (rate > (peaks.get(name)?.rate ?? 0)) peaks.set(name, { rate, extraMicros: Math.max(0, cpu - floorCpu) })
      const title = `${name} / floor, ${connections} connections`
      const target = TARGETS[name]?.[connections] ?? 0
      const missed = record(title, rate / floorRate, 'at least', target)
      record(`${title}, CPU time`, floorCpu / cpu, 'at least', 0)
      printRow([
        name,
        String(connections),
        rate.toFixed(0),
        floorRate.toFixed(0),
        (rate / floorRate).toFixed(2),
        cpu.toFixed(0),
        floorCpu.toFixed(0),
        (floorCpu / cpu).toFixed(2),
        target === 0 ? '' : `${target}${missed}`,
      ])
    }
  }
  return peaks
}

/** Measures the contenders in turn, several times, so that other load on the machine slows all of them. */
async function alternate(contest: Contest, contenders: Contenders, connections: number) {
  const results = new Map(
    Object.keys(contenders).map((name) => [name, { own: [] as Measured[], floor: [] as Measured[] }]),
  )
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, paths] of Object.entries(contenders)) {
      await contest.copy(paths[0] ?? '')
      const requests = { paths, connections, seconds: SECONDS }
      const floor = await contest.measureFloor(requests)
      const own = await contest.measureService(requests)
      failOn(name, own)
      // The first round is a warm-up.
      if (round === 0) continue
      results.get(name)?.own.push(own)
      results.get(name)?.floor.push(floor)
    }
  }
  return results
}

/**
 * Measures latencies at the same rate of the service, of the floor, whose core is idle more of the time, and of a floor whose requests take
 * as much CPU time as those of the service: on a machine whose speed varies, any server that is this busy has queues now and then.
 */
async function measureLatencies(contest: Contest, contenders: Contenders, peaks: Map<string, Peak>): Promise<void> {
  const printRow = startTable([
    `${SHARE_OF_PEAK * 100} % of the peak`,
    'requests/s',
    'p50 ms',
    'p99 ms',
    'floor p50',
    'floor p99',
    'ratio',
    'busy floor p99',
    'busy ratio',
    'block ms',
    'floor block',
    'target             ',
  ])
  for (const [name, paths] of Object.entries(contenders)) {
    await contest.copy(paths[0] ?? '')
    const { rate: peak = 0, extraMicros = 0 } = peaks.get(name) ?? {}
    const rate = SHARE_OF_PEAK * peak
    const { authorization } = contest.service.headers
    const load = {
      paths,
      authorizations: [authorization],
      connections: CONNECTIONS_AT_RATE,
      seconds: SECONDS_AT_RATE,
      rate,
    }
    const rounds: { floor: Latencies; busyFloor: Latencies; own: Latencies }[] = []
    for (let round = 0; round < ROUNDS_AT_RATE; round += 1) {
      await contest.setWork(0)
      const floor = await latencies(contest.floor, load)
      await contest.setWork(extraMicros)
      const busyFloor = await latencies(contest.floor, load)
      const own = await latencies(contest.service, load)
      failOn(name, own)
      rounds.push({ floor, busyFloor, own })
    }
    const own = summary(rounds.map((round) => round.own))
    const floor = summary(rounds.map((round) => round.floor))
    const busyFloor = summary(rounds.map((round) => round.busyFloor))
    const ratio = own.p99 / floor.p99
    const busyRatio = own.p99 / busyFloor.p99
    const slow = record(`${name}, p99 / p99 of the floor`, ratio, 'at most', MAX_P99_RATIO)
    const queued = record(`${name}, p99 / p99 of a floor as busy`, busyRatio, 'at most', MAX_P99_RATIO)
    const blocked = record(`${name}, longest event-loop block`, own.block, 'at most', MAX_BLOCK_MS, 'ms')
    printRow([
      name,
      rate.toFixed(0),
      ...[own.p50, own.p99, floor.p50, floor.p99, ratio, busyFloor.p99, busyRatio].map((value) => value.toFixed(2)),
      ...[own.block, floor.block].map((value) => value.toFixed(1)),
      `${MAX_P99_RATIO}, ${MAX_BLOCK_MS} ms${slow || queued || blocked}`,
    ])
  }
}

interface Latencies extends LoadResult {
  block: number
}

/** Returns the medians, so that one slow round does not count, and the longest block of all rounds. */
function summary(rounds: readonly Latencies[]) {
  return {
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    block: Math.max(...rounds.map(({ block }) => block)),
  }
}

async function latencies(server: Server, load: Omit<Load, 'port'> & { rate: number }): Promise<Latencies> {
  await longestBlock(server)
  const result = await atRate({ port: server.port, ...load })
  return { ...result, block: await longestBlock(server) }
}

function failOn(name: string, { failures }: LoadResult): void {
  if (failures > 0) throw new Error(`${name}: ${failures} requests failed`)
}

/** Returns pages 2 to 20 of many filtered lists: pages behind a cursor are not cached. */
async function crawl(service: Service): Promise<string[]> {
  const lists = [
    ...['en', 'de', 'fr', 'ja'].map((language) => `language=${language}`),
    ...['US', 'GB', 'DE'].map((code) => `countryCode=${code}`),
    ...['AAPL', 'BTC', 'NVDA', 'TSLA'].map((key) => `assetKey=${key}`),
    'topicSlug=earnings',
    'hasAssets=false',
  ]
  const paths: string[] = []
  for (const list of lists) paths.push(...(await distinctPages(service, `/api/v1/entries?${list}`, 19)))
  return paths
}
