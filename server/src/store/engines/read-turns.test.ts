import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ReadTurns } from './read-turns.ts'

describe('reads in turns', () => {
  /** Blocks for a time, like a read. */
  function block(ms: number): void {
    for (const from = performance.now(); performance.now() - from < ms; );
  }

  test('leave the event loop to others between portions, in the order of the calls', async () => {
    const turns = new ReadTurns()
    const done: number[] = []
    let pending = 60
    const reads = Array.from({ length: pending }, async (_, index) => {
      await turns.run(() => block(1))
      done.push(index)
      pending -= 1
    })
    const portions: number[] = []
    for (let before = pending; pending > 0; before = pending) {
      await nextTurn()
      portions.push(before - pending)
    }
    await Promise.all(reads)
    assert.deepEqual(
      done,
      Array.from({ length: 60 }, (_, index) => index),
    )
    // The first portion includes the reads before the loop. A portion ends after two milliseconds.
    assert.ok(Math.max(...portions.slice(1)) <= 2, String(portions))
  })

  test('count the work between reads', async () => {
    const turns = new ReadTurns()
    let done = 0
    const request = async () => {
      await turns.run(() => undefined)
      block(1)
      done += 1
    }
    const requests: Promise<void>[] = []
    // All in this turn, each with its work before the next one, as requests of several connections arrive.
    for (let count = 0; count < 20; count += 1) {
      requests.push(request())
      // Enough microtasks for the request to finish.
      for (let step = 0; step < 5; step += 1) await null
    }
    assert.ok(done <= 2, `${done} in the first turn`)
    await Promise.all(requests)
  })

  test('go on after a read that fails', async () => {
    const turns = new ReadTurns()
    const results = await Promise.allSettled(
      [1, 2, 3, 4].map((value) =>
        turns.run(() => {
          block(3)
          if (value % 2 === 0) throw new Error(`read ${value}`)
          return value
        }),
      ),
    )
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
      [1, 'read 2', 3, 'read 4'],
    )
  })
})
