import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { parquetReadObjects } from 'hyparquet'
import Papa from 'papaparse'
import type { TObject } from 'typebox'
import { endpoints } from '../../src/api/index.ts'
import { columnsOf } from '../../src/export/columns.ts'
import { BLOCK_ROWS } from '../../src/model/exports.ts'
import { effectiveCost } from '../../src/plans/cost.ts'
import { PLANS } from '../../src/plans/plans.ts'
import { createStore } from '../../src/store/store.ts'
import { auditCharges } from '../charges.ts'
import { runs, some } from '../depth.ts'
import { assertError, fieldsOf } from '../envelope.ts'
import { createPlace, onEveryEngine, openPlace, type Place, serviceForSuite } from '../harness.ts'
import { loggedRequest } from '../logged-request.ts'
import { killHard, spawnService } from '../spawn.ts'
import { openAccountIn } from '../unlimited-account.ts'
import { Visitor } from '../visitor.ts'

type Row = Record<string, unknown>

const exports = endpoints.filter(({ returns, path }) => returns === 'download' && !path.includes(':'))
const datasets = exports.map((endpoint) => {
  const name = endpoint.path.slice('/export/'.length)
  const list = endpoints.find(({ path, returns }) => path.endsWith(`/${name}`) && returns.endsWith('list'))
  return { name, list: list?.path ?? '', schema: endpoint.data as TObject, cost: endpoint.cost.credits }
})

/** Returns rows of a CSV file as the list has them. */
function readCsv(text: string, schema: TObject): Row[] {
  const types = new Map(columnsOf(schema).map(({ name, type }) => [name, type]))
  const { data, errors } = Papa.parse<string[]>(text, { skipEmptyLines: true })
  assert.deepEqual(errors, [])
  const [header = [], ...rows] = data
  return rows.map((cells) =>
    Object.fromEntries(
      cells.map((cell, place) => {
        const name = header[place] ?? ''
        const type = types.get(name)
        if (cell === '') return [name, null]
        return [name, type === 'text' || type === 'time' ? cell : JSON.parse(cell)]
      }),
    ),
  )
}

/** Returns rows of a Parquet file as the list has them. */
async function readParquet(bytes: Uint8Array, schema: TObject): Promise<Row[]> {
  const file = new Uint8Array(bytes).buffer
  const rows = await parquetReadObjects({ file })
  const columns = columnsOf(schema)
  return rows.map((row) =>
    Object.fromEntries(
      columns.map(({ name, type }) => {
        const value = row[name]
        if (value === null || value === undefined) return [name, null]
        if (type === 'integer') return [name, Number(value)]
        if (type === 'time') return [name, (value as Date).toISOString()]
        return [name, type === 'json' ? JSON.parse(String(value)) : value]
      }),
    ),
  )
}

const readNdjson = (text: string): Row[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

/** An empty text and null are the same to the reader of CSV above. */
const withoutEmpty = (rows: readonly Row[]) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === '' ? null : value])))

