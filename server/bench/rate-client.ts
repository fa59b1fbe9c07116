/**
 * Process: sends requests at an even rate and counts each latency from the moment the request was due, so that a stall of
 * the server shows in all requests that it delays (coordinated omission). autocannon sends the requests of each second in
 * one burst, corrects by a fixed millisecond and rounds to milliseconds.
 */
import { type Load, type LoadResult, turnsOf } from './client.ts'
import { Connection, requestOf } from './connection.ts'

/** The first second warms up this client and is not counted. */
const WARM_UP_SECONDS = 1

const load: Load & { rate: number } = JSON.parse(process.argv[2] ?? '')
const { rate, seconds } = load
const messages = turnsOf(load).map(({ path, authorization }) => requestOf(path, authorization))
const idle = await Promise.all(Array.from({ length: load.connections }, () => Connection.open(load.port)))
const uncounted = Math.round(rate * WARM_UP_SECONDS)
const total = uncounted + Math.round(rate * seconds)
const latencies: number[] = []
let sent = 0
let answered = 0
let failures = 0

const startedAt = performance.now()
const dueAt = (request: number) => startedAt + (request * 1_000) / rate
await new Promise<void>((resolve) => {
  // Polling keeps an even pace; timers fire once per millisecond at most.
  const poll = () => {
    while (sent < total && dueAt(sent) <= performance.now()) {
      const connection = idle.pop()
      if (connection === undefined) break
      send(connection, sent++)
    }
    if (answered < total) setImmediate(poll)
    else resolve()
  }
  poll()
})
const elapsed = performance.now() - dueAt(uncounted)
for (const connection of idle) connection.close()

latencies.sort((a, b) => a - b)
const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN
const requests = latencies.length
const result: LoadResult = {
  requests,
  requestsPerSecond: requests / (elapsed / 1_000),
  p50: at(0.5),
  p99: at(0.99),
  failures,
}
process.stdout.write(JSON.stringify(result))

async function send(connection: Connection, request: number): Promise<void> {
  const status = await connection.get(messages[request % messages.length] ?? Buffer.alloc(0))
  if (status !== 200) failures += 1
  if (request >= uncounted) latencies.push(performance.now() - dueAt(request))
  answered += 1
  idle.push(connection)
}
