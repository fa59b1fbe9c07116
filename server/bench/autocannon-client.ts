/** Process: drives load with autocannon where wrk is not installed. */
import autocannon from 'autocannon'
import type { Load, LoadResult } from './client.ts'

const { port, paths, authorization, connections, seconds, workers }: Load & { workers: number } = JSON.parse(
  process.argv[2] ?? '',
)
const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections,
  duration: seconds,
  workers: Math.min(workers, connections),
  headers: { authorization },
  requests: paths.map((path) => ({ method: 'GET', path })),
})
const requests = result.requests.total
const figures: LoadResult = {
  requests,
  requestsPerSecond: requests / result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  failures: result.non2xx + result.errors,
}
process.stdout.write(JSON.stringify(figures))
