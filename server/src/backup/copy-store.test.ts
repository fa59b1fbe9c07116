import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { beginTogether } from './copy-store.ts'

test('two snapshots show the same moment, however many commits fall between them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-test-'))
  const create = (name: string) => {
    const database = new DatabaseSync(join(folder, name))
    database.exec('pragma journal_mode = wal; create table counter (value integer); insert into counter values (0)')
    return database
  }
  const reader = (name: string) => new DatabaseSync(join(folder, name), { readOnly: true })
  const valueIn = (database: DatabaseSync) => database.prepare('select value from counter').get()?.value
  const writers = { ledger: create('ledger'), data: create('data') }
  const increment = () => {
    for (const writer of Object.values(writers)) writer.exec('update counter set value = value + 1')
  }

  for (const commits of [0, 1, 5]) {
    const ledger = reader('ledger')
    const watch = reader('ledger')
    const data = reader('data')
    let left = commits
    const slow = new Proxy(data, {
      get(target, name) {
        if (name !== 'exec') return Reflect.get(target, name)
        return (sql: string) => {
          if (sql.startsWith('begin') && left > 0) {
            left -= 1
            increment()
          }
          target.exec(sql)
        }
      },
    })
    beginTogether(ledger, slow, watch)
    increment()
    assert.equal(left, 0)
    assert.equal(valueIn(ledger), valueIn(data))
    for (const each of [ledger, watch, data]) each.close()
  }
  for (const writer of Object.values(writers)) writer.close()
  rmSync(folder, { recursive: true })
})
