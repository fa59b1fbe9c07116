import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Db, Dialect, Queryable, SearchTerms, Transaction, Value } from '../db.ts'
import { PREFIX_SIGN } from '../lists/search.ts'
import { insertRows } from './postgres-insert.ts'

const POOL_SIZE = 20
const CONNECT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 60_000
const NAMED_STATEMENTS = 400
const SERIALIZATION_FAILURES = new Set(['40001', '40P01'])
const MAX_ATTEMPTS = 5

// bigint and count(*) arrive as text by default; every stored number fits a double exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** PostgreSQL 15 or newer, shared by any number of instances. */
export async function openPostgres(url: string): Promise<Db> {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    application_name: 'mintick',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
  })
  // The pool replaces a connection that the server closes, and its query fails. Without these listeners, for idle
  // connections and for those in use, the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const queryable = queryableOver(pool)
  try {
    const [row] = await queryable.query<{ version: number }>(
      "select current_setting('server_version_num')::integer as version",
    )
    if (row === undefined || row.version < 150_000) throw new Error('PostgreSQL 15 or newer is needed')
  } catch (error) {
    await pool.end()
    throw error
  }

  const db: Db = {
    engine: 'postgres',
    get ledger() {
      return db
    },
    exclusive: false,
    dialect: postgresDialect,
    heavy: queryable,
    query: queryable.query,
    transaction: (work, lock) => transaction(pool, work, lock),
    run: (procedure, argument) => transaction(pool, (tx) => procedure.work(tx, argument), undefined),
    // Other instances keep reading, so no index may be missing even for a while.
    bulkLoad: (_, work) => work(),
    close: () => pool.end(),
  }
  return db
}

async function transaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  lock: string | undefined,
  attempt = 1,
): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query('begin')
    if (lock !== undefined) {
      // A migration in another instance may take any time.
      await client.query('set local lock_timeout = 0; set local statement_timeout = 0')
      await client.query('select pg_advisory_xact_lock(hashtext($1))', [lock])
    }
    const tx = queryableOver(client)
    const insert: Transaction['insert'] = (table, columns, rows, onConflict) =>
      insertRows(tx, table, columns, [...rows], onConflict)
    const result = await work({ ...tx, insert })
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true
    })
    const isRetryable = error instanceof pg.DatabaseError && SERIALIZATION_FAILURES.has(error.code ?? '')
    if (!isRetryable || attempt >= MAX_ATTEMPTS) throw error
  } finally {
    client.release(broken)
  }
  return transaction(pool, work, lock, attempt + 1)
}

/** Statement names by SQL text: a connection parses and plans a named statement once. */
const names = new Map<string, string>()

function nameOf(sql: string): string | undefined {
  const known = names.get(sql)
  if (known !== undefined) return known
  // Further statements run unnamed, which bounds a connection's memory.
  if (names.size >= NAMED_STATEMENTS) return undefined
  const name = createHash('sha256').update(sql).digest('base64url').slice(0, 24)
  names.set(sql, name)
  return name
}

function queryableOver(client: pg.Pool | pg.PoolClient): Queryable {
  return {
    async query<Row>(sql: string, params: readonly Value[] = []): Promise<Row[]> {
      const name = nameOf(sql)
      const result = await client.query({ text: sql, values: [...params], ...(name !== undefined && { name }) })
      return result.rows as Row[]
    },
  }
}

const phraseOf = (phrase: string[]) => `(${phrase.map(wordOf).join(' <-> ')})`
const wordOf = (word: string) => (word.endsWith(PREFIX_SIGN) ? `'${word.slice(0, -1)}':*` : `'${word}'`)
const anyOf = (phrases: string[][]) => `(${phrases.map(phraseOf).join(' | ')})`

const postgresDialect: Dialect = {
  // now() is the start of the transaction; this clock advances while a statement waits for a row lock.
  now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
  identity: 'bigint generated always as identity primary key',
  blob: 'bytea',
  clustered: '',
  bytes: 'collate "C"',
  docsSql: (table, keys, columns) =>
    `select string_agg(r.doc, ',' order by k.place) as docs,
       json_agg(octet_length(r.doc) order by k.place)::text as sizes,
       ${columns.map((column) => `json_agg(k.${column} order by k.place)::text as ${column}`).join(', ')}
     from (select o.*, row_number() over () as place from (${keys}) o) k join ${table} r on r.seq = k.seq`,
  columnsSql: (query, columns) =>
    `select ${columns.map((column) => `json_agg(k.${column} order by k.place)::text as ${column}`).join(', ')}
     from (select o.*, row_number() over () as place from (${query}) o) k`,
  search: {
    // A literal tsvector: both engines use our own word splitting. Positions end at 16383.
    pauseMerges: () => undefined,
    indexValue: (words) =>
      words === ''
        ? ''
        : words
            .split(' ')
            .map((word, index) => `'${word}':${Math.min(index + 1, 16_383)}`)
            .join(' '),
    queryValue({ groups, excluded }: SearchTerms) {
      if (groups.length === 0) return anyOf(excluded)
      return [...groups.map(anyOf), ...(excluded.length > 0 ? [`!${anyOf(excluded)}`] : [])].join(' & ')
    },
    // `offset 0` is an optimisation fence: without it the planner may scan all entries by time for a rare word.
    hits: (table, param, rare) =>
      `(select rowid as seq from ${table}_search where words @@ ${param}::tsquery${rare ? ' offset 0' : ''})`,
    matches: (table, seq, param) =>
      `exists (select 1 from ${table}_search s where s.rowid = ${seq} and s.words @@ ${param}::tsquery)`,
  },
}
