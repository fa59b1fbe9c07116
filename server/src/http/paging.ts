import { crc32 } from 'node:zlib'
import { ApiError } from '../model/errors.ts'
import type { CursorPage, OffsetPage, Position, SortKey, WrittenPage } from '../model/paging.ts'

const VERSION = 1

/** Returns the name to which the cursors of a list are bound: its own, or that of the list at a time of the past. */
export function boundList(list: string, { asOf }: { asOf?: unknown }): string {
  return asOf === undefined ? list : `${list} as of ${asOf}`
}

/**
 * Returns an opaque cursor: version, sort order, key and a checksum that detects altered cursors. The checksum starts
 * with the name of the list, so that cursors of other lists are refused.
 */
export function encodeCursor(list: string, sort: string, key: SortKey, inclusive: boolean): string {
  const text = JSON.stringify([VERSION, sort, inclusive ? 1 : 0, ...key])
  return Buffer.from(`${checksum(list, text)}.${text}`).toString('base64url')
}

const checksum = (list: string, text: string) => crc32(text, crc32(list)).toString(36)

function decodeCursor(
  list: string,
  cursor: string,
  sort: string,
  field: 'after' | 'before',
): Omit<Position, 'direction'> {
  const parts = readCursor(list, cursor)
  if (parts === undefined) throw badCursor(field, 'must be a nextCursor or prevCursor of this list, with the same asOf')
  const [, ofSort, inclusive, ...key] = parts
  if (ofSort !== sort) throw badCursor(field, `is a cursor for the sort order ${ofSort}, not ${sort}`)
  return { key, inclusive: inclusive === 1 }
}

function readCursor(list: string, cursor: string): [number, string, number, ...number[]] | undefined {
  const decoded = Buffer.from(cursor, 'base64url').toString()
  const text = decoded.slice(decoded.indexOf('.') + 1)
  if (decoded !== `${checksum(list, text)}.${text}`) return undefined
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
export function positionOf(
  list: string,
  query: { after?: string; before?: string; sortBy?: string },
): Position | undefined {
  const { after, before, sortBy = '' } = query
  if (after !== undefined && before !== undefined) throw badCursor('before', 'cannot be combined with after')
  if (after !== undefined) return { direction: 'after', ...decodeCursor(list, after, sortBy, 'after') }
  if (before !== undefined) return { direction: 'before', ...decodeCursor(list, before, sortBy, 'before') }
  return undefined
}

/** The request values that the meta of a list repeats. */
export interface Applied {
  /** Name of the list, to which cursors are bound. */
  list: string
  limit: number
  sort: string
  query: string | null
  plan: string | undefined
}

/** Returns the meta of a cursor list (spec 2.7). */
export function cursorMeta(page: CursorPage<unknown>, { list, limit, sort, query, plan }: Applied) {
  // An empty page returns the requested position, inclusive, so that the row there is not skipped.
  const isPastEnd = page.count === 0
  return {
    totalCount: page.totalCount,
    count: page.count,
    limit,
    hasMore: page.hasMore,
    hasPrev: page.hasPrev,
    nextCursor: page.hasMore && page.last !== null ? encodeCursor(list, sort, page.last, isPastEnd) : null,
    prevCursor: page.hasPrev && page.first !== null ? encodeCursor(list, sort, page.first, isPastEnd) : null,
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
