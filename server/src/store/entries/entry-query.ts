import { ApiError } from '../../model/errors.ts'
import type { Position } from '../../model/paging.ts'
import { type Db, type Queryable, type SearchTerms, SHORT_WALK } from '../db.ts'
import { DocRows } from '../lists/docs.ts'
import type { FeedQuery, Walk } from '../lists/feed-pages.ts'
import { forEachChunk } from '../lists/refs.ts'
import { parseSearch } from '../lists/search.ts'
import { Params, where } from '../sql.ts'
import { type EntryFilters, type ListFilter, listFilters } from './entry-filters.ts'

export const ENTRY_SORTS = ['createdAt:desc', 'createdAt:asc', 'publishedAt:desc', 'publishedAt:asc'] as const
export type EntrySort = (typeof ENTRY_SORTS)[number]

/** Entries per row of entry_spans. */
export const SPAN = 1_024

/** What the column `seq` can hold on either engine. */
const MAX_SEQ = 2 ** 31 - SPAN

/** Queries that are merged in one union. */
const MAX_BRANCHES = 100

/** Below this share of all entries a search looks its hits up first instead of testing entry after entry. */
const RARE_SHARE = 0.02

/** The part of the feed that can match. Each side is bounded once: SQLite walks from the first bound it sees. */
interface Bounds {
  /** seqLow < seq <= seqHigh */
  seqLow: number
  seqHigh: number
  publishedAfter: number | undefined
  publishedBefore: number | undefined
  /** For publishedAt orders; in createdAt orders a position is a bound on seq. */
  position: Position | undefined
}

/** Which of the two times an index is walked by; conditions on the other one are tested. */
type WalkedBy = 'seq' | 'published_at'

/**
 * The SQL of one combination of filters and sort. One filter drives: its index is walked in sort order, and the
 * others are tested on the way, so that a page costs no more in a larger store. (A search in publishedAt order is the
 * exception: its hits are sorted.)
 *
 * | driver           | index walked                            |
 * |------------------|-----------------------------------------|
 * | search           | the full-text index, newest first       |
 * | asset, topic     | entry_assets, entry_topics              |
 * | publisher … none | entries                                 |
 */
export class EntryQuery implements FeedQuery {
  readonly #db: Db
  readonly #filters: EntryFilters
  readonly #byPublished: boolean
  readonly #descending: boolean
  readonly #terms: SearchTerms | undefined
  readonly #lists: readonly ListFilter[]
  /** The list whose index is walked; undefined when a search drives, or nothing does. */
  readonly #driver: ListFilter | undefined

  private constructor(
    db: Db,
    filters: EntryFilters,
    sort: EntrySort,
    terms: SearchTerms | undefined,
    lists: readonly ListFilter[],
  ) {
    this.#db = db
    this.#filters = filters
    this.#byPublished = sort.startsWith('publishedAt')
    this.#descending = sort.endsWith('desc')
    this.#terms = terms
    this.#lists = lists
    this.#driver = terms === undefined ? lists[0] : undefined
  }

  /** Undefined when a filter names only what does not exist, so that nothing can match. */
  static async for(db: Db, filters: EntryFilters, sort: EntrySort): Promise<EntryQuery | undefined> {
    const terms = filters.search === undefined ? undefined : parseSearch(filters.search)
    if (filters.search !== undefined && terms === undefined) return undefined
    const lists = await listFilters(db, filters)
    if (lists.some(({ values }) => values.length === 0)) return undefined
    return new EntryQuery(db, filters, sort, terms, lists)
  }

