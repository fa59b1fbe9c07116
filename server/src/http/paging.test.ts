import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { ApiError } from '../model/errors.ts'
import { Json } from '../model/json.ts'
import type { CursorPage, Position } from '../model/paging.ts'
import { cursorMeta, encodeCursor, offsetMeta, pageMeta, positionOf, scopeOf } from './paging.ts'

const LIST = { list: 'entries', filters: 5 }
const SORT = 'createdAt:desc'
const FIELDS = ['after', 'before'] as const

const someKey = fc.array(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), { minLength: 1, maxLength: 3 })
const someSort = fc.constantFrom('createdAt:desc', 'createdAt:asc', 'publishedAt:desc', 'relevance:desc', '')

/** The 400 that reading this query ends in, which has to name the field. */
function assertRefused(query: Parameters<typeof positionOf>[1], field: string): ApiError {
  let position: Position | undefined
  try {
    position = positionOf(LIST, query)
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    assert.equal(error.code, 'BAD_REQUEST')
    assert.equal(error.statusCode, 400)
    assert.deepEqual(
      error.details?.map((detail) => detail.field),
      [field],
    )
    return error
  }
  assert.fail(`${JSON.stringify(query)} was read as ${JSON.stringify(position)}`)
}

describe('cursors', () => {
  test('an id is a cursor only where ids are positions, and cursors are read there, too', () => {
    for (const field of FIELDS) {
      const at = { direction: field, key: [42], inclusive: false }
      assert.deepEqual(positionOf(LIST, { [field]: '42', sortBy: SORT }, true), at)
      assert.deepEqual(positionOf(LIST, { [field]: encodeCursor(LIST, SORT, [42], false), sortBy: SORT }, true), at)
      assertRefused({ [field]: '42', sortBy: SORT }, field)
      for (const text of ['', '-1', '1.5', '1e3', ' 1', '9'.repeat(16)]) {
        assert.throws(() => positionOf(LIST, { [field]: text, sortBy: SORT }, true), ApiError)
      }
    }
  })

  test('a cursor gives back the position it was made for', () => {
    fc.assert(
      fc.property(someSort, someKey, fc.boolean(), fc.constantFrom(...FIELDS), (sortBy, key, inclusive, field) => {
        const cursor = encodeCursor(LIST, sortBy, key, inclusive)
        assert.match(cursor, /^[\w-]+$/, 'needs no percent-encoding')
        assert.deepEqual(positionOf(LIST, { [field]: cursor, sortBy }), { direction: field, key, inclusive })
      }),
    )
  })

  test('without a cursor there is no position: the list starts at its beginning', () => {
    assert.equal(positionOf(LIST, { sortBy: SORT }), undefined)
    assert.equal(positionOf(LIST, {}), undefined)
  })

  for (const field of FIELDS) {
    test(`a cursor with any one character changed is 400 on ${field}, or still means the same`, () => {
      for (const key of [[1], [4711], [1_772_446_830_400, 987_654], [0, 0, Number.MAX_SAFE_INTEGER]]) {
        const cursor = encodeCursor(LIST, SORT, key, false)
        for (const index of cursor.split('').keys()) {
          for (const changed of 'ABCXYZabcxyz0123456789-_+/=.~ %é😀\0') {
            if (changed === cursor[index]) continue
            const garbled = cursor.slice(0, index) + changed + cursor.slice(index + 1)
            assertRefusedOrSame(garbled, field, key)
          }
        }
      }
    })

    test(`a cursor cut short or with characters put in is 400 on ${field}, or still means the same`, () => {
      fc.assert(
        fc.property(someKey, fc.nat(80), fc.nat(3), fc.string({ maxLength: 3 }), (key, at, removed, added) => {
          const cursor = encodeCursor(LIST, SORT, key, false)
          assertRefusedOrSame(cursor.slice(0, at) + added + cursor.slice(at + removed), field, key)
        }),
        { numRuns: runs(100, 1_000) },
      )
    })
  }

  function assertRefusedOrSame(cursor: string, field: (typeof FIELDS)[number], key: readonly number[]): void {
    const same = { direction: field, key, inclusive: false }
    try {
      assert.deepEqual(positionOf(LIST, { [field]: cursor, sortBy: SORT }), same)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      assertRefused({ [field]: cursor, sortBy: SORT }, field)
    }
  }

  test('a cursor of another sort order is 400 and the message names both', () => {
    const cursor = encodeCursor(LIST, 'publishedAt:asc', [1, 2], false)
    for (const field of FIELDS) {
      const { message } = assertRefused({ [field]: cursor, sortBy: SORT }, field)
      assert.match(message, /publishedAt:asc/)
      assert.match(message, /createdAt:desc/)
    }
  })

  test('after and before at once are 400, even when both are good', () => {
    const cursor = encodeCursor(LIST, SORT, [1], false)
    assertRefused({ after: cursor, before: cursor, sortBy: SORT }, 'before')
    assertRefused({ after: 'x', before: 'y', sortBy: SORT }, 'before')
  })

  test('any text is refused with 400 and nothing else', () => {
    const base64 = (text: fc.Arbitrary<string>) => text.map((value) => Buffer.from(value).toString('base64url'))
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      base64(fc.json()),
      base64(fc.json().map((json) => `1.${json}`)),
    )
    fc.assert(
      fc.property(text, fc.constantFrom(...FIELDS), (cursor, field) => {
        assertRefused({ [field]: cursor, sortBy: SORT }, field)
      }),
      { numRuns: runs(100, 1_000) },
    )
  })

  test('a cursor of other filters is 400 and the message says so', () => {
    const cursor = encodeCursor({ ...LIST, filters: 6 }, SORT, [1], false)
    for (const field of FIELDS)
      assert.match(assertRefused({ [field]: cursor, sortBy: SORT }, field).message, /other filters/)
  })

  test('the scope of a cursor depends on filters and path, not on the page, the sort or the order of values', () => {
    const scope = (query: Record<string, unknown>, id = 'x') => scopeOf('entries', query, { id }).filters
    const query = { limit: 5, search: 'gold', assetKey: ['A', 'B'], sortBy: SORT }
    assert.equal(scope(query), scope({ ...query, limit: 6, sortBy: '', after: 'c', include: ['cluster'] }))
    assert.equal(scope(query), scope({ ...query, assetKey: ['B', 'A'] }))
    assert.equal(scope(query), scope(query, 'X'))
    for (const other of [{ ...query, search: 'silver' }, { ...query, assetKey: ['A'] }, { ...query, query: 'a' }, {}])
      assert.notEqual(scope(query), scope(other))
    assert.notEqual(scope(query), scope(query, 'y'))
  })

  test('a cursor of another list is 400', () => {
    for (const field of FIELDS)
      assertRefused(
        { [field]: encodeCursor({ ...LIST, list: 'insider-trades' }, SORT, [1], false), sortBy: SORT },
        field,
      )
  })

  test('a cursor of another version, or whose parts are not a sort order and numbers, is 400', () => {
    // The checksum finds accidents; it is no secret, so what is below it has to be checked too.
    const forged = (text: string) =>
      Buffer.from(`${crc32(text, crc32(LIST.list)).toString(36)}.${text}`).toString('base64url')
    const forge = (parts: unknown) => forged(JSON.stringify(parts))
    assert.deepEqual(positionOf(LIST, { after: forge([2, SORT, 5, 0, 7]), sortBy: SORT })?.key, [7])
    for (const parts of [
      [1, SORT, 5, 0, 7],
      ['2', SORT, 5, 0, 7],
      [2, 7, 5, 0, 7],
      [2, SORT, '5', 0, 7],
      [2, SORT, 5, 0, '7'],
      [2, SORT, 5, 0, null],
      [2, SORT, 5, 0, [7]],
      [2, null],
      [],
      null,
      7,
      {},
      'text',
    ]) {
      assertRefused({ after: forge(parts), sortBy: SORT }, 'after')
    }
    for (const text of ['', '[', 'undefined', '\0']) assertRefused({ after: forged(text), sortBy: SORT }, 'after')
  })
})

