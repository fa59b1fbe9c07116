import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { Lru } from './lru.ts'

describe('Lru', () => {
  test('what was used longest ago goes first, and reading is using', () => {
    const lru = new Lru<number>(2)
    lru.set('a', 1)
    lru.set('b', 2)
    assert.equal(lru.get('a'), 1)
    lru.set('c', 3)
    assert.equal(lru.get('b'), undefined)
    assert.equal(lru.get('a'), 1)
    assert.equal(lru.get('c'), 3)
  })

  test('one heavy value displaces several light ones', () => {
    const lru = new Lru<string>(10)
    for (const key of ['a', 'b', 'c']) lru.set(key, key, 3)
    lru.set('d', 'd', 6)
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => lru.get(key)),
      [undefined, undefined, 'c', 'd'],
    )
  })

  test('a value heavier than the whole cache is not kept, and the old one under its key is gone', () => {
    const lru = new Lru<string>(10)
    lru.set('a', 'old')
    lru.set('b', 'other')
    lru.set('a', 'new', 11)
    assert.equal(lru.get('a'), undefined)
    assert.equal(lru.get('b'), 'other')
  })

  test('behaves as a plain list that is searched from end to end', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    const step = fc.oneof(
      fc.record({ kind: fc.constant('get' as const), key }),
      fc.record({ kind: fc.constant('set' as const), key, weight: fc.integer({ min: 0, max: 8 }) }),
      fc.record({ kind: fc.constant('delete' as const), key }),
      fc.record({ kind: fc.constant('clear' as const) }),
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 12 }),
        fc.array(step, { maxLength: 200, size: 'max' }),
        (capacity, steps) => {
          const lru = new Lru<number>(capacity)
          let list: { key: string; value: number; weight: number }[] = []
          const weightOfList = () => list.reduce((sum, { weight }) => sum + weight, 0)

          for (const [value, step] of steps.entries()) {
            switch (step.kind) {
              case 'get': {
                const found = list.find((item) => item.key === step.key)
                assert.equal(lru.get(step.key), found?.value)
                if (found !== undefined) list = [...list.filter((item) => item !== found), found]
                break
              }
              case 'set':
                lru.set(step.key, value, step.weight)
                list = list.filter((item) => item.key !== step.key)
                if (step.weight > capacity) break
                list.push({ key: step.key, value, weight: step.weight })
                while (weightOfList() > capacity) list.shift()
                break
              case 'delete':
                lru.delete(step.key)
                list = list.filter((item) => item.key !== step.key)
                break
              case 'clear':
                lru.clear()
                list = []
            }
          }
          for (const { key, value } of list) assert.equal(lru.get(key), value)
        },
      ),
      { numRuns: runs(30, 300) },
    )
  })
})
