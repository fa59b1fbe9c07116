/** Entries with parts, and assets by the names that people use. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEMO_KEY } from '../../src/admission/key.ts'
import { endpoints } from '../../src/api/index.ts'
import { isStream } from '../../src/http/endpoint.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

onEveryEngine('entries', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })

  const get = async (path: string, key = service.mintick.ownerKey ?? '') => {
    const reply = await service.api(path, key)
    assertOk(reply)
    return reply.body
  }

  test('a list has the parts that are included, as the entry by id has them, and else the plain records', async () => {
    for (const list of ['/entries', '/topics/markets/entries']) {
      const plain = await get(`${list}?limit=6`)
      const { data, meta } = await get(`${list}?limit=6&include=publisher,cluster,entities`)
      assert.deepEqual(meta, plain.meta, 'cursors do not depend on include')
      assert.ok(data.some(({ cluster }: { cluster: unknown }) => cluster !== null))
      for (const [index, { publisher, cluster, entities, ...entry }] of data.entries()) {
        assert.deepEqual(entry, plain.data[index])
        const byId = (await get(`/entries/${entry.id}?include=entities,cluster,publisher`)).data
        assert.deepEqual({ ...entry, publisher, cluster, entities }, byId)
      }
      const [first] = (await get(`${list}?limit=1&include=cluster`)).data
      assert.deepEqual(Object.keys(first), [...Object.keys(plain.data[0]), 'cluster'])
    }
    const found = await get('/entries?query=bitcoin rises&limit=2&include=publisher')
    assert.ok(found.data.every(({ publisher }: { publisher: { slug: string } }) => publisher.slug !== ''))
    assert.deepEqual((await get('/entries?search=nosuchword&include=cluster')).data, [])
    assert.equal((await get('/entries?include=cluster', DEMO_KEY)).data.length, 3)
  })

  test('an unknown part is 400 naming include', async () => {
    for (const include of ['', 'everything', 'cluster,', 'cluster,%00']) {
      const reply = await service.api(`/entries?include=${include}`, service.mintick.ownerKey)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['include'])
    }
  })

  const lists = endpoints.filter(({ query, returns }) => query?.properties.assetKey !== undefined && !isStream(returns))

  for (const { path, query } of lists) {
    test(`${path} finds the records of an asset by its ticker and its symbol as by its key`, async () => {
      const at = path.replace(':id', 'markets')
      const names = ['ticker', ...(path === '/markets' ? [] : ['symbol'])]
      for (const key of ['AAPL', 'BTC', 'SAP.DE']) {
        const { symbol } = (await get(`/assets/${key}`)).data
        const sameSymbol = (await get(`/assets?symbol=${symbol}`)).data.map((asset: { key: string }) => asset.key)
        const byKey = await get(`${at}?limit=5&assetKey=${sameSymbol.join(',')}`)
        for (const name of names) {
          assert.ok(query?.properties[name])
          const byName = await get(`${at}?limit=5&${name}=${symbol.toLowerCase()},NOSUCH`)
          assert.deepEqual(byName.data, byKey.data)
          assert.equal(byName.meta.totalCount, byKey.meta.totalCount)
        }
      }
      for (const name of names) assert.equal((await get(`${at}?${name}=NOSUCH`)).meta.totalCount, 0)
    })
  }

  test('a market is found by its symbol', async () => {
    const { data } = await get('/markets?symbol=btc-usd,spy')
    assert.deepEqual(
      data.map(({ symbol }: { symbol: string }) => symbol),
      ['BTC-USD', 'SPY'],
    )
  })
})
