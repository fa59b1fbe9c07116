import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { newSignal } from '../../../test/signals.ts'
import { DAY, isoTime, MINUTE } from '../../model/time.ts'
import type { Db } from '../db.ts'
import { migrate } from '../engines/migrate.ts'
import { createStore, type Store } from '../store.ts'
import type { SignalFilters } from './signal-records.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')
const START = NOW - 20 * DAY

onEveryEngine('history of signals from before it was kept', (engine) => {
  test('the migration gives each signal one version, known from its expiry', async () => {
    const { db, close } = await openTestDb(engine)
    const given = Array.from({ length: 40 }, (_, place) => ({
      ...newSignal(START + place * DAY, {
        title: `${place % 3 === 0 ? 'Société Générale' : 'Apple'} rallies`,
        kind: place % 2 === 0 ? 'news_volume_spike' : 'material_event',
        isSuperseded: place % 5 === 0,
        strength: place / 40,
      }),
      expiresAt: isoTime(START + (place + (place % 4)) * DAY + MINUTE),
    }))
    const old = createStore(db)
    await old.assets.upsert([{ key: 'AAPL', name: 'Apple', type: 'equity' }], NOW)
    await old.signals.insert(given, NOW)
    const expiryOf = ({ expiresAt }: { expiresAt: string }) => Date.parse(expiresAt)

    await undoHistory(db)
    await migrate(db, NOW)
    const store = createStore(db)
    const ends = given.slice(0, 12).map(expiryOf)
    for (const time of [...ends.flatMap((end) => [end - 1, end]), NOW + 99 * DAY]) {
      const known = given.filter((signal) => expiryOf(signal) <= time)
      const expect = async (filters: SignalFilters, expected: readonly { id: string }[]) =>
        assert.deepEqual(
          (await listAt(store, time, filters)).map(({ id }) => id),
          expected.map(({ id }) => id).toReversed(),
        )
      await expect({}, known)
      await expect(
        { search: 'apple rallies' },
        known.filter(({ title }) => title.startsWith('Apple')),
      )
      await expect(
        { search: 'societe' },
        known.filter(({ title }) => title.startsWith('Soc')),
      )
      await expect(
        { kind: ['material_event'] },
        known.filter(({ kind }) => kind === 'material_event'),
      )
      await expect(
        { status: ['superseded'] },
        known.filter(({ isSuperseded }) => isSuperseded),
      )
      await expect({ status: ['active'] }, [])
    }

    const current = await listAt(store, NOW + 99 * DAY)
    assert.deepEqual(current, await listNow(store, NOW + 99 * DAY))
    const [changed] = given.slice(-1)
    assert.ok(changed !== undefined)
    const later = expiryOf(changed) + DAY
    await store.signals.apply([{ type: 'update', signal: { ...changed, strength: 1 } }], [], later)
    const strengthAt = async (time: number) =>
      (await store.signals.find(changed.id, NOW, { asOf: time }))?.parse().strength
    assert.deepEqual(await Promise.all([later - 1, later].map(strengthAt)), [changed.strength, 1])
    await close()
  })
})

async function listAt(store: Store, asOf: number, filters: SignalFilters = {}) {
  const page = { filters: { ...filters, asOf }, sort: 'generatedAt:desc', limit: 100, from: undefined }
  const { data, totalCount } = await store.signals.page(page, NOW)
  const signals = data.parse()
  assert.equal(signals.length, totalCount)
  return signals
}

async function listNow(store: Store, now: number) {
  return (
    await store.signals.page({ filters: {}, sort: 'generatedAt:desc', limit: 100, from: undefined }, now)
  ).data.parse()
}

/** Takes the store back to before the migration. */
async function undoHistory(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    for (const table of ['signal_versions', 'signal_versions_docs', 'signal_versions_search']) {
      await tx.query(`drop table ${table}`)
    }
    await tx.query("delete from feeds where name = 'signal_versions'")
    await tx.query('drop index signals_by_updated')
    await tx.query('alter table signals drop column updated_at')
    await tx.query('alter table signal_events drop column change')
    const undone = [
      '025-signal-history.sql',
      '032-signal-updates.sql',
      '032-signal-updates.ts',
      '033-signal-version-words.ts',
      '074-signal-expiries.sql',
    ]
    for (const name of undone) await tx.query('delete from migrations where name = $1', [name])
  })
}
