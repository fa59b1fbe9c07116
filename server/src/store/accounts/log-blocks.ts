import { LRUCache } from 'lru-cache'
import type { LoggedRequest } from '../../model/request-log.ts'
import { type Db, type Queryable, SHORT_WALK, type Transaction } from '../db.ts'

/**
 * The log of an account is divided by time into blocks, whose numbers of rows are maintained with the log. The newest
 * block is open. It is split when it has twice this number of rows; the newer half stays open, so that a request that is
 * logged a little late rarely belongs to a closed block.
 */
const BLOCK_ROWS = 500
const CACHED_BLOCKS = 500_000

/** The rows of an account with `fromAt <= createdAt < toAt`. */
export interface LogBlock {
  fromAt: number
  toAt: number
  rows: number
  /** Rows with credits. */
  charged: number
}

/** The open block and the sums of the closed ones. */
export interface LogHead {
  fromAt: number
  rows: number
  charged: number
  closedRows: number
  closedCharged: number
  /** Rows that were added to closed blocks. */
  lateRows: number
  /** Rows that were removed because of their age. */
  removedRows: number
}

const HEAD_COLUMNS = `from_at as "fromAt", open_rows as "rows", open_charged as "charged", closed_rows as "closedRows",
  closed_charged as "closedCharged", late_rows as "lateRows", removed_rows as "removedRows"`
const EMPTY: LogHead = {
  fromAt: 0,
  rows: 0,
  charged: 0,
  closedRows: 0,
  closedCharged: 0,
  lateRows: 0,
  removedRows: 0,
}

/** Counts requests that the transaction has added to the log. */
export async function addToBlocks(tx: Transaction, requests: readonly LoggedRequest[]): Promise<void> {
  const byAccount = Map.groupBy(requests, ({ accountId }) => accountId)
  // In the order of ids, so that two instances cannot deadlock.
  const accounts = [...byAccount].sort(([a], [b]) => (a < b ? -1 : 1))
  const heads = await addToHeads(tx, accounts)
  for (const [accountId, added] of accounts) {
    const head = heads.get(accountId) ?? EMPTY
    const late = added.filter(({ createdAt }) => createdAt < head.fromAt)
    if (late.length > 0) await moveToClosed(tx, accountId, late)
    if (head.rows - late.length >= 2 * BLOCK_ROWS) await splitOpenBlock(tx, accountId, head.fromAt)
  }
}

/** Locks the heads of accounts, so that the blocks stay as they are until the transaction ends. */
async function addToHeads(
  tx: Transaction,
  accounts: readonly (readonly [accountId: string, added: readonly LoggedRequest[]])[],
): Promise<Map<string, LogHead>> {
  const heads = await tx.insert<LogHead & { account_id: string }>(
    'request_log_heads',
    ['account_id', 'from_at', 'open_rows', 'open_charged', 'closed_rows', 'closed_charged', 'late_rows'],
    accounts.map(([accountId, added]) => {
      const { rows, charged } = countsOf(added)
      return [accountId, 0, rows, charged, 0, 0, 0]
    }),
    `on conflict (account_id) do update set open_rows = request_log_heads.open_rows + excluded.open_rows,
       open_charged = request_log_heads.open_charged + excluded.open_charged
     returning account_id, ${HEAD_COLUMNS}`,
  )
  return new Map(heads.map((head) => [head.account_id, head]))
}

const countsOf = (requests: readonly LoggedRequest[]) => ({
  rows: requests.length,
  charged: requests.filter(({ credits }) => credits > 0).length,
})

/** Counts late requests in the closed blocks to which they belong instead of in the open one. */
async function moveToClosed(tx: Queryable, accountId: string, late: readonly LoggedRequest[]): Promise<void> {
  const { rows, charged } = countsOf(late)
  await tx.query(
    `update request_log_heads set open_rows = open_rows - $2, open_charged = open_charged - $3,
       closed_rows = closed_rows + $2, closed_charged = closed_charged + $3, late_rows = late_rows + $2
     where account_id = $1`,
    [accountId, rows, charged],
  )
  for (const { createdAt, credits } of late) {
    await tx.query(
      `update request_log_blocks set log_rows = log_rows + 1, charged = charged + $3
       where account_id = $1 and from_at = (
         select max(from_at) from request_log_blocks where account_id = $1 and from_at <= $2)`,
      [accountId, createdAt, credits > 0 ? 1 : 0],
    )
  }
}

