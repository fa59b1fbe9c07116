import { LRUCache } from 'lru-cache'
import type { LoggedRequest } from '../../model/request-log.ts'
import type { Db } from '../db.ts'
import { Params, padded } from '../sql.ts'

/** A request as the account sees it in the log. The credits of an export are those of its charges so far. */
export interface RequestLogRecord extends Omit<LoggedRequest, 'accountId' | 'endpoint'> {
  endpoint: string | null
  keyPrefix: string
}

interface LogRow extends RequestLogRecord {
  seq: number
  /** Credits of metered charges. */
  metered: number
}

/** The key of a row: PostgreSQL keeps the log in parts by time. */
export interface LogPlace {
  createdAt: number
  seq: number
}

const CACHED_ROWS = 5_000

/**
 * Reads rows of the request log. Only the prefixes of their keys change, except in rows of exports under way, and readers of
 * the first pages ask for the same rows again and again.
 */
export class LogRows {
  readonly #db: Db
  readonly #cache = new LRUCache<number, RequestLogRecord>({ maxSize: CACHED_ROWS, sizeCalculation: () => 1 })

  constructor(db: Db) {
    this.#db = db
  }

  /** Returns the rows, and whether they may be kept. */
  async get(accountId: string, places: readonly LogPlace[]): Promise<{ rows: RequestLogRecord[]; areFinal: boolean }> {
    const known = await this.#known(places.map(({ seq }) => seq))
    const missing = places.filter((_, index) => known[index] === undefined)
    const read = missing.length === 0 ? undefined : await this.#read(accountId, missing)
    const rows = known.flatMap((row, index) => row ?? read?.get(places[index]?.seq ?? 0) ?? [])
    return { rows, areFinal: missing.every(({ seq }) => this.#cache.has(seq)) }
  }

  /** Forgets all rows: an engine may give the numbers of removed rows to new ones. */
  clear(): void {
    this.#cache.clear()
  }

  /** Returns the cached rows, each at the place of its seq. */
  async #known(seqs: readonly number[]): Promise<(RequestLogRecord | undefined)[]> {
    const cached = seqs.map((seq) => this.#cache.get(seq))
    const prefixes = await this.#prefixes(cached.flatMap((row) => row?.apiKeyId ?? []))
    return cached.map((row, place) => {
      const keyPrefix = row && prefixes.get(row.apiKeyId)
      if (keyPrefix === undefined || keyPrefix === row?.keyPrefix) return row
      const rotated = row && { ...row, keyPrefix }
      this.#cache.set(seqs[place] ?? 0, rotated)
      return rotated
    })
  }

  async #prefixes(keyIds: readonly string[]): Promise<Map<string, string>> {
    if (keyIds.length === 0) return new Map()
    const params = new Params()
    const rows = await this.#db.query<{ id: string; prefix: string }>(
      `select id, prefix from api_keys where id in (${params.list(padded([...new Set(keyIds)]))})`,
      params.values,
    )
    return new Map(rows.map(({ id, prefix }) => [id, prefix]))
  }

  async #read(accountId: string, places: readonly LogPlace[]): Promise<Map<number, RequestLogRecord>> {
    const params = new Params()
    const account = params.add(accountId)
    const bigint = (value: number) => `cast(${params.add(value)} as bigint)`
    const keys = padded(places).map(({ createdAt, seq }) => `(${bigint(createdAt)}, ${bigint(seq)})`)
    const rows = await this.#db.query<LogRow>(
      `select l.seq, l.id, l.api_key_id as "apiKeyId", k.prefix as "keyPrefix", l.endpoint, l.method, l.path, l.query,
         l.status_code as "statusCode", l.error_code as "errorCode",
         l.credits,
         (select cast(coalesce(sum(m.credits), 0) as bigint) from metered_charges m where m.request_id = l.id) as metered,
         l.duration_ms as "durationMs",
         l.response_bytes as "responseBytes", l.created_at as "createdAt"
       from request_log l join api_keys k on k.id = l.api_key_id
       where l.account_id = ${account} and (l.created_at, l.seq) in (values ${keys.join(', ')})`,
      params.values,
    )
    const records = new Map<number, RequestLogRecord>()
    for (const { seq, metered, ...row } of rows) {
      const record = { ...row, credits: row.credits + metered }
      records.set(seq, record)
      // The bytes of a download are known once it has ended.
      if (metered === 0 || row.responseBytes > 0) this.#cache.set(seq, record)
    }
    return records
  }
}
