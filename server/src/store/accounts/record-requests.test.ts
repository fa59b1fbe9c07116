import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { loggedRequest } from '../../../test/logged-request.ts'
import { StreamWorld } from '../../../test/streams.ts'
import type { Db, Transaction } from '../db.ts'
import { createStore, type Store } from '../store.ts'
import { recordRequests } from './record-requests.ts'

/** Balances with lots, lots with transfers, the log with its blocks, daily usage with keys, days. */
const ROUND_TRIPS = 5

onEveryEngine('round trips of a group commit', (engine) => {
  let db: Db
  let close: () => Promise<void>
  let store: Store
  before(async () => {
    ;({ db, close } = await openTestDb(engine))
    store = createStore(db)
  })
  after(() => close())

  for (const accounts of [1, 16]) {
    test(`are the same for the requests of ${accounts} accounts`, async () => {
      const world = new StreamWorld(store)
      const callers: Awaited<ReturnType<StreamWorld['caller']>>[] = []
      for (let count = 0; count < accounts; count += 1) callers.push(await world.caller('starter', 100))
      const at = world.clock.now()
      const usedKeys = callers.map(({ key }) => [key.id, at] as const)
      const charge = () =>
        db.ledger.transaction(async (tx) => {
          const requests = callers.map(({ account, key }) =>
            loggedRequest({ accountId: account.id, apiKeyId: key.id, createdAt: at }),
          )
          const counted = inRounds(tx)
          await recordRequests.work(counted.tx, { id: randomUUID(), requests, rateLimited: [], usedKeys })
          return counted.rounds()
        })
      // One more to find out whether an endpoint is charged for the first time on a day.
      assert.equal(await charge(), ROUND_TRIPS + 1)
      assert.equal(await charge(), ROUND_TRIPS)
      assert.deepEqual((await store.audit.run()).problems, [])
    })
  }
})

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
      query: (sql, params) => deliver(tx.query(sql, params)),
      insert: (...rows) => deliver(tx.insert(...rows)),
    },
  }
}
