import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { EXPORT_READERS } from '../../src/reference/guides.ts'
import { TestService } from '../harness.ts'

test('DuckDB reads exports: types, lists and the line of the guide', async (context) => {
  const service = await TestService.start('sqlite', { SAMPLE_DATA: 'on' })
  const folder = mkdtempSync(join(tmpdir(), 'mintick-duckdb-'))
  context.after(async () => {
    rmSync(folder, { recursive: true })
    await service.stop()
  })
  const url = await service.listen()
  const { key } = await service.openUnlimited()
  for (const format of ['parquet', 'csv']) {
    const response = await fetch(`${url}/export/entries?format=${format}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    writeFileSync(join(folder, `entries.${format}`), new Uint8Array(await response.arrayBuffer()))
  }
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const read = async (sql: string) => {
    const text = sql.replaceAll(/'(entries\.\w+)'/g, (_, name) => `'${join(folder, name)}'`)
    return (await connection.runAndReadAll(text)).getRowObjectsJson()
  }
  const types = await read("select column_name, column_type from (describe select * from 'entries.parquet')")
  const typeOf = (name: string) => types.find(({ column_name }) => column_name === name)?.column_type
  assert.deepEqual(['title', 'sentimentScore', 'assetKeys', 'publishedAt'].map(typeOf), [
    'VARCHAR',
    'DOUBLE',
    'VARCHAR[]',
    typeOf('createdAt'),
  ])
  assert.match(String(typeOf('publishedAt')), /^TIMESTAMP/)
  const query = 'assetKey=AAPL&sortBy=publishedAt:asc&limit=100'
  const { data, meta } = await service.get(`/entries?${query}`, key)
  const found = await read(EXPORT_READERS.DuckDB)
  assert.equal(found.length, meta.totalCount)
  assert.deepEqual(
    found.slice(0, 100).map(({ title }) => title),
    data.map(({ title }: { title: string }) => title),
  )
  const [sums] = await read(
    "select count(*) as rows, count(author) as authors, sum(sentimentScore) as tone from 'entries.parquet'",
  )
  const [same] = await read(
    "select count(*) as rows, count(author) as authors, sum(sentimentScore) as tone from 'entries.csv'",
  )
  assert.deepEqual([same?.rows, same?.authors], [sums?.rows, sums?.authors])
  assert.ok(Math.abs(Number(same?.tone) - Number(sums?.tone)) < 1e-6)
})
