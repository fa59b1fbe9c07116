import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { FakeClock, onEveryEngine, onPostgres, openTestDb } from '../../../test/harness.ts'
import { loggedRequest } from '../../../test/logged-request.ts'
import { StreamWorld } from '../../../test/streams.ts'
import type { Caller } from '../../admission/caller.ts'
import type { LoggedRequest } from '../../model/request-log.ts'
import type { Db, Transaction } from '../db.ts'
import { createStore, type Store } from '../store.ts'
import { recordRequests } from './record-requests.ts'

const START = new FakeClock().now()
/** Balances with lots, lots with transfers, the log with its blocks, daily usage and keys, days. */
const ROUND_TRIPS = 4

onEveryEngine('a group commit', (engine) => {
  let db: Db
  let close: () => Promise<void>
  let store: Store
  before(async () => {
    ;({ db, close } = await openTestDb(engine))
    store = createStore(db)
  })
  after(() => close())

  for (const accounts of [1, 16]) {
    test(`takes the same round trips for the requests of ${accounts} accounts`, async () => {
      const world = new StreamWorld(store)
      const callers: Caller[] = []
      for (let count = 0; count < accounts; count += 1) callers.push(await world.caller('starter', 100))
      const at = world.clock.now()
      const usedKeys = callers.map(({ key }) => [key.id, at] as const)
      const charge = () =>
        db.ledger.transaction(async (tx) => {
          const requests = callers.map(({ account, key }) =>
            loggedRequest({ accountId: account.id, apiKeyId: key.id, createdAt: at }),
          )
          const counted = inRounds(tx)
          await recordRequests.work(counted.tx, {
            batches: [{ id: randomUUID(), requests, rateLimited: [], usedKeys }],
          })
          return counted.rounds()
        })
      // One more to find out whether an endpoint is charged for the first time on a day.
      assert.equal(await charge(), ROUND_TRIPS + 1)
      assert.equal(await charge(), ROUND_TRIPS)
      assert.deepEqual((await store.audit.run()).problems, [])
    })
  }

  const calls = fc.array(fc.record({ caller: fc.nat(5), credits: fc.nat(4) }), { minLength: 1, maxLength: 30 })

  test('takes what each balance covers, request by request, whatever the other accounts have', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(20), { minLength: 6, maxLength: 6 }),
        fc.array(calls),
        async (opening, batches) => {
          const world = new StreamWorld(store)
          const callers: Caller[] = []
          for (const credits of opening) callers.push(await world.caller('starter', credits))
          const left = [...opening]
          for (const batch of batches) {
            const { refused, balances } = await store.requestLog.record(requestsOf(batch, callers), [], randomUUID())
            assert.deepEqual([...refused], expectedRefusals(batch, left))
            for (const [id, balance] of balances) {
              assert.equal(balance.credits, left[callers.findIndex(({ account }) => account.id === id)])
              assert.equal(balance.transferId, (await store.ledger.lastBalance(id)).transferId)
            }
          }
          for (const [place, { account }] of callers.entries()) {
            assert.equal(await store.ledger.balance(account.id), left[place])
          }
          assert.deepEqual((await store.audit.run()).problems, [])
        },
      ),
      { numRuns: runs(10, 100) },
    )
  })

  test('charges each request once beside other commits, in any order of accounts', async () => {
    const world = new StreamWorld(store)
    const callers: Caller[] = []
    for (let count = 0; count < 6; count += 1) callers.push(await world.caller('starter', 60))
    const batches = fc.sample(calls, { numRuns: 12, seed: 23 })
    const requests = batches.map((batch) => requestsOf(batch, callers))
    const recorded = await Promise.all(requests.map((batch) => store.requestLog.record(batch, [], randomUUID())))
    for (const { account } of callers) {
      const taken = requests.flatMap((batch, place) =>
        batch.filter(({ accountId }, index) => accountId === account.id && !recorded[place]?.refused.has(index)),
      )
      const spent = taken.reduce((sum, { credits }) => sum + credits, 0)
      assert.equal(await store.ledger.balance(account.id), 60 - spent)
    }
    assert.deepEqual((await store.audit.run()).problems, [])
  })
})

onPostgres('commits beside each other', () => {
  test('a batch that its account does not cover burns the lots that another commit has left', async () => {
    const { db, close } = await openTestDb('postgres')
    try {
      const store = createStore(db)
      const caller = await new StreamWorld(store).caller('starter', 2)
      const { id: accountId } = caller.account
      const grant = { accountId, credits: 3, kind: 'adjustment', description: '', idempotencyKey: 'more', at: START }
      await store.ledger.grant({ ...grant, kind: 'adjustment' }, 'adjustment')
      const calls = (count: number) => requestsOf(Array(count).fill({ caller: 0, credits: 1 }), [caller])
      const charged = Promise.withResolvers<void>()
      const mayCommit = Promise.withResolvers<void>()
      const first = db.transaction(async (tx) => {
        const batch = { id: randomUUID(), requests: calls(2), rateLimited: [], usedKeys: [] }
        await recordRequests.work(tx, { batches: [batch] })
        charged.resolve()
        await mayCommit.promise
      })
      await charged.promise
      const second = store.requestLog.record(calls(6), [], randomUUID())
      while ((await db.query('select 1 from pg_locks where not granted')).length === 0) await delay(5)
      mayCommit.resolve()
      await first
      assert.deepEqual([...(await second).refused], [3, 4, 5])
      assert.deepEqual((await store.audit.run()).problems, [])
    } finally {
      await close()
    }
  })
})

interface Call {
  caller: number
  credits: number
}

function requestsOf(calls: readonly Call[], callers: readonly Caller[]): LoggedRequest[] {
  return calls.flatMap(({ caller, credits }) => {
    const { account, key } = callers[caller] ?? {}
    if (account === undefined || key === undefined) return []
    return [loggedRequest({ accountId: account.id, apiKeyId: key.id, createdAt: START, credits })]
  })
}

/** Returns the places of the calls that a balance does not cover, and takes the others from `left`. */
function expectedRefusals(calls: readonly Call[], left: number[]): number[] {
  const sums = left.map((_, caller) => sumOf(calls.filter((call) => call.caller === caller)))
  const isWhole = left.map((balance, caller) => (sums[caller] ?? 0) <= balance)
  return calls.flatMap(({ caller, credits }, place) => {
    const balance = left[caller] ?? 0
    if (credits > 0 && !isWhole[caller] && credits > balance) return [place]
    left[caller] = balance - credits
    return []
  })
}

const sumOf = (calls: readonly Call[]) => calls.reduce((sum, { credits }) => sum + credits, 0)

/** Delivers answers in rounds: statements that are sent before an answer arrives share a round trip. */
function inRounds(tx: Transaction): { tx: Transaction; rounds(): number } {
  let rounds = 0
  let waiting: { answers: Promise<unknown>[]; delivered: Promise<void> } | undefined
  const deliver = async <T>(answer: Promise<T>): Promise<T> => {
    if (waiting === undefined) {
      const answers: Promise<unknown>[] = []
      const delivered = new Promise((resolve) => setImmediate(resolve)).then(async () => {
        waiting = undefined
        rounds += 1
        await Promise.allSettled(answers)
      })
      waiting = { answers, delivered }
    }
    waiting.answers.push(answer)
    await waiting.delivered
    return answer
  }
  return {
    rounds: () => rounds,
    tx: {
      dialect: tx.dialect,
      query: (sql, params) => deliver(tx.query(sql, params)),
      insert: (...rows) => deliver(tx.insert(...rows)),
    },
  }
}
