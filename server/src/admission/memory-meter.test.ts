import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FakeClock } from '../../test/harness.ts'
import { MemoryMeter } from './memory-meter.ts'

const DAY = 86_400_000
const LIMITS = { burst: 2, requestsPerMinute: 60, requestsPerHour: 100, requestsPerDay: 100 }
const KEY = { keyId: 'key', accountId: 'account', limits: LIMITS }

describe('rates of the meter when the clock is set', () => {
  const ask = (meter: MemoryMeter) => meter.admit({ ...KEY, cost: 0 }).rate

  for (const days of [-40, 40]) {
    test(`a jump of ${days} days neither locks a key out nor frees it`, () => {
      const clock = new FakeClock()
      const meter = new MemoryMeter(clock)
      for (let request = 0; request < 2; request++) assert.ok(ask(meter).isAllowed)
      clock.jump(days * DAY)
      assert.deepEqual([ask(meter).isAllowed, ask(meter).retryAfterSeconds], [false, 1])
      clock.advance(1_000)
      assert.ok(ask(meter).isAllowed)
    })

    test(`a key restored after a jump of ${days} days keeps the use of the last hour`, () => {
      const clock = new FakeClock()
      const meter = new MemoryMeter(clock)
      clock.jump(days * DAY)
      meter.restoreKey(KEY, [{ at: Math.floor(clock.now() / 10_000) * 10_000 - 60_000, count: 40 }])
      assert.equal(meter.limits(KEY)[1]?.remaining, 60)
      clock.advance(3_600_000)
      assert.equal(meter.limits(KEY)[1]?.remaining, 100)
    })
  }

  test('requests that the log dates in the future do not lock a key out after a restart', () => {
    const clock = new FakeClock()
    const meter = new MemoryMeter(clock)
    meter.restoreKey(KEY, [{ at: clock.now() + 40 * DAY, count: 100 }])
    assert.ok(ask(meter).isAllowed)
  })
})
