import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { FakeClock, onEveryEngine, storeForSuite } from '../../test/harness.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../model/time.ts'
import { pauseAfter, type Subject, Throttle } from './throttle.ts'

const FREE = { user: 5, network: 20, device: 10 }
const LONGEST = { user: 15 * MINUTE, network: MINUTE, device: 15 * MINUTE }

test('pauses begin after the free attempts, double, and end at a quarter of an hour', () => {
  assert.deepEqual(
    [0, 4, 5, 6, 7, 14, 15, 1_000].map(
      (failures) => pauseAfter(failures, { free: 5, longestPauseMs: 15 * MINUTE }) / SECOND,
    ),
    [0, 0, 1, 2, 4, 512, 900, 900],
  )
  assert.deepEqual(
    [4, 5, 6, 12, 13].map(
      (failures) => pauseAfter(failures, { free: 5, firstPauseMs: 10 * MINUTE, longestPauseMs: DAY }) / MINUTE,
    ),
    [0, 10, 20, 1_280, 1_440],
  )
})

onEveryEngine('the throttle', (engine) => {
  const store = storeForSuite(engine)
  let round = 0

  test('agrees with a model of failures and times, whatever is attempted', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, SECOND, MINUTE, 15 * MINUTE, HOUR, DAY) }),
      fc.record({
        kind: fc.constantFrom('fail' as const, 'succeed' as const, 'undo' as const),
        user: fc.integer({ min: 0, max: 1 }),
        network: fc.integer({ min: 0, max: 1 }),
        isKnown: fc.boolean(),
        times: fc.integer({ min: 1, max: 12 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const clock = new FakeClock()
        const throttle = new Throttle(store().signInFailures, clock)
        const model = new Map<string, { failures: number; lastAt: number }>()
        round += 1
        for (const each of steps) {
          if (each.kind === 'wait') {
            clock.advance(each.ms)
            continue
          }
          for (let time = 0; time < each.times; time += 1) {
            const subjects: Subject[] = each.isKnown
              ? [`device:${round} ${each.user}`]
              : [`user:${round} ${each.user}`, `network:${round} ${each.network}`]
            const known = subjects.map((subject) => {
              const found = model.get(subject)
              return found !== undefined && clock.now() - found.lastAt < DAY ? found : { failures: 0, lastAt: 0 }
            })
            const waits = subjects.map((subject, place) => {
              const { failures, lastAt } = known[place] ?? { failures: 0, lastAt: 0 }
              const kind = subject.split(':')[0] as keyof typeof FREE
              const pause = Math.min(LONGEST[kind], SECOND * 2 ** (failures - FREE[kind]))
              return failures < FREE[kind] ? 0 : lastAt + pause - clock.now()
            })
            const waitMs = Math.max(0, ...waits)
            const attempt = await throttle.tryToBegin(...subjects)
            if (waitMs > 0) {
              assert.deepEqual(attempt, { waitMs })
              continue
            }
            assert.ok('succeed' in attempt)
            for (const [place, subject] of subjects.entries()) {
              const before = known[place] ?? { failures: 0, lastAt: 0 }
              if (each.kind === 'fail') model.set(subject, { failures: before.failures + 1, lastAt: clock.now() })
              else if (each.kind === 'undo' || subject.startsWith('network')) model.set(subject, before)
              else model.delete(subject)
            }
            if (each.kind === 'succeed') await attempt.succeed()
            if (each.kind === 'undo') await attempt.undo()
          }
        }
      }),
      { numRuns: runs(25, 300) },
    )
  })

  test('of attempts at once, no more than the free ones begin', async () => {
    const throttle = new Throttle(store().signInFailures, new FakeClock())
    const begun = await Promise.all(Array.from({ length: 40 }, () => throttle.tryToBegin('user:flood')))
    assert.equal(begun.filter((each) => 'succeed' in each).length, FREE.user)
  })

  test('an attacker with a day and one network gets few guesses, and never delays a known browser', async () => {
    const clock = new FakeClock()
    const throttle = new Throttle(store().signInFailures, clock)
    let guesses = 0
    for (const end = clock.now() + DAY; clock.now() < end; ) {
      const attempt = await throttle.tryToBegin('user:victim', 'network:attacker')
      if ('waitMs' in attempt) clock.advance(attempt.waitMs)
      else guesses += 1
      const own = await throttle.tryToBegin('device:victim')
      assert.ok('succeed' in own)
      await own.succeed()
    }
    assert.ok(guesses < 120, `${guesses} guesses`)
  })
})
