import type { PendingDelivery, SandboxStorage, StorageTransaction, StoredObject, StoredResponse } from 'payment-sandbox'
import type { Db, Transaction } from './db.ts'
import { insertRecords, Params, where } from './sql.ts'

/** All transactions of the sandbox take this lock, so they run one after the other. */
const LOCK = 'sandbox'
const COLUMNS = `id, kind, document, notes, created_at, customer, subscription, invoice, payment_intent, label, due_at`

export type SandboxStore = ReturnType<typeof sandboxStore>

export function sandboxStore(db: Db): SandboxStorage {
  return {
    transaction: (work) => db.transaction((tx) => work(storageTransaction(tx)), LOCK),

    async isActionDue(now) {
      const rows = await db.query('select 1 from sandbox_objects where due_at <= $1 limit 1', [now])
      return rows.length > 0
    },

    async isDeliveryDue(now) {
      const rows = await db.query('select 1 from sandbox_deliveries where next_at <= $1 limit 1', [now])
      return rows.length > 0
    },

    leaseDelivery: (now, until) =>
      db.transaction(async (tx) => {
        const [delivery] = await tx.query<PendingDelivery>(
          `update sandbox_deliveries set next_at = $2
           where next_at <= $1 and event_id in (
             select event_id from sandbox_deliveries where next_at <= $1 order by next_at, event_id limit 1
           ) returning event_id, attempts, created_at,
             (select document from sandbox_objects where id = event_id) as document`,
          [now, until],
        )
        return delivery
      }),

    removeDelivery: (eventId) =>
      db.transaction(async (tx) => {
        await tx.query('delete from sandbox_deliveries where event_id = $1', [eventId])
      }),

    postponeDelivery: (eventId, attempts, nextAt) =>
      db.transaction(async (tx) => {
        await tx.query('update sandbox_deliveries set attempts = $2, next_at = $3 where event_id = $1', [
          eventId,
          attempts,
          nextAt,
        ])
      }),

    removeOld: ({ responsesBefore, eventsBefore }) =>
      db.transaction(async (tx) => {
        await tx.query('delete from sandbox_answers where created_at < $1', [responsesBefore])
        await tx.query(
          `delete from sandbox_objects where kind = 'event' and created_at < $1
             and id not in (select event_id from sandbox_deliveries)`,
          [eventsBefore],
        )
      }),
  }
}

function storageTransaction(tx: Transaction): StorageTransaction {
  return {
    async find(id) {
      const [row] = await tx.query<StoredObject>(`select ${COLUMNS} from sandbox_objects where id = $1`, [id])
      return row
    },

    insert: (row) => insertRecords(tx, 'sandbox_objects', [{ ...row }]),

    async update(row) {
      await tx.query(
        `update sandbox_objects set document = $2, notes = $3, customer = $4, subscription = $5, invoice = $6,
           payment_intent = $7, label = $8, due_at = $9 where id = $1`,
        [
          row.id,
          row.document,
          row.notes,
          row.customer,
          row.subscription,
          row.invoice,
          row.payment_intent,
          row.label,
          row.due_at,
        ],
      )
    },

    list(kind, filter, limit, after) {
      const params = new Params()
      const conditions = [`kind = ${params.add(kind)}`]
      for (const column of ['customer', 'subscription', 'invoice', 'payment_intent'] as const) {
        const value = filter[column]
        if (value !== undefined) conditions.push(`${column} = ${params.add(value)}`)
      }
      const isSince = filter.created_from !== undefined
      // `coalesce` keeps the planner from the index by label: the index by time reads fewer rows.
      const label = isSince ? "coalesce(label, '')" : 'label'
      if (filter.labels !== undefined) conditions.push(`${label} in (${params.list(filter.labels)})`)
      if (filter.created_from !== undefined) conditions.push(`created_at >= ${params.add(filter.created_from)}`)
      const place = isSince ? 'created_at, seq' : 'seq'
      if (after !== undefined) {
        conditions.push(`(${place}) < (select ${place} from sandbox_objects where id = ${params.add(after)})`)
      }
      const newestFirst = isSince ? 'created_at desc, seq desc' : 'seq desc'
      return tx.query<StoredObject>(
        `select ${COLUMNS} from sandbox_objects${where(conditions)} order by ${newestFirst} limit ${params.add(limit)}`,
        params.values,
      )
    },

    listNaming: (id) =>
      tx.query<StoredObject>(`select ${COLUMNS} from sandbox_objects where document like '%' || $1 || '%'`, [id]),

    async findDue(now, exceptIds) {
      const params = new Params()
      const conditions = [`due_at <= ${params.add(now)}`]
      if (exceptIds.length > 0) conditions.push(`id not in (${params.list(exceptIds)})`)
      const [row] = await tx.query<StoredObject>(
        `select ${COLUMNS} from sandbox_objects${where(conditions)}
         order by due_at, case kind when 'subscription_schedule' then 0 else 1 end, seq limit 1`,
        params.values,
      )
      return row
    },

    async addDelivery(eventId, now) {
      await tx.query(
        'insert into sandbox_deliveries (event_id, attempts, created_at, next_at) values ($1, 0, $2, $2)',
        [eventId, now],
      )
    },

    async findResponse(key, since) {
      const [row] = await tx.query<StoredResponse>(
        'select request, status, body from sandbox_answers where idempotency_key = $1 and created_at >= $2',
        [key, since],
      )
      return row
    },

    async saveResponse(key, response, now) {
      await tx.query(
        `insert into sandbox_answers (idempotency_key, request, status, body, created_at) values ($1, $2, $3, $4, $5)
         on conflict (idempotency_key) do update set request = excluded.request, status = excluded.status,
           body = excluded.body, created_at = excluded.created_at`,
        [key, response.request, response.status, response.body, now],
      )
    },

    async removeResponsesNaming(id) {
      await tx.query(`delete from sandbox_answers where body like '%' || $1 || '%'`, [id])
    },
  }
}
