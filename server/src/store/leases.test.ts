import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { onEveryEngine, openTestDb } from '../../test/harness.ts'
import { MINUTE } from '../model/time.ts'
import type { Transaction } from './db.ts'
import { acquireLease, LeaseLost, Leases, LeaseTaken, releaseLease, renewLease } from './leases.ts'
import { createStore } from './store.ts'

onEveryEngine('leases', (engine) => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  before(async () => {
    opened = await openTestDb(engine)
  })
  after(() => opened.close())

  /** A process of its own on PostgreSQL; SQLite has one only. */
  const otherInstance = (first: Leases) => (opened.db.ledger.exclusive ? first : new Leases(opened.db.ledger))
  const skip = engine === 'sqlite' && 'it has one process'

  test('work of the same name never overlaps', async () => {
    const first = new Leases(opened.db.ledger)
    let running = 0
    const work = async () => {
      running += 1
      await setImmediate()
      assert.equal(running, 1)
      running -= 1
    }
    await Promise.all([first, otherInstance(first)].flatMap((leases) => [1, 2, 3].map(() => leases.run('same', work))))
  })

  test('work of different names overlaps', async () => {
    const leases = new Leases(opened.db.ledger)
    const both = await leases.run('one', () => leases.run('two', async () => 'both', { waitMs: 0 }))
    assert.equal(both, 'both')
  })

  test('work in one process runs in the order of the calls', async () => {
    const leases = new Leases(opened.db.ledger)
    const order: number[] = []
    const work = (number: number) => async () => {
      await setImmediate()
      order.push(number)
    }
    await Promise.all([1, 2, 3].map((number) => leases.run('order', work(number))))
    assert.deepEqual(order, [1, 2, 3])
  })

  test('a lease is free as soon as the work is done', async () => {
    const first = new Leases(opened.db.ledger)
    assert.equal(await first.run('done', async () => 'first'), 'first')
    assert.equal(await otherInstance(first).run('done', async () => 'second', { waitMs: 0 }), 'second')
  })

  test('work that fails releases its lease', async () => {
    const first = new Leases(opened.db.ledger)
    const failed = first.run('failing', () => Promise.reject(new Error('no')))
    await assert.rejects(failed, /no/)
    assert.equal(await otherInstance(first).run('failing', async () => 'next', { waitMs: 0 }), 'next')
    assert.equal(await first.run('failing', async () => 'again', { waitMs: 0 }), 'again')
  })

  test('an expired lease can be taken over, and its old holder can neither renew nor release it', async () => {
    const db = opened.db.ledger
    assert.equal(await acquireLease(db, 'expired', 'dead', 0), true)
    assert.equal(await acquireLease(db, 'expired', 'next', MINUTE), true)
    assert.equal(await acquireLease(db, 'expired', 'third', MINUTE), false)
    assert.equal(await renewLease(db, 'expired', 'dead', MINUTE), false)
    await releaseLease(db, 'expired', 'dead')
    assert.equal(await acquireLease(db, 'expired', 'third', MINUTE), false)
    await releaseLease(db, 'expired', 'next')
    assert.equal(await acquireLease(db, 'expired', 'third', MINUTE), true)
  })

  test('a renewed lease does not expire', async () => {
    const db = opened.db.ledger
    await acquireLease(db, 'renewed', 'holder', 0)
    assert.equal(await renewLease(db, 'renewed', 'holder', MINUTE), true)
    assert.equal(await acquireLease(db, 'renewed', 'other', MINUTE), false)
  })

  test('long work renews its lease', { skip }, async () => {
    const expiry = async () => {
      const [row] = await opened.db.ledger.query<{ at: number }>(
        `select expires_at as at from leases where name = 'long'`,
      )
      return row?.at ?? assert.fail('no lease')
    }
    await new Leases(opened.db.ledger, { ttlMs: 60 }).run('long', async () => {
      const start = await expiry()
      while ((await expiry()) < start + 100) await wait(10)
    })
  })

  test('a lease that stays taken is given up after the wait, or when the caller stops', { skip }, async () => {
    await acquireLease(opened.db.ledger, 'taken', 'other', MINUTE)
    const leases = new Leases(opened.db.ledger)
    const work = () => assert.fail('the lease is taken')
    await assert.rejects(leases.run('taken', work, { waitMs: 0 }), LeaseTaken)
    const stopping = new AbortController()
    const waiting = leases.run('taken', work, { signal: stopping.signal })
    await setImmediate()
    stopping.abort()
    await assert.rejects(waiting, LeaseTaken)
    await assert.rejects(leases.run('taken', work, { signal: stopping.signal }), LeaseTaken)
  })

  test('whoever lost its lease to another instance commits nothing any more', { skip }, async () => {
    const db = opened.db.ledger
    const insert = (tx: Transaction, name: string) =>
      tx.query('insert into store_facts (name, value) values ($1, $1)', [name])
    const lost = new Leases(db, { ttlMs: 0 }).run('lost', async (lease) => {
      await db.transaction(async (tx) => {
        await lease.verify(tx)
        await insert(tx, 'before')
      })
      await acquireLease(db, 'lost', 'other', MINUTE)
      await db.transaction(async (tx) => {
        await insert(tx, 'after')
        await lease.verify(tx)
      })
    })
    await assert.rejects(lost, LeaseLost)
    const kept = await db.query(`select name from store_facts where name in ('before', 'after')`)
    assert.deepEqual(kept, [{ name: 'before' }])
    assert.equal(await acquireLease(db, 'lost', 'third', MINUTE), false, 'the lease of the other instance stays')
  })

  test('clusters, signals and progress are not written under a lost lease', { skip }, async () => {
    const { clusters, progress, signals } = createStore(opened.db.ledger)
    await new Leases(opened.db.ledger, { ttlMs: 0 }).run('stale', async (lease) => {
      await progress.save('task', { low: 0, high: 1 }, lease)
      await acquireLease(opened.db.ledger, 'stale', 'other', MINUTE)
      await assert.rejects(progress.save('task', { low: 0, high: 2 }, lease), LeaseLost)
      await assert.rejects(signals.apply([], [{ task: 'task', low: 0, high: 2 }], 0, lease), LeaseLost)
      await assert.rejects(clusters.upsert([], 0, lease), LeaseLost)
    })
    assert.deepEqual(await progress.find('task'), { low: 0, high: 1 })
  })

  test('a lease cannot be taken over between its verification and the commit', { skip }, async () => {
    const db = opened.db.ledger
    await new Leases(db, { ttlMs: 0 }).run('verified', async (lease) => {
      const events: string[] = []
      let takeover: Promise<unknown> | undefined
      await db.transaction(async (tx) => {
        await lease.verify(tx)
        takeover = acquireLease(db, 'verified', 'other', MINUTE).then(() => events.push('taken over'))
        await wait(50)
        events.push('committed')
      })
      await takeover
      assert.deepEqual(events, ['committed', 'taken over'])
    })
  })
})
