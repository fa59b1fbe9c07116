import { randomUUID } from 'node:crypto'
import type { Db } from '../db.ts'

export type BillingTurns = ReturnType<typeof billingTurnsStore>

export function billingTurnsStore(db: Db) {
  return {
    /** Names the turn; undefined when it is somebody else's. */
    begin(accountId: string, now: number, until: number): Promise<string | undefined> {
      return db.transaction(async (tx) => {
        const [row] = await tx.query<{ turn: string }>(
          `insert into billing_turns (account_id, turn, until) values ($1, $2, $3)
           on conflict (account_id) do update set turn = excluded.turn, until = excluded.until
             where billing_turns.until <= $4 returning turn`,
          [accountId, randomUUID(), until, now],
        )
        return row?.turn
      })
    },

    end(turn: string): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query('delete from billing_turns where turn = $1', [turn])
      })
    },
  }
}
