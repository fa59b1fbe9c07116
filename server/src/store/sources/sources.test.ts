import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryEngine, onPostgres, storeForSuite } from '../../../test/harness.ts'
import type { Lease } from '../leases.ts'
import { LeaseLost } from '../leases.ts'
import { type SourceRecord, sourceLease } from './sources.ts'

const NOW = 1_000_000
const HELD: Lease = { verify: async () => {} }
const LOST: Lease = {
  verify: async () => {
    throw new LeaseLost('source')
  },
}
const NOTHING = { added: 0, changed: 0, rejections: {}, lagMs: null }

const spec = (key: string, options: object = {}) => ({ key, kind: 'feed', options })
const configured = (key: string, options: object = {}) => ({ ...spec(key, options), by: 'sources.yaml' })

onEveryEngine('sources', (engine) => {
  const store = storeForSuite(engine)
  const sources = () => store().sources

  const get = async (key: string): Promise<SourceRecord> => {
    const found = await sources().find(key)
    assert.ok(found, key)
    return found
  }

  test('options of the SOURCES setting win over added ones, which come back when they are gone', async () => {
    await sources().add(spec('both', { from: 'added' }), NOW)
    await sources().configure([configured('both', { from: 'file' })], NOW)
    assert.deepEqual((await get('both')).options, { from: 'file' })
    assert.equal((await get('both')).configuredBy, 'sources.yaml')
    await sources().add(spec('both', { from: 'added again' }), NOW)
    assert.deepEqual((await get('both')).options, { from: 'file' })
    await sources().configure([], NOW)
    assert.deepEqual((await get('both')).options, { from: 'added again' })
    assert.equal((await get('both')).configuredBy, null)
  })

  test('a source of the setting alone is gone with the setting; removing it by command does nothing', async () => {
    await sources().configure([configured('file')], NOW)
    assert.equal(await sources().remove('file'), false)
    assert.ok(await sources().find('file'))
    await sources().configure([], NOW)
    assert.equal(await sources().find('file'), undefined)
  })

  test('removing an added source that is also in the setting leaves it there', async () => {
    await sources().add(spec('kept'), NOW)
    await sources().configure([configured('kept')], NOW)
    assert.equal(await sources().remove('kept'), true)
    assert.equal((await get('kept')).configuredBy, 'sources.yaml')
    assert.equal(await sources().remove('kept'), false)
    assert.equal(await sources().remove('never there'), false)
    await sources().configure([], NOW)
  })

  test('configuring again keeps how far a source was read, and that it is paused', async () => {
    await sources().configure([configured('far')], NOW)
    await sources().checkpoint('far', { page: 7 }, { ...NOTHING, added: 3 }, HELD)
    await sources().endRun('far', { at: NOW, nextRunAt: NOW + 500, everyMs: 500, error: null }, HELD)
    await sources().pause('far')
    await sources().configure([configured('far', { new: true })], NOW + 100)
    const { state, added, isPaused, options, nextRunAt } = await get('far')
    assert.deepEqual(
      { state, added, isPaused, options, nextRunAt },
      { state: { page: 7 }, added: 3, isPaused: true, options: { new: true }, nextRunAt: NOW + 500 },
    )
    await sources().configure([], NOW)
  })

  test('due are those whose time has come, the longest due first, neither paused nor stopped', async () => {
    const end = { at: NOW, everyMs: 1, error: null }
    for (const [key, nextRunAt] of [
      ['due 2', 20],
      ['due 1', 10],
      ['due 3', 30],
      ['paused', 5],
      ['gone', 5],
    ] as const) {
      await sources().add(spec(key), NOW)
      await sources().endRun(key, { ...end, nextRunAt, ...(key === 'gone' && { stopped: '410' }) }, HELD)
    }
    await sources().pause('paused')
    const due = async (now: number, limit = 10) => (await sources().listDue(now, limit)).map(({ key }) => key)
    assert.deepEqual(await due(25), ['due 1', 'due 2'])
    assert.deepEqual(await due(100, 2), ['due 1', 'due 2'])
    await sources().resume('gone', 1)
    assert.deepEqual(await due(25), ['gone', 'due 1', 'due 2'])
    await sources().runSoon('due 3', 2)
    assert.deepEqual(await due(25, 2), ['gone', 'due 3'])
    for (const { key } of await sources().list()) await sources().remove(key)
    assert.deepEqual(await sources().list(), [])
  })

  test('failures add up until the next success', async () => {
    await sources().add(spec('failing'), NOW)
    const end = { nextRunAt: NOW, everyMs: 1 }
    for (const at of [1, 2, 3]) await sources().endRun('failing', { ...end, at, error: 'bad' }, HELD)
    const failing = await get('failing')
    assert.deepEqual([failing.failures, failing.lastError, failing.lastSuccessAt], [3, 'bad', null])
    await sources().endRun('failing', { ...end, at: 4, error: null }, HELD)
    const well = await get('failing')
    assert.deepEqual([well.failures, well.lastError, well.lastSuccessAt, well.lastRunAt], [0, null, 4, 4])
  })

  test('rejections add up by reason; of very many reasons, the later ones are counted together', async () => {
    await sources().add(spec('odd'), NOW)
    await sources().checkpoint('odd', {}, { ...NOTHING, rejections: { 'no title': 2 } }, HELD)
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`reason ${n}`, 1]))
    await sources().checkpoint('odd', {}, { ...NOTHING, rejections: { ...many, 'no title': 1 } }, HELD)
    const { rejected, rejections } = await get('odd')
    assert.equal(rejected, 43)
    assert.equal(rejections['no title'], 3)
    assert.equal(rejections['other reasons'], 21)
    assert.equal(Object.keys(rejections).length, 21)
  })

  test('without its lease a run writes nothing', async () => {
    await sources().add(spec('lost'), NOW)
    const before = await get('lost')
    await assert.rejects(sources().checkpoint('lost', { page: 1 }, NOTHING, LOST), LeaseLost)
    await assert.rejects(sources().endRun('lost', { at: 1, nextRunAt: 2, everyMs: 3, error: null }, LOST), LeaseLost)
    assert.deepEqual(await get('lost'), before)
  })

  test('a source that is removed while it is read stays removed', async () => {
    await sources().add(spec('short'), NOW)
    await sources().remove('short')
    await sources().checkpoint('short', { page: 1 }, { ...NOTHING, rejections: { bad: 1 } }, HELD)
    await sources().endRun('short', { at: 1, nextRunAt: 2, everyMs: 3, error: null }, HELD)
    assert.equal(await sources().find('short'), undefined)
  })

  test('items are known by source and name; an entry belongs to the first source that brought it', async () => {
    await sources().add(spec('one'), NOW)
    await sources().add(spec('two'), NOW)
    await sources().rememberItems([{ sourceKey: 'one', guid: 'a', entryId: 'entry 1' }])
    await sources().rememberItems([
      { sourceKey: 'two', guid: 'x', entryId: 'entry 1' },
      { sourceKey: 'two', guid: 'y', entryId: 'entry 2' },
    ])
    assert.deepEqual(await sources().entriesOf('one', ['a', 'y', 'a']), new Map([['a', 'entry 1']]))
    assert.deepEqual(await sources().entriesOf('two', ['x', 'y']), new Map([['y', 'entry 2']]))
    await sources().remove('one')
    await sources().add(spec('one'), NOW)
    assert.deepEqual(await sources().entriesOf('one', ['a']), new Map())
  })

  test('thousands of items are found at once', async () => {
    const items = new Map(Array.from({ length: 3_000 }, (_, n) => [`guid ${n}`, `many ${n}`]))
    await sources().rememberItems([...items].map(([guid, entryId]) => ({ sourceKey: 'many', guid, entryId })))
    assert.deepEqual(await sources().entriesOf('many', [...items.keys()]), items)
  })
})

onPostgres('sources of several processes', () => {
  const store = storeForSuite('postgres')

  test('a source that another process reads is not due', async () => {
    const { sources, leases } = store()
    await sources.add(spec('taken'), NOW)
    await sources.add(spec('free'), NOW)
    await leases.run(sourceLease('taken'), async () => {
      assert.deepEqual(
        (await sources.listDue(NOW, 10)).map(({ key }) => key),
        ['free'],
      )
    })
    assert.equal((await sources.listDue(NOW, 10)).length, 2)
  })
})
