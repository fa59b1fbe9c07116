/** Assets and publishers: natural keys, filters, sorting, search, and counts that follow the entries. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { builtInAssets } from '../../src/catalogue/built-in/assets.ts'
import type { Asset } from '../../src/model/assets.ts'
import type { Entry } from '../../src/model/entries.ts'
import { stableId } from '../../src/model/ids.ts'
import type { Publisher } from '../../src/model/publishers.ts'
import { DAY, HOUR } from '../../src/model/time.ts'
import { sampleEntries } from '../../src/sample/world/entries.ts'
import { samplePublishers } from '../../src/sample/world/publishers.ts'
import { runs, some } from '../depth.ts'
import { assertError } from '../envelope.ts'
import { onEveryEngine, sampleForSuite } from '../harness.ts'

onEveryEngine('catalogues', (engine) => {
  const { call, get, service } = sampleForSuite(engine)
  const listAll = async <T>(path: string, query = ''): Promise<T[]> => {
    const items: T[] = []
    for (let page: number | null = 1; page !== null; ) {
      const { data, meta } = await get(`${path}?limit=100&page=${page}${query}`)
      items.push(...data)
      page = meta.nextPage
      if (page === null) assert.equal(meta.totalCount, items.length)
    }
    return items
  }
  const listEntries = async (): Promise<Entry[]> => {
    const entries: Entry[] = []
    for (let after = ''; ; ) {
      const { data, meta } = await get(`/entries?limit=100${after}`)
      entries.push(...data)
      if (meta.nextCursor === null) return entries
      after = `&after=${meta.nextCursor}`
    }
  }
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)

  test('natural keys and ids are found in any letter case; what is not there answers 404', async () => {
    for (const { id, key: assetKey } of builtInAssets.filter((_, index) => index % 20 === 0)) {
      for (const name of [id, id.toUpperCase(), assetKey, assetKey.toLowerCase()]) {
        assert.equal((await get(`/assets/${encodeURIComponent(name)}`)).data.id, id)
      }
    }
    for (const { id, slug } of samplePublishers.filter((_, index) => index % 8 === 0)) {
      for (const name of [id, id.toUpperCase(), slug, slug.toUpperCase()]) {
        assert.equal((await get(`/publishers/${name}`)).data.id, id)
      }
    }
    for (const path of ['/assets/none', '/publishers/none', '/assets/%20aapl', '/publishers/tickerfox.example']) {
      assertError(await call(path), 404, 'NOT_FOUND')
    }
  })

  test('an item by id is the item of the list', async () => {
    for (const path of ['/assets', '/publishers']) {
      for (const item of (await listAll<{ id: string }>(path)).filter((_, index) => index % 15 === 0)) {
        assert.deepEqual((await get(`${path}/${item.id}`)).data, item)
      }
    }
  })

  test('every market of an asset is there and is of this asset', async () => {
    const assets = await listAll<Asset>('/assets')
    const markets = await listAll<{ id: string; assetId: string; assetKey: string }>('/markets')
    for (const asset of assets) {
      const own = markets.filter(({ assetId }) => assetId === asset.id)
      assert.deepEqual(asset.marketIds.toSorted(), ids(own).sort())
      assert.ok(own.every(({ assetKey }) => assetKey === asset.key))
    }
    assert.equal(assets.flatMap(({ marketIds }) => marketIds).length, markets.length)
  })

  test('the pages of a list join without a gap, and their meta says where they are', async () => {
    for (const [path, total] of Object.entries({ '/assets': builtInAssets.length, '/publishers': 48 })) {
      const whole = ids(await listAll(path))
      const totalPages = Math.ceil(total / 20)
      for (let page = 1; page <= totalPages + 2; page += 1) {
        const { data, meta } = await get(`${path}?limit=20&page=${page}`)
        const expected = whole.slice((page - 1) * 20, page * 20)
        assert.deepEqual(ids(data), expected)
        assert.deepEqual(meta, {
          ...{ totalCount: total, count: expected.length, limit: 20, page, totalPages },
          prevPage: page === 1 ? null : Math.min(page - 1, totalPages),
          nextPage: page < totalPages ? page + 1 : null,
          ...{ hasMore: page < totalPages, sort: 'name:asc', query: null, plan: 'custom' },
        })
      }
      const { meta } = await get(`${path}?search=zzzzzz&page=3`)
      assert.deepEqual(
        [meta.totalCount, meta.totalPages, meta.prevPage, meta.nextPage, meta.query],
        [0, 0, 1, null, 'zzzzzz'],
      )
    }
  })

  /** Asset filters, each with a naive predicate. */
  const ASSET_FILTERS: [query: string, matches: (asset: Asset) => boolean][] = [
    ['type=crypto,etf', ({ type }) => type === 'crypto' || type === 'etf'],
    ['status=active', ({ status }) => status === 'active'],
    ['exchange=nyse,Euronext%20PARIS', ({ exchange }) => exchange === 'NYSE' || exchange === 'Euronext Paris'],
    ['countryCode=us,De', ({ countryCode }) => countryCode === 'US' || countryCode === 'DE'],
    ['sector=TECHNOLOGY,health%20care', ({ sector }) => sector === 'Technology' || sector === 'Health care'],
    ['symbol=aapl,BTC,none', ({ symbol }) => symbol === 'AAPL' || symbol === 'BTC'],
    ['key=aapl,btc,sap.de', ({ key: own }) => own === 'AAPL' || own === 'BTC' || own === 'SAP.DE'],
    ['cik=320193,0000789019', ({ cik }) => cik === '0000320193' || cik === '0000789019'],
    ['hasEntries=true', ({ lastEntryAt }) => lastEntryAt !== null],
    ['hasEntries=false', ({ lastEntryAt }) => lastEntryAt === null],
    ['search=inc', (asset) => wordsOf(asset).some((word) => word.startsWith('inc'))],
    ['search=hermes', ({ name }) => name.startsWith('Hermès')],
    ['search=-inc', (asset) => !wordsOf(asset).some((word) => word.startsWith('inc'))],
    ['search="apple%20inc"', ({ name }) => name === 'Apple Inc.'],
    ['search=apple%20or%20microsoft', ({ name }) => /^(Apple|Microsoft)/.test(name)],
    ['search=apples', ({ name }) => /^Apple\b/.test(name)],
    ['search=fb', (asset) => wordsOf(asset).some((word) => word.startsWith('fb'))],
  ]

  test('assets: any two filters give what both say', async () => {
    const all = await listAll<Asset>('/assets')
    for (const [query, matches] of ASSET_FILTERS) {
      const found = await listAll<Asset>('/assets', `&${query}`)
      assert.deepEqual(ids(found), ids(all.filter(matches)), query)
    }
    const pairs = fc.uniqueArray(fc.constantFrom(...ASSET_FILTERS), {
      minLength: 2,
      maxLength: 3,
      selector: ([query]) => query.split('=')[0],
    })
    await fc.assert(
      fc.asyncProperty(pairs, async (given) => {
        const found = await listAll<Asset>('/assets', given.map(([query]) => `&${query}`).join(''))
        assert.deepEqual(ids(found), ids(all.filter((asset) => given.every(([, matches]) => matches(asset)))))
      }),
      { numRuns: runs(3, 30) },
    )
  })

  test('publishers: the filters give what they say', async () => {
    const all = await listAll<Publisher>('/publishers')
    const filters: [query: string, matches: (publisher: Publisher) => boolean][] = [
      ['countryCode=us,de', ({ countryCode }) => countryCode === 'US' || countryCode === 'DE'],
      ['language=EN,ja', ({ language }) => language === 'en' || language === 'ja'],
      ['type=newswire,blog', ({ type }) => type === 'newswire' || type === 'blog'],
      ['domain=Tickerfox.Example', ({ slug }) => slug === 'tickerfox'],
      ['isActive=true&language=de', ({ language }) => language === 'de'],
      ['isActive=false', () => false],
      ['search=kett', ({ name }) => /kett/i.test(name) && !/copperkettle/i.test(name)],
      ['search=buho', ({ slug }) => slug === 'buho-bursatil'],
      [`search=${encodeURIComponent('経済')}`, ({ name }) => name.includes('経済')],
      ['search=the%20-ledger', ({ name }) => /\bthe/i.test(name) && !/ledger/i.test(name)],
    ]
    for (const [query, matches] of filters) {
      assert.deepEqual(ids(await listAll<Publisher>('/publishers', `&${query}`)), ids(all.filter(matches)), query)
    }
  })

  test('counts are those of the entries, as entries come in and time goes by', async () => {
    const { store, clock } = service.mintick
    for (const [round, hours] of some([0, 5, 20, 24, 100], 3).entries()) {
      service.clock.advance(hours * HOUR)
      const now = clock.now()
      if (round % 2 === 1) {
        await store.entries.insert([
          ...sampleEntries({ count: 60, from: now - 4 * HOUR, to: now, seed: `more ${round}` }),
        ])
      }
      const entries = await listEntries()
      const within = (those: readonly Entry[], span: number) =>
        those.filter(({ publishedAt }) => Date.parse(publishedAt) > now - span)
      for (const asset of await listAll<Asset>('/assets')) {
        const own = entries.filter(({ assetKeys }) => assetKeys.includes(asset.key))
        assert.equal(asset.entryCount24h, within(own, DAY).length, asset.key)
        assert.equal(asset.entryCount7d, within(own, 7 * DAY).length, asset.key)
        assert.equal(asset.sentimentScore24h, meanOf(within(own, DAY)), asset.key)
        assert.equal(asset.sentimentScore7d, meanOf(within(own, 7 * DAY)), asset.key)
        assert.equal(asset.lastEntryAt, timesOf(own).at(-1) ?? null, asset.key)
      }
      for (const publisher of await listAll<Publisher>('/publishers')) {
        const own = entries.filter(({ urlDomain }) => urlDomain === publisher.domain)
        assert.equal(publisher.entryCount, own.length)
        assert.equal(publisher.entryCount24h, within(own, DAY).length)
        assert.equal(publisher.firstEntryAt, timesOf(own)[0] ?? null)
        assert.equal(publisher.lastEntryAt, timesOf(own).at(-1) ?? null)
      }
    }
  })

  test('a sort puts what is not known last in either direction, and ties in one order', async () => {
    const { store, clock } = service.mintick
    const silent = samplePublishers.slice(0, 3).map((publisher, index) => {
      const slug = `silent-${index}`
      return { ...publisher, id: stableId('publisher', slug), slug, domain: `${slug}.example` }
    })
    await store.publishers.insert(silent, clock.now())
    for (const [sort, fieldOf] of Object.entries<(publisher: Publisher) => string | number | null>({
      lastEntryAt: (publisher) => publisher.lastEntryAt,
      entryCount24h: (publisher) => publisher.entryCount24h,
      name: (publisher) => publisher.name.toLowerCase(),
    })) {
      for (const [direction, sign] of [['asc', 1] as const, ['desc', -1] as const]) {
        const values = (await listAll<Publisher>('/publishers', `&sortBy=${sort}:${direction}`)).map(fieldOf)
        assert.deepEqual(values, values.toSorted(nullsLast(sign)), `${sort}:${direction}`)
        if (sort === 'lastEntryAt') assert.deepEqual(values.slice(-3), [null, null, null])
      }
    }
  })

  test('symbols are sorted by their characters, whatever the locale of the database', async () => {
    const { store, clock } = service.mintick
    const [first] = builtInAssets
    assert.ok(first)
    const symbols = ['Q-Z', 'Q.A', 'QA', 'Q1', 'QB', 'Q^Z', 'QÄ', 'Q']
    await store.assets.insert(
      symbols.map((symbol) => ({ ...first, id: stableId('asset', `test ${symbol}`), key: `TEST:${symbol}`, symbol })),
      clock.now() + 1_000,
    )
    for (const [sort, fieldOf] of Object.entries<(asset: Asset) => string | number>({
      symbol: (asset) => asset.symbol,
      name: (asset) => asset.name.toLowerCase(),
      entryCount24h: (asset) => asset.entryCount24h,
      updatedAt: (asset) => asset.updatedAt,
    })) {
      for (const [direction, sign] of [['asc', 1] as const, ['desc', -1] as const]) {
        const values = (await listAll<Asset>('/assets', `&sortBy=${sort}:${direction}`)).map(fieldOf)
        assert.deepEqual(values, values.toSorted(nullsLast(sign)), `${sort}:${direction}`)
      }
    }
  })
})

const timesOf = (entries: readonly Entry[]) => entries.map(({ publishedAt }) => publishedAt).sort()

function meanOf(entries: readonly Entry[]): number | null {
  const millionths = entries.flatMap(({ sentimentScore: score }) => (score === null ? [] : Math.round(score * 1e6)))
  if (millionths.length === 0) return null
  return Math.round(millionths.reduce((sum, score) => sum + score) / millionths.length / 100) / 10_000 + 0
}

function nullsLast(sign: 1 | -1) {
  return (a: string | number | null, b: string | number | null): number => {
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return a === b ? 0 : sign * (a < b ? -1 : 1)
  }
}

function wordsOf({ key, symbol, name, aliases, formerSymbols }: Asset): string[] {
  const text = [key, symbol, name, ...aliases, ...formerSymbols.map((former) => former.symbol)].join(' ')
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}
