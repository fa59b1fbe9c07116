import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filtersOf } from './params.ts'

const query: { limit: number; sortBy: string; after?: string; language?: string[]; scoreMin?: number } = {
  limit: 3,
  sortBy: 'createdAt:desc',
  language: ['en'],
}

test('filters are the parameters that choose neither the page nor the order', () => {
  const filters: { language?: readonly string[]; scoreMin?: number } = filtersOf(query)
  assert.deepEqual(filters, { language: ['en'] })
})

test('a query whose parameters are not exactly the filters of its list does not compile', () => {
  const wanted: [{ language?: string[] }, { language?: string[]; scoreMin?: number; author?: string }, object] = [
    // @ts-expect-error: scoreMin would be dropped
    filtersOf(query),
    // @ts-expect-error: nothing sets author
    filtersOf(query),
    // @ts-expect-error: nothing says which filters there are
    filtersOf(query),
  ]
  // @ts-expect-error: scoreMin is a number
  const mistyped: { language?: string[]; scoreMin?: boolean } = filtersOf(query)
  for (const filters of [...wanted, mistyped]) assert.deepEqual(filters, { language: ['en'] })
})
