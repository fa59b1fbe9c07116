import { LRUCache } from 'lru-cache'
import type { LoggedRequest } from '../../model/request-log.ts'
import type { Db } from '../db.ts'
import { Params, padded } from '../sql.ts'

/** A request as the account sees it in the log. */
export interface RequestLogRecord extends Omit<LoggedRequest, 'accountId' | 'endpoint'> {
  endpoint: string | null
  keyPrefix: string
}

interface LogRow extends RequestLogRecord {
  seq: number
}

const CACHED_ROWS = 5_000

/** Reads rows of the request log. They never change, and readers of the first pages ask for the same ones again and again. */
export class LogRows {
  readonly #db: Db
  readonly #cache = new LRUCache<number, RequestLogRecord>({ maxSize: CACHED_ROWS, sizeCalculation: () => 1 })

  constructor(db: Db) {
    this.#db = db
  }

  async get(seqs: readonly number[]): Promise<RequestLogRecord[]> {
    const known = seqs.map((seq) => this.#cache.get(seq))
    const missing = seqs.filter((_, place) => known[place] === undefined)
    const read = missing.length === 0 ? undefined : await this.#read(missing)
    return known.flatMap((row, place) => row ?? read?.get(seqs[place] ?? 0) ?? [])
  }

  /** Forgets all rows: an engine may give the numbers of removed rows to new ones. */
  clear(): void {
    this.#cache.clear()
  }

  async #read(seqs: readonly number[]): Promise<Map<number, RequestLogRecord>> {
    const params = new Params()
    const rows = await this.#db.query<LogRow>(
      `select l.seq, l.id, l.api_key_id as "apiKeyId", k.prefix as "keyPrefix", l.endpoint, l.method, l.path, l.query,
         l.status_code as "statusCode", l.error_code as "errorCode", l.credits, l.duration_ms as "durationMs",
         l.response_bytes as "responseBytes", l.created_at as "createdAt"
       from request_log l join api_keys k on k.id = l.api_key_id where l.seq in (${params.list(padded(seqs))})`,
      params.values,
    )
    const records = new Map<number, RequestLogRecord>()
    for (const { seq, ...record } of rows) {
      records.set(seq, record)
      this.#cache.set(seq, record)
    }
    return records
  }
}
