import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { FakeClock } from '../../test/harness.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../model/time.ts'
import { PLANS } from '../plans/plans.ts'
import { DAY_WINDOW, HOUR_WINDOW, KeyRate, type RateLimits, type RateVerdict } from './rate.ts'

/** Small enough that a few hundred requests reach every limit. */
const anyLimits = fc.record({
  burst: fc.integer({ min: 1, max: 20 }),
  requestsPerMinute: fc.integer({ min: 1, max: 120 }),
  requestsPerHour: fc.integer({ min: 1, max: 60 }),
  requestsPerDay: fc.integer({ min: 1, max: 150 }),
})

const anyGapMs = fc.oneof(
  fc.constant(0),
  ...[2, SECOND, 20 * SECOND, 10 * MINUTE, 2 * HOUR, 3 * DAY].map((max) => fc.integer({ min: 0, max })),
)

const anyVisits = fc.array(
  fc.record({ gapMs: anyGapMs, requests: fc.integer({ min: 1, max: 25 }), honoursRetryAfter: fc.boolean() }),
  { maxLength: 60, size: 'max' },
)

/** Key with the times of all its admitted requests. */
class Key {
  readonly rate = new KeyRate()
  readonly clock: FakeClock
  readonly limits: RateLimits
  readonly admitted: number[] = []

  constructor(limits: RateLimits, clock = new FakeClock()) {
    this.limits = limits
    this.clock = clock
  }

  ask(): RateVerdict {
    const now = this.clock.now()
    const { isAllowed, retryAfterSeconds } = this.rate.peek(this.limits, now)
    const verdict = this.rate.take(this.limits, now)
    assert.deepEqual({ ...verdict, isAllowed, retryAfterSeconds }, verdict, 'peek tells the verdict of take')
    if (verdict.isAllowed) this.admitted.push(now)
    return verdict
  }

  waitRetryAfter({ retryAfterSeconds }: RateVerdict): void {
    this.clock.advance(retryAfterSeconds * SECOND)
  }
}

/** Runs the visits and calls `check` after each request with its verdict and the requests admitted before it. */
function run(
  key: Key,
  visits: readonly { gapMs: number; requests: number; honoursRetryAfter?: boolean }[],
  check: (verdict: RateVerdict, before: readonly number[]) => void = () => {},
): void {
  for (const { gapMs, requests, honoursRetryAfter } of visits) {
    key.clock.advance(gapMs)
    for (let request = 0; request < requests; request += 1) {
      const before = key.admitted.slice()
      const verdict = key.ask()
      check(verdict, before)
      if (honoursRetryAfter && !verdict.isAllowed) key.waitRetryAfter(verdict)
    }
  }
}

/** Checks the definition of the limits for every pair of admitted requests, in ascending order. */
function assertWithinLimits(admitted: readonly number[], limits: RateLimits): void {
  for (const [first, from] of admitted.entries()) {
    for (let last = first; last < admitted.length; last += 1) {
      const count = last - first + 1
      const lengthMs = (admitted[last] ?? 0) - from
      const most = limits.burst * MINUTE + lengthMs * limits.requestsPerMinute
      assert.ok(count * MINUTE <= most, `${count} requests within ${lengthMs} ms`)
      if (lengthMs < HOUR) assert.ok(count <= limits.requestsPerHour, `${count} requests within an hour`)
      if (lengthMs < DAY) assert.ok(count <= limits.requestsPerDay, `${count} requests within a day`)
    }
  }
}

/** Returns the wait until the bucket admits the next request, from the definition: count <= burst + T × perMinute / 60000. */
function exactBucketWaitMs(admitted: readonly number[], limits: RateLimits, now: number): number {
  const waits = admitted.map((from, index) => {
    const withThis = admitted.length - index + 1
    return from + Math.ceil(((withThis - limits.burst) * MINUTE) / limits.requestsPerMinute) - now
  })
  return Math.max(0, ...waits)
}

function exactWindowWaitMs(admitted: readonly number[], limit: number, lengthMs: number, now: number): number {
  const inTheWay = admitted.at(-limit)
  return inTheWay === undefined ? 0 : Math.max(0, inTheWay + lengthMs - now)
}

