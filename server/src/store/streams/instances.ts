import { lockAccount } from '../accounts/account-row.ts'
import type { Db } from '../db.ts'
import { type ClosedStream, carryOver, findCarried, listStreamTimes } from './stream-rows.ts'

/** An instance as the others see it. One that is gone holds no slot any more, as soon as its streams are removed. */
export interface Instance {
  id: string
  elapsedMs: number
  isGone: boolean
}

const ACCOUNTS_AT_ONCE = 50

export function instancesStore(db: Db) {
  return {
    async list(): Promise<Instance[]> {
      const rows = await db.query<{ id: string; elapsedMs: number; isGone: number }>(
        'select id, elapsed_ms as "elapsedMs", is_gone as "isGone" from stream_instances order by id',
      )
      return rows.map((row) => ({ ...row, isGone: row.isGone === 1 }))
    },

    async join(id: string, elapsedMs: number): Promise<void> {
      await db.transaction((tx) =>
        tx.query('insert into stream_instances (id, elapsed_ms, is_gone) values ($1, $2, 0)', [id, elapsedMs]),
      )
    },

    /**
     * Says that it lives, and that its streams were open until now, but for those that have ended and could not be
     * settled. False when the others took it for dead.
     */
    beat(id: string, elapsedMs: number, closed: readonly ClosedStream[]): Promise<boolean> {
      return db.transaction(async (tx) => {
        const rows = await tx.query(
          'update stream_instances set elapsed_ms = $2 where id = $1 and is_gone = 0 returning id',
          [id, elapsedMs],
        )
        for (const stream of closed) {
          await tx.query('update streams set closed_ms = $2 where id = $1', [stream.id, stream.closedMs])
        }
        return rows.length > 0
      })
    },

    /** Takes an instance for dead, unless it has beaten since. */
    async giveUp({ id, elapsedMs }: Instance): Promise<boolean> {
      const rows = await db.transaction((tx) =>
        tx.query('update stream_instances set is_gone = 1 where id = $1 and elapsed_ms = $2 returning id', [
          id,
          elapsedMs,
        ]),
      )
      return rows.length > 0
    },

    /**
     * Frees the slots of some streams of an instance that is gone, and carries their time over. Gives their accounts;
     * when there are none left, the instance is forgotten.
     */
    freeSlots(id: string): Promise<{ accountId: string; carriedMs: number }[]> {
      return db.transaction(async (tx) => {
        const accounts = await tx.query<{ accountId: string }>(
          `select distinct account_id as "accountId" from streams where instance_id = $1
           order by account_id limit ${ACCOUNTS_AT_ONCE}`,
          [id],
        )
        const freed: { accountId: string; carriedMs: number }[] = []
        for (const { accountId } of accounts) {
          await lockAccount(tx, accountId)
          const streams = await listStreamTimes(tx, accountId)
          const ended = streams.filter((stream) => stream.instanceId === id)
          const carried = await carryOver(tx, accountId, await findCarried(tx, accountId), ended)
          freed.push({ accountId, carriedMs: carried?.unchargedMs ?? 0 })
        }
        if (freed.length === 0) await tx.query('delete from stream_instances where id = $1', [id])
        return freed
      })
    },
  }
}
