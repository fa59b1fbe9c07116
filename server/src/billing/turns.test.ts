import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { FakeClock, onEveryEngine, storeForSuite } from '../../test/harness.ts'
import { MINUTE } from '../model/time.ts'
import { Turns } from './turns.ts'

onEveryEngine('turns of an account', (engine) => {
  const store = storeForSuite(engine)

  test('are taken one after the other, those of different accounts at once', async () => {
    const clock = new FakeClock()
    const instances = store().exclusive
      ? [new Turns({ store: store(), clock })]
      : [1, 2].map(() => new Turns({ store: store(), clock }))
    const running = new Map<string, number>()
    let most = 0
    const work = (account: string) => async () => {
      const now = (running.get(account) ?? 0) + 1
      running.set(account, now)
      most = Math.max(most, now)
      await new Promise((done) => setImmediate(done))
      running.set(account, now - 1)
    }
    const accounts = [randomUUID(), randomUUID()]
    const all = instances.flatMap((turns) =>
      accounts.flatMap((account) => [1, 2, 3].map(() => turns.take(account, work(account)))),
    )
    await Promise.all(all)
    assert.equal(most, 1)
  })

  test('one that fails does not keep its turn', async () => {
    const turns = new Turns({ store: store(), clock: new FakeClock() })
    const account = randomUUID()
    await assert.rejects(
      turns.take(account, () => Promise.reject(new Error('no'))),
      /no/,
    )
    assert.equal(await turns.take(account, async () => 'next'), 'next')
  })

  test('one that died in its turn keeps it for two minutes at most', async () => {
    const clock = new FakeClock()
    const account = randomUUID()
    const { billingTurns } = store()
    const dead = await billingTurns.begin(account, clock.now(), clock.now() + 90_000)
    assert.ok(dead !== undefined)
    assert.equal(await billingTurns.begin(account, clock.now(), clock.now() + 90_000), undefined)
    clock.advance(2 * MINUTE)
    assert.equal(await new Turns({ store: store(), clock }).take(account, async () => 'mine'), 'mine')
    // Should it not be dead after all, it ends nobody else's turn.
    const mine = await billingTurns.begin(account, clock.now(), clock.now() + 90_000)
    await billingTurns.end(dead)
    assert.equal(await billingTurns.begin(account, clock.now(), clock.now() + 1), undefined)
    assert.ok(mine !== undefined)
  })
})
