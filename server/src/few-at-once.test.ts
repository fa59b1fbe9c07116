import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fewAtOnce } from './few-at-once.ts'

test('at most four items are worked on at the same time, and results keep their order', async () => {
  let running = 0
  let most = 0
  const results = await fewAtOnce([5, 1, 4, 2, 3, 1, 5], async (turns) => {
    running += 1
    most = Math.max(most, running)
    for (let turn = 0; turn < turns; turn += 1) await setImmediate()
    running -= 1
    return turns * 10
  })
  assert.deepEqual(results, [50, 10, 40, 20, 30, 10, 50])
  assert.equal(most, 4)
})

test('no items have no results; an error is passed on, and no further item is begun', async () => {
  assert.deepEqual(await fewAtOnce([], async () => 1), [])
  const begun: number[] = []
  await assert.rejects(
    fewAtOnce([1, 2, 3, 4, 5, 6], async (item) => {
      begun.push(item)
      await setImmediate()
      if (item === 2) throw new Error('no')
      await setImmediate()
    }),
    /no/,
  )
  for (let turn = 0; turn < 5; turn += 1) await setImmediate()
  assert.deepEqual(begun, [1, 2, 3, 4])
})
