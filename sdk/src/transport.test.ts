import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import {
  ApiError,
  ConnectionError,
  InternalError,
  Mintick,
  NotFoundError,
  RateLimitExceededError,
  SecretLostError,
  TimeoutError,
} from './index.ts'

interface Sent {
  method: string
  url: URL
  headers: Headers
  body: unknown
}

type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | 'cut' | 'silent'

/** Returns a client whose requests get these replies in turn, the requests, and the delays before repetitions. */
function rig(...replies: Reply[]) {
  const requests: Sent[] = []
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', headers, body, signal } = init
    requests.push({
      method,
      url: new URL(String(input)),
      headers: new Headers(headers),
      body: body && JSON.parse(String(body)),
    })
    const reply = replies[requests.length - 1] ?? { status: 200, body: { success: true, data: [], meta: {} } }
    if (reply === 'cut') throw new TypeError('fetch failed')
    if (reply === 'silent')
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    return new Response(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body), {
      status: reply.status,
      headers: { 'x-request-id': 'request-1', ...reply.headers },
    })
  }
  return { client: new Mintick({ url: 'http://mintick.example/', apiKey: 'mtk_key', fetch }), requests, fetch }
}

const failure = (status: number, code: string, headers?: Record<string, string>): Reply => ({
  status,
  headers: headers ?? {},
  body: { success: false, error: { message: 'No', code }, statusCode: status, timestamp: '' },
})

/** Runs `work` with timers that fire at once, and returns the delays that it asked for. */
async function delaysOf(work: () => Promise<unknown>): Promise<number[]> {
  const delays: number[] = []
  const timer = mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) => {
    // The timeout of an attempt; all other delays are shorter.
    if (ms < 30_000 || ms === 60_000) {
      delays.push(ms)
      setImmediate(run)
    }
    return 0
  })
  await work().finally(() => timer.mock.restore())
  return delays
}

test('parameters are written as the service reads them', async () => {
  const { client, requests } = rig()
  await client.entries.list({
    assetKey: ['AAPL', 'MSFT'],
    ticker: 'TSLA',
    hasAssets: true,
    publishedAfter: new Date('2026-01-31T21:00:00Z'),
    search: undefined,
  })
  const [{ url, headers } = assert.fail()] = requests
  assert.equal(url.pathname, '/api/v1/entries')
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    assetKey: 'AAPL,MSFT',
    ticker: 'TSLA',
    hasAssets: 'true',
    publishedAfter: '2026-01-31T21:00:00.000Z',
  })
  assert.equal(headers.get('authorization'), 'Bearer mtk_key')
})

test('an id is one segment of the path, and what would lead elsewhere is refused', async () => {
  const { client, requests } = rig()
  await client.markets.candles('BTC/USD?x=1')
  assert.equal(requests[0]?.url.pathname, '/api/v1/markets/BTC%2FUSD%3Fx%3D1/candles')
  for (const id of ['', '.', '..']) assert.throws(() => client.entries.get(id), TypeError)
  assert.equal(requests.length, 1)
})

test('a service below a path is called there', async () => {
  for (const url of ['http://host.example/mintick', 'http://host.example/mintick/']) {
    const { requests, fetch } = rig()
    await new Mintick({ url, apiKey: 'mtk_key', fetch }).account.get()
    assert.equal(requests[0]?.url.href, 'http://host.example/mintick/api/v1/account')
  }
})

test('a rate limit is waited out for as long as the service says', async () => {
  const { client, requests } = rig(failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '7' }))
  assert.deepEqual(await delaysOf(async () => client.account.get()), [7_000])
  assert.equal(requests.length, 2)
})

test('a wait above a minute is left to the caller', async () => {
  const { client, requests } = rig(failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '61' }))
  await assert.rejects(
    client.account.get(),
    (error) => error instanceof RateLimitExceededError && error.retryAfterSeconds === 61,
  )
  assert.equal(requests.length, 1)
})

test('lost connections and failures of the server are repeated with growing delays, then thrown', async () => {
  const { client, requests } = rig('cut', failure(503, 'INTERNAL_ERROR'), failure(500, 'INTERNAL_ERROR'))
  const [first = 0, second = 0, ...rest] = await delaysOf(() => assert.rejects(client.account.get(), InternalError))
  assert.ok(first >= 250 && first <= 500 && second >= 500 && second <= 1_000)
  assert.deepEqual(rest, [])
  assert.equal(requests.length, 3)
})

