import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryEngine, storeForSuite } from '../../test/harness.ts'
import type { AssetChange } from '../model/assets.ts'
import { idOf } from '../model/ids.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')

onEveryEngine('upserting assets', (engine) => {
  const store = storeForSuite(engine)

  const upsert = (...changes: AssetChange[]) => store().assets.upsert(changes, NOW)
  const found = async (filters: Record<string, string | string[]>) => {
    const { data } = await store().assets.page({ filters, sort: 'name:asc', limit: 10, offset: 0 }, NOW)
    return data.map(({ key }) => key)
  }

  test('a new asset has its key as symbol, is active, and has nulls otherwise', async () => {
    assert.deepEqual(await upsert({ key: 'ACME', name: 'Acme Anvils', type: 'equity' }), {
      added: 1,
      changed: 0,
      unchanged: 0,
      refused: [],
    })
    const asset = await store().assets.find('acme', NOW)
    assert.deepEqual(
      [asset?.id, asset?.symbol, asset?.status, asset?.sector, asset?.aliases, asset?.entryCount24h],
      [idOf('mintick:asset:ACME'), 'ACME', 'active', null, [], 0],
    )
  })

  test('refuses a new asset without name or type and adds the others', async () => {
    const outcome = await upsert({ key: 'NONE', name: 'No type' }, { key: 'ZINC', name: 'Zinc', type: 'commodity' })
    assert.deepEqual(outcome.refused, [{ index: 0, reason: 'a new asset needs name and type' }])
    assert.equal(outcome.added, 1)
    assert.equal(await store().assets.find('NONE', NOW), undefined)
  })

  test('changes only the given fields; search, filters and sorting follow', async () => {
    const before = await store().assets.find('ACME', NOW)
    await upsert({ key: 'ACME', aliases: ['Roadrunner Supply'], sector: 'Industrials', exchange: 'Nyse' })
    const after = await store().assets.find('ACME', NOW)
    assert.deepEqual(
      { ...after, updatedAt: '' },
      { ...before, aliases: ['Roadrunner Supply'], sector: 'Industrials', exchange: 'Nyse', updatedAt: '' },
    )
    assert.deepEqual(await found({ search: 'roadrunner' }), ['ACME'])
    assert.deepEqual(await found({ sector: ['industrials'] }), ['ACME'])
    assert.deepEqual(await found({ exchange: ['NYSE'] }), ['ACME'])
    await upsert({ key: 'ACME', name: 'zzz last', aliases: [], sector: null })
    assert.deepEqual(await found({ search: 'roadrunner' }), [])
    assert.deepEqual(await found({ sector: ['industrials'] }), [])
    assert.deepEqual(await found({}), ['ZINC', 'ACME'])
  })

  test('every change creates a new version, even within one millisecond; a no-op does not', async () => {
    const versions = [await store().assets.version()]
    await upsert({ key: 'ZINC', aliases: ['a'] })
    versions.push(await store().assets.version())
    await upsert({ key: 'ZINC', aliases: ['b'] })
    versions.push(await store().assets.version())
    assert.equal(new Set(versions).size, 3)
    assert.deepEqual(await upsert({ key: 'ZINC', aliases: ['b'] }, { key: 'ZINC', name: 'Zinc' }), {
      added: 0,
      changed: 0,
      unchanged: 2,
      refused: [],
    })
    assert.equal(await store().assets.version(), versions.at(-1))
  })

  test('several changes to one asset in a batch build on each other', async () => {
    const outcome = await upsert(
      { key: 'TWICE', name: 'Twice', type: 'etf' },
      { key: 'TWICE', sector: 'Funds' },
      { key: 'TWICE', name: 'Twice over' },
    )
    assert.deepEqual([outcome.added, outcome.changed], [1, 2])
    const asset = await store().assets.find('TWICE', NOW)
    assert.deepEqual([asset?.name, asset?.sector, asset?.type], ['Twice over', 'Funds', 'etf'])
  })
})
