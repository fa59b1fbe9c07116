import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { FakeClock, storeForSuite } from '../../test/harness.ts'
import { newSignal } from '../../test/signals.ts'
import type { Caller } from '../admission/caller.ts'
import { MemoryBus } from '../bus/memory-bus.ts'
import type { Frame, Wire } from '../http/wire.ts'
import type { SignalEvent } from '../model/signals.ts'
import type { SignalLog } from '../store/signals/signal-log.ts'
import { LiveStreams } from './live-streams.ts'
import { signalEvents } from './signal-events.ts'

const CALLER = { plan: { slug: 'custom' } } as Caller

const onError = (error: unknown) => assert.fail(String(error))

async function waitMicrotasks(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await undefined
}

const eventOf = (id: number): SignalEvent => ({
  id,
  change: 'new',
  kind: 'news_volume_spike',
  direction: 'neutral',
  assetKey: 'AAPL',
  strength: 1,
  confidence: 1,
  doc: '{}',
})

/** Creates a log whose reads take an exact number of microtasks, which a real store cannot. */
function logOf(events: readonly SignalEvent[], headDelay: number, listDelay: number): SignalLog {
  const listAfter = async (after: number, upTo: number) => {
    const listed = events.filter(({ id }) => id > after && id <= upTo)
    await waitMicrotasks(listDelay)
    return listed
  }
  return {
    head: () => waitMicrotasks(headDelay).then(() => events.length),
    oldest: async () => 1,
    listAfter,
    listFactsAfter: listAfter,
    prune: async () => {},
  }
}

describe('catching up', () => {
  const store = storeForSuite('sqlite')
  const clock = new FakeClock()
  before(() => store().assets.upsert([{ key: 'AAPL', name: 'Apple', type: 'equity' }], clock.now()))

  async function openStreams(source: ReturnType<typeof signalEvents>) {
    const streams = new LiveStreams({
      source,
      bus: new MemoryBus(onError),
      meter: {
        creditsPerMinute: () => 5,
        open: async () => ({ close: async () => {} }),
      },
      clock,
      onError,
    })
    await streams.start()
    return streams
  }

  function createWire() {
    const ids: number[] = []
    const wire: Wire = {
      send(frame: Frame) {
        if (frame.event === 'signal') ids.push(frame.id)
      },
      waitingBytes: 0,
      probe() {},
      async drained() {},
      end() {},
    }
    return { ids, wire }
  }

  test('misses no event that arrives at the moment the stream joins the live ones', async () => {
    for (let headDelay = 0; headDelay < 12; headDelay++) {
      for (let listDelay = 0; listDelay < 12; listDelay++) {
        for (let wait = 0; wait < 12; wait++) {
          const events = [eventOf(1), eventOf(2)]
          const streams = await openStreams(signalEvents(logOf(events, headDelay, listDelay)))
          const { ids, wire } = createWire()
          const stream = await streams.open(CALLER, 'GET /signals/stream', {}, 1)
          stream.start(wire)
          await waitMicrotasks(wait)
          events.push(eventOf(3))
          streams.poll()
          for (const _ of [1, 2]) await setImmediate()
          assert.deepEqual(ids, [2, 3], `${headDelay} ${listDelay} ${wait}`)
          await streams.close()
        }
      }
    }
  })

  test('stops counting what is sent again once the client has left', async () => {
    const source = signalEvents(logOf([eventOf(1)], 0, 0))
    let mayGoOn: (() => boolean) | undefined
    const streams = await openStreams({
      ...source,
      countPassing: (...[, , , given]) => {
        mayGoOn = given
        return new Promise<number>(() => {})
      },
    })
    const stream = await streams.open(CALLER, 'GET /signals/stream', {}, 0)
    stream.start(createWire().wire)
    while (mayGoOn === undefined) await setImmediate()
    assert.equal(mayGoOn(), true)
    stream.disconnected()
    assert.equal(mayGoOn(), false)
    await streams.close()
  })

  test('yields to other requests, however many events were missed', async () => {
    const signals = Array.from({ length: 2_000 }, () => newSignal(clock.now()))
    await store().signals.apply(
      signals.map((signal) => ({ type: 'new', signal, supersedes: [] })),
      [],
      clock.now(),
    )
    const streams = await openStreams(signalEvents(store().signalLog))
    const { ids, wire } = createWire()
    const stream = await streams.open(CALLER, 'GET /signals/stream', {}, streams.head - 2_000)
    stream.start(wire)
    let turns = 0
    while (ids.length < 2_000) {
      await setImmediate()
      turns += 1
    }
    assert.ok(turns > 10, `everything was sent in ${turns} turns of the event loop`)
    await streams.close()
  })

  test('waits for a client that pauses, also if a page is longer than what may wait', async () => {
    const doc = JSON.stringify('x'.repeat(20_000))
    const events = Array.from({ length: 300 }, (_, index) => ({ ...eventOf(index + 1), doc }))
    const streams = await openStreams(signalEvents(logOf(events, 0, 0)))
    const { ids, wire } = createWire()
    let waitingBytes = 0
    const stream = await streams.open(CALLER, 'GET /signals/stream', {}, 0)
    stream.start({
      ...wire,
      send(frame) {
        wire.send(frame)
        waitingBytes += frame.sse.length
      },
      get waitingBytes() {
        return waitingBytes
      },
      async drained() {
        await setImmediate()
        waitingBytes = 0
      },
    })
    while (ids.length < 300 && streams.count === 1) await setImmediate()
    assert.equal(ids.length, 300)
    await streams.close()
  })
})
