import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createPlace, onEveryEngine, type Place } from '../../test/harness.ts'
import type { Bus, BusTopic } from './bus.ts'
import { MemoryBus } from './memory-bus.ts'
import { PostgresBus } from './postgres-bus.ts'

onEveryEngine('bus', (engine) => {
  let place: Place
  const opened: Bus[] = []
  const errors: unknown[] = []
  before(async () => {
    place = await createPlace(engine)
  })
  after(async () => {
    for (const bus of opened) await bus.close()
    await place.remove()
  })

  async function open(): Promise<Bus> {
    const onError = (error: unknown) => errors.push(error)
    const url = place.env.DATABASE_URL
    const bus = url === undefined ? new MemoryBus(onError) : await PostgresBus.open(url, onError)
    opened.push(bus)
    return bus
  }

  function receivedBy(bus: Bus, topic: BusTopic) {
    const received: (string | undefined)[] = []
    bus.subscribe(topic, (text) => {
      received.push(text)
    })
    return received
  }

  /** PostgreSQL delivers notifications after a moment. */
  async function waitUntil(isDone: () => boolean) {
    for (let wait = 0; !isDone() && wait < 500; wait += 1) await delay(10)
    assert.ok(isDone())
  }

  test('publish resolves when the own listeners are done, and calls each once', async () => {
    const bus = await open()
    const received: (string | undefined)[] = []
    bus.subscribe('accounts', async (text) => {
      await new Promise(setImmediate)
      received.push(text)
    })
    const others = receivedBy(bus, 'signals')
    await bus.publish('accounts', 'one two')
    assert.deepEqual(received, ['one two'])
    await bus.publish('signals', '')
    assert.deepEqual(others, [''])
    assert.deepEqual(received, ['one two'])
  })

  test('an error of a listener is reported and does not affect other listeners', async () => {
    const bus = await open()
    bus.subscribe('accounts', () => {
      throw new Error('broken')
    })
    const received = receivedBy(bus, 'accounts')
    await bus.publish('accounts', 'x')
    assert.deepEqual(received, ['x'])
    assert.equal(String(errors.pop()), 'Error: broken')
  })

  test('every other instance receives the text unchanged', async (t) => {
    if (engine === 'sqlite') return t.skip('needs several instances')
    const [first, second] = [await open(), await open()]
    const here = receivedBy(first, 'accounts')
    const there = receivedBy(second, 'accounts')
    for (const text of ['a', 'with spaces  and "quotes"', '']) await first.publish('accounts', text)
    await waitUntil(() => there.length === 3)
    assert.deepEqual(there, ['a', 'with spaces  and "quotes"', ''])
    assert.deepEqual(here, there)
  })

  test('after a lost connection listeners get undefined, and messages arrive again', async (t) => {
    if (engine === 'sqlite') return t.skip('has no connection')
    const [first, second] = [await open(), await open()]
    const there = receivedBy(second, 'signals')
    await first.publish('signals', 'before')
    await waitUntil(() => there.length === 1)
    const killer = new pg.Client({ connectionString: place.env.DATABASE_URL })
    await killer.connect()
    await killer.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await killer.end()
    await waitUntil(() => there.includes(undefined))
    await first.publish('signals', 'after')
    await waitUntil(() => there.includes('after'))
    assert.deepEqual(there, ['before', undefined, 'after'])
  })
})
