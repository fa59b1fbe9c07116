/** A client that is disconnected again and again, at any moment, receives every signal once and in order. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { runs } from '../depth.ts'
import { EventReader } from '../event-source.ts'
import { onEveryEngine } from '../harness.ts'
import { newSignal } from '../signals.ts'
import { startStreamService } from '../streams.ts'

const LEAST_PUBLISHED = 50
const CLIENTS = 20
const DISCONNECTS_EACH = runs(5, 50)

/** Fixed, so that every run makes the same choices; only the timing of sockets differs. */
const SEED = 14
const BURSTS = fc.sample(
  fc.record({
    signals: fc.integer({ min: 1, max: 4 }),
    isHeartbeatDue: fc.nat({ max: 9 }).map((number) => number === 0),
    hasTick: fc.nat({ max: 2 }).map((number) => number === 0),
    pauseMs: fc.nat({ max: 30 }),
  }),
  { seed: SEED, numRuns: 100 },
)
const DISCONNECTS = fc.sample(fc.record({ afterMs: fc.nat({ max: 30 }), afterEvents: fc.nat({ max: 60 }) }), {
  seed: SEED,
  numRuns: CLIENTS * DISCONNECTS_EACH,
})

onEveryEngine('a resumed stream', (engine) => {
  let started: Awaited<ReturnType<typeof startStreamService>>
  before(async () => {
    started = await startStreamService(engine)
  })
  after(() => started.service.stop())

  test(`loses and repeats nothing across ${DISCONNECTS.length} disconnects`, async () => {
    const { service, account } = started
    const { clock } = service
    const { store, bus, streams } = service.mintick
    const url = `${started.url}/signals/stream`
    let isDone = false
    let published = 0

    async function publishBursts(): Promise<void> {
      for (let index = 0; !isDone || published <= LEAST_PUBLISHED; index++) {
        const burst = BURSTS[index % BURSTS.length]
        assert.ok(burst)
        const changes = Array.from({ length: burst.signals }, () => ({
          type: 'new' as const,
          signal: newSignal(clock.now(), { direction: published++ % 2 === 0 ? 'bullish' : 'bearish' }),
          supersedes: [],
        }))
        await store.signals.apply(changes, [], clock.now())
        void bus.publish('signals', '')
        if (burst.isHeartbeatDue) clock.advance(15_000)
        if (burst.hasTick) streams.signals.tick()
        await delay(burst.pauseMs)
      }
    }

    /** Returns the ids of the received signals. */
    async function read(query: string, disconnects: typeof DISCONNECTS): Promise<string[]> {
      const received: string[] = []
      let lastId = '0'
      for (const { afterMs, afterEvents } of disconnects) {
        const reader = await EventReader.open(url + query, account.key, lastId)
        const timer = setTimeout(() => reader.close(), afterMs)
        try {
          for (let count = 0; count < afterEvents; count++) {
            const message = await reader.next()
            if (message === undefined) break
            assert.ok(Number(message.id) >= Number(lastId), 'ids never decrease')
            lastId = message.id
            if (message.event === 'signal') received.push(message.data.signal.id)
          }
        } catch (error) {
          if (!(error instanceof DOMException)) throw error
        }
        clearTimeout(timer)
        reader.close()
      }
      const last = await EventReader.open(url + query, account.key, lastId)
      const { data } = await last.nextOf('ready')
      for (let left = data.replayCount; left > 0; left--) received.push((await last.nextOf('signal')).data.signal.id)
      last.close()
      return received
    }

    const publishing = publishBursts()
    const queries = Array.from({ length: CLIENTS }, (_, index) => (index % 2 === 0 ? '' : '?direction=bearish'))
    const readings = await Promise.all(
      queries.map((query, index) =>
        read(query, DISCONNECTS.slice(index * DISCONNECTS_EACH, (index + 1) * DISCONNECTS_EACH)),
      ),
    )
    isDone = true
    await publishing

    const log = await store.signalLog.listAfter(0, await store.signalLog.head(), 1_000_000)
    for (const [index, received] of readings.entries()) {
      const expected = log.filter(({ direction }) => queries[index] === '' || direction === 'bearish')
      assert.ok(received.length > 5, `only ${received.length} signals were received`)
      assert.deepEqual(
        received,
        expected.slice(0, received.length).map(({ doc }) => JSON.parse(doc).id),
      )
    }
  })
})
