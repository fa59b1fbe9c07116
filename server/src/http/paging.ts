import { crc32 } from 'node:zlib'
import { ApiError } from '../model/errors.ts'
import type { CursorPage, OffsetPage, Position, SortKey, WrittenPage } from '../model/paging.ts'

const VERSION = 1

/** Returns an opaque cursor: version, sort order, key and a checksum that detects altered cursors. */
export function encodeCursor(sort: string, key: SortKey, inclusive: boolean): string {
  const text = JSON.stringify([VERSION, sort, inclusive ? 1 : 0, ...key])
  return Buffer.from(`${crc32(text).toString(36)}.${text}`).toString('base64url')
}

function decodeCursor(cursor: string, sort: string, field: 'after' | 'before'): Omit<Position, 'direction'> {
  const parts = readCursor(cursor)
  if (parts === undefined) throw badCursor(field, 'must be a nextCursor or prevCursor of this list')
  const [, ofSort, inclusive, ...key] = parts
  if (ofSort !== sort) throw badCursor(field, `is a cursor for the sort order ${ofSort}, not ${sort}`)
  return { key, inclusive: inclusive === 1 }
}

function readCursor(cursor: string): [number, string, number, ...number[]] | undefined {
  const decoded = Buffer.from(cursor, 'base64url').toString()
  const text = decoded.slice(decoded.indexOf('.') + 1)
  if (decoded !== `${crc32(text).toString(36)}.${text}`) return undefined
  try {
    const parts = JSON.parse(text)
    const [version, sort, ...numbers] = parts
    return version === VERSION && typeof sort === 'string' && numbers.every(Number.isFinite) ? parts : undefined
  } catch {
    return undefined
  }
}

function badCursor(field: string, message: string): ApiError {
  return ApiError.invalid([{ field, message }])
}

/** Returns the position at which a cursor list starts; undefined is the beginning. */
export function positionOf(query: { after?: string; before?: string; sortBy?: string }): Position | undefined {
  const { after, before, sortBy = '' } = query
  if (after !== undefined && before !== undefined) throw badCursor('before', 'cannot be combined with after')
  if (after !== undefined) return { direction: 'after', ...decodeCursor(after, sortBy, 'after') }
  if (before !== undefined) return { direction: 'before', ...decodeCursor(before, sortBy, 'before') }
  return undefined
}

/** The request values that the meta of a list repeats. */
export interface Applied {
  limit: number
  sort: string
  query: string | null
  plan: string | undefined
}

/** Returns the meta of a cursor list (spec 2.7). */
export function cursorMeta(page: CursorPage<unknown>, { limit, sort, query, plan }: Applied) {
  // An empty page returns the requested position, inclusive, so that the row there is not skipped.
  const isPastEnd = page.count === 0
  return {
    totalCount: page.totalCount,
    count: page.count,
    limit,
    hasMore: page.hasMore,
    hasPrev: page.hasPrev,
    nextCursor: page.hasMore && page.last !== null ? encodeCursor(sort, page.last, isPastEnd) : null,
    prevCursor: page.hasPrev && page.first !== null ? encodeCursor(sort, page.first, isPastEnd) : null,
    sort,
    query,
    plan,
  }
}

/** Returns the meta of an offset list (spec 2.7). */
export function offsetMeta(page: OffsetPage<unknown> | WrittenPage<unknown>, limit: number, offset: number) {
  const count = countOf(page)
  const hasMore = offset + count < page.totalCount && count > 0
  return {
    totalCount: page.totalCount,
    count,
    limit,
    offset,
    hasMore,
    prevOffset: offset === 0 ? null : Math.max(0, offset - limit),
    nextOffset: hasMore ? offset + count : null,
  }
}

/** Returns the meta of a page list (spec 2.7). */
export function pageMeta(
  page: OffsetPage<unknown> | WrittenPage<unknown>,
  number: number,
  { limit, sort, query, plan }: Applied,
) {
  const totalPages = Math.ceil(page.totalCount / limit)
  const hasMore = number < totalPages
  return {
    totalCount: page.totalCount,
    count: countOf(page),
    limit,
    page: number,
    totalPages,
    prevPage: number > 1 ? Math.min(number - 1, Math.max(totalPages, 1)) : null,
    nextPage: hasMore ? number + 1 : null,
    hasMore,
    sort,
    query,
    plan,
  }
}

const countOf = (page: OffsetPage<unknown> | WrittenPage<unknown>) => ('count' in page ? page.count : page.data.length)
