import type { Db, Queryable, Transaction, Value } from '../db.ts'
import type { Lease } from '../leases.ts'
import { forEachChunk } from '../lists/refs.ts'
import { insertRecords } from '../sql.ts'

/** A source as it is configured or added; `key` is its address. */
export interface SourceSpec {
  key: string
  kind: string
  options: object
}

/** A source of the SOURCES setting, with the name of the preset or file. */
export interface ConfiguredSource extends SourceSpec {
  by: string
}

/** A source with all that is known about it. Times are epoch milliseconds. */
export interface SourceRecord {
  key: string
  kind: string
  options: Record<string, unknown>
  /** The preset or file that it is from; null if an operator added it by command. */
  configuredBy: string | null
  isPaused: boolean
  stopped: string | null
  state: Record<string, unknown>
  nextRunAt: number
  everyMs: number
  lastRunAt: number | null
  lastSuccessAt: number | null
  lastError: string | null
  /** Failed runs since the last success, and how many of them got no answer. */
  failures: number
  unanswered: number
  added: number
  changed: number
  rejected: number
  rejections: Record<string, number>
  lagMs: number | null
}

/** An item of a source, and the entry it became. */
export interface SourceItem {
  sourceKey: string
  /** The name that the source gives the item. */
  guid: string
  entryId: string
}

/** What a part of a run has brought. */
export interface Brought {
  added: number
  changed: number
  rejections: Record<string, number>
  /** Time between publication and storage of the latest item. */
  lagMs: number | null
}

/** How a run ended, and when the next one is due. */
export interface RunEnd {
  at: number
  nextRunAt: number
  everyMs: number
  error: string | null
  /** Whether a failed run got an answer. */
  isAnswered?: boolean
  stopped?: string | null
}

const LEASE = 'source '

/** Returns the name of the lease of the process that reads a source. */
export const sourceLease = (key: string): string => LEASE + key

/** Reasons beyond this number are counted together. */
const MAX_REASONS = 20
const OTHER_REASONS = 'other reasons'

export type Sources = ReturnType<typeof sourcesStore>

export function sourcesStore(db: Db) {
  const list = async (where: string, params: readonly Value[]): Promise<SourceRecord[]> =>
    (await db.query<SourceRow>(`select * from sources ${where}`, params)).map(toRecord)

  const set = (key: string, changes: string, params: readonly Value[] = []): Promise<boolean> =>
    db.transaction(async (tx) => {
      const rows = await tx.query(`update sources set ${changes} where key = $1 returning key`, [key, ...params])
      return rows.length > 0
    })

  // An exclusive engine has one process and no leases.
  const unleased = db.exclusive
    ? ''
    : `and not exists (select 1 from leases where name = '${LEASE}' || key and expires_at > ${db.dialect.now})`

  return {
    list: (): Promise<SourceRecord[]> => list('order by kind, key', []),

    async find(key: string): Promise<SourceRecord | undefined> {
      return (await list('where key = $1', [key]))[0]
    },

    /** Lists the sources to read now that no other process is reading, the longest due first. */
    listDue: (now: number, limit: number): Promise<SourceRecord[]> =>
      list(`where next_run_at <= $1 and is_paused = 0 and stopped is null ${unleased} order by next_run_at limit $2`, [
        now,
        limit,
      ]),

    /** Adds a source, or changes the options of one that was added before. */
    add: (source: SourceSpec, now: number): Promise<void> =>
      db.transaction((tx) => put(tx, { ...source, column: 'added', by: null }, now)),

    /** Makes the sources of the SOURCES setting those given; others of the setting stay only if they were also added. */
    configure: (sources: readonly ConfiguredSource[], now: number): Promise<void> =>
      db.transaction(async (tx) => {
        const keys = new Set(sources.map(({ key }) => key))
        const known = await tx.query<{ key: string }>('select key from sources where configured is not null')
        for (const { key } of known) {
          if (keys.has(key)) continue
          await tx.query('update sources set configured = null, configured_by = null where key = $1', [key])
          await removeUnused(tx, key)
        }
        for (const source of sources) await put(tx, { ...source, column: 'configured' }, now)
      }),

    /** Removes what an operator added; a source of the SOURCES setting stays. Returns false if nothing was added. */
    remove: (key: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const rows = await tx.query(
          'update sources set added = null where key = $1 and added is not null returning key',
          [key],
        )
        await removeUnused(tx, key)
        return rows.length > 0
      }),

    pause: (key: string): Promise<boolean> => set(key, 'is_paused = 1'),

    /** Also starts a source again that was stopped. */
    resume: (key: string, now: number): Promise<boolean> =>
      set(key, 'is_paused = 0, stopped = null, failures = 0, unanswered = 0, next_run_at = $2', [now]),

    runSoon: (key: string, now: number): Promise<boolean> => set(key, 'next_run_at = $2', [now]),

    /** Saves how far a source has been read. Writes nothing if the lease is lost. */
    checkpoint: (key: string, state: object, brought: Brought, lease: Lease): Promise<void> =>
      db.transaction(async (tx) => {
        await lease.verify(tx)
        const [row] = await tx.query<{ rejections: string }>('select rejections from sources where key = $1', [key])
        const rejected = Object.values(brought.rejections).reduce((sum, count) => sum + count, 0)
        await tx.query(
          `update sources set state = $2, added_items = added_items + $3, changed_items = changed_items + $4,
             rejected_items = rejected_items + $5, rejections = $6, lag_ms = coalesce($7, lag_ms) where key = $1`,
          [
            key,
            JSON.stringify(state),
            brought.added,
            brought.changed,
            rejected,
            JSON.stringify(addReasons(JSON.parse(row?.rejections ?? '{}'), brought.rejections)),
            brought.lagMs,
          ],
        )
      }),

    /** Writes nothing if the lease is lost. */
    endRun: (key: string, run: RunEnd, lease: Lease): Promise<void> =>
      db.transaction(async (tx) => {
        await lease.verify(tx)
        const { at, nextRunAt, everyMs, error, isAnswered = true, stopped = null } = run
        const outcome =
          error === null
            ? 'failures = 0, unanswered = 0, last_success_at = $2'
            : `failures = failures + 1, unanswered = unanswered + ${isAnswered ? 0 : 1}`
        await tx.query(
          `update sources set last_run_at = $2, next_run_at = $3, every_ms = $4, last_error = $5, stopped = $6, ${outcome}
           where key = $1`,
          [key, at, nextRunAt, everyMs, error, stopped],
        )
      }),

    /** Returns the entries that items with these guids became. */
    async entriesOf(key: string, guids: readonly string[]): Promise<Map<string, string>> {
      const found = new Map<string, string>()
      await forEachChunk([...new Set(guids)], async (params, guidList) => {
        const rows = await db.query<{ guid: string; entry_id: string }>(
          `select guid, entry_id from source_items where guid in (${guidList}) and source_key = ${params.add(key)}`,
          params.values,
        )
        for (const row of rows) found.set(row.guid, row.entry_id)
      })
      return found
    },

    /** Remembers which entries items became, except entries that another source brought before. */
    rememberItems: (items: readonly SourceItem[]): Promise<void> => db.transaction((tx) => rememberItems(tx, items)),
  }
}