/** Closes all but the newest rows of the open block. Rows with the same time stay together. */
async function splitOpenBlock(tx: Queryable, accountId: string, fromAt: number): Promise<void> {
  const [oldest] = await tx.query<{ at: number }>(
    `select created_at as at from request_log where account_id = $1
     order by created_at desc, seq desc limit 1 offset ${BLOCK_ROWS - 1}`,
    [accountId],
  )
  if (oldest === undefined || oldest.at <= fromAt) return
  const [closed] = await tx.query<{ rows: number; charged: number }>(
    `select count(*) as "rows", count(*) filter (where credits > 0) as charged from request_log
     where account_id = $1 and created_at >= $2 and created_at < $3`,
    [accountId, fromAt, oldest.at],
  )
  if (closed === undefined || closed.rows === 0) return
  await tx.query(
    'insert into request_log_blocks (account_id, from_at, to_at, log_rows, charged) values ($1, $2, $3, $4, $5)',
    [accountId, fromAt, oldest.at, closed.rows, closed.charged],
  )
  await tx.query(
    `update request_log_heads set from_at = $2, open_rows = open_rows - $3, open_charged = open_charged - $4,
       closed_rows = closed_rows + $3, closed_charged = closed_charged + $4
     where account_id = $1`,
    [accountId, oldest.at, closed.rows, closed.charged],
  )
}

/**
 * Takes the rows from before a time out of their blocks; returns their number. The transaction then removes them from
 * the log. The oldest block that is left starts at 0, so that rows that are logged very late have a block.
 */
export async function removeFromBlocks(tx: Queryable, accountId: string, until: number): Promise<number> {
  const whole = await tx.query<Counts>(
    `delete from request_log_blocks where account_id = $1 and to_at <= $2 returning log_rows as "rows", charged`,
    [accountId, until],
  )
  const [part = { rows: 0, charged: 0 }] = await tx.query<Counts>(
    `select count(*) as "rows", count(*) filter (where credits > 0) as charged from request_log
     where account_id = $1 and created_at < $2`,
    [accountId, until],
  )
  const { rows, charged } = sumOf(whole)
  const rest = [part.rows - rows, part.charged - charged]
  const [oldest] = await tx.query<{ fromAt: number }>(
    'select from_at as "fromAt" from request_log_blocks where account_id = $1 order by from_at limit 1',
    [accountId],
  )
  const isOpen = oldest === undefined
  if (!isOpen) {
    await tx.query(
      `update request_log_blocks set from_at = 0, log_rows = log_rows - $3, charged = charged - $4
       where account_id = $1 and from_at = $2`,
      [accountId, oldest.fromAt, ...rest],
    )
  }
  const [openRest, closedRest] = isOpen ? [rest, [0, 0]] : [[0, 0], rest]
  await tx.query(
    `update request_log_heads set from_at = case when $2 = 1 then 0 else from_at end,
       open_rows = open_rows - $3, open_charged = open_charged - $4,
       closed_rows = closed_rows - $5, closed_charged = closed_charged - $6, removed_rows = removed_rows + $7
     where account_id = $1`,
    [accountId, isOpen ? 1 : 0, ...openRest, rows + (closedRest[0] ?? 0), charged + (closedRest[1] ?? 0), part.rows],
  )
  return part.rows
}

type Counts = Pick<LogBlock, 'rows' | 'charged'>

const sumOf = (counts: readonly Counts[]): Counts => ({
  rows: counts.reduce((sum, { rows }) => sum + rows, 0),
  charged: counts.reduce((sum, { charged }) => sum + charged, 0),
})

/** Reads the blocks of accounts. Closed blocks are cached, and read again when rows were added to or removed from them. */
export class LogBlocks {
  readonly #db: Db
  readonly #closed = new LRUCache<string, { blocks: LogBlock[]; version: string }>({
    maxSize: CACHED_BLOCKS,
    sizeCalculation: ({ blocks }) => blocks.length + 1,
  })

  constructor(db: Db) {
    this.#db = db
  }

  async head(accountId: string): Promise<LogHead> {
    const [head = EMPTY] = await this.#db.query<LogHead>(
      `select ${HEAD_COLUMNS} from request_log_heads where account_id = $1`,
      [accountId],
    )
    return head
  }

  /** Returns the closed blocks before `head`, oldest first. Blocks keep their places until rows are removed. */
  async closed(accountId: string, head: LogHead): Promise<readonly LogBlock[]> {
    const cached = this.#closed.get(accountId)
    const version = versionOf(head)
    const known = cached?.version === version ? cached.blocks : []
    const knownUntil = known.at(-1)?.toAt ?? 0
    if (knownUntil === head.fromAt) return known
    // A concurrent call has read a later head.
    if (knownUntil > head.fromAt) return known.filter(({ toAt }) => toAt <= head.fromAt)
    // Without known blocks there may be thousands.
    const db = known.length === 0 && head.closedRows > SHORT_WALK * BLOCK_ROWS ? this.#db.heavy : this.#db
    const added = await db.query<LogBlock>(
      `select from_at as "fromAt", to_at as "toAt", log_rows as "rows", charged from request_log_blocks
       where account_id = $1 and from_at >= $2 and from_at < $3 order by from_at`,
      [accountId, knownUntil, head.fromAt],
    )
    const blocks = [...known, ...added]
    this.#closed.set(accountId, { blocks, version })
    return blocks
  }
}

/** Changes when closed blocks change, and not when one is added. */
const versionOf = ({ lateRows, removedRows }: LogHead) => `${lateRows} ${removedRows}`
