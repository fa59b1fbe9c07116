import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endpoints } from '../../src/api/index.ts'
import { WIDGETS } from '../../src/api/openbb/widgets.ts'
import { baseCost } from '../../src/plans/cost.ts'
import { onAnyEngine, serviceForSuite } from '../harness.ts'

const ORIGIN = 'https://pro.openbb.co'

onAnyEngine('OpenBB Workspace', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })
  const get = (path: string, key?: string, headers: Record<string, string> = {}) =>
    service.call(`/openbb/${path}`, {
      headers: { origin: ORIGIN, ...(key !== undefined && { 'x-api-key': key }), ...headers },
    })

  test('widgets.json needs no key and describes every widget as Workspace expects', async () => {
    const { status, body, headers } = await get('widgets.json')
    assert.equal(status, 200)
    assert.match(headers['content-type'] ?? '', /^application\/json/)
    assert.equal(headers['access-control-allow-origin'], ORIGIN)
    assert.deepEqual(Object.keys(body), Object.keys(WIDGETS))
    for (const [id, widget] of Object.entries<Record<string, unknown>>(body)) {
      assert.equal(widget.endpoint, id)
      assert.ok(widget.name && widget.description && widget.category && widget.gridData, id)
      assert.ok(['table', 'newsfeed'].includes(String(widget.type)))
    }
  })

  test('apps.json lays out widgets that exist, side by side', async () => {
    const { status, body } = await get('apps.json')
    assert.equal(status, 200)
    const { layout } = body[0].tabs.overview
    for (const { i, x, w, state } of layout) {
      assert.ok(i in WIDGETS)
      assert.ok(x + w <= 40)
      assert.deepEqual(
        Object.keys(state.params),
        WIDGETS[i]?.params.map(({ paramName }) => paramName),
      )
    }
  })

  for (const [id, widget] of Object.entries(WIDGETS)) {
    test(`${id} returns flat rows with all its columns, at the price of the endpoint behind it`, async () => {
      const account = await service.open('starter', 10)
      const query = new URLSearchParams(widget.params.map(({ paramName, value }) => [paramName, String(value)]))
      const { status, body, headers } = await get(`${id}?${query}&theme=dark`, account.key)
      assert.equal(status, 200, JSON.stringify(body))
      assert.ok(body.length > 0)
      const fields =
        widget.type === 'newsfeed'
          ? ['title', 'date', 'author', 'excerpt', 'body']
          : widget.columns.map(({ field }) => field)
      for (const row of body) {
        assert.deepEqual(Object.keys(row).sort(), [...fields].sort())
        for (const [field, value] of Object.entries(row)) {
          assert.ok(
            value === null || ['string', 'number', 'boolean'].includes(typeof value),
            `${field}: ${typeof value}`,
          )
        }
        for (const { field, cellDataType } of widget.columns) {
          if (cellDataType === 'number') assert.ok(row[field] === null || typeof row[field] === 'number', field)
        }
      }
      const path = widget.path.split('?')[0]?.replace(':market', ':id')
      const behind = endpoints.find(({ method, path: other }) => method === 'GET' && other === path)
      const credits = baseCost(behind?.cost ?? { credits: -1 }, {})
      assert.equal(await service.balance(account.id), 10 - credits)
      assert.equal(headers['x-credits-cost'], String(credits))
      assert.match(widget.description, new RegExp(`${credits} credits? per refresh`))
    })
  }

  describe('parameters', () => {
    test('reach the API; empty ones do not', async () => {
      const { key } = await service.openUnlimited()
      const { body } = await get('news_table?assetKey=TSLA&search=&limit=5', key)
      const { data } = await service.get('/entries?assetKey=TSLA&limit=5', key)
      assert.deepEqual(
        body.map(({ url }: { url: string }) => url),
        data.map(({ url }: { url: string }) => url),
      )
      const candles = await get('candles?market=AAPL&interval=1w&maxPoints=3', key)
      assert.equal(candles.body.length, 3)
      const daily = await get('candles', key)
      assert.equal(daily.body.length, 200, 'the defaults of the widget')
    })

    test('that are wrong are told, with a detail that Workspace shows', async () => {
      const { id, key } = await service.open('starter', 10)
      for (const [path, status] of [
        ['news?limit=x', 400],
        ['signals?kind=nope', 400],
        ['candles?market=nope', 404],
        ['candles?market=..', 404],
        ['candles?market=..%2F..%2Faccount', 404],
        ['nope', 404],
        ['__proto__', 404],
        ['constructor', 404],
      ] as const) {
        const reply = await get(path, key)
        assert.equal(reply.status, status, path)
        assert.equal(reply.body.success, false)
        if (!['nope', '__proto__', 'constructor'].includes(path))
          assert.equal(reply.body.detail, reply.body.error.message)
      }
      assert.equal(await service.balance(id), 10)
    })
  })

  test('the key may come as X-API-KEY or as Authorization, and is needed for data', async () => {
    const { key } = await service.openUnlimited()
    assert.equal((await get('news', key)).status, 200)
    assert.equal((await get('news', undefined, { authorization: `Bearer ${key}` })).status, 200)
    // A proxy may add an Authorization of its own; a key in it comes first.
    assert.equal((await get('news', key, { authorization: 'Basic dXNlcjpwYXNz' })).status, 200)
    assert.equal((await get('news', key, { authorization: `Bearer mtk_${'x'.repeat(44)}` })).status, 401)
    for (const wrong of [undefined, '', 'nope', `Bearer ${key}`]) {
      const reply = await get('news', wrong)
      assert.equal(reply.status, 401)
      assert.equal(reply.headers['www-authenticate'], 'Bearer')
      assert.equal(reply.headers['access-control-allow-origin'], ORIGIN)
    }
    // Spec 5: the API itself takes the key from Authorization only.
    assert.equal((await service.api('/entries', undefined, { headers: { 'x-api-key': key } })).status, 401)
  })

  test('the demo key gets three rows', async () => {
    for (const id of ['news', 'candles']) {
      const { status, body } = await get(id, 'mtk_demo')
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.length, 3)
    }
  })

  test('errors of plan and balance are passed on', async () => {
    assert.equal((await get('insider_trades', (await service.open('free', 10)).key)).status, 403)
    assert.equal((await get('news', (await service.open('starter', 0)).key)).status, 402)
    const { key } = await service.open('free', 100)
    const replies = []
    for (let count = 0; count < 16; count++) replies.push(await get('news', key))
    assert.equal(replies.at(-1)?.status, 429)
    assert.equal(replies.at(-1)?.headers['retry-after'], '6')
  })

  test('preflights of Workspace pass, others do not', async () => {
    const preflight = (origin: string, path = 'news') =>
      service.call(`/openbb/${path}`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' },
      })
    for (const path of ['news', 'widgets.json', 'apps.json']) {
      const { status, headers } = await preflight(ORIGIN, path)
      assert.equal(status, 204)
      assert.equal(headers['access-control-allow-origin'], ORIGIN)
      assert.match(headers['access-control-allow-headers'] ?? '', /X-API-KEY/)
      assert.match(headers['access-control-allow-methods'] ?? '', /GET/)
    }
    const other = await preflight('https://evil.example')
    assert.equal(other.headers['access-control-allow-origin'], undefined)
    const { key } = await service.openUnlimited()
    assert.equal((await get('news', key, { origin: 'https://evil.example' })).status, 403)
    // The origins of Workspace may use its own paths, and nothing else.
    const entries = await service.api('/entries', key, { headers: { origin: ORIGIN } })
    assert.equal(entries.headers['access-control-allow-origin'], undefined)
  })
})
