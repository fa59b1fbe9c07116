import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { onEveryEngine, openTestDb } from '../../test/harness.ts'
import { ApiError } from '../model/errors.ts'
import { MINUTE } from '../model/time.ts'
import { acquireLease } from '../store/leases.ts'
import { createStore } from '../store/store.ts'
import { withAccountLease } from './account-lease.ts'

onEveryEngine('changes of an account at the processor', (engine) => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  before(async () => {
    opened = await openTestDb(engine)
  })
  after(() => opened.close())

  test('are made one after the other, those of different accounts at once', async () => {
    const store = createStore(opened.db.ledger)
    const instances = store.exclusive ? [store] : [store, createStore(opened.db.ledger)]
    const accounts = [randomUUID(), randomUUID()]
    const running = new Set<string>()
    const work = (account: string) => async () => {
      assert.ok(!running.has(account))
      running.add(account)
      await setImmediate()
      running.delete(account)
    }
    await Promise.all(
      instances.flatMap((instance) =>
        accounts.flatMap((account) => [1, 2, 3].map(() => withAccountLease(instance, account, work(account)))),
      ),
    )
    const [one = '', other = ''] = accounts
    await withAccountLease(store, one, () => withAccountLease(store, other, async () => {}))
  })

  test('that fail do not block the next', async () => {
    const store = createStore(opened.db.ledger)
    const account = randomUUID()
    await assert.rejects(
      withAccountLease(store, account, () => Promise.reject(new Error('no'))),
      /no/,
    )
    assert.equal(await withAccountLease(store, account, async () => 'next', 0), 'next')
  })

  test('are refused with 400 while another instance is still at it after the wait', {
    skip: engine === 'sqlite' && 'it has one process',
  }, async () => {
    const account = randomUUID()
    await acquireLease(opened.db.ledger, `billing:${account}`, 'other', MINUTE)
    await assert.rejects(
      withAccountLease(createStore(opened.db.ledger), account, () => assert.fail('the lease is taken'), 0),
      (error) => error instanceof ApiError && error.code === 'BAD_REQUEST' && /try again/.test(error.message),
    )
  })
})
