import { LRUCache } from 'lru-cache'
import { type Change, type ChangeAction, type ChangeSource, typeOf } from '../../model/changes.ts'
import { ApiError } from '../../model/errors.ts'
import { Json } from '../../model/json.ts'
import type { CursorPage, Position } from '../../model/paging.ts'
import { DAY, isoTime } from '../../model/time.ts'
import type { Db, Queryable } from '../db.ts'
import type { Feed } from '../lists/feeds.ts'
import { forEachChunk } from '../lists/refs.ts'
import { listMarkets } from '../markets/markets.ts'
import { SEC_TABLES } from '../sec/sec-tables.ts'
import { Params } from '../sql.ts'
import type { ChangeLog } from './change-log.ts'

export const CHANGE_SORTS = ['id:asc', 'id:desc'] as const
type ChangeSort = (typeof CHANGE_SORTS)[number]

interface ChangesRequest {
  sources: readonly ChangeSource[]
  sort: ChangeSort
  limit: number
  from: Position | undefined
}

interface LoggedChange {
  source: ChangeSource
  position: number
  ref: number
  action: ChangeAction
  recordId: string | null
  at: number
}

/** A list whose records belong to days by a time that never changes. */
export type DatedSource = Exclude<ChangeSource, 'markets' | 'prediction-markets'>

/** Changes that are read at once: a few milliseconds. */
const SCANNED = 5_000

const PAGE_CACHE_BYTES = 2_000_000

export type Changes = ReturnType<typeof changesStore>

/** The log of changes with the current records. `catalogues` is the feed of catalogues, whose markets also change unlogged. */
export function changesStore(db: Db, log: ChangeLog, catalogues: Feed) {
  const pages = new LRUCache<string, CursorPage<Change>>({ maxSize: PAGE_CACHE_BYTES })

  return {
    /** Returns the position of the last change. */
    head: async (): Promise<number> => (await log.head()).seq,

    /** Returns how many records have been removed. */
    countRemovals: async (): Promise<number> => (await log.head()).epoch,

    /** Calls `listener` after each transaction of this process that may have written changes. */
    subscribe: (listener: () => void): void => log.subscribe(listener),

    /** Returns those of the UTC days in which a list has records that were added or revised after a position of the log. */
    async listChangedDays(source: DatedSource, after: number, days: readonly number[]): Promise<number[]> {
      const { seq: head } = await log.head()
      const changed = new Set<number>()
      for (let from = after; from < head && changed.size < days.length; from += SCANNED) {
        const left = days.filter((day) => !changed.has(day))
        for (const day of await listDaysBetween(db, source, from, from + SCANNED, left)) changed.add(day)
      }
      return [...changed]
    },

    /** Returns a page of the changes of some lists: the same object until a record changes, as mirrors ask again and again. */
    async page(request: ChangesRequest): Promise<CursorPage<Change>> {
      const { from } = request
      if (from !== undefined && !(from.key.length === 1 && Number.isSafeInteger(from.key[0]))) {
        throw ApiError.invalid([{ field: from.direction, message: 'is not a cursor of this list' }])
      }
      const [{ seq, epoch }, { epoch: catalogueVersion }] = await Promise.all([log.head(), catalogues.head()])
      const key = JSON.stringify([seq, epoch, catalogueVersion, request])
      const cached = pages.get(key)
      if (cached !== undefined) return cached
      // Read after the versions: it may be newer than they are, but not older.
      const page = await readPage(db, request)
      pages.set(key, page, { size: page.data.size + key.length })
      return page
    },
  }
}

async function readPage(db: Db, { sources, sort, limit, from }: ChangesRequest): Promise<CursorPage<Change>> {
  const isBackwards = from?.direction === 'before'
  const isAscending = (sort === 'id:asc') !== isBackwards
  const walk = { position: from?.key[0], isInclusive: from?.inclusive === true, isAscending }
  const found = await listLogged(db, sources, { ...walk, limit: limit + 1 })
  const logged = found.slice(0, limit)
  if (isBackwards) logged.reverse()
  const items = await withRecords(db, logged)
  const nearest = (isBackwards ? logged.at(-1) : logged[0])?.position ?? from?.key[0]
  const behind = { position: nearest, isInclusive: logged.length === 0, isAscending: !isAscending, limit: 1 }
  const hasBehind = from !== undefined && (await listLogged(db, sources, behind)).length > 0
  const isCut = found.length > limit
  const keyOf = (change: LoggedChange | undefined) => (change === undefined ? (from?.key ?? null) : [change.position])
  return {
    data: Json.text(`[${items.join(',')}]`),
    count: items.length,
    totalCount: await countChanges(db, sources),
    first: keyOf(logged[0]),
    last: keyOf(logged.at(-1)),
    hasPrev: isBackwards ? isCut : hasBehind,
    hasMore: isBackwards ? hasBehind : isCut,
  }
}

