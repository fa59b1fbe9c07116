import { LRUCache } from 'lru-cache'
import { DAY, isoDay } from '../../model/time.ts'
import type { Db } from '../db.ts'
import { dailySource, readItems, type SortedItem, type Span, type UsageItems } from './history-items.ts'

/** A day with charges. `credits` only grow, so that equal credits mean equal items. */
interface ChargedDay {
  day: string
  items: number
  credits: number
}

const CACHED_ITEMS = 20_000
/** Before and after all days that have usage. */
const FIRST_DAY = ''
const LAST_DAY = '9999-12-31'
const AFTER_ALL = '9999-12-32'
/** Days to read at first: an active account fills a page in one or two. */
const FIRST_DAYS = 3

/** Finds the sums per day and endpoint by the maintained number of them per day. */
export class HistoryDays {
  readonly #db: Db
  readonly #items = new LRUCache<string, { credits: number; items: SortedItem[] }>({
    maxSize: CACHED_ITEMS,
    sizeCalculation: ({ items }) => items.length + 1,
  })

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * Finds the days of a page. The items of a day are from that day, so the days after it can be skipped by their numbers of
   * items, leaving room for the `others`.
   */
  async find(span: Span, limit: number, offset: number, others: number): Promise<UsageItems> {
    const { total, days } = await this.#listDays(span, limit + offset)
    let [skipped, first] = [0, 0]
    for (const { items } of days) {
      if (skipped + items + others > offset) break
      skipped += items
      first += 1
    }
    const items: SortedItem[] = []
    for (const day of days.slice(first)) {
      if (items.length >= offset - skipped + limit) break
      for (const one of await this.#itemsOf(span.accountId, day)) {
        if (one.item.createdAt >= span.fromAt && one.item.createdAt < span.toAt) items.push(one)
      }
    }
    const skippedDay = days[first - 1]?.day
    return { total, toAt: skippedDay === undefined ? Infinity : Date.parse(skippedDay), skipped, items }
  }

  async #itemsOf(accountId: string, { day, credits }: ChargedDay): Promise<SortedItem[]> {
    const key = `${accountId} ${day}`
    const cached = this.#items.get(key)
    if (cached?.credits === credits) return cached.items
    const start = Date.parse(day)
    const span = { accountId, fromAt: start, toAt: start + DAY }
    const items = await readItems(this.#db, [dailySource(day)], span)
    this.#items.set(key, { credits, items })
    return items
  }

  /** Lists the days with charges, newest first, until they have `most` items, and counts all items. */
  async #listDays(span: Span, most: number): Promise<{ total: number; days: ChargedDay[] }> {
    const [first, last] = [dayAt(span.fromAt), dayAt(span.toAt - 1)]
    const [inner] = await this.#db.query<{ items: number }>(
      `select cast(coalesce(sum(charged_endpoints), 0) as bigint) as items from usage_days
       where account_id = $1 and day > $2 and day < $3`,
      [span.accountId, first, last],
    )
    // The span may cut the days at its ends.
    const cut = first === FIRST_DAY && last === LAST_DAY ? [] : await this.#countCutDays(span, first, last)
    const cutItems = new Map(cut.map(({ day, items }) => [day, items]))
    const days: ChargedDay[] = []
    let missing = most
    for (let size = FIRST_DAYS; missing > 0; size *= 4) {
      const more = await this.#db.query<ChargedDay>(
        `select day, charged_endpoints as items, credits from usage_days
         where account_id = $1 and day >= $2 and day <= $3 and day < $4 and charged_endpoints > 0
         order by day desc limit $5`,
        [span.accountId, first, last, days.at(-1)?.day ?? AFTER_ALL, size],
      )
      for (const one of more) {
        const items = one.day === first || one.day === last ? (cutItems.get(one.day) ?? 0) : one.items
        days.push({ ...one, items })
        missing -= items
      }
      if (more.length < size) break
    }
    return { total: (inner?.items ?? 0) + cut.reduce((sum, { items }) => sum + items, 0), days }
  }

  #countCutDays({ accountId, fromAt, toAt }: Span, first: string, last: string) {
    return this.#db.query<{ day: string; items: number }>(
      `select day, count(*) as items from (
         select day, max(charged_at) as created_at from usage_daily
         where account_id = $1 and credits > 0 and day in ($2, $3) group by day, endpoint
       ) d where created_at >= $4 and created_at < $5 group by day`,
      [accountId, first, last, fromAt, Math.min(toAt, Number.MAX_SAFE_INTEGER)],
    )
  }
}

const dayAt = (time: number) => (time <= 0 ? FIRST_DAY : time >= Date.parse(LAST_DAY) ? LAST_DAY : isoDay(time))