test('other errors are thrown at once', async () => {
  for (const [status, code] of [
    [400, 'BAD_REQUEST'],
    [401, 'UNAUTHORIZED'],
    [402, 'INSUFFICIENT_CREDITS'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
  ] as const) {
    const { client, requests } = rig(failure(status, code))
    await assert.rejects(client.account.get(), (error) => error instanceof ApiError && error.code === code)
    assert.equal(requests.length, 1)
  }
})

test('a POST is repeated with one idempotency key, by default a random one', async () => {
  const { client, requests } = rig('cut', 'cut')
  await delaysOf(async () => client.billing.checkout.create({ packageId: 'credits_1000' }))
  await client.billing.checkout.create({ packageId: 'credits_1000' })
  await client.billing.checkout.create({ packageId: 'credits_1000' }, { idempotencyKey: 'mine' })
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
  assert.equal(keys.length, 5)
  assert.match(keys[0] ?? '', /^[0-9a-f]{32}$/)
  assert.deepEqual(keys.slice(1, 3), [keys[0], keys[0]])
  assert.notEqual(keys[3], keys[0])
  assert.equal(keys[4], 'mine')
})

test('a PATCH, which has no idempotency key, is never repeated', async () => {
  for (const reply of ['cut', failure(503, 'INTERNAL_ERROR'), failure(429, 'RATE_LIMIT_EXCEEDED')] as const) {
    const { client, requests } = rig(reply)
    await assert.rejects(client.account.keys.update('id', { name: 'new' }))
    assert.equal(requests.length, 1)
    assert.equal(requests[0]?.headers.has('idempotency-key'), false)
  }
})

test('an answer that lacks its secret because the first one was lost is an error with the rest of it', async () => {
  const { client } = rig('cut', {
    status: 200,
    headers: { 'idempotent-replayed': 'true' },
    body: { data: { id: 'key-1' } },
  })
  await delaysOf(() =>
    assert.rejects(
      client.account.keys.create({ name: 'laptop' }),
      (error) => error instanceof SecretLostError && (error.data as { id: string }).id === 'key-1',
    ),
  )
})

test('maxRetries 0 repeats nothing', async () => {
  const { client, requests } = rig('cut')
  await assert.rejects(client.account.get({}, { maxRetries: 0 }), ConnectionError)
  assert.equal(requests.length, 1)
})

test('a silent service ends in a TimeoutError after timeoutMs', async () => {
  const { client, requests } = rig('silent', 'silent')
  await assert.rejects(client.account.get({}, { timeoutMs: 10, maxRetries: 1 }), TimeoutError)
  assert.equal(requests.length, 2)
})

test('a signal cancels the request, the wait before a repetition, and what has not begun', async () => {
  const reason = new Error('enough')
  const { client, requests } = rig('silent', failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '30' }))
  for (const sent of [1, 2]) {
    const stop = new AbortController()
    const call = client.account.get({}, { signal: stop.signal })
    setTimeout(() => stop.abort(reason), 10)
    await assert.rejects(call, reason)
    assert.equal(requests.length, sent)
  }
  await assert.rejects(client.account.get({}, { signal: AbortSignal.abort(reason) }), reason)
  assert.equal(requests.length, 2)
})

test('errors have code, status, request id and details', async () => {
  const details = [{ field: 'id', message: 'must be an id' }]
  const body = { success: false, error: { message: 'No entry', code: 'NOT_FOUND', details }, statusCode: 404 }
  const error = await rig({ status: 404, body })
    .client.entries.get('x')
    .catch((error) => error)
  assert.ok(error instanceof NotFoundError)
  assert.deepEqual(
    [error.name, error.message, error.code, error.status, error.requestId, error.details],
    ['NotFoundError', 'No entry', 'NOT_FOUND', 404, 'request-1', details],
  )
})

test('an answer of something else is an ApiError without a code', async () => {
  for (const reply of [
    { status: 403, body: '<html>Forbidden</html>' },
    { status: 200, body: '<html>Log in</html>' },
    { status: 404, body: 'null' },
    { status: 404, body: { error: { code: 'STRANGE', message: 'Strange' } } },
  ]) {
    const error = await rig(reply)
      .client.account.get()
      .catch((error) => error)
    assert.ok(error instanceof ApiError)
    assert.deepEqual([error.code, error.status], [undefined, reply.status])
  }
})

test('withResponse has credits and rate limits', async () => {
  const headers = {
    'x-credits-cost': '2',
    'x-credits-remaining': '98',
    ratelimit: '"burst";r=14;t=6, "day";r=499;t=86400',
    'ratelimit-policy': '"burst";q=15;w=90, "day";q=500;w=86400',
    'x-notice': 'The range lies in the future',
  }
  const { data, response } = await rig({ status: 200, headers, body: { data: { a: 1 } } })
    .client.account.get()
    .withResponse()
  assert.deepEqual(data, { a: 1 })
  assert.deepEqual(response.credits, { cost: 2, remaining: 98 })
  assert.deepEqual(response.rateLimits, [
    { window: 'burst', remaining: 14, resetSeconds: 6, quota: 15, windowSeconds: 90 },
    { window: 'day', remaining: 499, resetSeconds: 86_400, quota: 500, windowSeconds: 86_400 },
  ])
  assert.equal(response.notice, 'The range lies in the future')
})

