import type { ChangeAction, ChangeSource } from '../../model/changes.ts'
import type { Db, Transaction } from '../db.ts'
import { Feed, type Head, reserveSeqs } from '../lists/feeds.ts'
import { forEachChunk } from '../lists/refs.ts'
import { insertRecords } from '../sql.ts'

/** The name of the feed of changes, in the table `feeds`. */
export const CHANGES = 'changes'

/** A changed record by its key in its list. */
export interface ChangedRecord {
  ref: number
  id: string
}

interface Noted {
  source: ChangeSource
  ref: number
  action: ChangeAction
  /** Of a removed record. */
  id: string | null
}

/** The changes of a transaction, by source and ref. */
type Pending = Map<ChangeSource, Map<number, Noted>>

/**
 * The log of all changes of records, in the order of commits. A transaction notes its changes and writes them at its
 * end: the lock of the log is then the last one it takes, and others wait for it only briefly.
 */
export class ChangeLog {
  readonly #feed: Feed
  readonly #pending = new WeakMap<Transaction, Pending>()
  readonly #listeners: (() => void)[] = []

  constructor(db: Db) {
    this.#feed = new Feed(db, CHANGES)
  }

  /** Returns the position of the last change, with the number of removals as epoch. */
  async head(): Promise<Head> {
    return this.#feed.head()
  }

  /** Calls `listener` after each transaction of this process that may have written changes. */
  subscribe(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Call it after a transaction that used `write`, whether or not it succeeded. */
  changed(): void {
    this.#feed.changed()
    for (const listener of this.#listeners) listener()
  }

  inserted(tx: Transaction, source: ChangeSource, refs: Iterable<number>): void {
    for (const ref of refs) this.#note(tx, { source, ref, action: 'insert', id: null })
  }

  revised(tx: Transaction, source: ChangeSource, refs: Iterable<number>): void {
    for (const ref of refs) this.#note(tx, { source, ref, action: 'revision', id: null })
  }

  removed(tx: Transaction, source: ChangeSource, records: Iterable<ChangedRecord>): void {
    for (const { ref, id } of records) this.#note(tx, { source, ref, action: 'removal', id })
  }

  #note(tx: Transaction, change: Noted): void {
    const { source, ref, action } = change
    const pending = this.#pending.get(tx) ?? new Map()
    this.#pending.set(tx, pending)
    const own: Map<number, Noted> = pending.get(source) ?? new Map()
    pending.set(source, own)
    const isNew = own.get(ref)?.action === 'insert'
    if (isNew && action === 'revision') return
    // The last change of a record comes last.
    own.delete(ref)
    if (!(isNew && action === 'removal')) own.set(ref, change)
  }

  /** Writes the noted changes. Call it last in the transaction: a lock taken later could deadlock. */
  async write(tx: Transaction, now: number): Promise<void> {
    const pending = this.#pending.get(tx)
    this.#pending.delete(tx)
    const noted = [...(pending?.values() ?? [])].flatMap((own) => [...own.values()])
    if (pending === undefined || noted.length === 0) return
    const { firstSeq, createdAtFloor } = await this.#feed.append(tx, noted.length, now)
    for (const [source, own] of pending) await replaceOlder(tx, source, [...own.values()])
    await insertRecords(
      tx,
      'changes',
      noted.map(({ source, ref, action, id }, index) => ({
        source,
        position: firstSeq + index,
        ref,
        action,
        record_id: id,
        at: Math.max(createdAtFloor, now),
      })),
    )
    if (noted.some(({ action }) => action === 'removal')) await this.#feed.touch(tx)
  }
}

/**
 * Logs the rows of `table` from `firstSeq` on, which are new. For a transaction that changes nothing else: it builds the log
 * where the rows are, without noting each of them. Call it last, as `ChangeLog.write`.
 */
export async function logInserted(
  tx: Transaction,
  { source, table, firstSeq, count }: { source: ChangeSource; table: string; firstSeq: number; count: number },
  now: number,
): Promise<void> {
  const { firstSeq: position, createdAtFloor } = await reserveSeqs(tx, CHANGES, count, now)
  await addCount(tx, source, count)
  await tx.query(
    `insert into changes (source, position, ref, action, at)
     select $1, seq + cast($2 as bigint), seq, 'insert', cast($3 as bigint) from ${table} where seq between $4 and $5`,
    [source, position - firstSeq, Math.max(createdAtFloor, now), firstSeq, firstSeq + count - 1],
  )
}

/** Removes the changes that new ones of the same records make obsolete, and updates the number of changes. */
async function replaceOlder(tx: Transaction, source: ChangeSource, changes: readonly Noted[]): Promise<void> {
  let replaced = 0
  const remove = (action: ChangeAction, obsolete: string) =>
    forEachChunk(
      changes.filter((change) => change.action === action).map(({ ref }) => ref),
      async (params, list) => {
        const rows = await tx.query(
          `delete from changes where ref in (${list}) and ${IN_SOURCE} = ${params.add(source)}
           and action in (${obsolete}) returning position`,
          params.values,
        )
        replaced += rows.length
      },
    )
  await remove('revision', "'revision'")
  await remove('removal', "'insert', 'revision'")
  await addCount(tx, source, changes.length - replaced)
}

async function addCount(tx: Transaction, source: ChangeSource, count: number): Promise<void> {
  await tx.query(
    `insert into change_counts (source, count) values ($1, $2)
     on conflict (source) do update set count = change_counts.count + excluded.count`,
    [source, count],
  )
}

/** The source in a form that keeps the engine from walking all changes of it by the primary key. */
export const IN_SOURCE = "source || ''"

/** The part of the log that concerns one list of records. */
export interface SourceLog {
  changes: ChangeLog
  source: ChangeSource
}