  async rows({ from, limit, headSeq, totalCount }: Walk): Promise<DocRows> {
    const params = new Params()
    const isRare = totalCount < headSeq * RARE_SHARE
    const keysSql = this.#keysSql(params, await this.#bounds(0, headSeq, from), { from, limit, isRare })
    return DocRows.read(this.#db, this.#runner(headSeq), 'entries', {
      keysSql,
      columns: this.#sortColumns(),
      params: params.values,
    })
  }

  async count(from: number, to: number): Promise<number> {
    const params = new Params()
    const source = this.#source(params, { isRare: false, isCount: true })
    const bounds = await this.#bounds(from, to, undefined)
    // A first count reads every match, wherever it is; the tail after it is short.
    const walkedBy = from === 0 ? 'published_at' : 'seq'
    const conditions = [...source.conditions, ...this.#boundConditions(params, source, bounds, walkedBy)]
    const what = source.mayRepeat ? `count(distinct ${source.seq})` : 'count(*)'
    const runner = to - from > SHORT_WALK ? this.#db.heavy : this.#db
    const [row] = await runner.query<{ count: number }>(
      `select ${what} as count from ${source.from}${where(conditions)}`,
      params.values,
    )
    return row?.count ?? 0
  }

  /** The newest matches, up to `limit`. */
  async seqs(headSeq: number, limit: number): Promise<number[]> {
    const params = new Params()
    const bounds = await this.#bounds(0, headSeq, undefined)
    const sql = this.#keysSql(params, bounds, { from: undefined, limit, isRare: false })
    const rows = await this.#runner(headSeq).query<{ seq: number }>(sql, params.values)
    return rows.map(({ seq }) => seq)
  }

  /** Which of the given entries match. */
  async among(seqs: readonly number[]): Promise<number[]> {
    const found: number[] = []
    await forEachChunk(seqs, async (params, list) => {
      const conditions = [`e.seq in (${list})`, ...this.#tests(params)]
      const rows = await this.#db.query<{ seq: number }>(
        `select e.seq from entries e${where(conditions)}`,
        params.values,
      )
      for (const { seq } of rows) found.push(seq)
    })
    return found
  }

  /** Every filter as a condition on one entry `e`. */
  #tests(params: Params): string[] {
    const { search } = this.#db.dialect
    const { publishedAfter, publishedBefore } = this.#filters
    const tests = this.#lists.map((list) => list.test(params.list(list.values)))
    if (this.#terms !== undefined) {
      const matches = search.matches('entries', 'e.seq', params.add(search.queryValue(this.#terms)))
      tests.push(this.#terms.groups.length > 0 ? matches : `not ${matches}`)
    }
    if (publishedAfter !== undefined) tests.push(`e.published_at >= ${params.add(publishedAfter)}`)
    if (publishedBefore !== undefined) tests.push(`e.published_at <= ${params.add(publishedBefore)}`)
    return [...tests, ...this.#scoreTests(params)]
  }

  #scoreTests(params: Params): string[] {
    const { sentimentScoreMin, sentimentScoreMax } = this.#filters
    return [
      ...(sentimentScoreMin === undefined ? [] : [`e.sentiment_score >= ${params.add(sentimentScoreMin)}`]),
      ...(sentimentScoreMax === undefined ? [] : [`e.sentiment_score <= ${params.add(sentimentScoreMax)}`]),
    ]
  }

  /** Only pages that walk an index without testing anything on the way are certain to be short. */
  #runner(headSeq: number): Queryable {
    if (headSeq <= SHORT_WALK) return this.#db
    const { sentimentScoreMin, sentimentScoreMax, publishedAfter, publishedBefore } = this.#filters
    const tested = [
      this.#terms,
      sentimentScoreMin ?? sentimentScoreMax,
      this.#byPublished ? undefined : (publishedAfter ?? publishedBefore),
      ...this.#lists.filter((list) => list !== this.#driver),
    ]
    return tested.every((test) => test === undefined) ? this.#db : this.#db.heavy
  }

  /** With several values of the driving filter: the best of each, merged. */
  #keysSql(
    params: Params,
    bounds: Bounds,
    how: { from: Position | undefined; limit: number; isRare: boolean },
  ): string {
    const walkedBy = this.#byPublished ? 'published_at' : 'seq'
    // In the text, not as a parameter: SQLite plans a statement anew whenever its limit is bound.
    const take = `order by ${this.#order(how.from)} limit ${Math.trunc(how.limit)}`
    const branches = (this.#driver?.values ?? [undefined]).map((value) => {
      const source = this.#source(params, { isRare: how.isRare, isCount: false, value })
      const conditions = [...source.conditions, ...this.#boundConditions(params, source, bounds, walkedBy)]
      const columns = this.#sortColumns().map(
        (column) => `${column === 'seq' ? source.seq : source.publishedAt} as ${column}`,
      )
      return `select ${columns.join(', ')} from ${source.from}${where(conditions)} ${take}`
    })
    return mergedSql(branches, take)
  }

  #order(from: Position | undefined): string {
    return this.#sortColumns()
      .map((column) => `${column}${this.#walksDown(from) ? ' desc' : ''}`)
      .join(', ')
  }

  #sortColumns(): readonly string[] {
    return this.#byPublished ? ['published_at', 'seq'] : ['seq']
  }

  #walksDown(from: Position | undefined): boolean {
    return this.#descending !== (from?.direction === 'before')
  }

  /** From-clause and conditions; with `value` only that one value of the driving filter. */
  #source(params: Params, how: { isRare: boolean; isCount: boolean; value?: string | number | undefined }): Source {
    const { search } = this.#db.dialect
    const driving = this.#driver
    const tests: string[] = []
    let from = 'entries e'
    let alias: 'e' | 'd' | 'm' = 'e'

    if (this.#terms !== undefined) {
      const isPositive = this.#terms.groups.length > 0
      const hits = search.hits('entries', params.add(search.queryValue(this.#terms)), isPositive && how.isRare)
      if (isPositive) {
        from = `${hits} m`
        alias = 'm'
      } else {
        // Found once as a set: asked entry by entry, the full-text index would be searched anew for each.
        tests.push(`e.seq not in (select x.seq from ${hits} x)`)
      }
    }

    const conditions: string[] = []
    for (const list of this.#lists) {
      const values = params.list(list === driving && how.value !== undefined ? [how.value] : list.values)
      if (list !== driving) {
        tests.push(list.test(values))
      } else if (list.table === 'entries') {
        tests.push(`e.${list.column} in (${values})`)
      } else {
        from = `${list.table} d`
        alias = 'd'
        conditions.push(`d.${list.column} in (${values})`)
      }
    }

    tests.push(...this.#scoreTests(params))

    const { publishedAfter, publishedBefore } = this.#filters
    const hasRange = (publishedAfter ?? publishedBefore) !== undefined
    const needsTime = hasRange || (this.#byPublished && !how.isCount)
    if (alias !== 'e' && (tests.length > 0 || (alias === 'm' && needsTime))) {
      from = `${from} cross join entries e`
      conditions.push(`e.seq = ${alias}.seq`)
    }
    return {
      from,
      conditions: [...conditions, ...tests],
      seq: `${alias}.seq`,
      publishedAt: alias === 'd' ? 'd.published_at' : 'e.published_at',
      mayRepeat: alias === 'd' && (driving?.values.length ?? 0) > 1,
    }
  }

  async #bounds(fromSeq: number, toSeq: number, from: Position | undefined): Promise<Bounds> {
    const { publishedAfter, publishedBefore } = this.#filters
    const bounds: Bounds = { seqLow: fromSeq, seqHigh: toSeq, publishedAfter, publishedBefore, position: undefined }
    if (publishedAfter !== undefined) {
      const span = await this.#spanAt('min', 'published_max >=', publishedAfter)
      bounds.seqLow = Math.max(fromSeq, span * SPAN - 1)
    }
    if (publishedBefore !== undefined) {
      const span = await this.#spanAt('max', 'published_min <=', publishedBefore)
      bounds.seqHigh = Math.min(toSeq, span * SPAN + SPAN - 1)
    }
    if (from !== undefined) this.#startAt(bounds, from)
    return bounds
  }

  /** Narrows the bounds to what lies beyond a position. */
  #startAt(bounds: Bounds, from: Position): void {
    const { key, inclusive } = from
    if (key.length !== (this.#byPublished ? 2 : 1) || !key.every(Number.isSafeInteger)) {
      throw ApiError.invalid([{ field: from.direction, message: 'is not a cursor of this list' }])
    }
    const [first = 0] = key
    const isDown = this.#walksDown(from)
    if (!this.#byPublished) {
      if (isDown) bounds.seqHigh = Math.min(bounds.seqHigh, inclusive ? first : first - 1)
      else bounds.seqLow = Math.max(bounds.seqLow, inclusive ? first - 1 : first)
      return
    }
    const range = isDown ? bounds.publishedBefore : bounds.publishedAfter
    const isBeyondRange = range !== undefined && (isDown ? first > range : first < range)
    if (isBeyondRange) return
    bounds.position = from
    if (isDown) bounds.publishedBefore = undefined
    else bounds.publishedAfter = undefined
  }

  #boundConditions(params: Params, source: Source, bounds: Bounds, walkedBy: WalkedBy): string[] {
    // The unary plus changes nothing but that no index is walked for the condition.
    const seq = walkedBy === 'seq' ? source.seq : `+${source.seq}`
    const publishedAt = walkedBy === 'published_at' ? source.publishedAt : `+${source.publishedAt}`
    const { seqLow, seqHigh, publishedAfter, publishedBefore, position } = bounds
    const conditions = [`${seq} <= ${params.add(clampSeq(seqHigh))}`]
    if (seqLow > 0) conditions.push(`${seq} > ${params.add(clampSeq(seqLow))}`)
    if (publishedAfter !== undefined) conditions.push(`${publishedAt} >= ${params.add(publishedAfter)}`)
    if (publishedBefore !== undefined) conditions.push(`${publishedAt} <= ${params.add(publishedBefore)}`)
    if (position !== undefined) {
      const operator = `${this.#walksDown(position) ? '<' : '>'}${position.inclusive ? '=' : ''}`
      const [at = 0, place = 0] = position.key
      conditions.push(
        `(${source.publishedAt}, ${source.seq}) ${operator} (${params.add(at)}, ${params.add(clampSeq(place))})`,
      )
    }
    return conditions
  }

  async #spanAt(which: 'min' | 'max', condition: string, time: number): Promise<number> {
    const [row] = await this.#db.query<{ span: number }>(
      `select span from entry_spans where ${condition} $1 order by span ${which === 'max' ? 'desc' : 'asc'} limit 1`,
      [time],
    )
    // No span reaches the time: nothing matches.
    return row?.span ?? (which === 'max' ? -1 : MAX_SEQ / SPAN)
  }
}

/** The best of several queries. SQLite takes at most 500 in one union, so that more are merged in steps. */
function mergedSql(branches: readonly string[], take: string): string {
  if (branches.length === 1) return branches.join()
  if (branches.length > MAX_BRANCHES) {
    const groups = Array.from({ length: Math.ceil(branches.length / MAX_BRANCHES) }, (_, index) =>
      branches.slice(index * MAX_BRANCHES, (index + 1) * MAX_BRANCHES),
    )
    return mergedSql(
      groups.map((group) => mergedSql(group, take)),
      take,
    )
  }
  return `select * from (${branches.map((sql) => `select * from (${sql}) b`).join(' union ')}) u ${take}`
}

const clampSeq = (seq: number) => Math.max(-1, Math.min(seq, MAX_SEQ))

interface Source {
  from: string
  conditions: string[]
  seq: string
  publishedAt: string
  /** The same entry can come up once for each of several values. */
  mayRepeat: boolean
}
