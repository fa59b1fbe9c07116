/** Whatever happens to accounts, their payments and the news of them: the ledger is that of a small reference. */
import { test } from 'node:test'
import fc from 'fast-check'
import { FakeClock, onEveryEngine } from '../../test/harness.ts'
import { someCommand } from '../../test/money/commands.ts'
import { Play } from '../../test/money/play.ts'
import { MoneyRig } from '../../test/money/rig.ts'

/** More of them find more: MONEY_RUNS=200 npm test -- server/src/billing/money.test.ts */
const RUNS = Number(process.env.MONEY_RUNS ?? 15)

onEveryEngine('money', (engine) => {
  test('packs, plans, refunds, disputes, months and late news give what a small reference says', async () => {
    const lives = fc.asyncProperty(
      fc.array(fc.constantFrom('free' as const, 'starter' as const), { minLength: 2, maxLength: 2 }),
      fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) }),
      fc.array(someCommand, { minLength: 20, maxLength: 40 }),
      async (plans, start, commands) => {
        const rig = await MoneyRig.open(engine, new FakeClock(start))
        try {
          const play = new Play(rig)
          await play.begin(plans)
          for (const command of commands) await play.run(command)
          await play.end()
        } finally {
          await rig.close()
        }
      },
    )
    await fc.assert(lives, { numRuns: RUNS, endOnFailure: RUNS > 15 })
  })
})