describe('metas', () => {
  const applied = { scope: () => LIST, limit: 50, sort: SORT, query: null, plan: 'starter' }

  function cursorPage(more: Partial<CursorPage<unknown>>): CursorPage<unknown> {
    return {
      data: Json.text<unknown[]>('[{},{}]'),
      count: 2,
      totalCount: 9,
      first: [8],
      last: [7],
      hasPrev: true,
      hasMore: true,
      ...more,
    }
  }

  test('of cursor lists have exactly the fields of spec 2.7', () => {
    const meta = cursorMeta(cursorPage({}), { ...applied, query: 'gold' })
    assert.deepEqual(meta, {
      totalCount: 9,
      count: 2,
      limit: 50,
      hasMore: true,
      hasPrev: true,
      nextCursor: encodeCursor(LIST, SORT, [7], false),
      prevCursor: encodeCursor(LIST, SORT, [8], false),
      sort: SORT,
      query: 'gold',
      plan: 'starter',
    })
  })

  test('nextCursor is null exactly when hasMore is false, prevCursor exactly when hasPrev is false', () => {
    for (const hasMore of [true, false]) {
      for (const hasPrev of [true, false]) {
        const meta = cursorMeta(cursorPage({ hasMore, hasPrev }), applied)
        assert.equal(meta.nextCursor !== null, hasMore)
        assert.equal(meta.prevCursor !== null, hasPrev)
      }
    }
  })

  test('an empty list has no cursors', () => {
    const nothing = {
      data: Json.text<unknown[]>('[]'),
      count: 0,
      totalCount: 0,
      first: null,
      last: null,
      hasPrev: false,
      hasMore: false,
    }
    const meta = cursorMeta(cursorPage(nothing), applied)
    assert.equal(meta.nextCursor, null)
    assert.equal(meta.prevCursor, null)
  })

  test('going back from beyond the end includes the row at the position', () => {
    const beyond = { data: Json.text<unknown[]>('[]'), count: 0, first: [7], last: [7], hasPrev: true, hasMore: false }
    const { prevCursor } = cursorMeta(cursorPage(beyond), applied)
    assert.deepEqual(positionOf(LIST, { before: prevCursor ?? '', sortBy: SORT }), {
      direction: 'before',
      key: [7],
      inclusive: true,
    })
  })

  test('of offset lists have exactly the fields of spec 2.7', () => {
    const page = (count: number) => ({ data: Array(count).fill({}), totalCount: 25 })
    assert.deepEqual(offsetMeta(page(10), 10, 0), {
      totalCount: 25,
      count: 10,
      limit: 10,
      offset: 0,
      hasMore: true,
      prevOffset: null,
      nextOffset: 10,
    })
    assert.deepEqual(offsetMeta(page(10), 10, 5), {
      totalCount: 25,
      count: 10,
      limit: 10,
      offset: 5,
      hasMore: true,
      prevOffset: 0,
      nextOffset: 15,
    })
    assert.deepEqual(offsetMeta(page(5), 10, 20), {
      totalCount: 25,
      count: 5,
      limit: 10,
      offset: 20,
      hasMore: false,
      prevOffset: 10,
      nextOffset: null,
    })
    assert.deepEqual(offsetMeta(page(0), 10, 40), {
      totalCount: 25,
      count: 0,
      limit: 10,
      offset: 40,
      hasMore: false,
      prevOffset: 30,
      nextOffset: null,
    })
  })

  test('following nextOffset from the first page reads every item once', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 1, max: 100 }), (totalCount, limit) => {
        let read = 0
        let offset: number | null = 0
        while (offset !== null) {
          assert.equal(offset, read)
          const count = Math.min(limit, totalCount - offset)
          read += count
          const meta = offsetMeta({ data: Array(count), totalCount }, limit, offset)
          assert.equal(meta.hasMore, meta.nextOffset !== null)
          offset = meta.nextOffset
        }
        assert.equal(read, totalCount)
      }),
    )
  })

  test('of page lists name the page and its neighbours, null where there is none', () => {
    const page = (count: number, totalCount = 25) => ({ data: Array(count).fill({}), totalCount })
    const ten = { ...applied, limit: 10 }
    const neighbours = (meta: ReturnType<typeof pageMeta>) => [meta.prevPage, meta.page, meta.nextPage, meta.hasMore]
    assert.deepEqual(pageMeta(page(10), 1, ten), {
      totalCount: 25,
      count: 10,
      limit: 10,
      page: 1,
      totalPages: 3,
      prevPage: null,
      nextPage: 2,
      hasMore: true,
      sort: SORT,
      query: null,
      plan: 'starter',
    })
    assert.deepEqual(neighbours(pageMeta(page(10), 2, ten)), [1, 2, 3, true])
    assert.deepEqual(neighbours(pageMeta(page(5), 3, ten)), [2, 3, null, false])
    assert.deepEqual(neighbours(pageMeta(page(0), 99, ten)), [3, 99, null, false])
    assert.deepEqual(neighbours(pageMeta(page(0, 0), 1, ten)), [null, 1, null, false])
    assert.deepEqual(neighbours(pageMeta(page(0, 0), 2, ten)), [1, 2, null, false])
  })
})
