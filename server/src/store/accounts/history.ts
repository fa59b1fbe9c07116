import { LRUCache } from 'lru-cache'
import { TRANSFER_KINDS } from '../../model/accounts.ts'
import type { OffsetPage } from '../../model/paging.ts'
import type { Db } from '../db.ts'
import { refuseOthers } from '../lists/filters.ts'
import { findStart } from './first-record.ts'
import { HistoryDays } from './history-days.ts'
import {
  countItems,
  type HistoryItem,
  meteredSource,
  newestFirst,
  readItems,
  requestSource,
  type Span,
  transferSource,
  type UsageItems,
} from './history-items.ts'
import type { LogWalk } from './log-walk.ts'

export type { HistoryItem } from './history-items.ts'

interface HistoryFilters {
  type?: readonly string[]
  createdAfter?: number
  createdBefore?: number
}

interface Asked {
  accountId: string
  filters: HistoryFilters
  isDetailed: boolean
  limit: number
  offset: number
}

export type History = ReturnType<typeof historyStore>

const CACHED_ITEMS = 20_000

export function historyStore(db: Db, walk: LogWalk) {
  const days = new HistoryDays(db)
  const pages = new LRUCache<string, { version: string; page: OffsetPage<HistoryItem> }>({
    maxSize: CACHED_ITEMS,
    sizeCalculation: ({ page }) => page.data.length + 1,
  })
  return {
    /** Returns a page, newest first. Usage is summed per UTC day and endpoint, or listed charge by charge. */
    async page(
      accountId: string,
      filters: HistoryFilters,
      isDetailed: boolean,
      limit: number,
      offset: number,
    ): Promise<OffsetPage<HistoryItem>> {
      const asked = { accountId, filters, isDetailed, limit, offset }
      const key = JSON.stringify(asked)
      // A history changes with a transfer, and the transfers of an account are committed in order; or if old requests
      // are removed.
      const [{ id = 0, removed = 0 } = {}] = await db.query<{ id: number; removed: number | null }>(
        `select id, (select removed_rows from request_log_heads where account_id = $1) as removed
         from transfers where account_id = $1 order by id desc limit 1`,
        [accountId],
      )
      const version = `${id} ${removed}`
      const cached = pages.get(key)
      if (cached?.version === version) return cached.page
      const page = await readPage(asked)
      pages.set(key, { version, page })
      return page
    },
  }

  async function readPage({ accountId, filters, isDetailed, limit, offset }: Asked): Promise<OffsetPage<HistoryItem>> {
    const { type: kinds = TRANSFER_KINDS, createdAfter = 0, createdBefore = Infinity, ...unread } = filters
    refuseOthers(unread)
    const span: Span = { accountId, fromAt: createdAfter, toAt: createdBefore + 1 }
    const hasUsage = kinds.includes('usage')
    const others = [
      ...(kinds.some((kind) => kind !== 'usage') ? [transferSource(kinds)] : []),
      ...(hasUsage && isDetailed ? [meteredSource] : []),
    ]
    const otherCount = await countItems(db, others, span)
    const usage = !hasUsage
      ? NO_USAGE
      : isDetailed
        ? await findCharges(walk, span, offset - otherCount)
        : await days.find(span, limit, offset, otherCount)
    const totalCount = otherCount + usage.total
    // The first item of a history is a transfer.
    if (totalCount === 0) return { data: [], totalCount, emptyBefore: await findStart(db, 'transfers', span) }
    if (offset >= totalCount) return { data: [], totalCount }
    const toAt = Math.min(usage.toAt, span.toAt)
    const newerOthers =
      toAt < span.toAt ? await countItems(db, others, { ...span, fromAt: Math.max(span.fromAt, toAt) }) : 0
    const rest = offset - usage.skipped - newerOthers
    const sources = [...others, ...(usage.source === undefined ? [] : [usage.source])]
    if (usage.items.length === 0) {
      const found = await readItems(db, sources, { ...span, toAt }, limit, rest)
      return { data: found.map(({ item }) => item), totalCount }
    }
    // Most pages have no others; counting them is far cheaper than reading none.
    const oldest = usage.items[rest + limit - 1]?.item.createdAt ?? span.fromAt
    const between = { ...span, fromAt: Math.max(span.fromAt, oldest), toAt }
    const hasOthers = otherCount > 0 && (await countItems(db, others, between)) > 0
    const found = hasOthers ? await readItems(db, sources, between, limit + rest) : []
    const all = [...found, ...usage.items].sort(newestFirst).slice(rest, rest + limit)
    return { data: all.map(({ item }) => item), totalCount }
  }
}

const NO_USAGE: UsageItems = { total: 0, toAt: Infinity, skipped: 0, items: [] }

/** Finds the charged request after `offset` newer ones: the page starts in the block of the log that contains it. */
async function findCharges(walk: LogWalk, span: Span, offset: number): Promise<UsageItems> {
  const skipped = Math.max(0, offset)
  const { runs, totalCount } = await walk.find(
    await walk.head(span.accountId),
    { ...span, filters: [], isCharged: true },
    1,
    skipped,
  )
  const [run] = runs
  const start = run === undefined ? { toAt: span.toAt, skipped: 0 } : { toAt: run.toAt, skipped: skipped - run.offset }
  return { total: totalCount, ...start, items: [], source: requestSource }
}
