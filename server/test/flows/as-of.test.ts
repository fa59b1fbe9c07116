import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '../../src/model/entries.ts'
import { SEC_DATASETS } from '../../src/model/sec/datasets.ts'
import type { SecRecord } from '../../src/model/sec/record.ts'
import type { Signal } from '../../src/model/signals.ts'
import { DAY, isoTime } from '../../src/model/time.ts'
import { some } from '../depth.ts'
import { assertError, fieldsOf } from '../envelope.ts'
import { onEveryEngine, sampleForSuite } from '../harness.ts'

onEveryEngine('asOf', (engine) => {
  const { call, get, service } = sampleForSuite(engine)

  /** Reads all pages of a list, with their totals. */
  async function listAll<Row>(path: string, query: string): Promise<Row[]> {
    const rows: Row[] = []
    for (let after = ''; ; ) {
      const { data, meta } = await get(`${path}?limit=100&${query}${after}`)
      rows.push(...data)
      if (meta.nextCursor === null) {
        assert.equal(meta.totalCount, rows.length)
        return rows
      }
      after = `&after=${meta.nextCursor}`
    }
  }

  test('SEC lists and records are those that the SEC had accepted by then', async () => {
    for (const dataset of some(SEC_DATASETS, engine === 'sqlite' ? 7 : 2)) {
      const path = `/sec/${dataset}`
      const all = await listAll<SecRecord>(path, 'includeSuperseded=true')
      const amendment = all.find(({ supersedesId }) => supersedesId !== null) ?? assert.fail(dataset)
      const accepted = Date.parse(amendment.filedAt)
      for (const asOf of [accepted - 1, accepted, accepted + 30 * DAY]) {
        const known = all.filter(({ filedAt }) => Date.parse(filedAt) <= asOf)
        const superseded = new Map(known.map(({ id, supersedesId }) => [supersedesId, id]))
        const read = await listAll<SecRecord>(path, `asOf=${isoTime(asOf)}`)
        assert.deepEqual(
          read,
          known.filter(({ id }) => !superseded.has(id)).map((record) => ({ ...record, supersededById: null })),
        )
        const withSuperseded = await listAll<SecRecord>(path, `asOf=${isoTime(asOf)}&includeSuperseded=true`)
        assert.deepEqual(
          withSuperseded,
          known.map((record) => ({ ...record, supersededById: superseded.get(record.id) ?? null })),
        )
        const original = (await get(`${path}/${amendment.supersedesId}?asOf=${isoTime(asOf)}`)).data
        assert.equal(original.supersededById, asOf < accepted ? null : amendment.id)
      }
      assertError(await call(`${path}/${amendment.id}?asOf=${isoTime(accepted - 1)}`), 404, 'NOT_FOUND')
      assert.equal((await get(`${path}/${amendment.id}?asOf=${isoTime(accepted)}`)).data.id, amendment.id)
    }
  })

  test('signals are those of then, as they were', async () => {
    const [signal] = (await get('/signals?status=expired&limit=100')).data.filter(
      ({ outcome }: Signal) => outcome !== null,
    )
    const at = async (time: number) => (await get(`/signals/${signal.id}?asOf=${isoTime(time)}`)).data
    const [generated, expires] = [Date.parse(signal.generatedAt), Date.parse(signal.expiresAt)]
    assertError(await call(`/signals/${signal.id}?asOf=${isoTime(generated - 1)}`), 404, 'NOT_FOUND')
    const before = await at(expires - 1)
    assert.equal(before.status, 'active')
    assert.equal(before.outcome, null)
    assert.deepEqual(await at(Date.parse(signal.outcome.evaluatedAt)), signal)
    const active = await listAll<Signal>('/signals', `asOf=${isoTime(expires - 1)}&status=active`)
    assert.ok(active.every(({ outcome, expiresAt }) => outcome === null && Date.parse(expiresAt) >= expires))
    assert.deepEqual(
      active.find(({ id }) => id === signal.id),
      before,
    )
  })

  test('entries are those that had arrived by then', async () => {
    const { data } = await get('/entries?limit=100')
    const [, , , entry] = data
    const asOf = isoTime(Date.parse(entry.createdAt) - 1)
    assertError(await call(`/entries/${entry.id}?asOf=${asOf}`), 404, 'NOT_FOUND')
    for (const path of ['/entries', `/entries/${entry.id}`]) {
      const refused = await call(`${path}?asOf=${entry.createdAt}&include=entities,cluster`)
      assertError(refused, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(refused), ['include'])
      await get(`${path}?asOf=${entry.createdAt}&include=entities`)
    }
    assert.deepEqual((await get(`/entries/${entry.id}?asOf=${entry.createdAt}`)).data, entry)
    for (const query of ['', '&query=bank profits', '&search=bank']) {
      const past = (await get(`/entries?limit=100&asOf=${asOf}${encodeURI(query)}`)).data
      assert.ok(past.length > 0)
      assert.ok(past.every(({ createdAt }: Entry) => createdAt <= asOf))
    }
  })

  for (const path of ['/sec/insider-trades', '/signals', '/entries']) {
    test(`${path}: a time that is none is refused, and one in the future is now`, async () => {
      const refused = await call(`${path}?asOf=yesterday`)
      assertError(refused, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(refused), ['asOf'])
      const now = service.clock.now()
      const { data, meta } = await get(`${path}?asOf=${isoTime(now + DAY)}&limit=5`)
      const current = await get(`${path}?asOf=${isoTime(now)}&limit=5`)
      assert.deepEqual(data, current.data)
      assert.equal(meta.totalCount, current.meta.totalCount)
      assert.equal((await get(`${path}?limit=5`)).meta.totalCount, meta.totalCount)
      const [first] = data
      assertError(await call(`${path}/${first.id}?asOf=tomorrow`), 400, 'BAD_REQUEST')
      assert.deepEqual((await get(`${path}/${first.id}?asOf=${isoTime(now + DAY)}`)).data.id, first.id)
    })

    test(`${path}: cursors are bound to asOf`, async () => {
      const now = service.clock.now()
      const asOf = `asOf=${isoTime(now - 3 * DAY)}`
      const { meta } = await get(`${path}?limit=2&${asOf}`)
      assert.equal((await get(`${path}?limit=2&${asOf}&after=${meta.nextCursor}`)).data.length, 2)
      for (const other of ['', `&asOf=${isoTime(now - 4 * DAY)}`, `&asOf=${isoTime(now + DAY)}`]) {
        const refused = await call(`${path}?limit=2&after=${meta.nextCursor}${other}`)
        assertError(refused, 400, 'BAD_REQUEST')
        assert.deepEqual(fieldsOf(refused), ['after'])
      }
      // A time in the future that comes meanwhile keeps its cursors.
      const soon = `asOf=${isoTime(now + 1_000)}`
      await get(`${path}?limit=2&asOf=${isoTime(now)}`)
      const first = await get(`${path}?limit=2&${soon}`)
      service.clock.advance(2_000)
      const second = await get(`${path}?limit=2&${soon}&after=${first.meta.nextCursor}`)
      const together = await get(`${path}?limit=4&${soon}`)
      assert.deepEqual([...first.data, ...second.data], together.data)
    })
  }
})
