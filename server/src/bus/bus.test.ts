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

  function heardBy(bus: Bus, topic: BusTopic) {
    const heard: (string | undefined)[] = []
    bus.subscribe(topic, (text) => {
      heard.push(text)
    })
    return heard
  }

  /** Until PostgreSQL has passed it on. */
  async function until(isSo: () => boolean) {
    for (let wait = 0; !isSo() && wait < 500; wait += 1) await delay(10)
    assert.ok(isSo())
  }

  test('the own listeners are done when publishing is, and hear it once', async () => {
    const bus = await open()
    const heard: (string | undefined)[] = []
    bus.subscribe('accounts', async (text) => {
      await delay(1)
      heard.push(text)
    })
    const others = heardBy(bus, 'signals')
    await bus.publish('accounts', 'one two')
    assert.deepEqual(heard, ['one two'])
    await bus.publish('signals', '')
    assert.deepEqual(others, [''])
    assert.deepEqual(heard, ['one two'])
  })

  test('a listener that fails is reported, and the others hear all the same', async () => {
    const bus = await open()
    bus.subscribe('accounts', () => {
      throw new Error('deaf')
    })
    const heard = heardBy(bus, 'accounts')
    await bus.publish('accounts', 'x')
    assert.deepEqual(heard, ['x'])
    assert.equal(String(errors.pop()), 'Error: deaf')
  })

  test('every other instance hears it, with its text unchanged', async () => {
    if (engine === 'sqlite') return // it has one instance
    const [first, second] = [await open(), await open()]
    const here = heardBy(first, 'accounts')
    const there = heardBy(second, 'accounts')
    for (const text of ['a', 'with spaces  and "quotes"', '']) await first.publish('accounts', text)
    await until(() => there.length === 3)
    assert.deepEqual(there, ['a', 'with spaces  and "quotes"', ''])
    assert.deepEqual(here, there)
  })

  test('after a lost connection everything is to be looked at, and hints arrive again', async () => {
    if (engine === 'sqlite') return // it has no connection
    const [first, second] = [await open(), await open()]
    const there = heardBy(second, 'signals')
    await first.publish('signals', 'before')
    await until(() => there.length === 1)
    const killer = new pg.Client({ connectionString: place.env.DATABASE_URL })
    await killer.connect()
    await killer.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await killer.end()
    await until(() => there.includes(undefined))
    await first.publish('signals', 'after')
    await until(() => there.includes('after'))
    assert.deepEqual(there, ['before', undefined, 'after'])
  })
})
