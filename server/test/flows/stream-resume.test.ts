/** A client that is cut off again and again, at any moment, gets every signal once and in order. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { runs } from '../depth.ts'
import { dice } from '../dice.ts'
import { EventReader } from '../event-source.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'
import { newSignal } from '../signals.ts'

const DISCONNECTS = runs(160, 1_000)
const CLIENTS = 20

onEveryEngine('a stream that is resumed', (engine) => {
  const service = serviceForSuite(engine)
  before(async () => {
    await service.mintick.store.assets.upsert([{ key: 'AAPL', name: 'Apple', type: 'equity' }], service.clock.now())
  })

  test(`loses and repeats nothing across ${DISCONNECTS} disconnects at random moments`, async () => {
    const { clock } = service
    const roll = dice(5)
    const { store, bus, streams } = service.mintick
    const url = `${await service.listen()}/signals/stream`
    const { key } = await service.openUnlimited()
    let isDone = false
    let published = 0

    /** Finds signals in bursts, and lets the time of heartbeats pass. */
    async function publish(): Promise<void> {
      while (!isDone) {
        const changes = Array.from({ length: 1 + Math.floor(roll() * 4) }, () => ({
          type: 'new' as const,
          signal: newSignal(clock.now(), { direction: (published++ % 2 === 0 ? 'bullish' : 'bearish') as 'bullish' }),
          supersedes: [],
        }))
        await store.signals.apply(changes, [], clock.now())
        void bus.publish('signals', '')
        if (roll() < 0.1) clock.advance(15_000)
        if (roll() < 0.3) streams.tick()
        await delay(roll() * 30)
      }
    }

    /** Reads, cut off after a random number of events or milliseconds; gives the ids of the signals that it was told of. */
    async function read(query: string): Promise<string[]> {
      const got: string[] = []
      let lastId = '0'
      for (let cut = 0; cut < DISCONNECTS / CLIENTS; cut++) {
        const reader = await EventReader.open(url + query, key, lastId)
        const timer = setTimeout(() => reader.close(), roll() * 30)
        const most = Math.floor(roll() * 60)
        try {
          for (let count = 0; count < most; count++) {
            const message = await reader.next()
            if (message === undefined) break
            assert.ok(Number(message.id) >= Number(lastId), 'ids never fall')
            lastId = message.id
            if (message.event === 'signal') got.push(message.data.signal.id)
          }
        } catch (error) {
          if (!(error instanceof DOMException)) throw error
        }
        clearTimeout(timer)
        reader.close()
      }
      const last = await EventReader.open(url + query, key, lastId)
      const { data } = await last.nextOf('ready')
      for (let left = data.replayCount; left > 0; left--) got.push((await last.nextOf('signal')).data.signal.id)
      last.close()
      return got
    }

    const publishing = publish()
    const queries = Array.from({ length: CLIENTS }, (_, index) => (index % 2 === 0 ? '' : '?direction=bearish'))
    const readings = await Promise.all(queries.map(read))
    isDone = true
    await publishing

    const log = await store.signalLog.listAfter(0, await store.signalLog.head(), 1_000_000)
    for (const [index, got] of readings.entries()) {
      const expected = log.filter(({ direction }) => queries[index] === '' || direction === 'bearish')
      assert.ok(got.length > 20, `only ${got.length} signals were read`)
      assert.deepEqual(
        got,
        expected.slice(0, got.length).map(({ doc }) => JSON.parse(doc).id),
      )
    }
    assert.ok(published > 50, `only ${published} signals were found`)
  })
})
