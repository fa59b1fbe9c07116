import { setImmediate } from 'node:timers/promises'
import { CHANGES } from '../changes/change-log.ts'
import type { Db, Queryable } from '../db.ts'
import type { Feed } from '../lists/feeds.ts'

/** A publisher's new country, which its entries repeat. */
export interface Move {
  publisherId: string
  from: string | null
  to: string | null
}

/** A move under way. */
interface Begun extends Move {
  /** The last entry of the publisher that has the new country. */
  lastSeq: number
  /** The last change of an entry before the move: a later one may have given an entry to the publisher. */
  lastChange: number
}

/** The progress of moves by publisher. */
export type Ahead = ReadonlyMap<string, Begun>

const STEP = 250
const PUBLISHER = '(select ref from publishers where id = $1)'

/** Moves the entries that came after `moveEntriesAhead`, in the transaction that changes the publisher. */
export async function moveEntries(tx: Queryable, feed: Feed, moves: readonly Move[], ahead: Ahead): Promise<void> {
  for (const { publisherId, from, to } of moves) {
    const begun = ahead.get(publisherId)
    // Another change may have moved the entries meanwhile.
    const isSame = begun?.from === from && begun?.to === to
    const move = `update entries set country_code = $2 where publisher_ref = ${PUBLISHER} and`
    await tx.query(`${move} seq > $3`, [publisherId, to, isSame ? begun.lastSeq : 0])
    if (isSame) {
      const changed = "select ref from changes where source = 'entries' and position > $3 and action = 'revision'"
      await tx.query(`${move} seq in (${changed})`, [publisherId, to, begun.lastChange])
    }
  }
  if (moves.length > 0) await feed.touch(tx)
}

/**
 * Moves nearly all entries in small transactions, so that other writers wait only briefly. The publishers are changed
 * last: after an interruption they are as before, and the move starts again.
 */
export async function moveEntriesAhead(db: Db, feed: Feed, moves: readonly Move[]): Promise<Ahead> {
  const ahead = new Map<string, Begun>()
  const [changes] = await db.query<{ last: number }>('select last_seq as last from feeds where name = $1', [CHANGES])
  const lastChange = changes?.last ?? 0
  for (const move of moves) {
    ahead.set(move.publisherId, { ...move, lastSeq: await moveInSteps(db, feed, move), lastChange })
  }
  return ahead
}

async function moveInSteps(db: Db, feed: Feed, { publisherId, to }: Move): Promise<number> {
  let lastSeq = 0
  for (;;) {
    const [step] = await db.query<{ last: number | null }>(
      `select max(seq) as last from (
         select seq from entries where publisher_ref = ${PUBLISHER} and seq > $2 order by seq limit ${STEP}
       ) s`,
      [publisherId, lastSeq],
    )
    const first = lastSeq
    if (step === undefined || step.last === null) return lastSeq
    lastSeq = step.last
    try {
      await db.transaction(async (tx) => {
        await feed.touch(tx)
        await tx.query(
          `update entries set country_code = $2 where publisher_ref = ${PUBLISHER} and seq > $3 and seq <= $4`,
          [publisherId, to, first, lastSeq],
        )
      })
    } finally {
      feed.changed()
    }
    await setImmediate()
  }
}
