import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { DocRows } from '../store/lists/docs.ts'
import { Encoding } from './encoding.ts'

const SHAPE = {
  format: 'csv',
  columns: [{ name: 'id', type: 'integer' }],
  selection: 'all',
  isContinued: false,
} as const

const rowsOf = (...ids: number[]) => {
  const docs = ids.map((id) => JSON.stringify({ id }))
  return new DocRows(
    ids.map((id) => [id]),
    Buffer.from(docs.join(',')),
    docs.map(({ length }) => length),
  )
}

test('a file stays open while its client reads slowly; then the thread ends', async () => {
  const encoding = new Encoding(20)
  const file = await encoding.open(SHAPE)
  const texts: string[] = []
  for (const id of [1, 2, 3]) {
    for (const { bytes } of await file.rows(rowsOf(id))) texts.push(Buffer.from(bytes).toString())
    await delay(100)
  }
  assert.deepEqual([...texts, ...(await file.finish())], ['id\n1\n', '2\n', '3\n'])
  file.close()
  file.close()
  await delay(200)
  // What it kept is lost: the file must not go on as if nothing were missing.
  await assert.rejects(file.rows(rowsOf(4)), /not open/)
  await encoding.close()
})