onEveryEngine('bulk export', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })
  let url: string
  let key: string
  before(async () => {
    url = await service.listen()
    key = (await service.openUnlimited()).key
  })

  const download = async (path: string, token = key) => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(response.status, 200, path)
    return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
  const textOf = async (path: string, token = key) => Buffer.from((await download(path, token)).bytes).toString()
  const statusOf = async (headers: Headers, token = key) =>
    (await service.get(`/account/exports/${headers.get('x-request-id')}`, token)).data

  /** Returns all rows of a list, page by page. */
  async function pagedRows(path: string): Promise<Row[]> {
    const rows: Row[] = []
    const join = path.includes('?') ? '&' : '?'
    for (let next = `${path}${join}limit=100`; ; ) {
      const { data, meta } = await service.get(next, key)
      rows.push(...data)
      if (!meta.hasMore) return rows
      const more = meta.nextPage === undefined ? `after=${meta.nextCursor}` : `page=${meta.nextPage}`
      next = `${path}${join}limit=100&${more}`
    }
  }

  for (const { name, list, schema, cost } of datasets) {
    test(`the rows of ${name} are those of the paged list, in all formats, at the price of its pages`, async () => {
      const rows = await pagedRows(list)
      assert.ok(rows.length > 0)
      const { id, key } = await service.open('professional', 1_000)
      const price = Math.ceil(rows.length / BLOCK_ROWS) * effectiveCost(cost, PLANS.professional)
      const files = {
        ndjson: (bytes: Uint8Array) => readNdjson(Buffer.from(bytes).toString()),
        csv: (bytes: Uint8Array) => readCsv(Buffer.from(bytes).toString(), schema),
        parquet: (bytes: Uint8Array) => readParquet(bytes, schema),
      }
      let balance = 1_000
      for (const [format, read] of Object.entries(files)) {
        const { headers, bytes } = await download(`/export/${name}?format=${format}`, key)
        assert.deepEqual(await read(bytes), format === 'csv' ? withoutEmpty(rows) : rows, format)
        assert.equal(headers.get('x-total-count'), String(rows.length))
        balance -= price
        assert.equal(await service.balance(id), balance)
        const { startedAt, endedAt, ...status } = await statusOf(headers, key)
        assert.ok(startedAt <= endedAt)
        assert.deepEqual(status, {
          requestId: headers.get('x-request-id'),
          dataset: name,
          format,
          status: 'complete',
          rows: rows.length,
          bytes: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
          credits: price,
        })
      }
    })
  }

  test('filters, sort orders and asOf are those of the list', async () => {
    const queries = [
      ['entries', '/entries', 'sortBy=publishedAt:asc&language=en&hasAssets=true'],
      ['entries', '/entries', 'search=profit&sortBy=createdAt:asc'],
      ['entries', '/entries', 'topicSlug=earnings,markets&asOf=2026-02-01T00:00:00Z'],
      ['insider-trades', '/sec/insider-trades', 'sortBy=value&transactionType=purchase,sale'],
      ['insider-trades', '/sec/insider-trades', 'asOf=2026-02-01T00:00:00Z&search=officer'],
      ['signals', '/signals', 'sortBy=strength&strengthMin=0.3'],
      ['signals', '/signals', 'asOf=2026-02-01T00:00:00Z&sortBy=confidence:asc'],
      ['clusters', '/clusters', 'sortBy=importanceScore&entryCountMin=2'],
      ['prediction-markets', '/prediction-markets', 'sortBy=closeAt&status=open'],
    ] as const
    for (const [name, list, query] of some(queries, 4)) {
      assert.deepEqual(readNdjson(await textOf(`/export/${name}?${query}`)), await pagedRows(`${list}?${query}`), query)
    }
  })

  test('fields selects columns in every format, and limit bounds the rows and the price', async () => {
    const rows = readNdjson(await textOf('/export/signals?limit=150'))
    assert.equal(rows.length, 150)
    const some = rows.map(({ id, assetKey, metrics }) => ({
      id,
      assetKey,
      metrics: metrics && { zScore: (metrics as Row).zScore },
    }))
    const query = 'limit=150&fields=assetKey,id,metrics.zScore'
    assert.deepEqual(readNdjson(await textOf(`/export/signals?${query}`)), some)
    const schema = datasets.find(({ name }) => name === 'signals')?.schema ?? assert.fail()
    assert.deepEqual(readCsv(await textOf(`/export/signals?${query}&format=csv`), schema), some)
    const { bytes } = await download(`/export/signals?${query}&format=parquet`)
    const narrow = await parquetReadObjects({ file: new Uint8Array(bytes).buffer })
    assert.deepEqual(
      narrow.map(({ metrics, ...row }) => ({ ...row, metrics: metrics && JSON.parse(String(metrics)) })),
      some,
    )
    const { headers } = await download('/export/signals?limit=101')
    assert.equal((await statusOf(headers)).credits, 4)
  })

  test('an empty export is an empty file, costs nothing and is complete', async () => {
    const { headers, bytes } = await download('/export/entries?author=nobody')
    assert.equal(bytes.length, 0)
    const { status, rows, credits } = await statusOf(headers)
    assert.deepEqual({ status, rows, credits }, { status: 'complete', rows: 0, credits: 0 })
    assert.equal(await textOf('/export/entries?author=nobody&format=csv&fields=id,title'), 'id,title\n')
    const parquet = await download('/export/entries?author=nobody&format=parquet')
    assert.deepEqual(await parquetReadObjects({ file: new Uint8Array(parquet.bytes).buffer }), [])
  })

  test('an export that was cut anywhere continues with the next row', async () => {
    const query = 'insider-trades?sortBy=transactionDate&limit=400'
    const whole = { ndjson: await textOf(`/export/${query}`), csv: await textOf(`/export/${query}&format=csv`) }
    const csvHeader = whole.csv.indexOf('\n') + 1
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('ndjson' as const, 'csv' as const), fc.nat(), async (format, place) => {
        const text = whole[format]
        const least = format === 'csv' ? csvHeader : 0
        const cut = text.slice(0, least + (place % (text.length - least)))
        const complete = cut.slice(0, cut.lastIndexOf('\n') + 1)
        const lines = complete.slice(least).split('\n').slice(0, -1)
        const last = lines.at(-1)
        if (last === undefined) return
        const id = format === 'csv' ? last.split(',')[0] : JSON.parse(last).id
        const path = `/export/insider-trades?sortBy=transactionDate&limit=${400 - lines.length}&format=${format}&after=${id}`
        assert.equal(complete + (400 === lines.length ? '' : await textOf(path)), text)
      }),
      { numRuns: runs(10, 100) },
    )
  })

  test('plans without bulk export, or without SEC data, are refused with 403', async () => {
    for (const plan of ['free', 'starter'] as const) {
      const account = await service.open(plan, 10)
      for (const { path } of exports) assertError(await service.api(path, account.key), 403, 'FORBIDDEN')
      assert.equal(await service.balance(account.id), 10)
    }
    assertError(await service.api('/export/entries', 'mtk_demo'), 403, 'FORBIDDEN')
    const account = await service.open('professional', 10)
    const body = { overrides: { secData: false } }
    await service.admin(`/accounts/${account.id}`, { method: 'PATCH', body })
    assertError(await service.api('/export/insider-trades?limit=1', account.key), 403, 'FORBIDDEN')
    assert.equal((await service.api('/export/entries?limit=1', account.key)).status, 200)
  })

  test('bad input is refused with its reason, and costs nothing', async () => {
    const account = await service.open('professional', 10)
    const refused = async (path: string) => {
      const reply = await service.api(path, account.key)
      assertError(reply, 400, 'BAD_REQUEST')
      return fieldsOf(reply)
    }
    assert.deepEqual(await refused('/export/entries?format=xlsx'), ['format'])
    assert.deepEqual(await refused('/export/entries?format='), ['format'])
    assert.deepEqual(await refused('/export/entries?limit=0'), ['limit'])
    assert.deepEqual(await refused('/export/entries?after=nope'), ['after'])
    assert.deepEqual(await refused(`/export/entries?after=00000000-0000-4000-8000-000000000000`), ['after'])
    assert.deepEqual(await refused('/export/entries?fields=nope'), ['fields'])
    assert.deepEqual(await refused('/export/entries?sortBy=relevance:desc'), ['sortBy'])
    // What has no effect would be paid for with all rows.
    assert.deepEqual(await refused('/export/entries?query=profit&assetkey=AAPL'), ['query', 'assetkey'])
    assert.deepEqual(await refused('/export/clusters?asOf=2026-01-01'), ['asOf'])
    const { id } = (await service.get('/entries?limit=1', key)).data[0]
    const parquet = await service.api(`/export/entries?format=parquet&after=${id}`, account.key)
    assert.match(parquet.body.error.details[0].message, /cannot continue a Parquet file/)
    const unknown = await service.api('/export/entires', account.key)
    assertError(unknown, 404, 'NOT_FOUND')
    assert.match(unknown.body.error.message, /\/export\/entries/)
    const [{ field, message }] = unknown.body.error.details
    assert.equal(field, 'path')
    for (const { name } of datasets) assert.ok(message.split(/, | of /).includes(name), name)
    assertError(await service.api('/account/exports/nope', account.key), 404, 'NOT_FOUND')
    assert.equal(await service.balance(account.id), 10)
  })

  test('without credits for the first block the answer is 402; parquet needs them for all blocks', async () => {
    const account = await service.open('enterprise', 0)
    assertError(await service.api('/export/entries', account.key), 402, 'INSUFFICIENT_CREDITS')
    const short = await service.open('enterprise', 2)
    assertError(await service.api('/export/entries?format=parquet&limit=201', short.key), 402, 'INSUFFICIENT_CREDITS')
    assert.equal((await service.api('/export/entries?format=parquet&limit=200', short.key)).status, 200)
    assert.equal(await service.balance(short.id), 0)
  })

  test('of two parquet exports at once with credits for one, one is complete and the other refused', async () => {
    const account = await service.open('enterprise', 3)
    const replies = await Promise.all(
      [1, 2].map(() => service.api('/export/entries?format=parquet&limit=200', account.key)),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 402])
    assert.equal(await service.balance(account.id), 1)
    assert.equal((await service.api('/export/entries?limit=100', account.key)).status, 200)
  })

  test('no request of the account waits for credits that a parquet export holds to its end', async ({ mock }) => {
    const account = await service.open('enterprise', 4)
    const hold = mock.method(service.mintick.admission.meter, 'hold')
    const { status } = await service.alone().api('/export/entries?format=parquet&limit=200', account.key)
    assert.equal(status, 200)
    const holders = hold.mock.calls.filter((call) => call.arguments[1] === 2).map((call) => call.arguments[2])
    assert.deepEqual(holders, ['streams'])
    assert.equal(service.mintick.admission.meter.held(account.id), 0)
    assert.equal(await service.balance(account.id), 2)
  })

  test('HEAD has the headers of the export, and is free', async () => {
    const account = await service.open('enterprise', 5)
    for (const { name } of datasets) {
      const head = await service.api(`/export/${name}?format=csv`, account.key, { method: 'HEAD' })
      const { headers } = await download(`/export/${name}?format=csv`)
      for (const header of ['content-type', 'content-disposition', 'x-total-count']) {
        assert.equal(head.headers[header], headers.get(header), `${name} ${header}`)
      }
      assert.deepEqual([head.status, head.body, head.headers['x-credits-cost']], [200, undefined, '0'])
    }
    assertError(await service.api('/export/entries?format=xml', account.key), 400, 'BAD_REQUEST')
    assert.equal(await service.balance(account.id), 5)
  })

  test('cells are sent as they are, also those that a spreadsheet takes for formulas', async () => {
    const titles = ['=1+1', '+cmd', '-1.5 percent', '@SUM(A1)', '"=1"', ' =2']
    const rows = titles.map((title, place) => ({
      url: `https://formula.example/${place}`,
      title,
      publishedAt: '2026-03-02T00:00:00Z',
    }))
    await service.admin('/import/entries', { method: 'POST', body: { rows } })
    const schema = datasets.find(({ name }) => name === 'entries')?.schema ?? assert.fail()
    const sent = readCsv(await textOf('/export/entries?format=csv&sortBy=createdAt:desc&limit=6'), schema)
    assert.deepEqual(withoutEmpty(sent), withoutEmpty((await service.get('/entries?limit=6', key)).data))
    assert.deepEqual(new Set(sent.map(({ title }) => title)), new Set(titles.map((title) => title.trim())))
  })

  test('an export goes on after a row that no longer matches the filters, from its place', async () => {
    const rows = await pagedRows('/entries?sortBy=publishedAt:asc')
    const place = rows.findIndex(({ language }, index) => index > 20 && language !== 'en')
    const rest = rows.slice(place + 1).filter(({ language }) => language === 'en')
    const query = `language=en&sortBy=publishedAt:asc&after=${rows[place]?.id}`
    assert.deepEqual(readNdjson(await textOf(`/export/entries?${query}`)), rest)
  })

  test('when the credits run out the connection is cut, and the export continues once there are more', async () => {
    const account = await service.open('enterprise', 3)
    const { text, isCut, headers } = await readSome(`${url}/export/entries`, account.key)
    assert.ok(isCut)
    const rows = readNdjson(text)
    assert.equal(rows.length, 300)
    const status = await statusOf(headers, account.key)
    assert.deepEqual(
      { status: status.status, rows: status.rows, bytes: status.bytes, credits: status.credits },
      { status: 'credits_exhausted', rows: 300, bytes: Buffer.byteLength(text), credits: 3 },
    )
    assert.equal(status.sha256, createHash('sha256').update(text).digest('hex'))
    assert.equal(await service.balance(account.id), 0)
    await service.admin(`/accounts/${account.id}/credits`, { method: 'POST', body: { credits: 100, reason: 'test' } })
    const rest = readNdjson(await textOf(`/export/entries?after=${rows.at(-1)?.id}`, account.key))
    assert.deepEqual([...rows, ...rest], await pagedRows('/entries'))
  })

  test('a client that disconnects pays for the blocks it was sent, once', async () => {
    const account = await service.open('enterprise', 1_000)
    const { headers } = await readSome(`${url}/export/entries`, account.key, 1)
    let status = await statusOf(headers, account.key)
    while (status.status === 'running') {
      await delay(20)
      status = await statusOf(headers, account.key)
    }
    // All of it may have been in the buffers of the connection.
    assert.ok(['disconnected', 'complete'].includes(status.status), status.status)
    assert.equal(status.credits, Math.ceil(status.rows / BLOCK_ROWS))
    assert.equal(await service.balance(account.id), 1_000 - status.credits)
  })

  test('log, usage and history show an export with its credits; the rate counts it as one request', async () => {
    const account = await service.open('enterprise', 1_000)
    const { headers } = await download('/export/entries?limit=250', account.key)
    await service.balance(account.id)
    const [logged] = (await service.get('/account/logs', account.key)).data
    assert.deepEqual(
      [logged.requestId, logged.creditsCharged, logged.statusCode, logged.responseBytes > 0],
      [headers.get('x-request-id'), 3, 200, true],
    )
    const { data: usage } = await service.get('/account/usage', account.key)
    assert.equal(usage.credits.used, 3)
    assert.deepEqual(
      usage.byEndpoint.filter(({ endpoint }: { endpoint: string }) => endpoint === 'GET /export/entries'),
      [{ endpoint: 'GET /export/entries', requests: 1, failed: 0, credits: 3 }],
    )
    const { data: history } = await service.get('/billing/history?detail=true&type=usage', account.key)
    assert.deepEqual(
      history.map((item: Row) => [item.credits, item.requestId, item.description]),
      [50, 100, 100].map((rows) => [-1, headers.get('x-request-id'), `GET /export/entries, rows: ${rows}`]),
    )
    assert.equal(new Set(history.map(({ id }: Row) => id)).size, 3)
    const cost = await service.get('/account/cost?path=%2Fexport%2Fentries', account.key)
    assert.deepEqual([cost.data.credits, cost.data.cost.perRows, cost.data.wouldPass], [1, 100, true])
  })

  test('a page of the dashboard pays for its export', async () => {
    const visitor = new Visitor(service)
    await visitor.signInAsOwner()
    const token = await visitor.token()
    const { balance } = await service.get('/account', token).then(({ data }) => data)
    const { status, headers } = await service.api('/export/entries?limit=1', token)
    assert.equal(status, 200)
    const cost = Number(headers['x-credits-cost'])
    assert.ok(cost > 0)
    assert.equal((await service.get('/account', token)).data.balance, balance - cost)
    const [line] = (await service.get('/account/logs?path=/api/v1/export/entries', token)).data
    assert.deepEqual([line.keyPrefix, line.creditsCharged], ['dashboard', cost])
  })

  test('a key that is revoked, restricted, has another secret or whose session has ended is charged no further block', async () => {
    const { store, clock } = service.mintick
    const account = await service.open('enterprise', 10)
    const [held] = await store.keys.list(account.id)
    assert.ok(held !== undefined)
    const record = {
      id: 'revoked',
      accountId: account.id,
      apiKeyId: held.id,
      endpoint: 'GET /export/entries',
      format: 'csv',
      status: 'running',
      rows: 0,
      bytes: 0,
      sha256: null,
      createdAt: clock.now(),
      updatedAt: clock.now(),
    } as const
    const current = { secretNumber: 1, sessionId: undefined, address: '127.0.0.1' }
    const charge = (rows: number, changed: { secretNumber?: number; sessionId?: string; address?: string } = {}) => {
      const holder = { ...current, ...changed }
      const { id, accountId, apiKeyId, createdAt } = record
      const request = rows === 0 ? loggedRequest({ id, accountId, apiKeyId, createdAt, credits: 0 }) : undefined
      return store.bulkExports.charge({ record: { ...record, rows }, holder, rows: 100, credits: 2, request })
    }
    assert.deepEqual(await charge(0), { balance: { ...(await store.ledger.lastBalance(account.id)) } })
    assert.deepEqual(await charge(100, { sessionId: 'ended' }), { refusedBy: 'key_revoked' })
    const rotate = (key: string, overlapHours: number) =>
      service.api(`/account/api-keys/${held.id}/rotate`, key, { method: 'POST', body: { overlapHours } })
    const { apiKey } = (await rotate(account.key, 1)).body.data
    assert.ok('balance' in (await charge(100)))
    const other = await service.api('/account/api-keys', apiKey, { method: 'POST', body: { name: 'other' } })
    const restrict = (body: object) =>
      service.api(`/account/api-keys/${held.id}`, other.body.data.apiKey, { method: 'PATCH', body })
    await restrict({ allowedAddresses: ['127.0.0.1', '192.0.2.0/24'] })
    assert.deepEqual(await charge(200, { address: '198.51.100.1' }), { refusedBy: 'key_revoked' })
    assert.ok('balance' in (await charge(150, { address: '::ffff:192.0.2.1' })))
    assert.equal((await service.api('/export/entries?limit=1', apiKey)).status, 200)
    await restrict({ scopes: ['account'] })
    assert.deepEqual(await charge(200), { refusedBy: 'key_revoked' })
    await restrict({ scopes: null, allowedAddresses: null })
    const newest = (await rotate(apiKey, 0)).body.data
    assert.deepEqual(await charge(200), { refusedBy: 'key_revoked' })
    assert.deepEqual(await charge(200, { secretNumber: 2 }), { refusedBy: 'key_revoked' })
    assert.ok('balance' in (await charge(200, { secretNumber: 3 })))
    await service.api(`/account/api-keys/${held.id}`, newest.apiKey, { method: 'DELETE' })
    assert.deepEqual(await charge(300, { secretNumber: 3 }), { refusedBy: 'key_revoked' })
    assert.equal(await service.balance(account.id), 1)
  })

  test('an export that nobody continues is interrupted after five minutes', async () => {
    const account = await service.open('enterprise', 10)
    const { store, clock } = service.mintick
    const [held] = await store.keys.list(account.id)
    const id = '00000000-0000-4000-8000-000000000001'
    const record = { id, accountId: account.id, apiKeyId: held?.id ?? '', endpoint: 'GET /export/entries' } as const
    const progress = { format: 'csv', status: 'running', rows: 0, bytes: 0, sha256: null } as const
    await store.bulkExports.save({ ...record, ...progress, createdAt: clock.now(), updatedAt: clock.now() })
    const status = async () => (await service.get(`/account/exports/${id}`, account.key)).data.status
    assert.equal(await status(), 'running')
    service.clock.advance(300_001)
    assert.equal(await status(), 'interrupted')
  })

  test('rows that arrive during a walk are left out', async () => {
    const { store, clock } = service.mintick
    const before = await pagedRows('/entries?sortBy=createdAt:asc')
    const walk = await store.entries.walk({ filters: {}, sort: 'createdAt:asc', after: undefined })
    const ids: string[] = []
    for await (const portion of walk.portions) {
      ids.push(...portion.each().map((doc) => JSON.parse(String(doc)).id))
      const body = {
        rows: [{ url: `https://late.example/${ids.length}`, title: 'Late', publishedAt: new Date(clock.now()) }],
      }
      assert.equal((await service.admin('/import/entries', { method: 'POST', body })).status, 200)
    }
    assert.deepEqual(
      ids,
      before.map(({ id }) => id),
    )
    assert.equal(walk.totalCount, ids.length)
  })

  test('afterwards the ledger adds up and nothing is held', async () => {
    const { mintick } = service
    await mintick.admission.requestWriter.drain()
    assert.deepEqual((await mintick.store.audit.run()).problems, [])
    const accounts = await mintick.store.accounts.page(1_000, 0)
    for (const { id } of accounts.data) assert.equal(mintick.admission.meter.held(id), 0)
  })
})

