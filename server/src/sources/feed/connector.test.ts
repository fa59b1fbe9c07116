import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR, MINUTE } from '../../model/time.ts'
import type { PollContext } from '../connector.ts'
import { FetchError } from '../fetch/fetch-error.ts'
import { feedConnector } from './connector.ts'

const URL = 'https://news.example/feed.xml'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string
  movedTo?: string
}

/** Reads a feed as the runner does, with one answer after the other. */
async function poll(answers: Answer[], state: object = {}, updateMinutes: number | null = null) {
  const requests: { url: string; headers: Record<string, string> }[] = []
  const parsed: unknown[] = []
  let next = state
  const context = {
    options: { url: URL, publisher: 'News', country: 'DE' },
    state,
    now: 0,
    fetch: async (request: (typeof requests)[number]) => {
      requests.push(request)
      const { status = 200, headers = {}, body = '<rss/>', movedTo } = answers[requests.length - 1] ?? {}
      if (status >= 400) throw new FetchError('status', { host: 'news.example', status })
      return { status, headers, body: Buffer.from(status === 304 ? '' : body), url: movedTo ?? request.url, movedTo }
    },
    parse: async (_kind: string, _body: unknown, options: unknown) => {
      parsed.push(options)
      return { title: 'Feed', items: [], updateMinutes }
    },
  } as unknown as PollContext<{ url: string }, never>
  const batches = feedConnector.poll(context)
  for (;;) {
    const step = await batches.next()
    if (step.done) return { requests, parsed, state: next, end: step.value }
    next = step.value.state
  }
}

describe('feed connector', () => {
  test('asks with the validators of the last answer; 304 changes nothing', async () => {
    const headers = { etag: '"1"', 'last-modified': 'Mon, 02 Mar 2026 10:00:00 GMT' }
    const first = await poll([{ headers }])
    assert.equal(first.end.isChanged, true)
    assert.equal(first.requests[0]?.headers['if-none-match'], undefined)
    const second = await poll([{ status: 304 }], first.state)
    assert.equal(second.requests[0]?.headers['if-none-match'], '"1"')
    assert.equal(second.requests[0]?.headers['if-modified-since'], headers['last-modified'])
    assert.equal(second.end.isChanged, false)
    assert.deepEqual(second.state, first.state)
  })

  test('the same body again is not parsed, and its new validators are used from then on', async () => {
    const first = await poll([{ headers: { etag: '"1"' } }])
    const second = await poll([{ headers: { etag: '"2"' } }], first.state)
    assert.equal(second.parsed.length, 0)
    assert.equal(second.end.isChanged, false)
    assert.deepEqual(second.state, { ...first.state, etag: '"2"' })
  })

  test('a server that refuses conditions is asked without them', async () => {
    const { requests, end } = await poll([{ status: 412 }, {}], { etag: '"1"' })
    assert.equal(requests.length, 2)
    assert.equal(requests[1]?.headers['if-none-match'], undefined)
    assert.equal(end.isChanged, true)
  })

  test('a feed that moved for good is read at its new address, which a later answer may change', async () => {
    const first = await poll([{ movedTo: 'https://new.example/feed' }])
    const second = await poll([{ body: 'other' }], first.state)
    assert.equal(second.requests[0]?.url, 'https://new.example/feed')
    const third = await poll([{ body: 'third', movedTo: 'https://newer.example/feed' }], second.state)
    assert.equal((third.state as { movedTo: string }).movedTo, 'https://newer.example/feed')
  })

  test('a new address that is gone is given up for the original one', async () => {
    for (const status of [404, 410]) {
      const moved = { etag: '"1"', movedTo: 'https://new.example/feed' }
      const { requests, state } = await poll([{ status }, {}], moved)
      assert.deepEqual(
        requests.map(({ url }) => url),
        ['https://new.example/feed', URL],
      )
      assert.equal((state as { movedTo: unknown }).movedTo, null)
    }
  })

  test('the header of the charset and the address that answered reach the parser', async () => {
    const contentType = 'application/rss+xml; charset=iso-8859-1'
    const { parsed } = await poll([{ headers: { 'content-type': contentType }, movedTo: 'https://new.example/feed' }])
    assert.deepEqual(parsed, [{ contentType, url: 'https://new.example/feed' }])
  })

  const CACHED: [headers: Record<string, string>, ms: number][] = [
    [{ 'cache-control': 'public, max-age=600' }, 10 * MINUTE],
    [{ 'cache-control': 'max-age=600', age: '300' }, 5 * MINUTE],
    [{ 'cache-control': 'max-age=600', age: '900' }, 0],
    [{ 'cache-control': 'max-age=600, no-cache' }, 0],
    [{ 'cache-control': 's-maxage=600' }, 0],
    [{ 'cache-control': 'max-age=31536000' }, 6 * HOUR],
    [{ 'cache-control': 'max-age=soon', age: 'old' }, 0],
  ]
  for (const [headers, ms] of CACHED) {
    test(`${JSON.stringify(headers)} asks for a pause of ${ms / MINUTE} minutes`, async () => {
      assert.equal((await poll([{ headers }])).end.leastMs, ms)
      assert.equal((await poll([{ headers, status: 304 }])).end.leastMs, ms)
    })
  }

  test('the feed itself may ask for a pause', async () => {
    assert.equal((await poll([{}], {}, 60)).end.leastMs, HOUR)
    assert.equal((await poll([{}], {}, 60 * 24 * 365)).end.leastMs, 6 * HOUR)
  })
})