test('lists of every kind go on as their meta says, and a page is requested when it is needed', async () => {
  const page = (data: number[], meta: object): Reply => ({ status: 200, body: { data, meta } })
  const cases = [
    {
      next: { nextCursor: 'c1', prevCursor: null },
      last: { nextCursor: null, prevCursor: 'c0' },
      sent: ['after', 'c1'],
    },
    { next: { nextOffset: 50, prevOffset: null }, last: { nextOffset: null, prevOffset: 0 }, sent: ['offset', '50'] },
    { next: { nextPage: 2, prevPage: null }, last: { nextPage: null, prevPage: 1 }, sent: ['page', '2'] },
    {
      next: { nextOpenedAfter: '2026-01-01T00:00:00.000Z', nextOpenedBefore: null },
      last: { nextOpenedAfter: null, nextOpenedBefore: null },
      sent: ['openedAfter', '2026-01-01T00:00:00.000Z'],
    },
  ] as const
  for (const { next, last, sent } of cases) {
    const { client, requests } = rig(page([1, 2], next), page([3], last))
    const seen: unknown[] = []
    for await (const item of client.entries.list({ search: 'x', before: 'old' })) {
      seen.push(item)
      assert.equal(requests.length, seen.length < 3 ? 1 : 2)
    }
    assert.deepEqual(seen, [1, 2, 3])
    const [name, value] = sent
    assert.equal(requests[1]?.url.searchParams.get(name), value)
    assert.equal(requests[1]?.url.searchParams.get('search'), 'x')
    if (name === 'after') assert.equal(requests[1]?.url.searchParams.has('before'), false)
  }
})

test('candles go on into the past only in descending order', async () => {
  const meta = { nextOpenedAfter: null, nextOpenedBefore: '2025-01-01T00:00:00.000Z' }
  const reply: Reply = { status: 200, body: { data: [1], meta } }
  assert.equal((await rig(reply).client.markets.candles('BTC-USD')).hasNext, false)
  const { client, requests } = rig(reply, { status: 200, body: { data: [0], meta: {} } })
  const page = await client.markets.candles('BTC-USD', { sortBy: 'openedAt:desc' })
  assert.deepEqual((await page.next())?.data, [0])
  assert.equal(requests[1]?.url.searchParams.get('openedBefore'), meta.nextOpenedBefore)
})

test('a call that fails while its pages are iterated throws there', async () => {
  const { client } = rig(
    { status: 200, body: { data: [1], meta: { nextCursor: 'c' } } },
    failure(402, 'INSUFFICIENT_CREDITS'),
  )
  const seen: unknown[] = []
  await assert.rejects(
    async () => {
      for await (const item of client.entries.list()) seen.push(item)
    },
    { code: 'INSUFFICIENT_CREDITS' },
  )
  assert.deepEqual(seen, [1])
})

test('a service that redirects is not followed: the request would reach another host', async () => {
  const redirects: (RequestRedirect | undefined)[] = []
  const fetch = async (_input: string | URL | Request, init: RequestInit = {}) => {
    redirects.push(init.redirect)
    throw new TypeError('unexpected redirect')
  }
  const client = new Mintick({ url: 'http://mintick.example', apiKey: 'mtk_key', fetch, maxRetries: 0 })
  await assert.rejects(client.billing.checkout.create({ packageId: 'credits_1000' }), ConnectionError)
  assert.deepEqual(redirects, ['error'])
})

test('a Retry-After with a date is no number of seconds', async () => {
  const { client, requests } = rig(failure(503, 'INTERNAL_ERROR', { 'retry-after': 'Wed, 18 Nov 2026 07:28:00 GMT' }))
  await delaysOf(async () => client.entries.list())
  assert.equal(requests.length, 2)
})

test('the demo key gets one page: the service would refuse the next', async () => {
  const meta = { nextCursor: 'abc', hasMore: true, plan: 'demo' }
  const { client, requests } = rig({ status: 200, body: { success: true, data: [{ id: '1' }], meta } })
  const found = await Array.fromAsync(client.entries.list())
  assert.deepEqual([found.length, requests.length], [1, 1])
})

test('a stream that ends right after its first event each time is given up', async () => {
  let connections = 0
  const fetch = async (_input: string | URL | Request, init: RequestInit = {}) => {
    connections += 1
    const resumedFrom = new Headers(init.headers).get('last-event-id')
    return new Response(`id: 7\nevent: ready\ndata: {"headId":7,"resumedFrom":${resumedFrom}}\n\n`)
  }
  const client = new Mintick({ url: 'http://mintick.example', apiKey: 'mtk_key', fetch })
  await delaysOf(async () => {
    await assert.rejects(Array.fromAsync(client.signals.stream({}, { maxRetries: 3 })), ConnectionError)
  })
  assert.equal(connections, 4)
})

test('a function is asked for the key before each attempt', async () => {
  const { requests, fetch } = rig({ status: 500 })
  let asked = 0
  const apiKey = async () => `mtk_${++asked}`
  const client = new Mintick({ url: 'http://mintick.example', apiKey, fetch })
  await delaysOf(() => client.entries.list())
  assert.deepEqual(
    requests.map(({ headers }) => headers.get('authorization')),
    ['Bearer mtk_1', 'Bearer mtk_2'],
  )
})
