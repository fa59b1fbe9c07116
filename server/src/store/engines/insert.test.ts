import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import type { Value } from '../db.ts'

const TEXTS = [
  '',
  'null',
  'NULL',
  '"quoted"',
  'back\\slash',
  '\\',
  '{a,b}',
  ' padded ',
  'line\nbreak\ttab',
  '京 🚀',
  "o'clock",
  '\\N',
]

onEveryEngine('rows are inserted as they are', (engine) => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  before(async () => {
    opened = await openTestDb(engine)
    const { blob } = opened.db.dialect
    await opened.db.transaction(async (tx) => {
      await tx.query(`create table inserted (id bigint primary key, words text, ratio double precision, bytes ${blob})`)
    })
  })
  after(() => opened.close())

  let nextId = 1
  const rowOf = (text: string | null): Value[] => {
    const id = nextId
    nextId += 1
    return [id, text, text === null ? null : id / 3, text === null ? null : new TextEncoder().encode(text)]
  }

  for (const count of [0, 1, 2, 31, 64, 65, 12_000]) {
    for (const ending of ['', 'returning id']) {
      test(`${count} rows ${ending}`, async () => {
        const { db } = opened
        const rows = Array.from({ length: count }, (_, place) => rowOf([...TEXTS, null][place % 13] ?? null))
        const columns = ['id', 'words', 'ratio', 'bytes']
        const returned = await db.transaction((tx) => tx.insert<{ id: number }>('inserted', columns, rows, ending))
        assert.deepEqual(
          returned.map(({ id }) => id).sort((one, other) => one - other),
          ending === '' ? [] : rows.map(([id]) => id),
        )
        const found = await db.query<{ words: string; ratio: number; bytes: Uint8Array | null }>(
          'select id, words, ratio, bytes from inserted where id >= $1 order by id',
          [rows[0]?.[0] ?? nextId],
        )
        assert.deepEqual(
          found.map((row) => Object.values(row).map((value) => (value instanceof Uint8Array ? [...value] : value))),
          rows.map((row) => row.map((value) => (value instanceof Uint8Array ? [...value] : value))),
        )
      })
    }
  }

  test('a column that was added since the last insert', async () => {
    const { db } = opened
    await db.transaction(async (tx) => {
      await tx.insert('inserted', ['id', 'words'], [rowOf('a').slice(0, 2), rowOf('b').slice(0, 2)])
      await tx.query('alter table inserted add column size bigint')
      await tx.insert(
        'inserted',
        ['id', 'size'],
        [
          [nextId, 2 ** 53 - 1],
          [nextId + 1, -1],
        ],
      )
    })
    const rows = await db.query<{ size: number }>('select size from inserted where id >= $1 order by id', [nextId])
    assert.deepEqual(
      rows.map(({ size }) => size),
      [2 ** 53 - 1, -1],
    )
  })
})
