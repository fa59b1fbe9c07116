import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, storeForSuite } from '../../../test/harness.ts'
import { newSignal } from '../../../test/signals.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import type { Position, SortKey } from '../../model/paging.ts'
import type { NewSignal } from '../../model/signals.ts'
import { DAY } from '../../model/time.ts'
import { SHORT_WALK } from '../db.ts'
import type { SignalFilters } from '../signals/signal-records.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')
const SORTS = ['generatedAt:desc', 'generatedAt:asc', 'strength:desc', 'confidence:desc']

onEveryEngine('pages of searches', (engine) => {
  const store = storeForSuite(engine)
  const signals: NewSignal[] = []
  /** Adds signals with equal and different sort keys; every word but `common` is in some of them. */
  const add = async (count: number) => {
    const added = Array.from({ length: count }, (_, index) => {
      const number = signals.length + index
      return newSignal(NOW - (number % 997) * 1_000, {
        title: `common ${number % 7 === 0 ? 'seventh' : ''} ${number % 400 === 3 ? 'rare' : ''}`,
        strength: (number % 13) / 13,
        confidence: (number % 1_000) / 1_000,
        direction: number % 2 === 0 ? 'bullish' : 'bearish',
      })
    })
    await store().signals.insert(added, NOW)
    signals.push(...added)
  }
  before(async () => {
    await store().assets.insert(builtInAssets, NOW)
    await add(SHORT_WALK + 100)
  })

  const idsOf = (filters: SignalFilters, sort: string): string[] => {
    const [column = '', direction] = sort.split(':')
    const keyOf = (signal: NewSignal) =>
      column === 'generatedAt' ? Date.parse(signal.generatedAt) : signal[column as 'strength' | 'confidence']
    const sign = direction === 'desc' ? -1 : 1
    return signals
      .map((signal, seq) => ({ signal, seq }))
      .filter(({ signal }) => signal.title.includes(filters.search ?? ''))
      .filter(({ signal }) => filters.direction?.includes(signal.direction) ?? true)
      .sort((one, other) => sign * (keyOf(one.signal) - keyOf(other.signal) || one.seq - other.seq))
      .map(({ signal }) => signal.id)
  }
  const page = async (filters: SignalFilters, sort: string, limit: number, from: Position | undefined) => {
    const { data, ...rest } = await store().signals.page({ filters, sort, limit, from }, NOW)
    return { ...rest, ids: data.parse().map(({ id }) => id) }
  }
  /** Reads two pages forwards from a place and one back, and compares them with the naive list. */
  const check = async (filters: SignalFilters, sort: string, limit: number) => {
    const expected = idsOf(filters, sort)
    const at = (direction: Position['direction'], key: SortKey | null) =>
      key === null ? undefined : { direction, key, inclusive: false }
    const first = await page(filters, sort, limit, undefined)
    assert.deepEqual([first.ids, first.totalCount], [expected.slice(0, limit), expected.length])
    const second = await page(filters, sort, limit, at('after', first.last))
    assert.deepEqual(second.ids, expected.slice(limit, 2 * limit))
    assert.deepEqual([second.hasPrev, second.hasMore], [true, expected.length > 2 * limit])
    const back = await page(filters, sort, limit, at('before', second.first))
    assert.deepEqual([back.ids, back.hasPrev, back.hasMore], [first.ids, false, true])
    const inclusive = await page(filters, sort, 3, { direction: 'before', key: second.first ?? [], inclusive: true })
    assert.deepEqual(inclusive.ids, expected.slice(Math.max(0, limit - 2), limit + 1))
  }

  test('many and few hits are listed in the order of every sort, in both directions', async () => {
    for (const sort of SORTS) {
      for (const search of ['common', 'seventh', 'rare']) {
        await check({ search }, sort, 10)
        await check({ search, direction: ['bearish'] }, sort, 7)
      }
    }
  })

  test('a search without hits has an empty page', async () => {
    assert.deepEqual((await page({ search: 'nothing' }, 'strength:desc', 10, undefined)).ids, [])
  })

  test('many hits after many other rows are found', async () => {
    const others = Array.from({ length: 600 }, () => newSignal(NOW, { title: 'other', strength: 1 }))
    await store().signals.insert(others, NOW)
    signals.push(...others)
    await check({ search: 'common' }, 'strength:desc', 10)
  })

  test('new and changed signals are found', async () => {
    for (let round = 0; round < runs(2, 10); round += 1) {
      await add(401)
      for (const search of ['common', 'rare']) await check({ search }, 'strength:desc', 10)
    }
    // A signal that expires changes the head of the feed, but no words.
    await store().signals.page(
      { filters: {}, sort: 'generatedAt:desc', limit: 1, from: undefined },
      NOW + DAY - 990_000,
    )
    for (const search of ['common', 'rare']) await check({ search }, 'confidence:desc', 10)
  })
})