onEveryEngine('bulk export and kill -9', (engine) => {
  test('charged rows are at most a block ahead of those received, and the audit holds', async () => {
    const place = await createPlace(engine)
    try {
      const env = { ...place.env, SAMPLE_DATA: 'on' }
      const { id: accountId, key } = await openAccountIn({ ...place, env }, 1_000)
      let spent = 0
      for (let round = 0; round < runs(2, 10); round += 1) {
        const { child, url } = await spawnService(place.env)
        // At another moment each time.
        const killing = Promise.withResolvers<void>()
        const { text } = await readSome(
          `${url}/api/v1/export/entries?sortBy=publishedAt:desc`,
          key,
          Infinity,
          (parts) => {
            if (parts === 1 + 3 * round) killing.resolve(killHard(child))
          },
        )
        await killing.promise
        const received = text.split('\n').length - 1
        const problems = await auditCharges(place, { accountId, openingBalance: 1_000, answered: [], unanswered: 0 })
        assert.deepEqual(problems, [])
        const charged = 1_000 - spent - (await balanceIn(place, accountId))
        assert.ok(charged * BLOCK_ROWS >= received, `${received} rows for ${charged} credits`)
        assert.ok((charged - 1) * BLOCK_ROWS <= received, `${received} rows for ${charged} credits`)
        spent += charged
        assert.equal(await loggedCredits(place, accountId), spent, 'the log has the request, with its credits')
      }
    } finally {
      await place.remove()
    }
  })
})

async function balanceIn(place: Place, accountId: string): Promise<number> {
  const store = createStore(await openPlace(place))
  const balance = await store.ledger.balance(accountId)
  await store.close()
  return balance
}

async function loggedCredits(place: Place, accountId: string): Promise<number> {
  const store = createStore(await openPlace(place))
  const { data } = await store.requestLog.page(accountId, {}, 1_000, 0)
  await store.close()
  return data.reduce((sum, { credits }) => sum + credits, 0)
}

/** Reads an answer until it ends, or disconnects after a number of parts. */
async function readSome(url: string, key: string, most = Infinity, onPart?: (count: number) => void) {
  const request = httpRequest(url, { headers: { authorization: `Bearer ${key}` } }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  let isCut = false
  try {
    for await (const part of response) {
      parts.push(part)
      onPart?.(parts.length)
      if (parts.length >= most) break
    }
  } catch {
    isCut = true
  }
  const headers = new Headers({ 'x-request-id': String(response.headers['x-request-id']) })
  return { text: Buffer.concat(parts).toString(), isCut, headers }
}
