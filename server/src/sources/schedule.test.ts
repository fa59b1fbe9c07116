import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { HOUR, MINUTE } from '../model/time.ts'
import { afterFailure, afterSuccess, FAILING_AFTER } from './schedule.ts'

const LIMITS = { first: 10 * MINUTE, least: 2 * MINUTE, most: 6 * HOUR }
const NOW = 1_000_000
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const middle = () => 0.5

/** Returns the pause after the last of so many failures, of which so many before it had no answer. */
function pauseAfter(failures: number, unanswered: number, isAnswered: boolean, limits = LIMITS): number {
  return afterFailure(0, { failures: failures - 1, unanswered }, { isAnswered }, limits, NOW, middle).nextRunAt - NOW
}

describe('schedule', () => {
  test('the pause after a success is within its limits and spread by a tenth at most', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
        share,
        fc.integer({ min: 0, max: 8 * HOUR }),
        (changes, random, leastMs) => {
          let everyMs = 0
          for (const isChanged of changes) {
            const next = afterSuccess(everyMs, { isChanged, leastMs }, LIMITS, NOW, () => random)
            everyMs = next.everyMs
            assert.ok(everyMs >= LIMITS.least && everyMs <= LIMITS.most)
            const pause = next.nextRunAt - NOW
            assert.ok(pause >= leastMs)
            assert.ok(pause === leastMs || Math.abs(pause - everyMs) <= everyMs / 10 + 1)
          }
        },
      ),
    )
  })

  test('a source that always changes is soon read as often as it may be, one that never does as rarely', () => {
    for (const [isChanged, limit] of [
      [true, LIMITS.least],
      [false, LIMITS.most],
    ] as const) {
      let everyMs = 0
      for (let run = 0; run < 20; run += 1) {
        everyMs = afterSuccess(everyMs, { isChanged }, LIMITS, NOW, middle).everyMs
      }
      assert.equal(everyMs, limit)
    }
  })

  test('the first run sets the usual interval', () => {
    assert.equal(afterSuccess(0, { isChanged: true }, LIMITS, NOW, middle).everyMs, LIMITS.first)
  })

  test('failures are repeated after 1, 4, 16 and 64 minutes, then every 6 hours', () => {
    const pauses = [1, 2, 3, 4, FAILING_AFTER, 6, 1_000_000].map((failures) => pauseAfter(failures, 0, true))
    assert.deepEqual(pauses, [MINUTE, 4 * MINUTE, 16 * MINUTE, 64 * MINUTE, 6 * HOUR, 6 * HOUR, 6 * HOUR])
  })

  test('failures without an answer are repeated every 10 minutes, and do not count once there are answers', () => {
    const pauses = [1, 2, 3, 4, FAILING_AFTER, 1_000].map((failures) => pauseAfter(failures, failures - 1, false))
    assert.deepEqual(pauses, [MINUTE, 4 * MINUTE, ...Array(4).fill(10 * MINUTE)])
    assert.equal(pauseAfter(100, 99, true), MINUTE)
    assert.equal(pauseAfter(100, 97, true), 16 * MINUTE)
  })

  test('a source that is usually read every minute is read every hour when it fails', () => {
    const limits = { first: MINUTE, least: MINUTE, most: MINUTE }
    const pauses = [3, 4, FAILING_AFTER, 6].map((failures) => pauseAfter(failures, 0, true, limits))
    assert.deepEqual(pauses, [16 * MINUTE, HOUR, HOUR, HOUR])
  })

  test('a failure is never repeated before the server allows it, and leaves the usual interval alone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 24 * HOUR }),
        share,
        fc.boolean(),
        (failures, retryAfterMs, random, isAnswered) => {
          const failure = { isAnswered, retryAfterMs }
          const known = { failures, unanswered: 0 }
          const { nextRunAt, everyMs } = afterFailure(5 * MINUTE, known, failure, LIMITS, NOW, () => random)
          assert.ok(nextRunAt >= NOW + retryAfterMs)
          assert.equal(everyMs, 5 * MINUTE)
        },
      ),
    )
  })
})
