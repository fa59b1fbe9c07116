/** Bad input gets a clear 400 or 404 in the envelope, never a 500, and charges nothing. */
import assert from 'node:assert/strict'
import { afterEach, before, test } from 'node:test'
import fc from 'fast-check'
import { EntryListQuery } from '../../src/api/entries/schema.ts'
import { encodeCursor, scopeOf } from '../../src/http/paging.ts'
import { runs } from '../depth.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

const UUID = '00000000-0000-4000-8000-000000000000'
const CREDITS = 100_000
const ENTRIES = scopeOf('entries', {}, {})
const BAD_TIMES = ['2026-02-30', '2025-02-29', '2026-13-01', '2026-1-1', '20260101', '1767225600', '2026-01-01T25:00']
const BAD_NUMBERS = ['NaN', 'Infinity', '-Infinity', '1e999', '-1e999', '0x1', 'one', '', '1,5', '--1', '%00']

const BAD_VALUES: Record<string, Record<string, string[]>> = {
  '/entries': {
    limit: ['0', '-1', '1.5', '1e2', '-99999999999999999999', '%20', ...BAD_NUMBERS],
    sentimentScoreMin: ['1.0001', '-2', '99999999999999999999', ...BAD_NUMBERS],
    sentimentScoreMax: ['1.0001', '-2', ...BAD_NUMBERS],
    publishedAfter: ['', 'yesterday', '2026-01-01T00:00:60Z', '2026-01-01T00:00%2B99:99', ...BAD_TIMES],
    publishedBefore: ['2026-01-01T00:00Z%00', '+999999-01-01', '2026-01-01T', ...BAD_TIMES],
    hasAssets: ['', '1', 'yes', 'TRUE', 'null', 'true,false'],
    sortBy: ['', 'title', 'createdAt', 'createdAt:up', 'createdAt:desc,id', '__proto__', 'constructor'],
    assetId: ['', 'nope', '1', UUID.slice(1), `${UUID},nope`, `${UUID},`, "' or 1=1 --"],
    topicId: ['nope'],
    publisherId: ['nope'],
    assetKey: ['', ',', 'AAPL,,MSFT', 'a'.repeat(1_001), Array(21).fill('A').join(), '%00', 'A%00'],
    language: ['', 'en,%00'],
    search: ['%00', 'gold%00', 'x'.repeat(1_001)],
    after: ['', 'x', '%00', '%F0%9F%92%A9', 'bnVsbA', 'MS5bMV0', 'x'.repeat(5_000)],
    before: ['', '0', '-1', '{}', '[]', '../../etc/passwd'],
  },
  '/account/logs': {
    offset: ['-1', '1.5', '1e3', '99999999999999999999', ...BAD_NUMBERS],
    statusCode: ['abc', '200,', '1e2', '0', '-200', '3000000000', '99999999999999999999'],
    apiKeyId: ['nope', `${UUID}x`],
    createdAfter: BAD_TIMES,
  },
}

