import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import type { Db } from '../db.ts'
import { KeptRecords } from './kept-records.ts'

interface Versioned {
  version: number
}

describe('records that are kept until a version changes', () => {
  const open = (exclusive: boolean, maxBytes = 1_000) => {
    const state = { version: 0, other: 0, reads: 0, asked: 0 }
    const records = new KeptRecords<Versioned>(
      { exclusive } as Db,
      async () => {
        const { version, other } = state
        state.asked += 1
        await setImmediate()
        return [version, other]
      },
      { maxBytes, sizeOf: () => 10 },
    )
    const read = async () => {
      const { version } = state
      state.reads += 1
      await setImmediate()
      return { version }
    }
    return { state, get: (key: string) => records.get(key, read) }
  }

  test('the same record is the same object until one of the versions changes', async () => {
    const { state, get } = open(true)
    const first = await get('a')
    assert.equal(await get('a'), first)
    assert.notEqual(await get('b'), first)
    state.other += 1
    assert.notEqual(await get('a'), first)
    assert.equal(state.reads, 3)
  })

  test('with other writers, a record is kept once its versions are known', async () => {
    const { state, get } = open(false)
    await get('a')
    const second = await get('a')
    assert.equal(await get('a'), second)
    assert.deepEqual([state.reads, state.asked], [2, 2])
    state.version += 1
    assert.notEqual(await get('a'), second)
    assert.deepEqual([state.reads, state.asked], [3, 3])
  })

  test('with other writers, a record that is not kept costs one read and no question for versions', async () => {
    const { state, get } = open(false)
    for (const key of ['a', 'b', 'c']) await get(key)
    assert.deepEqual([state.reads, state.asked], [3, 0])
    // The versions that `a` asks for say that the others are outdated, too.
    for (const key of ['a', 'b', 'c']) await get(key)
    assert.deepEqual([state.reads, state.asked], [6, 1])
    for (const key of ['a', 'b', 'c']) await get(key)
    assert.deepEqual([state.reads, state.asked], [6, 4])
  })

  test('the least recently used records make room', async () => {
    const { state, get } = open(true, 25)
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key)
    assert.equal(state.reads, 4)
  })

  for (const exclusive of [true, false]) {
    test(`no answer is older than its request, ${exclusive ? 'as the only writer' : 'with other writers'}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'change', 'turn'), { maxLength: 60 }), async (steps) => {
          const { state, get } = open(exclusive)
          const asked: Promise<void>[] = []
          for (const step of steps) {
            if (step === 'change') state.version += 1
            else if (step === 'turn') await setImmediate()
            else {
              const { version: least } = state
              const check = async () => assert.ok(((await get(step))?.version ?? -1) >= least)
              asked.push(check())
            }
          }
          await Promise.all(asked)
        }),
      )
    })
  }
})
