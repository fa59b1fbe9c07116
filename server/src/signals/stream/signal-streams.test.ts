import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { FakeClock, storeForSuite } from '../../../test/harness.ts'
import { newSignal } from '../../../test/signals.ts'
import type { Caller } from '../../admission/caller.ts'
import { MemoryBus } from '../../bus/memory-bus.ts'
import type { Frame, Wire } from '../../http/wire.ts'
import type { SignalEvent } from '../../model/signals.ts'
import type { SignalLog } from '../../store/signals/signal-log.ts'
import { SignalStreams } from './signal-streams.ts'

const CALLER = { plan: { slug: 'custom' } } as Caller

const onError = (error: unknown) => assert.fail(String(error))

/** Lets a few other steps of the same turn go first. */
async function hops(count: number): Promise<void> {
  for (let hop = 0; hop < count; hop++) await undefined
}

const eventOf = (id: number): SignalEvent => ({
  id,
  kind: 'news_volume_spike',
  direction: 'neutral',
  assetKey: 'AAPL',
  strength: 1,
  confidence: 1,
  doc: '{}',
})

/** A log whose answers take just so many steps: a store cannot be told to the step when to answer. */
function logOf(events: readonly SignalEvent[], headHops: number, listHops: number): SignalLog {
  const listAfter = async (after: number, upTo: number) => {
    const listed = events.filter(({ id }) => id > after && id <= upTo)
    await hops(listHops)
    return listed
  }
  return {
    head: () => hops(headHops).then(() => events.length),
    oldest: async () => 1,
    listAfter,
    listFactsAfter: listAfter,
    prune: async () => {},
  }
}

describe('streams that catch up', () => {
  const store = storeForSuite('sqlite')
  const clock = new FakeClock()
  before(() => store().assets.upsert([{ key: 'AAPL', name: 'Apple', type: 'equity' }], clock.now()))

  async function openStreams(log: SignalLog) {
    const streams = new SignalStreams({
      log,
      bus: new MemoryBus(onError),
      meter: { creditsPerMinute: () => 5, open: async () => ({ close: async () => {} }) },
      clock,
      onError,
    })
    await streams.start()
    return streams
  }

  function listener() {
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

  test('miss nothing that is found at the very moment at which they have caught up', async () => {
    for (let headHops = 0; headHops < 12; headHops++) {
      for (let listHops = 0; listHops < 12; listHops++) {
        for (let wait = 0; wait < 12; wait++) {
          const events = [eventOf(1), eventOf(2)]
          const streams = await openStreams(logOf(events, headHops, listHops))
          const { ids, wire } = listener()
          const stream = await streams.open(CALLER, 'GET /signals/stream', { lastEventId: 1 })
          stream.start(wire)
          await hops(wait)
          events.push(eventOf(3))
          streams.look()
          for (const _ of [1, 2]) await setImmediate()
          assert.deepEqual(ids, [2, 3], `${headHops} ${listHops} ${wait}`)
          await streams.close()
        }
      }
    }
  })

  test('let others have their turn, however much they missed', async () => {
    const signals = Array.from({ length: 2_000 }, () => newSignal(clock.now()))
    await store().signals.apply(
      signals.map((signal) => ({ type: 'new', signal, supersedes: [] })),
      [],
      clock.now(),
    )
    const streams = await openStreams(store().signalLog)
    const { ids, wire } = listener()
    const stream = await streams.open(CALLER, 'GET /signals/stream', { lastEventId: streams.head - 2_000 })
    stream.start(wire)
    let turns = 0
    while (ids.length < 2_000) {
      await setImmediate()
      turns += 1
    }
    assert.ok(turns > 10, `all was sent in ${turns} turns`)
    await streams.close()
  })
})