/** Remembers which entries items of one source became, except entries that another source brought before. */
export async function rememberItems(tx: Transaction, items: readonly SourceItem[]): Promise<void> {
  const [first] = items
  if (first === undefined) return
  const taken = new Set<string>()
  const ids = new Set(items.map(({ entryId }) => entryId))
  await forEachChunk([...ids], async (params, list) => {
    const rows = await tx.query<{ entry_id: string }>(
      `select entry_id from source_items where entry_id in (${list}) and source_key <> ${params.add(first.sourceKey)}`,
      params.values,
    )
    for (const row of rows) taken.add(row.entry_id)
  })
  const own = items.filter(({ entryId }) => !taken.has(entryId))
  await insertRecords(
    tx,
    'source_items',
    own.map(({ sourceKey, guid, entryId }) => ({ source_key: sourceKey, guid, entry_id: entryId })),
    'on conflict (source_key, guid) do update set entry_id = excluded.entry_id',
  )
}

interface SourceRow {
  key: string
  kind: string
  added: string | null
  configured: string | null
  configured_by: string | null
  is_paused: number
  stopped: string | null
  state: string
  next_run_at: number
  every_ms: number
  last_run_at: number | null
  last_success_at: number | null
  last_error: string | null
  failures: number
  unanswered: number
  added_items: number
  changed_items: number
  rejected_items: number
  rejections: string
  lag_ms: number | null
}

function toRecord(row: SourceRow): SourceRecord {
  return {
    key: row.key,
    kind: row.kind,
    options: JSON.parse(row.configured ?? row.added ?? '{}'),
    configuredBy: row.configured_by,
    isPaused: row.is_paused === 1,
    stopped: row.stopped,
    state: JSON.parse(row.state),
    nextRunAt: row.next_run_at,
    everyMs: row.every_ms,
    lastRunAt: row.last_run_at,
    lastSuccessAt: row.last_success_at,
    lastError: row.last_error,
    failures: row.failures,
    unanswered: row.unanswered,
    added: row.added_items,
    changed: row.changed_items,
    rejected: row.rejected_items,
    rejections: JSON.parse(row.rejections),
    lagMs: row.lag_ms,
  }
}

/** Sets the options of a source; a new one is due at once. */
async function put(
  tx: Transaction,
  { key, kind, options, column, by }: SourceSpec & { column: 'added' | 'configured'; by: string | null },
  now: number,
): Promise<void> {
  const written = JSON.stringify(options)
  const record = {
    key,
    kind,
    added: column === 'added' ? written : null,
    configured: column === 'configured' ? written : null,
    configured_by: by,
    is_paused: 0,
    stopped: null,
    state: '{}',
    next_run_at: now,
    every_ms: 0,
    failures: 0,
    added_items: 0,
    changed_items: 0,
    rejected_items: 0,
    rejections: '{}',
    created_at: now,
  }
  const changes =
    column === 'added'
      ? 'added = excluded.added'
      : `configured = excluded.configured, configured_by = excluded.configured_by`
  await insertRecords(tx, 'sources', [record], `on conflict (key) do update set ${changes}`)
}

async function removeUnused(tx: Queryable, key: string): Promise<void> {
  await tx.query(
    `delete from source_items where source_key = $1
       and exists (select 1 from sources where key = $1 and added is null and configured is null)`,
    [key],
  )
  await tx.query('delete from sources where key = $1 and added is null and configured is null', [key])
}

function addReasons(known: Record<string, number>, added: Record<string, number>): Record<string, number> {
  const sums = { ...known }
  for (const [reason, count] of Object.entries(added)) {
    const name = reason in sums || Object.keys(sums).length < MAX_REASONS ? reason : OTHER_REASONS
    sums[name] = (sums[name] ?? 0) + count
  }
  return sums
}
