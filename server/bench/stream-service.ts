/** Process: the service, which on request inserts a record or reports its state. Only it can write to its store. */
import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { createMintick } from '../src/main.ts'
import { sampleEntries } from '../src/sample/world/entries.ts'
import { newSignal } from '../test/signals.ts'
import { answerOrders, monotonicMs } from './child-process.ts'

/** The records that streams send. */
export type Noun = 'signal' | 'entry'

export type ServiceOrder = { type: 'insert'; noun: Noun } | { type: 'state' } | { type: 'longest-block' }

/** The state of the process after garbage collection. */
export interface ServiceState {
  residentKb: number
  heapKb: number
  openStreams: number
}

const COLLECTIONS = 4
/** Number of entries in a signal, for a realistic size. */
const EVIDENCE = 10

const config = readConfig()
const { app, store, bus, streams, clock } = await createMintick(config)

const eventLoopDelay = monitorEventLoopDelay({ resolution: 1 })
eventLoopDelay.enable()

answerOrders<ServiceOrder, number | ServiceState>((given) => {
  if (given.type === 'insert') return given.noun === 'signal' ? insertSignal() : insertEntry()
  return given.type === 'state' ? state() : longestBlock()
})
process.stdout.write(`The service is ready at ${await app.listen({ port: config.PORT, host: config.HOST })}\n`)

/** Inserts a signal as detectors do and returns the time of the commit. */
async function insertSignal(): Promise<number> {
  const now = clock.now()
  const signal = newSignal(now, { entryIds: Array.from({ length: EVIDENCE }, () => randomUUID()) })
  await store.signals.apply([{ type: 'new', signal, supersedes: [] }], [], now)
  const committedAt = monotonicMs()
  await bus.publish('signals', '')
  return committedAt
}

/** Inserts an entry as intake does and returns the time of the commit. */
async function insertEntry(): Promise<number> {
  const now = clock.now()
  const [entry] = sampleEntries({ count: 1, from: now - 1, to: now, seed: randomUUID() })
  if (entry === undefined) throw new Error('the sample has no entry')
  await store.entries.insert([{ ...entry, id: randomUUID(), assetKeys: ['AAPL'] }])
  return monotonicMs()
}

/** Returns the longest block of the main thread since the last request, in milliseconds. */
async function longestBlock(): Promise<number> {
  const longest = eventLoopDelay.max / 1e6
  eventLoopDelay.reset()
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
