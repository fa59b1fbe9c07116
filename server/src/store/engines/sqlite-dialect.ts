import type { Dialect, SearchTerms } from '../db.ts'
import { PREFIX_SIGN } from '../lists/search.ts'

const quoted = (phrase: string[]) => {
  const words = phrase.join(' ')
  return words.endsWith(PREFIX_SIGN) ? `"${words.slice(0, -1)}"*` : `"${words}"`
}
const anyOf = (phrases: string[][]) => `(${phrases.map(quoted).join(' OR ')})`

export const sqliteDialect: Dialect = {
  now: `cast(unixepoch('subsec') * 1000 as integer)`,
  forUpdate: '',
  identity: 'integer primary key',
  blob: 'blob',
  clustered: 'without rowid',
  bytes: '',
  // A blob reaches the socket without being decoded and encoded again.
  docsSql: (table, keys, columns) =>
    `select cast(group_concat(r.doc, ',') as blob) as docs, json_group_array(octet_length(r.doc)) as sizes,
       ${columns.map((column) => `json_group_array(k.${column}) as ${column}`).join(', ')}
     from (${keys}) k cross join ${table} r where r.seq = k.seq`,
  columnsSql: (query, columns) =>
    `select ${columns.map((column) => `json_group_array(k.${column}) as ${column}`).join(', ')} from (${query}) k`,
  hasStatistics: false,
  indexedBy: (index) => ` indexed by ${index}`,
  search: {
    isOrdered: true,
    // By default, FTS5 rewrites a part of the index as soon as a tenth of it is removed.
    pauseMerges: (table, isPaused) =>
      `insert into ${table} (${table}, rank) values ('deletemerge', ${isPaused ? 0 : 10})`,
    indexValue: (words) => words,
    queryValue({ groups, excluded }: SearchTerms) {
      const wanted = groups.map(anyOf).join(' AND ')
      if (wanted === '') return anyOf(excluded)
      return excluded.length === 0 ? wanted : `(${wanted}) NOT ${anyOf(excluded)}`
    },
    hits: (table, param) => `(select rowid as seq from ${table}_search where ${table}_search match ${param})`,
    matches: (table, seq, param) =>
      `exists (select 1 from ${table}_search where ${table}_search match ${param} and rowid = ${seq})`,
  },
}
