import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryEngine, openTestDb } from '../../test/harness.ts'
import { Pace } from './pace.ts'

onEveryEngine('pace', (engine) => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  before(async () => {
    opened = await openTestDb(engine)
  })
  after(() => opened.close())

  test('instances share the moments', async () => {
    const instances = [new Pace(opened.db.ledger), new Pace(opened.db.ledger)]
    const waits = await Promise.all(
      Array.from({ length: 10 }, (_, index) => instances[index % 2]?.reserve('shared', 60_000)),
    )
    const sorted = waits.map(Number).sort((a, b) => a - b)
    assert.equal(sorted[0], 0)
    for (const [index, wait] of sorted.entries()) {
      assert.ok(Math.abs(wait - index * 60_000) < 20_000, `${sorted}`)
    }
  })

  test('a pause holds for all', async () => {
    const pace = new Pace(opened.db.ledger)
    await pace.pause('refused', 600_000)
    assert.ok((await new Pace(opened.db.ledger).reserve('refused', 100)) > 500_000)
    assert.equal(await pace.reserve('other', 100), 0)
  })
})
