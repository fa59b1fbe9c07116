import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { openTestDb } from '../../test/harness.ts'
import { builtInAssets } from '../catalogue/built-in/assets.ts'
import { createStore, type Store } from '../store/store.ts'
import { importRows } from './importable.ts'
import { IMPORTABLES } from './resources.ts'

const CATALOGUES = ['assets', 'topics', 'publishers'] as const
type CatalogueName = (typeof CATALOGUES)[number]

const NOW = Date.parse('2026-03-02T10:20:30.400Z')

describe('loading catalogue records', () => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  let store: Store
  before(async () => {
    opened = await openTestDb('sqlite')
    store = createStore(opened.db)
  })
  after(() => opened.close())

  const intake = { take: () => assert.fail('no entries are imported') }
  const importWith =
    (update: boolean) =>
    (catalogue: CatalogueName, ...rows: unknown[]) =>
      importRows(IMPORTABLES[catalogue], rows, { update }, { store, intake, now: NOW })
  const load = importWith(true)
  const reasonFor = async (catalogue: CatalogueName, value: unknown) => {
    const { refused } = await load(catalogue, value)
    return refused[0]?.reason
  }
  const asset = { key: 'ACME', name: 'Acme', type: 'equity' }
  const publisher = { slug: 'gull', name: 'The Gull', domain: 'gull.example' }

  test('cleans texts and normalises codes to the form that filters compare', async () => {
    await load('assets', {
      ...asset,
      key: ' acm.b ',
      name: 'Berk &amp; Co\u200b',
      aliases: ['  Berk ', '', 'Berk'],
      countryCode: 'us',
      cik: '1067983',
      sector: '',
      formerSymbols: [{ symbol: 'old', from: '2020-01-31', to: '' }],
    })
    const found = await store.assets.find('ACM.B', NOW)
    assert.deepEqual(
      [found?.name, found?.aliases, found?.countryCode, found?.cik, found?.sector, found?.formerSymbols],
      ['Berk & Co', ['Berk'], 'US', '0001067983', null, [{ symbol: 'OLD', from: '2020-01-31', to: null }]],
    )
    await load('publishers', { ...publisher, slug: 'GULL', domain: 'www.Möwe.example', language: 'DE' })
    const gull = await store.publishers.find('gull', NOW)
    assert.deepEqual([gull?.domain, gull?.language], ['xn--mwe-sna.example', 'de'])
  })

  for (const [catalogue, value, reason] of [
    ['assets', undefined, 'it is not a JSON object'],
    ['assets', [asset], 'it is not a JSON object'],
    ['assets', { name: 'Acme', type: 'equity' }, 'key is required'],
    ['assets', { ...asset, key: 'A,B' }, 'key must be 1 to 100 characters without spaces, commas and slashes'],
    [
      'assets',
      { ...asset, type: 'stock' },
      'type must be one of equity, etf, index, crypto, currency, commodity, other',
    ],
    ['assets', { ...asset, status: 'gone' }, 'status must be one of active, delisted'],
    ['assets', { ...asset, name: ' ' }, 'name must be string'],
    ['assets', { ...asset, aliases: 5 }, 'aliases must be array'],
    ['assets', { ...asset, aliases: [1] }, 'aliases.0 must be string'],
    ['assets', { ...asset, countryCode: 'USA' }, 'countryCode must be two letters'],
    ['assets', { ...asset, websiteUrl: 'javascript:alert(1)' }, 'websiteUrl must be an http or https URL'],
    [
      'assets',
      { ...asset, formerSymbols: [{ symbol: 'A', from: '2026-02-30', to: null }] },
      'formerSymbols.0.from must match format "date"',
    ],
    [
      'assets',
      { ...asset, formerSymbols: [{ symbol: 'A', from: null, to: null, note: 'x' }] },
      'formerSymbols.0.note is not a known field',
    ],
    ['assets', { ...asset, name: 'x'.repeat(501) }, 'name has more than 500 characters'],
    ['publishers', { ...publisher, domain: 'https://gull.example/' }, 'domain must be a domain such as news.example'],
    ['publishers', { ...publisher, isActive: 'maybe' }, 'isActive must be boolean'],
    ['topics', { slug: 'x', name: 'X', terms: 'gold' }, 'terms must be object'],
    ['topics', { slug: 'x', name: 'X', terms: { certain: 'gold' } }, 'terms.certain is not a known field'],
    [
      'topics',
      { slug: 'x', name: 'X', terms: { sure: 'gold, * rush' } },
      'Terms of the topic "x": "* rush": a gap must be between two words',
    ],
    [
      'topics',
      { slug: 'x', name: 'X', terms: { assets: 'colour:red' } },
      'Terms of the topic "x": asset "colour:red" is not one of type:…, key:…, sector:…, industry:…',
    ],
  ] as const) {
    test(`refuses a record: ${reason}`, async () => assert.equal(await reasonFor(catalogue, value), reason))
  }

  test('the index of a refused record counts all given records', async () => {
    const { added, refused } = await load('topics', 7, { slug: 'a', parentSlug: 'b' }, { slug: 'c', name: 'C' }, {})
    assert.equal(added, 1)
    assert.deepEqual(
      refused.map(({ index }) => index),
      [0, 1, 3],
    )
  })

  test('loading a record that the API returned changes nothing', async () => {
    await load('topics', { slug: 'metals', name: 'Metals' }, { slug: 'tin', name: 'Tin', parentSlug: 'metals' })
    const answered = {
      assets: await store.assets.find('ACM.B', NOW),
      topics: await store.topics.find('tin', NOW),
      publishers: await store.publishers.find('gull', NOW),
    }
    for (const catalogue of CATALOGUES) {
      assert.deepEqual(await load(catalogue, answered[catalogue]), {
        added: 0,
        changed: 0,
        known: 1,
        refused: [],
        unknownFields: [],
      })
    }
  })

  test('existing records change only with update', async () => {
    await load('publishers', publisher)
    const renamed = { slug: 'gull', name: 'The Tern', countryCode: 'IS' }
    const { added, known } = await importWith(false)('publishers', renamed)
    assert.deepEqual([added, known, (await store.publishers.find('gull', NOW))?.name], [0, 1, 'The Gull'])
    assert.equal((await load('publishers', renamed)).changed, 1)
    assert.equal((await store.publishers.find('gull', NOW))?.name, 'The Tern')
  })

  test('unknown fields are ignored and named, with a similar one if there is any', async () => {
    const proto = JSON.parse('{"key":"ACME","__proto__":{"name":"x"}}')
    const { refused, unknownFields } = await load(
      'assets',
      { ...asset, alias: ['x'], web_site_url: 'x' },
      { ...asset, alias: ['x'], entryCount7d: 5 },
      proto,
    )
    assert.deepEqual(refused, [])
    assert.deepEqual(unknownFields, [
      { field: 'alias', rows: 2, suggestion: 'aliases' },
      { field: 'web_site_url', rows: 1, suggestion: 'websiteUrl' },
      { field: '__proto__', rows: 1, suggestion: null },
    ])
  })

  test('a refusal names the field and its value', async () => {
    const { refused } = await load('assets', { ...asset, formerSymbols: [{ symbol: 'A', from: 'never', to: null }] })
    assert.deepEqual(refused, [
      {
        index: 0,
        reason:
          'formerSymbols.0.from is not a day; use 2026-01-31T12:00:00Z, a date as in RFC 822, or Unix seconds or milliseconds',
        field: 'formerSymbols.0.from',
        value: '"never"',
      },
    ])
  })

  test('texts, as all cells of a CSV file are, become the type of their field', async () => {
    await load('publishers', { ...publisher, slug: 'csv', isActive: 'no', isPaywalled: 'TRUE', language: '' })
    const found = await store.publishers.find('csv', NOW)
    assert.deepEqual([found?.isActive, found?.isPaywalled, found?.language], [false, true, null])
    await load('assets', { ...asset, key: 'CSV', aliases: 'One | Two; too', formerSymbols: '[{"symbol":"OLD"}]' })
    const { aliases, formerSymbols } = (await store.assets.find('CSV', NOW)) ?? {}
    assert.deepEqual([aliases, formerSymbols], [['One', 'Two; too'], [{ symbol: 'OLD', from: null, to: null }]])
  })

  test('the built-in assets pass the checks of an import', async () => {
    await store.assets.insert(builtInAssets, NOW)
    assert.deepEqual((await load('assets', ...builtInAssets)).known, builtInAssets.length)
  })

  test('every value is either loaded or refused', async () => {
    const fields = fc.constantFrom('key', 'slug', 'name', 'type', 'domain', 'aliases', 'terms', 'parentSlug', 'x\0')
    const text = fc.string({ unit: 'binary', maxLength: 20 })
    const value = fc.oneof(fc.jsonValue(), text, fc.array(text), fc.dictionary(fields, text))
    const record = fc.oneof(fc.jsonValue(), fc.dictionary(fields, value))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...CATALOGUES), fc.array(record), async (catalogue, values) => {
        const { added, changed, known, refused } = await load(catalogue, ...values)
        assert.equal(added + changed + known + refused.length, values.length)
      }),
      { numRuns: runs(30, 200) },
    )
  })
})
