/** Process: the service, which finds a signal or says how it is when it is told to. Only it can write to its store. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { createMintick } from '../src/main.ts'
import { newSignal } from '../test/signals.ts'
import { answerOrders, monotonicMs } from './orders.ts'

export type ServiceOrder = { type: 'signal' } | { type: 'state' }

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

answerOrders<ServiceOrder, number | ServiceState>(({ type }) => (type === 'signal' ? findSignal() : state()))
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

async function state(): Promise<ServiceState> {
  for (let collection = 0; collection < COLLECTIONS; collection += 1) {
    globalThis.gc?.()
    await delay(200)
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { residentKb: rss / 1_024, heapKb: (heapUsed + external) / 1_024, openStreams: streams.count }
}