describe('rate limits of a key', () => {
  test('admit at most the burst at once, burst + T × rate in any T, and the limits of the hour and the day', () => {
    fc.assert(
      fc.property(anyLimits, anyVisits, (limits, visits) => {
        const key = new Key(limits)
        run(key, visits)
        assertWithinLimits(key.admitted, limits)
      }),
      { numRuns: runs(30, 200) },
    )
  })

  test('waiting exactly Retry-After seconds after a refusal always succeeds', () => {
    fc.assert(
      fc.property(anyLimits, anyVisits, (limits, visits) => {
        const key = new Key(limits)
        let wasTold = false
        run(
          key,
          visits.map((visit) => ({ ...visit, honoursRetryAfter: true })),
          ({ isAllowed, retryAfterSeconds }) => {
            if (wasTold) assert.ok(isAllowed)
            assert.equal(isAllowed, retryAfterSeconds === 0)
            wasTold = !isAllowed
          },
        )
      }),
      { numRuns: runs(30, 200) },
    )
  })

  test('Retry-After is exact for the bucket, at most 10 s late for the hour and 240 s for the day, in whole seconds', () => {
    assert.equal(HOUR_WINDOW.slotMs, 10 * SECOND)
    assert.equal(DAY_WINDOW.slotMs, 240 * SECOND)
    fc.assert(
      fc.property(anyLimits, anyVisits, (limits, visits) => {
        const key = new Key(limits)
        run(key, visits, ({ isAllowed, retryAfterSeconds }, before) => {
          const now = key.clock.now()
          const pace = exactBucketWaitMs(before, limits, now)
          const waitMs = (slack: number) =>
            Math.max(
              pace,
              exactWindowWaitMs(before, limits.requestsPerHour, HOUR + slack * HOUR_WINDOW.slotMs, now),
              exactWindowWaitMs(before, limits.requestsPerDay, DAY + slack * DAY_WINDOW.slotMs, now),
            )
          assert.ok(retryAfterSeconds * SECOND >= waitMs(0), `${retryAfterSeconds} s, not yet after ${waitMs(0)} ms`)
          assert.ok(retryAfterSeconds <= Math.ceil(waitMs(1) / SECOND), `${retryAfterSeconds} s for ${waitMs(1)} ms`)
          if (waitMs(1) === 0) assert.ok(isAllowed)
          if (waitMs(0) > 0) assert.ok(!isAllowed)
        })
      }),
      { numRuns: runs(30, 200) },
    )
  })

  test('a refused request does not count: without it every verdict is the same', () => {
    fc.assert(
      fc.property(anyLimits, anyVisits, (limits, visits) => {
        const key = new Key(limits)
        const withoutRefused = new KeyRate()
        run(key, visits, (verdict) => {
          if (!verdict.isAllowed) return
          assert.deepEqual(withoutRefused.take(limits, key.clock.now()), verdict)
        })
        const now = key.clock.now()
        assert.deepEqual(withoutRefused.state(limits, now), key.rate.state(limits, now))
      }),
    )
  })

  test('the smallest `remaining` of the three limits is the number of requests that still pass now', () => {
    fc.assert(
      fc.property(anyLimits, anyVisits, (limits, visits) => {
        const key = new Key(limits)
        run(key, visits)
        const states = key.rate.state(limits, key.clock.now())
        for (const { remaining, limit, resetSeconds } of states) {
          assert.ok(remaining >= 0 && remaining <= limit)
          assert.ok(Number.isSafeInteger(resetSeconds) && resetSeconds >= 0)
        }
        let more = 0
        while (key.ask().isAllowed) more += 1
        assert.equal(more, Math.min(...states.map(({ remaining }) => remaining)))
      }),
    )
  })

  test('the burst is full again after resetSeconds', () => {
    fc.assert(
      fc.property(anyLimits, anyVisits, (limits, visits) => {
        const key = new Key(limits)
        run(key, visits)
        const [burst] = key.rate.state(limits, key.clock.now())
        key.clock.advance((burst?.resetSeconds ?? 0) * SECOND)
        const [after] = key.rate.state(limits, key.clock.now())
        assert.deepEqual(after, { window: 'burst', limit: limits.burst, remaining: limits.burst, resetSeconds: 0 })
      }),
    )
  })
})

describe('rate limits when the clock is set back', () => {
  const anySetbacks = fc.array(
    fc.record({
      setBackMs: fc.oneof(fc.constant(0), anyGapMs),
      gapMs: anyGapMs,
      requests: fc.integer({ min: 1, max: 25 }),
    }),
    { maxLength: 60, size: 'max' },
  )

  test('admit no more than the limits allow in elapsed time', () => {
    fc.assert(
      fc.property(anyLimits, anySetbacks, (limits, visits) => {
        const key = new Key(limits)
        const admitted: number[] = []
        let realTime = 0
        for (const { setBackMs, gapMs, requests } of visits) {
          realTime += gapMs
          key.clock.advance(gapMs - setBackMs)
          for (let request = 0; request < requests; request += 1) if (key.ask().isAllowed) admitted.push(realTime)
        }
        assertWithinLimits(admitted, limits)
      }),
      { numRuns: runs(30, 200) },
    )
  })

  test('Retry-After is still long enough', () => {
    fc.assert(
      fc.property(anyLimits, anySetbacks, (limits, visits) => {
        const key = new Key(limits)
        for (const { setBackMs, gapMs, requests } of visits) {
          key.clock.advance(gapMs - setBackMs)
          for (let request = 0; request < requests; request += 1) {
            const verdict = key.ask()
            if (verdict.isAllowed) continue
            key.waitRetryAfter(verdict)
            assert.ok(key.ask().isAllowed, `refused after ${verdict.retryAfterSeconds} s`)
          }
        }
      }),
      { numRuns: runs(30, 200) },
    )
  })
})

