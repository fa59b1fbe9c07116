/** The reference at /docs, as a client gets it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { onAnyEngine, serviceForSuite } from '../harness.ts'

onAnyEngine('the reference', (engine) => {
  const service = serviceForSuite(engine, { PUBLIC_URL: 'https://mintick.example.com' })

  test('is read without a key, under a strict policy and at the address of the service', async () => {
    const { status, headers, body } = await service.call('/docs')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'self'; script-src 'self';/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(body, /https:\/\/mintick\.example\.com\/api\/v1\/entries/)
    assert.doesNotMatch(body, /127\.0\.0\.1/)
  })

  test('each kind of file has its type, which browsers do not guess', async () => {
    const types = {
      '/docs/entries': 'text/html',
      '/docs/guides/paging': 'text/html',
      '/docs/guides/paging.md': 'text/markdown',
      '/docs/docs.css': 'text/css',
      '/docs/docs.js': 'text/javascript',
      '/docs/search.json': 'application/json',
      '/llms.txt': 'text/plain',
      '/openapi.json': 'application/json',
      '/sdk/mintick.py': 'text/x-python',
    }
    for (const [path, type] of Object.entries(types)) {
      const { status, headers } = await service.call(path)
      assert.deepEqual([status, headers['content-type']], [200, `${type}; charset=utf-8`], path)
      assert.equal(headers['x-content-type-options'], 'nosniff', path)
    }
  })

  test('a page is compressed, and not sent again to a client that has it', async () => {
    const { headers, body } = await service.call('/docs/sec')
    assert.equal(headers['cache-control'], 'no-cache')
    const shorter = await service.mintick.app.inject({ url: '/docs/sec', headers: { 'accept-encoding': 'br' } })
    assert.equal(brotliDecompressSync(shorter.rawPayload).toString(), body)
    assert.ok(shorter.rawPayload.length < 30_000)
    const again = await service.call('/docs/sec', { headers: { 'if-none-match': headers.etag ?? '' } })
    assert.deepEqual([again.status, again.body], [304, undefined])
    const head = await service.call('/docs/sec', { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.etag], [200, headers.etag])
  })

  test('an unknown page is a page too, which leads back', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/guides/nothing',
      '/docs/..%2Fopenapi.json',
      '/docs/guides/..%2F..%2Fpackage.json',
    ]) {
      const { status, headers, body } = await service.call(path)
      assert.deepEqual([status, headers['content-type']], [404, 'text/html; charset=utf-8'], path)
      assert.match(body, /no such page; \/docs has/)
    }
  })

  test('costs nothing and is in no log, also with a key', async () => {
    const { id, key } = await service.open('free')
    const before = await service.balance(id)
    const { headers } = await service.call('/docs', { headers: { authorization: `Bearer ${key}` } })
    assert.equal(headers.ratelimit, undefined)
    assert.equal(await service.balance(id), before)
    assert.equal((await service.api('/account/logs', key)).body.meta.totalCount, 0)
  })
})
