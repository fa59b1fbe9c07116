/** Process: the service, which finds a signal or says how it is when it is told to. Only it can write to its store. */
import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { createMintick } from '../src/main.ts'
import { newSignal } from '../test/signals.ts'
import { answerOrders, monotonicMs } from './orders.ts'

export type ServiceOrder = { type: 'signal' } | { type: 'state' } | { type: 'longest-hold' }

/** Of the process, once what is garbage is gone. */
export interface ServiceState {
  residentKb: number
  heapKb: number
  openStreams: number
}

const COLLECTIONS = 4
/** Entries that a signal names, so that it is as long as a usual one. */
const EVIDENCE = 10

const config = readConfig()
const { app, store, bus, streams, clock } = await createMintick(config)

const holds = monitorEventLoopDelay({ resolution: 1 })
holds.enable()

answerOrders<ServiceOrder, number | ServiceState>(({ type }) => {
  if (type === 'signal') return findSignal()
  return type === 'state' ? state() : longestHold()
})
process.stdout.write(`The service is ready at ${await app.listen({ port: config.PORT, host: config.HOST })}\n`)

/** As detectors do; gives when it was committed. */
async function findSignal(): Promise<number> {
  const now = clock.now()
  const signal = newSignal(now, { entryIds: Array.from({ length: EVIDENCE }, () => randomUUID()) })
  await store.signals.apply([{ type: 'new', signal, supersedes: [] }], [], now)
  const committedAt = monotonicMs()
  await bus.publish('signals', '')
  return committedAt
}

/** Of the main thread since the last time, in milliseconds. */
async function longestHold(): Promise<number> {
  const longest = holds.max / 1e6
  holds.reset()
  return longest
}

async function state(): Promise<ServiceState> {
  for (let collection = 0; collection < COLLECTIONS; collection += 1) {
    globalThis.gc?.()
    await delay(200)
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { residentKb: rss / 1_024, heapKb: (heapUsed + external) / 1_024, openStreams: streams.count }
}
