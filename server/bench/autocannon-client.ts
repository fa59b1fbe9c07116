/** Process: drives load with autocannon where wrk is not installed. */
import autocannon from 'autocannon'
import { type Load, type LoadResult, turnsOf } from './client.ts'

const { port, connections, seconds, workers, ...turns }: Load & { workers: number } = JSON.parse(process.argv[2] ?? '')
const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections,
  duration: seconds,
  workers: Math.min(workers, connections),
  requests: turnsOf(turns).map(({ path, authorization }) => ({ method: 'GET', path, headers: { authorization } })),
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