/** Returns those of the days that have records with changes in a part of the log. */
async function listDaysBetween(
  db: Db,
  source: DatedSource,
  after: number,
  upTo: number,
  days: readonly number[],
): Promise<number[]> {
  const [table, time] = source === 'entries' ? ['entries', 'published_at'] : [SEC_TABLES[source].list.table, 'filed_at']
  const params = new Params()
  const from = `from changes c join ${table} t on t.seq = c.ref where c.source = ${params.add(source)}
    and c.position > ${params.add(after)} and c.position <= ${params.add(upTo)}`
  const flags = days.map(
    (day, place) =>
      `max(case when t.${time} >= ${params.add(day)} and t.${time} < ${params.add(day + DAY)} then 1 else 0 end) as d${place}`,
  )
  const [row] = await db.heavy.query<Record<string, number | null>>(`select ${flags.join(', ')} ${from}`, params.values)
  return days.filter((_, place) => row?.[`d${place}`] === 1)
}

interface Walk {
  position: number | undefined
  isInclusive: boolean
  isAscending: boolean
  limit: number
}

/** Merges the changes of several lists, each of which is in the order of its part of the key. */
function listLogged(
  db: Queryable,
  sources: readonly ChangeSource[],
  { position, isInclusive, isAscending, limit }: Walk,
): Promise<LoggedChange[]> {
  if (sources.length === 0) return Promise.resolve([])
  const params = new Params()
  const comparison = `${isAscending ? '>' : '<'}${isInclusive ? '=' : ''}`
  const start = position === undefined ? '' : `and position ${comparison} ${params.add(position)}`
  const take = `order by position ${isAscending ? 'asc' : 'desc'} limit ${Math.trunc(limit)}`
  const parts = sources.map(
    (source) => `select * from (
      select source, position, ref, action, record_id as "recordId", at from changes
      where source = ${params.add(source)} ${start} ${take}
    ) c`,
  )
  return db.query(`select * from (${parts.join(' union all ')}) u ${take}`, params.values)
}

async function countChanges(db: Queryable, sources: readonly ChangeSource[]): Promise<number> {
  if (sources.length === 0) return 0
  const params = new Params()
  const [row] = await db.query<{ count: number }>(
    `select cast(coalesce(sum(count), 0) as bigint) as count from change_counts where source in (${params.list(sources)})`,
    params.values,
  )
  return row?.count ?? 0
}

/** A record in JSON, with its id. */
interface Doc {
  id: string
  doc: string
}

/** Returns changes in JSON. Leaves out those of records that have been removed since they were read: a removal follows. */
async function withRecords(db: Db, logged: readonly LoggedChange[]): Promise<string[]> {
  const docs = new Map<ChangeSource, Map<number, Doc>>()
  for (const [source, changes] of Map.groupBy(logged, (change) => change.source)) {
    const refs = changes.filter(({ action }) => action !== 'removal').map(({ ref }) => ref)
    docs.set(source, await listDocs(db, source, [...new Set(refs)]))
  }
  return logged.flatMap(({ source, position, ref, action, recordId, at }) => {
    const current = docs.get(source)?.get(ref)
    if (action !== 'removal' && current === undefined) return []
    const type = typeOf(source)
    const fields = {
      id: position,
      type,
      dataset: type === 'filing' ? source : null,
      action,
      recordId: current?.id ?? recordId,
      at: isoTime(at),
    }
    return `${JSON.stringify(fields).slice(0, -1)},"record":${current?.doc ?? 'null'}}`
  })
}

/** Returns records by their keys in a list. */
async function listDocs(db: Db, source: ChangeSource, refs: readonly number[]): Promise<Map<number, Doc>> {
  if (source === 'markets') {
    const markets = await listMarkets(db, refs)
    return new Map([...markets].map(([ref, market]) => [ref, { id: market.id, doc: JSON.stringify(market) }]))
  }
  const found = new Map<number, Doc>()
  await forEachChunk(refs, async (params, list) => {
    const rows = await db.query<Doc & { seq: number }>(`${docsSql(source)} where t.seq in (${list})`, params.values)
    for (const { seq, ...doc } of rows) found.set(seq, doc)
  })
  return found
}

function docsSql(source: Exclude<ChangeSource, 'markets'>): string {
  if (source === 'entries') return 'select t.seq, t.id, t.doc from entries t'
  const table = source === 'prediction-markets' ? 'prediction_markets' : SEC_TABLES[source].list.table
  return `select t.seq, t.id, r.doc from ${table} t join ${table}_docs r on r.seq = t.seq`
}
