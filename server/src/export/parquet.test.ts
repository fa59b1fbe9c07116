import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import type { Chunk, Portion } from './encoder.ts'
import { ParquetFile } from './parquet.ts'

const COLUMNS = [
  { name: 'id', type: 'integer' },
  { name: 'text', type: 'text' },
] as const

/** Returns rows as the store joins them. */
function portionOf(rows: readonly unknown[]): Portion {
  const docs = rows.map((row) => JSON.stringify(row))
  return { docs: Buffer.from(docs.join(',')), sizes: docs.map((doc) => Buffer.byteLength(doc)) }
}

/** Writes rows with a text of a length, a thousand at a time. */
function write(rows: number, length: number): Chunk[] {
  const file = new ParquetFile({ format: 'parquet', columns: COLUMNS, selection: 'all', isContinued: false })
  const all = Array.from({ length: rows }, (_, id) => ({ id, text: 'é'.repeat(length / 2) }))
  const chunks: Chunk[] = []
  for (let start = 0; start < rows; start += 1_000)
    chunks.push(...file.rows(portionOf(all.slice(start, start + 1_000))))
  return [...chunks, ...file.finish()]
}

test('a row group has 5,000 rows, or fewer whole blocks if they are long', async () => {
  for (const [rows, length, groups] of [
    [12_500, 10, [5_000, 5_000, 2_500]],
    [5_500, 2_000, [2_000, 2_000, 1_500]],
    [1_050, 20_000, [200, 200, 200, 200, 200, 50]],
  ] as const) {
    const chunks = write(rows, length)
    assert.deepEqual(
      chunks.map(({ rows }) => rows),
      [...groups, 0],
    )
    const file = new Uint8Array(Buffer.concat(chunks.map(({ bytes }) => bytes))).buffer
    assert.equal(parquetMetadata(file).row_groups.length, groups.length)
    const read = await parquetReadObjects({ file })
    assert.equal(read.length, rows)
    assert.ok(read.every(({ id, text }, place) => Number(id) === place && text.length === length / 2))
  }
})
