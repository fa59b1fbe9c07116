import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { HostGate } from './host-gate.ts'

/** A gate whose waits take no time but move its clock. */
function rig() {
  let now = 0
  const gate = new HostGate({
    elapsed: () => now,
    wait: async (ms, signal) => {
      const end = now + ms
      await setImmediate()
      signal.throwIfAborted()
      now = Math.max(now, end)
    },
  })
  return { gate, now: () => now }
}

const never = new AbortController().signal

describe('host gate', () => {
  test('requests start in the order in which they came, few at once, with a gap', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom(0, 100),
        async (durations, atOnce, gapMs) => {
          const { gate, now } = rig()
          const started: { place: number; at: number }[] = []
          let running = 0
          const work = (place: number, turns: number) => async () => {
            running += 1
            assert.ok(running <= atOnce)
            started.push({ place, at: now() })
            for (let turn = 0; turn < turns; turn += 1) await setImmediate()
            running -= 1
          }
          const runs: Promise<void>[] = []
          for (const [place, turns] of durations.entries()) {
            runs.push(gate.run('host', { atOnce, gapMs }, never, work(place, turns)))
            // Later requests come while earlier ones end.
            if (turns > 1) await setImmediate()
          }
          await Promise.all(runs)
          if (atOnce === 1) {
            assert.deepEqual(
              started.map(({ place }) => place),
              durations.map((_, place) => place),
            )
          }
          const times = started.map(({ at }) => at).sort((a, b) => a - b)
          times.forEach((at, index) => {
            if (index > 0) assert.ok(at - (times[index - 1] ?? 0) >= gapMs)
          })
        },
      ),
    )
  })

  test('hosts do not wait for each other', async () => {
    const { gate } = rig()
    const slow = Promise.withResolvers<void>()
    const first = gate.run('slow', { atOnce: 1, gapMs: 0 }, never, () => slow.promise)
    assert.equal(await gate.run('other', { atOnce: 1, gapMs: 0 }, never, async () => 'done'), 'done')
    slow.resolve()
    await first
  })

  test('a request that fails or is aborted while it waits leaves its place to the next', async () => {
    const { gate } = rig()
    const polite = { atOnce: 1, gapMs: 1_000 }
    const stop = new AbortController()
    const held = Promise.withResolvers<void>()
    const first = gate.run('host', polite, never, () => held.promise)
    const aborted = gate.run('host', polite, stop.signal, async () => 'never')
    const failing = gate.run('host', polite, never, async () => {
      throw new Error('failed')
    })
    const last = gate.run('host', polite, never, async () => 'last')
    stop.abort(new Error('stopped'))
    held.resolve()
    await first
    await assert.rejects(aborted, /stopped/)
    await assert.rejects(failing, /failed/)
    assert.equal(await last, 'last')
  })
})