describe('rate limits restored after a restart', () => {
  /** The bucket is restored on the safe side, not exactly, so its limits are too high to matter here. */
  const anyWindows = anyLimits.map((limits) => ({ ...limits, burst: 10_000, requestsPerMinute: 10_000 }))

  /** Counts requests per slot, as the request log returns them. */
  function bySlot(times: readonly number[], slotMs: number): { at: number; count: number }[] {
    const slots = Map.groupBy(times, (time) => Math.floor(time / slotMs) * slotMs)
    return [...slots].map(([at, { length }]) => ({ at, count: length }))
  }

  test('every verdict is the same as without the restart', () => {
    fc.assert(
      fc.property(
        anyWindows,
        anyVisits,
        anyVisits,
        fc.constantFrom(1, HOUR_WINDOW.slotMs),
        (limits, earlier, later, slotMs) => {
          const key = new Key(limits)
          run(key, earlier)
          const restored = new KeyRate()
          restored.restore(bySlot(key.admitted, slotMs), limits, key.clock.now())
          run(key, later, ({ isAllowed, retryAfterSeconds }) => {
            const again = restored.take(limits, key.clock.now())
            assert.equal(again.isAllowed, isAllowed)
            assert.equal(again.retryAfterSeconds, retryAfterSeconds)
          })
        },
      ),
    )
  })

  test('no limit is exceeded across the restart', () => {
    fc.assert(
      fc.property(anyLimits, anyVisits, anyVisits, (limits, earlier, later) => {
        const before = new Key(limits)
        run(before, earlier)
        const after = new Key(limits, before.clock)
        const since = before.clock.now() - DAY_WINDOW.lengthMs
        after.rate.restore(
          bySlot(
            before.admitted.filter((time) => time > since),
            HOUR_WINDOW.slotMs,
          ),
          limits,
          before.clock.now(),
        )
        run(after, later)
        assertWithinLimits([...before.admitted, ...after.admitted], limits)
      }),
    )
  })
})

describe('rate limits of the plans', () => {
  for (const plan of [PLANS.free, PLANS.starter, PLANS.professional]) {
    test(`a ${plan.slug} caller that honours Retry-After gets the full allowance of every day and never more`, () => {
      const key = new Key(plan)
      const start = key.clock.now()
      while (key.clock.now() < start + 2 * DAY + HOUR) {
        const verdict = key.ask()
        if (!verdict.isAllowed) key.waitRetryAfter(verdict)
      }
      assert.equal(mostWithin(key.admitted, 0), plan.burst)
      assert.equal(mostWithin(key.admitted, HOUR - 1), plan.requestsPerHour)
      assert.equal(mostWithin(key.admitted, DAY - 1), plan.requestsPerDay)
      const ofTheFirstDay = key.admitted.filter((time) => time < start + DAY).length
      assert.equal(ofTheFirstDay, plan.requestsPerDay)
    })
  }

  /** Returns the largest number of requests in any period of this length. */
  function mostWithin(admitted: readonly number[], lengthMs: number): number {
    let first = 0
    let most = 0
    for (const [last, time] of admitted.entries()) {
      while ((admitted[first] ?? time) < time - lengthMs) first += 1
      most = Math.max(most, last - first + 1)
    }
    return most
  }

  test('a downgrade applies at once and its Retry-After is long enough', () => {
    const clock = new FakeClock()
    const rate = new KeyRate()
    for (let request = 0; request < 100; request += 1) {
      assert.ok(rate.take(PLANS.starter, clock.now()).isAllowed)
    }
    const refused = rate.take(PLANS.free, clock.now())
    assert.ok(!refused.isAllowed)
    clock.advance(refused.retryAfterSeconds * SECOND)
    assert.ok(rate.take(PLANS.free, clock.now()).isAllowed)
  })

  test('an upgrade applies at once to the hour, and the burst refills to its new size', () => {
    const clock = new FakeClock()
    const rate = new KeyRate()
    while (rate.take(PLANS.free, clock.now()).isAllowed);
    clock.advance(100 * SECOND)
    const [burst, hour] = rate.state(PLANS.starter, clock.now())
    assert.equal(burst?.remaining, 100)
    assert.equal(hour?.remaining, 985)
  })
})
