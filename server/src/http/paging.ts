import { crc32 } from 'node:zlib'
import { ApiError } from '../model/errors.ts'
import type { CursorPage, OffsetPage, Position, SortKey, WrittenPage } from '../model/paging.ts'
import { isFilter } from './params.ts'

const VERSION = 2
const ID = /^\d{1,15}$/

/** The list and the filters that a cursor belongs to. */
export interface CursorScope {
  list: string
  /** A fingerprint of the filters. */
  filters: number
}

/** Returns the scope of the cursors of a request. Parameters of the path filter the list too. */
export function scopeOf(list: string, query: Record<string, unknown>, params: Record<string, string>): CursorScope {
  const given = Object.entries(query)
    .filter(([name]) => isFilter(name))
    .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value])
  const path = Object.values(params).map((value) => value.toLowerCase())
  return { list, filters: crc32(JSON.stringify([...path, ...given])) }
}

/** Returns the name to which the cursors of a list are bound: its own, or that of the list at a time of the past. */
export function boundList(list: string, { asOf }: { asOf?: unknown }): string {
  return asOf === undefined ? list : `${list} as of ${asOf}`
}

/**
 * Returns an opaque cursor: version, sort order, fingerprint of the filters, key and a checksum that detects altered
 * cursors. The checksum starts with the name of the list, so that cursors of other lists are refused.
 */
export function encodeCursor({ list, filters }: CursorScope, sort: string, key: SortKey, inclusive: boolean): string {
  const text = JSON.stringify([VERSION, sort, filters, inclusive ? 1 : 0, ...key])
  return Buffer.from(`${checksum(list, text)}.${text}`).toString('base64url')
}

const checksum = (list: string, text: string) => crc32(text, crc32(list)).toString(36)

function decodeCursor(
  { list, filters }: CursorScope,
  cursor: string,
  sort: string,
  field: 'after' | 'before',
  more: string,
): Omit<Position, 'direction'> {
  const parts = readCursor(list, cursor)
  if (parts === undefined) throw badCursor(field, `must be a nextCursor or prevCursor of this list${more}`)
  const [, ofSort, ofFilters, inclusive, ...key] = parts
  if (ofSort !== sort) throw badCursor(field, `is a cursor for the sort order ${ofSort}, not ${sort}`)
  if (ofFilters !== filters) throw badCursor(field, 'is a cursor of other filters; repeat those of its page')
  return { key, inclusive: inclusive === 1 }
}

function readCursor(list: string, cursor: string): [number, string, number, number, ...number[]] | undefined {
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

/** Returns the position at which a cursor list starts; undefined is the beginning. With `hasIdCursors`, an id is a cursor, too. */
export function positionOf(
  scope: CursorScope,
  query: { after?: string; before?: string; sortBy?: string },
  hasIdCursors = false,
): Position | undefined {
  const { after, before, sortBy = '' } = query
  if (after !== undefined && before !== undefined) throw badCursor('before', 'cannot be combined with after')
  const read = (cursor: string, field: 'after' | 'before') =>
    hasIdCursors && ID.test(cursor)
      ? { key: [Number(cursor)], inclusive: false }
      : decodeCursor(scope, cursor, sortBy, field, hasIdCursors ? ', or an id' : ', with the same asOf')
  if (after !== undefined) return { direction: 'after', ...read(after, 'after') }
  if (before !== undefined) return { direction: 'before', ...read(before, 'before') }
  return undefined
}

/** The request values that the meta of a list repeats. */
export interface Applied {
  /** Computed only if the list has cursors. */
  scope: () => CursorScope
  limit: number
  sort: string
  query: string | null
  plan: string | undefined
}

/** Returns the meta of a cursor list (spec 2.7). */
export function cursorMeta(page: CursorPage<unknown>, { scope, limit, sort, query, plan }: Applied) {
  // An empty page returns the requested position, inclusive, so that the row there is not skipped.
  const isPastEnd = page.count === 0
  return {
    totalCount: page.totalCount,
    count: page.count,
    limit,
    hasMore: page.hasMore,
    hasPrev: page.hasPrev,
    nextCursor: page.hasMore && page.last !== null ? encodeCursor(scope(), sort, page.last, isPastEnd) : null,
    prevCursor: page.hasPrev && page.first !== null ? encodeCursor(scope(), sort, page.first, isPastEnd) : null,
    sort,
    query,
    ...(page.mode !== undefined && { mode: page.mode }),
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
