import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeClock } from '../test/harness.ts'
import { clockWatch } from './clock-watch.ts'

test('a jump of the clock is logged once, with its size', async () => {
  const clock = new FakeClock()
  const jumps: unknown[] = []
  const check = clockWatch(clock, { warn: (fields: unknown) => jumps.push(fields) })
  clock.advance(60_000)
  await check()
  assert.deepEqual(jumps, [])
  clock.jump(-40 * 86_400_000)
  await check()
  await check()
  clock.jump(5_000)
  await check()
  assert.deepEqual(jumps, [{ jumpMs: -40 * 86_400_000 }, { jumpMs: 5_000 }])
})
