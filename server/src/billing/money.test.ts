/** Compares the ledger with a simple model under random purchases, reversals, months and event orders. */
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { FakeClock, onEveryEngine } from '../../test/harness.ts'
import { type Command, someCommand } from '../../test/money/commands.ts'
import { Play } from '../../test/money/play.ts'
import { MoneyRig } from '../../test/money/rig.ts'
import { DAY } from '../model/time.ts'

onEveryEngine('money', (engine) => {
  const play = async (plans: readonly ('free' | 'starter')[], start: number, commands: readonly Command[]) => {
    const rig = await MoneyRig.open(engine, new FakeClock(start))
    try {
      const accounts = new Play(rig)
      await accounts.begin(plans)
      for (const command of commands) await accounts.run(command)
      await accounts.end()
    } finally {
      await rig.close()
    }
  }

  test('packs, plans, refunds, disputes, months and late events lead to the ledger of a simple model', async () => {
    const lives = fc.asyncProperty(
      fc.array(fc.constantFrom('free' as const, 'starter' as const), { minLength: 2, maxLength: 2 }),
      fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) }),
      fc.array(someCommand, { minLength: 20, maxLength: 40 }),
      play,
    )
    await fc.assert(lives, { numRuns: runs(engine === 'sqlite' ? 3 : 1, 30) })
  })

  test('the grace period ends when the model says so', async () => {
    const sweep = { do: 'sweep', instances: 1 } as const
    const passTo = (end: 'periodEnd' | 'graceUntil', isBefore: boolean) =>
      ({ do: 'passTo', account: 0, end, isBefore }) as const
    await play(['free', 'free'], Date.UTC(2026, 0, 31), [
      { do: 'subscribe', account: 0, plan: 'professional', how: 'pay and fail later' },
      sweep,
      passTo('periodEnd', false),
      sweep,
      passTo('graceUntil', true),
      sweep,
      passTo('graceUntil', false),
      sweep,
    ])
  })

  test('a change of a subscription that ended without an event is refused', async () => {
    const change = { do: 'change', account: 0, plan: 'enterprise' } as const
    await play(['free', 'free'], Date.UTC(2026, 0, 31), [
      { do: 'subscribe', account: 0, plan: 'starter', how: 'pay' },
      { do: 'sweep', instances: 1 },
      { do: 'cancel', account: 0 },
      { do: 'pass', ms: 40 * DAY },
      change,
      { do: 'cancel', account: 0 },
    ])
  })
})