onEveryEngine('bad input', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })
  let account: { id: string; key: string }
  before(async () => {
    account = await service.open('custom', CREDITS)
  })

  let answered = 0
  afterEach(async () => {
    assert.equal(await service.balance(account.id), CREDITS - answered, 'only answers are charged')
    assert.deepEqual((await service.mintick.store.audit.run()).problems, [])
  })

  /** Requests a list of entries. A successful reply costs one credit, or two with a `query`. */
  const entries = async (query: string) => {
    const reply = await service.api(`/entries?${query}`, account.key)
    const isQuestion = (new URLSearchParams(query).get('query') ?? '').trim() !== ''
    if (reply.status === 200) answered += isQuestion ? 2 : 1
    return reply
  }

  for (const [path, params] of Object.entries(BAD_VALUES)) {
    for (const [param, values] of Object.entries(params)) {
      test(`${path} answers 400 naming ${param} when its value is bad`, async () => {
        for (const value of values) {
          const reply = await service.api(`${path}?${param}=${value}`, account.key)
          assertError(reply, 400, 'BAD_REQUEST')
          assert.deepEqual(fieldsOf(reply), [param], value)
        }
      })
    }
  }

  test('all bad parameters are named at once, and a range that runs backwards is one of them', async () => {
    const bad = await entries('limit=0&hasAssets=maybe&assetId=x')
    assert.deepEqual(fieldsOf(bad), ['limit', 'hasAssets', 'assetId'])
    const times = await entries('publishedAfter=2026-02-02&publishedBefore=2026-02-01')
    assert.deepEqual(fieldsOf(times), ['publishedAfter'])
    const scores = await entries('sentimentScoreMin=0.5&sentimentScoreMax=-0.5')
    assert.deepEqual(fieldsOf(scores), ['sentimentScoreMin'])
  })

  test('every parameter of /entries that is given twice answers 400 naming it', async () => {
    for (const param of Object.keys(EntryListQuery.properties)) {
      assert.deepEqual(fieldsOf(await entries(`${param}=1&${param}=1`)), [param])
    }
  })

  test('bad percent-encoding, lone surrogates and addresses of a megabyte answer 400', async () => {
    for (const query of ['search=%', 'search=%zz', 'search=%ED%A0%80', 'search=%c3', 'nonsense=%ff', '%ff=1']) {
      assertError(await entries(query), 400, 'BAD_REQUEST')
    }
    assertError(await entries(`search=${'x'.repeat(1_000_000)}`), 400, 'BAD_REQUEST')
    assertError(await entries('a=b&'.repeat(250_000)), 400, 'BAD_REQUEST')
    for (const path of ['/entries/%', '/entries/%zz', '/entries/%ED%A0%80', '/%c3%28', '/%']) {
      assertError(await service.api(path, account.key), 400, 'BAD_REQUEST')
      assertError(await service.api(path, undefined), 401, 'UNAUTHORIZED')
    }
  })

  test('a cursor that is garbled, forged, of another sort, or one of two answers 400', async () => {
    const { nextCursor } = (await entries('limit=2')).body.meta
    const refused = async (query: string, field: string) => {
      const reply = await entries(query)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), [field], query)
    }
    for (let at = 0; at < nextCursor.length - 1; at += 1) {
      const other = nextCursor[at] === 'A' ? 'B' : 'A'
      await refused(`after=${nextCursor.slice(0, at)}${other}${nextCursor.slice(at + 1)}`, 'after')
    }
    await refused(`after=${nextCursor.slice(0, -1)}`, 'after')
    await refused(`after=${nextCursor}&sortBy=createdAt:asc`, 'after')
    await refused(`after=${nextCursor}&language=de`, 'after')
    await refused(`before=${nextCursor}&search=gold`, 'before')
    assertOk(await entries(`after=${nextCursor}&limit=7`))
    await refused(`before=${nextCursor}&sortBy=publishedAt:desc`, 'before')
    await refused(`after=${nextCursor}&before=${nextCursor}`, 'before')
    await refused(`after=${encodeCursor(ENTRIES, 'createdAt:desc', [], false)}`, 'after')
    await refused(`after=${encodeCursor(ENTRIES, 'createdAt:desc', [1, 2], false)}`, 'after')
    await refused(`before=${encodeCursor(ENTRIES, 'publishedAt:asc', [1], false)}&sortBy=publishedAt:asc`, 'before')
    await refused(`after=${encodeCursor(ENTRIES, 'createdAt:desc', [2 ** 53], false)}`, 'after')
  })

  test('a forged cursor that points beyond either end of the list is no error', async () => {
    for (const end of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 31, -(2 ** 31) - 1, 0]) {
      for (const sort of ['createdAt:desc', 'publishedAt:asc']) {
        const cursor = encodeCursor(ENTRIES, sort, sort.startsWith('created') ? [end] : [end, end], true)
        assertOk(await entries(`limit=1&sortBy=${sort}&after=${cursor}`))
        assertOk(await entries(`limit=1&sortBy=${sort}&before=${cursor}`))
      }
    }
  })

  test('what looks like an operator in a search is no error', async () => {
    const signs = '" * ( ) : ^ - -- ; \' \\ % & | ! <-> @ { $1 ? \'\' "" ** ()'.split(' ')
    const words = `NEAR|AND|OR|NOT|or|NEAR(a b)|title:gold|a*|^a|-"|"a b|'; drop table|a:*`.split('|')
    for (const sign of [...signs, ...words]) {
      for (const text of [sign, `gold ${sign}`, `${sign} gold`, `gold ${sign} oil`, `${sign}gold${sign}`]) {
        assertOk(await entries(`limit=1&search=${encodeURIComponent(text)}`))
      }
    }
  })

  test('an id that cannot exist answers 404, however absurd', async () => {
    const ids = `%00 a%00b -1 1e999 NaN %2e%2e%2fetc '%20or%20'1'='1 ${UUID}0 %F0%9F%92%A9 *`.split(' ')
    for (const id of [...ids, 'x'.repeat(500), 'x'.repeat(501), 'x'.repeat(8_000), '%41'.repeat(1_000)]) {
      assertError(await service.api(`/entries/${id}`, account.key), 404, 'NOT_FOUND')
      assertError(await service.api(`/account/api-keys/${id}`, account.key, { method: 'DELETE' }), 404, 'NOT_FOUND')
    }
  })

  test('an unknown route or method answers 404, and 401 without a key', async () => {
    const routes = ['/nope', '/api', '/api/v1', '/api/v2/entries', '/api/v1/ENTRIES', '/api/v1//entries', '/admin/nope']
    const methods = 'PUT OPTIONS TRACE PATCH DELETE POST PROPFIND QUERY'.split(' ')
    const calls = [...routes.map((url) => ({ url })), ...methods.map((method) => ({ url: '/api/v1/entries', method }))]
    for (const { url, ...how } of calls) {
      const authorization = `Bearer ${account.key}`
      assertError(await service.call(url, { ...how, headers: { authorization } }), 404, 'NOT_FOUND')
      assertError(await service.call(url, how), 401, 'UNAUTHORIZED')
    }
    assert.equal((await service.api('/signals/stream', account.key, { method: 'HEAD' })).status, 404)
  })

  test('a wrong method is answered with the methods of the route, an unknown path with the nearest route', async () => {
    const authorization = `Bearer ${account.key}`
    const refusal = async (url: string, method = 'GET') => {
      const reply = await service.call(url, { method, headers: { authorization } })
      assertError(reply, 404, 'NOT_FOUND')
      return { allow: reply.headers.allow, message: reply.body.error.message }
    }
    for (const [url, method, allow] of [
      ['/api/v1/entries', 'POST', 'GET, HEAD'],
      ['/api/v1/entries/', 'DELETE', 'GET, HEAD'],
      [`/api/v1/markets/${UUID}/candles?interval=1d`, 'PUT', 'GET, HEAD'],
      ['/api/v1/account/api-keys', 'PATCH', 'GET, HEAD, POST'],
      ['/health', 'POST', 'GET, HEAD'],
    ] as const) {
      const { message, ...given } = await refusal(url, method)
      assert.equal(given.allow, allow, url)
      assert.match(message, new RegExp(`${method}.* ${allow}`))
    }
    for (const [url, nearest] of [
      ['/api/v1/entires', 'GET /api/v1/entries'],
      ['/api/v1/ENTRIES?limit=1', 'GET /api/v1/entries'],
      ['/api/v1//entries', 'GET /api/v1/entries'],
      ['/entries', 'GET /api/v1/entries'],
      ['/v2/markets/BTC/candle', 'GET /api/v1/markets/:id/candles'],
      ['/api/v1/sec/insider_trades', 'GET /api/v1/sec/insider-trades'],
      [`/api/v1/asset/${UUID}`, 'GET /api/v1/assets/:id'],
      ['/healthz', 'GET /health'],
      ['/entry', 'GET /api/v1/entries'],
      ['/api/v1/news', 'GET /api/v1/entries'],
      ['/candles/BTC?interval=1h', 'GET /api/v1/markets/:id/candles'],
      ['/insider-trades', 'GET /api/v1/sec/insider-trades'],
      ['/v1/sec/insider', 'GET /api/v1/sec/insider-trades'],
      ['/api/v1/balance', 'GET /api/v1/account'],
      ['/api/v1/keys', 'GET /api/v1/account/api-keys'],
    ]) {
      const { allow, message } = await refusal(url ?? '')
      assert.equal(allow, undefined)
      assert.ok(message.endsWith(` is ${nearest}`), `${url}: ${message}`)
    }
    for (const url of ['/nope', '/api', '/api/v1', `/quotes/${UUID}`, `/${'x'.repeat(3_000)}`, '/%00', "/'"])
      assert.equal((await refusal(url)).message, 'No such route', url)
  })

  test('an unknown dataset is named with those that exist; a misspelt one with the nearest', async () => {
    const { key } = await service.openUnlimited()
    const errorOf = async (path: string) => {
      const reply = await service.api(path, key)
      assertError(reply, 404, 'NOT_FOUND')
      return reply.body.error
    }
    const unknown = await errorOf('/export/nope?format=csv')
    assert.match(unknown.message, /^There is no dataset nope; the datasets are .*\bentries, .*\binsider-trades\b/)
    assert.doesNotMatch(unknown.message, /files/)
    assert.match(unknown.details[0].message, /^must end with one of .*\bfiles\b/)
    assert.match((await errorOf('/export/entires')).message, /is GET \/api\/v1\/export\/entries$/)
  })

  test('a range of time that cannot match is explained in X-Notice, and no other', async () => {
    const rich = await service.openUnlimited()
    const noticeAt = async (path: string) => {
      const reply = await service.api(path, rich.key)
      assertOk(reply)
      return reply.headers['x-notice']
    }
    const [first] = (await service.api('/entries?sortBy=publishedAt:asc&limit=1', rich.key)).body.data
    const [filing] = (await service.api('/sec/insider-trades?sortBy=filedAt:asc&limit=1', rich.key)).body.data
    const market = '/markets/BTC/candles?interval=1h'
    const { historyStartAt } = (await service.api(market, rich.key)).body.meta
    const future = '2999-01-01'
    const past = '1999-01-01'
    for (const [path, notice] of [
      [`/entries?publishedAfter=${future}`, /^publishedAfter is in the future/],
      [`/entries?publishedBefore=${past}`, new RegExp(`^publishedBefore .* ${first.publishedAt}$`)],
      [`/topics/crypto/entries?publishedBefore=${past}&search=x`, /^publishedBefore/],
      [`/clusters?lastPublishedBefore=${past}`, /^lastPublishedBefore/],
      [`/clusters?lastPublishedAfter=${future}`, /^lastPublishedAfter/],
      [`/signals?generatedBefore=${past}`, /^generatedBefore/],
      [`/sec/insider-trades?filedBefore=${past}`, new RegExp(`^filedBefore .* ${filing.filedAt}$`)],
      [`/sec/insider-trades?transactionAfter=${future}`, /^transactionAfter/],
      [`/prediction-markets?closeBefore=${past}`, /^closeBefore/],
      [`${market}&openedBefore=${past}`, new RegExp(`^openedBefore .* ${historyStartAt['1h']}$`)],
      [`${market}&openedAfter=${future}`, /^openedAfter/],
      [`/sec/insider-trades?asOf=${past}`, new RegExp(`^asOf .* ${filing.filedAt}$`)],
      [`/sec/insider-trades?asOf=2026-01-01&filedBefore=${past}`, new RegExp(`^filedBefore .* ${filing.filedAt}$`)],
      [`/signals?asOf=${past}&status=active`, /^asOf is before the first record/],
      [`/signals?asOf=2026-02-01&generatedBefore=${past}`, /^generatedBefore/],
      [`/entries?asOf=${past}`, /^asOf is before the first record/],
      [`/entries?asOf=2026-03-01&publishedBefore=${past}`, new RegExp(`^publishedBefore .* ${first.publishedAt}$`)],
      [`/entries?query=rates&publishedBefore=${past}`, new RegExp(`^publishedBefore .* ${first.publishedAt}$`)],
      [`/entries?query=rates&publishedAfter=${future}`, /^publishedAfter is in the future/],
      [`/entries?query=rates&asOf=${past}`, /^asOf is before the first record/],
      [`/account/logs?createdBefore=${past}`, /^createdBefore is before the first record/],
      [`/billing/history?createdBefore=${past}`, /^createdBefore is before the first record/],
      [`/billing/history?createdBefore=${past}&type=usage`, /^createdBefore is before the first record/],
      [`/account/logs?createdAfter=${future}`, /^createdAfter/],
      [`/billing/history?createdAfter=${future}`, /^createdAfter/],
    ] as const) {
      assert.match((await noticeAt(path)) ?? '', notice, path)
    }
    for (const path of [
      '/entries',
      `/entries?publishedAfter=${past}`,
      `/entries?publishedBefore=${future}`,
      '/entries?search=nosuchword&publishedBefore=2030-01-01',
      `/prediction-markets?closeAfter=${future}`,
      `/entries?publishedBefore=${first.publishedAt}`,
      `${market}&openedBefore=${future}`,
    ]) {
      assert.equal(await noticeAt(path), undefined, path)
    }
  })

  test('any query string made of the parameters of /entries answers 200 or 400, and only 200 is charged', async () => {
    await fc.assert(
      fc.asyncProperty(hostileQuery, async (query) => {
        const reply = await entries(query)
        if (reply.status === 200) assertOk(reply)
        else assertError(reply, 400, 'BAD_REQUEST')
      }),
      { numRuns: runs(20, 500) },
    )
  })
})

