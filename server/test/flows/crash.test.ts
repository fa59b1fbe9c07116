import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { openAccount } from '../../src/admission/open-account.ts'
import { planRules } from '../../src/billing/plan-rules.ts'
import { readConfig } from '../../src/config.ts'
import { createMintick } from '../../src/main.ts'
import { auditCharges } from '../charges.ts'
import { runs } from '../depth.ts'
import { createPlace, onEveryEngine } from '../harness.ts'
import { killRounds } from '../kill-rounds.ts'
import { NO_LIMITS } from '../unlimited-account.ts'

const ROUNDS = runs(2, 20)
const OPENING_BALANCE = 1_000_000

onEveryEngine('kill -9 under load', (engine) => {
  let place: Awaited<ReturnType<typeof createPlace>>
  before(async () => {
    place = await createPlace(engine)
  })
  after(() => place.remove())

  test(`${ROUNDS} rounds: every answered 200 has exactly one charge record, and the audit holds`, async () => {
    const first = await createMintick(readConfig(place.env), { log: pino({ level: 'silent' }) })
    const { store, clock, pepper } = first
    const opened = await openAccount(
      { email: 'crash@test.example', name: null, planSlug: 'custom', credits: OPENING_BALANCE },
      { store, clock, pepper },
    )
    assert.ok(opened !== undefined)
    await store.accounts.update(opened.account.id, { overrides: NO_LIMITS }, planRules(clock.now()))
    await first.close()

    const { answered, unanswered } = await killRounds(place, {
      rounds: ROUNDS,
      key: opened.apiKey,
      // The delay hits a different moment of the charges that follow.
      momentOf: (round) => ({ answers: 10 * (1 + round), delayMs: round % 5 }),
    })
    const accountId = opened.account.id
    const problems = await auditCharges(place, { accountId, openingBalance: OPENING_BALANCE, answered, unanswered })
    assert.deepEqual(problems, [])
  })
})
