import type { Db, Queryable, Transaction } from './db.ts'
import { insertRecords, Params, where } from './sql.ts'

/** What objects are listed by. */
export interface SandboxKeys {
  customer: string | null
  subscription: string | null
  invoice: string | null
  payment_intent: string | null
  label: string | null
}

export interface SandboxRow extends SandboxKeys {
  id: string
  kind: string
  document: string
  notes: string
  created_at: number
  due_at: number | null
}

export interface SandboxFilter extends Partial<Omit<SandboxKeys, 'label'>> {
  labels?: readonly string[] | undefined
  createdFrom?: number | undefined
}

export interface SandboxAnswer {
  request: string
  status: number
  body: string
}

export interface SandboxDelivery {
  eventId: string
  attempts: number
  createdAt: number
  document: string
}

/** Everything happens under it, so that an object, what follows from it and its events are one step. */
const LOCK = 'sandbox'
const COLUMNS = `id, kind, document, notes, created_at, customer, subscription, invoice, payment_intent, label, due_at`

export type SandboxStore = ReturnType<typeof sandboxStore>
export type SandboxTransaction = ReturnType<typeof sandboxTransaction>

export function sandboxStore(db: Db) {
  return {
    transaction: <T>(work: (tx: SandboxTransaction) => Promise<T>): Promise<T> =>
      db.transaction((tx) => work(sandboxTransaction(tx)), LOCK),

    async isAnythingDue(now: number): Promise<boolean> {
      const rows = await db.query('select 1 from sandbox_objects where due_at <= $1 limit 1', [now])
      return rows.length > 0
    },

    async isDeliveryDue(now: number): Promise<boolean> {
      const rows = await db.query('select 1 from sandbox_deliveries where next_at <= $1 limit 1', [now])
      return rows.length > 0
    },

    /** Takes deliveries that are due; nobody else is given them until `until`. */
    takeDeliveries: (now: number, until: number, limit: number): Promise<SandboxDelivery[]> =>
      db.transaction(async (tx) => {
        const taken = await tx.query<{ event_id: string; attempts: number; created_at: number }>(
          `update sandbox_deliveries set next_at = $2
           where next_at <= $1 and event_id in (
             select event_id from sandbox_deliveries where next_at <= $1 order by next_at, event_id limit $3
           ) returning event_id, attempts, created_at`,
          [now, until, limit],
        )
        const documents = await findDocuments(
          tx,
          taken.map((row) => row.event_id),
        )
        return taken.map((row) => ({
          eventId: row.event_id,
          attempts: row.attempts,
          createdAt: row.created_at,
          document: documents.get(row.event_id) ?? '',
        }))
      }),

    removeDelivery: (eventId: string): Promise<void> =>
      db.transaction(async (tx) => {
        await tx.query('delete from sandbox_deliveries where event_id = $1', [eventId])
      }),

    postponeDelivery: (eventId: string, attempts: number, nextAt: number): Promise<void> =>
      db.transaction(async (tx) => {
        await tx.query('update sandbox_deliveries set attempts = $2, next_at = $3 where event_id = $1', [
          eventId,
          attempts,
          nextAt,
        ])
      }),

    /** Events that are still to be delivered stay. */
    removeOld: ({ answersBefore, eventsBefore }: { answersBefore: number; eventsBefore: number }): Promise<void> =>
      db.transaction(async (tx) => {
        await tx.query('delete from sandbox_answers where created_at < $1', [answersBefore])
        await tx.query(
          `delete from sandbox_objects where kind = 'event' and created_at < $1
             and id not in (select event_id from sandbox_deliveries)`,
          [eventsBefore],
        )
      }),
  }
}

async function findDocuments(tx: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const params = new Params()
  const rows = await tx.query<{ id: string; document: string }>(
    `select id, document from sandbox_objects where id in (${params.list(ids)})`,
    params.values,
  )
  return new Map(rows.map((row) => [row.id, row.document]))
}

function sandboxTransaction(tx: Transaction) {
  return {
    async find(id: string): Promise<SandboxRow | undefined> {
      const [row] = await tx.query<SandboxRow>(`select ${COLUMNS} from sandbox_objects where id = $1`, [id])
      return row
    },

    insert: (row: SandboxRow): Promise<void> => insertRecords(tx, 'sandbox_objects', [{ ...row }]),

    async update(row: SandboxRow): Promise<void> {
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

    /** The newest first, from the one that follows `after`. */
    list(kind: string, filter: SandboxFilter, limit: number, after?: string): Promise<SandboxRow[]> {
      const params = new Params()
      const conditions = [`kind = ${params.add(kind)}`]
      for (const column of ['customer', 'subscription', 'invoice', 'payment_intent'] as const) {
        const value = filter[column]
        if (value !== undefined) conditions.push(`${column} = ${params.add(value)}`)
      }
      const isSince = filter.createdFrom !== undefined
      // Among all that is kept, what is from lately is found by its time and not by what it is.
      const label = isSince ? "coalesce(label, '')" : 'label'
      if (filter.labels !== undefined) conditions.push(`${label} in (${params.list(filter.labels)})`)
      if (filter.createdFrom !== undefined) conditions.push(`created_at >= ${params.add(filter.createdFrom)}`)
      const place = isSince ? 'created_at, seq' : 'seq'
      if (after !== undefined) {
        conditions.push(`(${place}) < (select ${place} from sandbox_objects where id = ${params.add(after)})`)
      }
      const newestFirst = isSince ? 'created_at desc, seq desc' : 'seq desc'
      return tx.query<SandboxRow>(
        `select ${COLUMNS} from sandbox_objects${where(conditions)} order by ${newestFirst} limit ${params.add(limit)}`,
        params.values,
      )
    },

    /** What is to happen first. A schedule changes the price before the subscription is renewed at it. */
    async findDue(now: number, besides: readonly string[]): Promise<SandboxRow | undefined> {
      const params = new Params()
      const conditions = [`due_at <= ${params.add(now)}`]
      if (besides.length > 0) conditions.push(`id not in (${params.list(besides)})`)
      const [row] = await tx.query<SandboxRow>(
        `select ${COLUMNS} from sandbox_objects${where(conditions)}
         order by due_at, case kind when 'subscription_schedule' then 0 else 1 end, seq limit 1`,
        params.values,
      )
      return row
    },

    async addDelivery(eventId: string, now: number): Promise<void> {
      await tx.query(
        'insert into sandbox_deliveries (event_id, attempts, created_at, next_at) values ($1, 0, $2, $2)',
        [eventId, now],
      )
    },

    async findAnswer(key: string, since: number): Promise<SandboxAnswer | undefined> {
      const [row] = await tx.query<SandboxAnswer>(
        'select request, status, body from sandbox_answers where idempotency_key = $1 and created_at >= $2',
        [key, since],
      )
      return row
    },

    async saveAnswer(key: string, answer: SandboxAnswer, now: number): Promise<void> {
      await tx.query(
        `insert into sandbox_answers (idempotency_key, request, status, body, created_at) values ($1, $2, $3, $4, $5)
         on conflict (idempotency_key) do update set request = excluded.request, status = excluded.status,
           body = excluded.body, created_at = excluded.created_at`,
        [key, answer.request, answer.status, answer.body, now],
      )
    },
  }
}