const GOOD_VALUES: Record<string, string> = {
  limit: '1 3 100 1000 +7',
  search: 'gold "gold+rates" -gold gold+or+oil - * " 日本 crypto+-bitcoin',
  after: encodeCursor(ENTRIES, 'createdAt:desc', [900], true),
  before: encodeCursor(ENTRIES, 'publishedAt:asc', [Date.parse('2026-02-01'), 9], false),
  sortBy: 'createdAt:desc createdAt:asc publishedAt:desc publishedAt:asc',
  hasAssets: 'true false',
  assetKey: 'AAPL aapl,MSFT,none BTC none',
  assetId: `${UUID} ${UUID},${UUID.toUpperCase()}`,
  topicSlug: 'crypto crypto,none',
  topicId: UUID,
  author: 'none None,none',
  publisherSlug: 'none',
  publisherId: UUID,
  language: 'en EN,de xx',
  countryCode: 'US us,DE XX',
  sentimentScoreMin: '-1 -.5 0 1e-9 -1e-999',
  sentimentScoreMax: '0 0.5 1 +1',
  publishedAfter: '0000-01-01 2026-01-01 2026-03-02T10:20:30.4%2B00:00',
  publishedBefore: '9999-12-31T23:59:59.999999999-23:59 2026-03-01T00:00Z 2026-02-01',
}

const param = fc.constantFrom(...Object.keys(EntryListQuery.properties))
const oneOf = (texts: string[]) => fc.constantFrom(...texts.map((text) => text.replace(/[^!-~]/g, encodeURIComponent)))
const goodPair = param.chain((name) => fc.tuple(fc.constant(name), oneOf((GOOD_VALUES[name] ?? 'x').split(' '))))
const badValue = fc.oneof(
  oneOf([...Object.values(GOOD_VALUES), ...Object.values(BAD_VALUES['/entries'] ?? {}).flat()]),
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
  // Any characters allowed in a URL, including & = % and +.
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).map((text) => text.replace(/[^!-~]|#/g, '')),
)

/** Queries of mostly good values, with a bad value now and then, so that all combinations of filters are reached. */
const hostileQuery = fc
  .array(fc.oneof({ arbitrary: goodPair, weight: 12 }, fc.tuple(param, badValue)), { maxLength: 6 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))
