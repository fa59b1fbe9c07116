import { type Change, type ChangeAction, type ChangeSource, typeOf } from '../../model/changes.ts'
import { ApiError } from '../../model/errors.ts'
import { Json } from '../../model/json.ts'
import type { CursorPage, Position } from '../../model/paging.ts'
import { isoTime } from '../../model/time.ts'
import type { Db, Queryable } from '../db.ts'
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

export type Changes = ReturnType<typeof changesStore>

/** The log of changes with the current records. */
export function changesStore(db: Db, log: ChangeLog) {
  return {
    /** Returns the position of the last change. */
    head: async (): Promise<number> => (await log.head()).seq,

    /** Returns how many records have been removed. */
    countRemovals: async (): Promise<number> => (await log.head()).epoch,

    /** Calls `listener` after each transaction of this process that may have written changes. */
    subscribe: (listener: () => void): void => log.subscribe(listener),

    /** Returns a page of the changes of some lists. */
    async page({ sources, sort, limit, from }: ChangesRequest): Promise<CursorPage<Change>> {
      if (from !== undefined && !(from.key.length === 1 && Number.isSafeInteger(from.key[0]))) {
        throw ApiError.invalid([{ field: from.direction, message: 'is not a cursor of this list' }])
      }
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
      const keyOf = (change: LoggedChange | undefined) =>
        change === undefined ? (from?.key ?? null) : [change.position]
      return {
        data: Json.text(`[${items.join(',')}]`),
        count: items.length,
        totalCount: await countChanges(db, sources),
        first: keyOf(logged[0]),
        last: keyOf(logged.at(-1)),
        hasPrev: isBackwards ? isCut : hasBehind,
        hasMore: isBackwards ? hasBehind : isCut,
      }
    },
  }
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
