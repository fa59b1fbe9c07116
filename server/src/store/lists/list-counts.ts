import type { SearchTerms } from '../db.ts'
import { Params, where } from '../sql.ts'
import { type BoundFilter, UNKNOWN } from './filters.ts'
import { type ListPlan, seqConditions } from './list-plan.ts'
import { type Driver, isBoundOf, isSearch, type RowSource, rowSource } from './row-source.ts'
import type { SearchCache } from './search-cache.ts'

/** Sums over the matches of one interval. */
export interface TimeSum {
  /** Start of the interval. */
  at: number
  count: number
  /** The matches with a sentiment score, and the sum of their scores in millionths. */
  scored: number
  sentiment: number
}

/** A range of values of a column. */
export interface ColumnRange {
  column: string
  low: number
  high: number
}

/** The matches whose column is in a range, which no other block overlaps. */
export interface Block {
  low: number
  high: number
  count: number
}

/** Counts the matches of a query: all of them, per interval of time, and by the values of a column. */
export class ListCounts {
  readonly #plan: ListPlan
  readonly #search: CountedSearch | undefined

  /** `search` is the search of the plan, if its results are cached. */
  constructor(plan: ListPlan, search: CountedSearch | undefined) {
    this.#plan = plan
    this.#search = search
  }

  /** Returns the number of matches with from < seq <= to. */
  async count(from: number, to: number): Promise<number> {
    const params = new Params()
    const { source, conditions, runner } = await this.#between(params, from, to, ['seq'], {
      testsInIndexes: from === 0,
    })
    const [row] = await runner.query<{ count: number }>(
      `select ${source.mayRepeat ? `count(distinct ${source.columnOf('seq')})` : 'count(*)'} as count
       from ${source.from}${where(conditions)}`,
      params.values,
    )
    return row?.count ?? 0
  }

  /** Sums up the matches with from < seq <= to per interval of the sort column, whose bounds must be given. */
  async sumsOverTime(intervalMs: number, from: number, to: number): Promise<TimeSum[]> {
    // Interval by interval in the order of an index: a group by would sort all matches.
    const { isIndexed, sort } = this.#plan
    if (isIndexed && from === 0) return this.#sumsByIndex(intervalMs, to)
    const params = new Params()
    const reads = ['seq', sort, 'sentiment_score']
    const { source, conditions, runner } = await this.#between(params, from, to, reads)
    const interval = Math.trunc(intervalMs)
    return runner.query<TimeSum>(
      `select m.${sort} - m.${sort} % ${interval} as at, count(*) as count,
         count(m.sentiment_score) as scored, ${SENTIMENT_SUM} as sentiment
       from (${matchesSql(source, reads, conditions)}) m
       group by 1 order by 1`,
      params.values,
    )
  }

  async #sumsByIndex(intervalMs: number, headSeq: number): Promise<TimeSum[]> {
    const { db, asked, driver, part, sort } = this.#plan
    const boundOf = (kind: BoundFilter['kind']) =>
      Number(asked.given.find((one) => one.filter.kind === kind && isBoundOf(one, sort))?.values[0])
    const [least, most] = [boundOf('least'), boundOf('most')]
    const interval = Math.trunc(intervalMs)
    const first = Math.floor(least / interval) * interval
    const params = new Params()
    const [low, high, start] = [params.add(least), params.add(most), params.add(first)]
    const reads = ['seq', sort, 'sentiment_score']
    const how = { driver, part, bounded: sort, reads, among: 'all' } as const
    const source = rowSource(db, params, asked, how)
    const column = source.columnOf(sort)
    const range = await this.#plan.narrowed({ low: 0, high: headSeq })
    const seqs = seqConditions(params, `+${source.columnOf('seq')}`, range)
    const conditions = [`${column} >= s.low`, `${column} <= s.high`, ...source.conditions, ...seqs]
    const rows = await this.#plan.runnerFor(headSeq).query<{ at: number; sums: string }>(
      `with recursive starts (at) as (
         select cast(${start} as bigint) union all
         select at + ${interval} from starts where at + ${interval} <= cast(${high} as bigint)
       )
       select s.at, (
         select cast(count(*) as text) || ' ' || cast(count(m.sentiment_score) as text) || ' '
           || cast(${SENTIMENT_SUM} as text)
         from (${matchesSql(source, reads, conditions)}) m
       ) as sums
       from (
         select at, case when at < ${low} then ${low} else at end as low,
           case when at + ${interval - 1} > ${high} then ${high} else at + ${interval - 1} end as high
         from starts
       ) s`,
      params.values,
    )
    return rows
      .map(({ at, sums }) => {
        const [count = 0, scored = 0, sentiment = 0] = sums.split(' ').map(Number)
        return { at, count, scored, sentiment }
      })
      .filter(({ count }) => count > 0)
      .sort((one, other) => one.at - other.at)
  }

  /** Returns where the matches with from < seq <= to are found, and which connection reads them. */
  async #between(
    params: Params,
    from: number,
    to: number,
    reads: readonly string[],
    how?: { testsInIndexes: boolean },
  ) {
    // The first count reads every match; later counts walk only the short tail of new rows, by seq.
    const isTail = from > 0
    const { db, asked, part, list } = this.#plan
    const driver = isTail && asked.sorts[0] !== 'seq' ? undefined : this.#plan.driver
    const bounded = isTail ? undefined : this.#plan.bounded
    const source = rowSource(db, params, asked, {
      driver,
      part,
      bounded,
      reads,
      // With spans, it may be faster to start with a part of the feed.
      areHitsFirst: list.spans === undefined,
      among: isTail ? 'tail' : 'all',
      ...how,
    })
    const seq = source.columnOf('seq')
    const conditions = [
      ...source.conditions,
      ...this.#plan.boundConditions(params, source, bounded),
      ...seqConditions(
        params,
        isTail || isSearch(driver) ? seq : `+${seq}`,
        await this.#plan.narrowed({ low: from, high: to }),
      ),
    ]
    return { source, conditions, runner: this.#plan.runnerFor(to - from) }
  }

  /**
   * Returns the numbers of matches with seq <= headSeq by the values of a column, in up to `most` blocks of values if there
   * are more matches. The values are whole numbers. Rows whose column is null do not count.
   */
  async blocks(column: string, headSeq: number, most: number): Promise<Block[]> {
    const [low, high] = await this.#plan.extremes(column)
    if (low === null || high === null) return []
    const width = Math.ceil((high - low + 1) / most)
    const blocks = await this.#readBlocks(column, headSeq, { low, high, width })
    const count = blocks.reduce((sum, block) => sum + block.count, 0)
    return width === 1 || count > most ? blocks : this.#readBlocks(column, headSeq, undefined)
  }

  /** Reads the blocks of so many values, or a block for each value. */
  async #readBlocks(
    column: string,
    headSeq: number,
    wide: { low: number; high: number; width: number } | undefined,
  ): Promise<Block[]> {
    const params = new Params()
    const runner = this.#plan.runnerFor(headSeq)
    const read = async (sql: string) => {
      const names = ['low', 'count'] as const
      const [row] = await runner.query<Record<(typeof names)[number], string | null>>(
        this.#plan.db.dialect.columnsSql(sql, names),
        params.values,
      )
      const [lows = [], counts = []] = names.map((name): number[] => JSON.parse(row?.[name] ?? '[]'))
      const width = wide?.width ?? 1
      return lows.map((low, index) => ({ low, high: low + width - 1, count: counts[index] ?? 0 }))
    }
    // A test of each row with a value would search the full-text index again and again.
    const driver = isSearch(this.#plan.driver) ? this.#plan.driver : this.#rangeDriver(column)
    if (wide === undefined || isSearch(driver)) {
      const matches = this.#matchesSql(params, column, headSeq, { driver })
      const { low = 0, width = 1 } = wide ?? {}
      const [from, step] = [`cast(${params.add(low)} as bigint)`, `cast(${params.add(width)} as bigint)`]
      return read(
        `select ${from} + ${step} * place as low, count(*) as count
         from (select (cast(m.at as bigint) - ${from}) / ${step} as place from (${matches}) m) p group by place order by 1`,
      )
    }
    // Block by block in the order of an index: a group by would sort all matches.
    const [first, step, last] = [wide.low, wide.width, wide.high].map((value) => `cast(${params.add(value)} as bigint)`)
    const matches = this.#matchesSql(params, column, headSeq, { driver, low: 's.low', high: `s.low + ${step} - 1` })
    return read(
      `with recursive starts (low) as (
         select ${first} union all select low + ${step} from starts where low + ${step} <= ${last}
       )
       select * from (
         select s.low, (select count(*) from (${matches}) m) as count from starts s
       ) c where count > 0 order by 1`,
    )
  }

  /** Returns the numbers of matches with seq <= headSeq and low <= column <= high, which are few, for each of the ranges. */
  async countsWithin(ranges: readonly ColumnRange[], headSeq: number): Promise<number[]> {
    if (ranges.length === 0) return []
    const params = new Params()
    const search = ranges.every(({ column }) => column !== 'seq') ? this.#search : undefined
    const query = search?.unsearched ?? this
    const matches = ranges.map(({ column, low, high }) => {
      const driver = query.#rangeDriver(column)
      return query.#matchesSql(params, column, headSeq, { driver, low: params.add(low), high: params.add(high) })
    })
    if (search === undefined) {
      const counts = matches.map((sql, index) => `(select count(*) from (${sql}) m) as c${index}`)
      const [row] = await this.#plan.db.query<Record<string, number>>(`select ${counts.join(', ')}`, params.values)
      return ranges.map((_, index) => row?.[`c${index}`] ?? 0)
    }
    const isHit = await search.cache.hits(search.terms)
    const rows = await this.#plan.db.query<{ place: number; seq: number }>(
      matches.map((sql, index) => `select ${index} as place, seq from (${sql}) m`).join(' union all '),
      params.values,
    )
    return ranges.map((_, index) => rows.filter(({ place, seq }) => place === index && isHit(seq)).length)
  }

  /** Returns the driver whose index serves ranges of a column. */
  #rangeDriver(column: string): Driver {
    return column === this.#plan.asked.sorts[0] ? this.#plan.driver : undefined
  }

  /** Selects a column of the matches as `at`, where it is not null, and their `seq`. */
  #matchesSql(
    params: Params,
    name: string,
    headSeq: number,
    { driver, low, high }: { driver: Driver; low?: string; high?: string },
  ): string {
    const { db, asked, part, list } = this.#plan
    const how = { driver, part, bounded: undefined, areHitsFirst: list.spans === undefined }
    // Only an index that starts with the column serves a range of it, unless it is the default sort.
    const among = name === asked.sorts[0] ? 'all' : 'few'
    const source = rowSource(db, params, asked, { ...how, reads: ['seq', name], among })
    const [column, seq] = [source.columnOf(name), source.columnOf('seq')]
    const conditions = [
      ...source.conditions,
      `${column} >= ${low ?? UNKNOWN}`,
      ...(high === undefined ? [] : [`${column} <= ${high}`]),
      ...seqConditions(params, name === 'seq' ? seq : `+${seq}`, { low: 0, high: headSeq }),
    ]
    return `select ${source.mayRepeat ? 'distinct ' : ''}${seq} as seq, ${column} as at
      from ${source.from}${where(conditions)}`
  }
}

/** A search whose hits are cached, and the counts without it. */
interface CountedSearch {
  cache: SearchCache
  terms: SearchTerms
  unsearched: ListCounts
}

/** The sum of the sentiment of matches `m`, in millionths: the sum of integers does not depend on their order. */
const SENTIMENT_SUM = 'cast(coalesce(sum(cast(round(m.sentiment_score * 1000000) as bigint)), 0) as bigint)'

/** Selects columns of matches, each match once. */
function matchesSql(source: RowSource, columns: readonly string[], conditions: readonly string[]): string {
  const selected = columns.map((column) => `${source.columnOf(column)} as ${column}`)
  return `select ${source.mayRepeat ? 'distinct ' : ''}${selected.join(', ')} from ${source.from}${where(conditions)}`
}
