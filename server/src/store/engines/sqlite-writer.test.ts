import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSqlite } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'mintick-writer-'))
const db = openSqlite(folder)
after(async () => {
  await db.close()
  rmSync(folder, { recursive: true })
})

test('when the disk is full, nothing of the transaction is written, also not its later statements', async () => {
  await db.transaction(async (tx) => {
    await tx.query('create table small (id integer)')
    await tx.query('create table large (text text)')
  })
  const transaction = db.transaction(async (tx) => {
    const [{ page_count: pages } = assert.fail()] = await tx.query<{ page_count: number }>('pragma page_count')
    await tx.query(`pragma max_page_count = ${pages + 1}`)
    const insert = () => tx.query('insert into small values (1)')
    const results = await Promise.allSettled([
      insert(),
      tx.query('insert into large values ($1)', ['x'.repeat(20_000)]),
      insert(),
      tx.insert('small', ['id'], [[2]]),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'rejected'],
    )
    return results[1]?.status === 'rejected' && Promise.reject(results[1].reason)
  })
  await assert.rejects(transaction, /full/)
  assert.deepEqual(await db.query('select * from small'), [])
  await db.transaction((tx) => tx.query('pragma max_page_count = 1000000'))
  await db.transaction((tx) => tx.query('insert into small values (3)'))
  assert.equal((await db.query('select * from small')).length, 1)
})
