import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditCharges } from '../charges.ts'
import { runs } from '../depth.ts'
import { createPlace, onEveryEngine } from '../harness.ts'
import { killRounds } from '../kill-rounds.ts'
import { openAccountIn } from '../unlimited-account.ts'

const ROUNDS = runs(2, 20)
const OPENING_BALANCE = 1_000_000

onEveryEngine('kill -9 under load', (engine) => {
  let place: Awaited<ReturnType<typeof createPlace>>
  before(async () => {
    place = await createPlace(engine)
  })
  after(() => place.remove())

  test(`${ROUNDS} rounds: every answered 200 has exactly one charge record, and the audit holds`, async () => {
    const { id: accountId, key } = await openAccountIn(place, OPENING_BALANCE)
    const { answered, unanswered } = await killRounds(place, {
      rounds: ROUNDS,
      key,
      // The delay hits a different moment of the charges that follow.
      momentOf: (round) => ({ answers: 10 * (1 + round), delayMs: round % 5 }),
    })
    const problems = await auditCharges(place, { accountId, openingBalance: OPENING_BALANCE, answered, unanswered })
    assert.deepEqual(problems, [])
  })
})
