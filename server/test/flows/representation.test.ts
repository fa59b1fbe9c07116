/** Compressed answers, and answers that the client has already. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { onAnyEngine, serviceForSuite } from '../harness.ts'

onAnyEngine('representations', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on', CORS_ORIGINS: 'https://app.example' })

  const get = async (path: string, key: string, headers: Record<string, string> = {}) => {
    const response = await service.mintick.app.inject({
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
    return { status: response.statusCode, headers: response.headers, raw: response.rawPayload }
  }

  test('clients get the encoding they prefer, and plain text without one', async () => {
    const { key } = await service.open()
    const plain = await get('/entries', key)
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.match(String(plain.headers.vary), /Accept-Encoding/)
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const [accepted, encoding] of [
      ['br', 'br'],
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['GZIP;q=1.0, br;q=0.5', 'gzip'],
      ['br;q=0, *', 'gzip'],
      ['identity;q=0.5, gzip;q=0.8', 'gzip'],
    ] as const) {
      const answer = await get('/entries', key, { 'accept-encoding': accepted })
      assert.equal(answer.headers['content-encoding'], encoding, accepted)
      assert.equal(Number(answer.headers['content-length']), answer.raw.length)
      assert.ok(answer.raw.length < plain.raw.length / 3)
      assert.deepEqual(decoders[encoding](answer.raw), plain.raw)
      assert.equal(answer.headers.etag, plain.headers.etag)
    }
    for (const accepted of ['', 'identity', 'zstd', 'br;q=0', '*;q=0', ';;;', 'br;q=x', 'identity, gzip;q=0.5']) {
      const answer = await get('/entries', key, { 'accept-encoding': accepted })
      assert.equal(answer.headers['content-encoding'], undefined, accepted)
      assert.deepEqual(answer.raw, plain.raw)
    }
  })

  test('short answers and errors stay as they are', async () => {
    const { key } = await service.open()
    for (const path of ['/account/api-keys', '/nothing']) {
      const answer = await get(path, key, { 'accept-encoding': 'br' })
      assert.equal(answer.headers['content-encoding'], undefined)
      assert.ok(answer.raw.length < 1_024)
    }
  })

  test('an unchanged answer is a 304 without a body, at the same cost', async () => {
    const { id, key } = await service.open('custom', 10)
    const [entry] = JSON.parse((await get('/entries?limit=1', key)).raw.toString()).data
    for (const path of ['/entries', `/entries/${entry.id}`]) {
      const first = await get(path, key)
      const etag = String(first.headers.etag)
      for (const condition of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
        const again = await get(path, key, { 'if-none-match': condition, 'accept-encoding': 'br' })
        assert.equal(again.status, 304, condition)
        assert.equal(again.raw.length, 0)
        assert.equal(again.headers.etag, etag)
        assert.equal(again.headers['x-credits-cost'], first.headers['x-credits-cost'])
        assert.equal(again.headers['content-type'], undefined)
      }
      if (path === '/entries')
        await service.admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits: 10, reason: 'x' } })
    }
    assert.equal(await service.balance(id), 20 - 11)
    assert.deepEqual((await service.admin('/audit')).body.data.problems, [])
    const { body } = await service.api('/account/logs?limit=1', key)
    assert.partialDeepStrictEqual(body.data[0], { statusCode: 304, responseBytes: 0, creditsCharged: 1 })
  })

  test('an error has no ETag, also if the answer was unchanged', async () => {
    const { id, key } = await service.open('custom', 1)
    const { etag } = (await get('/entries', key)).headers
    assert.equal(await service.balance(id), 0)
    service.mintick.admission.meter.setBalance(id, { credits: 1, transferId: 0 })
    const refused = await get('/entries', key, { 'if-none-match': String(etag) })
    assert.equal(refused.status, 402)
    assert.equal(refused.headers.etag, undefined)
    assert.equal(service.mintick.admission.meter.available(id), 0, 'a refused charge corrects the balance')
  })

  test('a changed answer and one of another account are sent in full', async () => {
    const { id, key } = await service.open()
    const before = await get('/account', key)
    await service.admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits: 5, reason: 'x' } })
    const after = await get('/account', key, { 'if-none-match': String(before.headers.etag) })
    assert.equal(after.status, 200)
    const other = await service.open()
    assert.equal((await get('/account', other.key, { 'if-none-match': String(after.headers.etag) })).status, 200)
  })

  test('HEAD has the headers of GET; pages of other origins may read ETag', async () => {
    const { key } = await service.open()
    const headers = { authorization: `Bearer ${key}`, origin: 'https://app.example' }
    const { etag } = (await get('/entries', key)).headers
    const head = await service.mintick.app.inject({ method: 'HEAD', url: '/api/v1/entries', headers })
    assert.equal(head.headers.etag, etag)
    assert.match(String(head.headers['access-control-expose-headers']), /ETag/)
    assert.equal(head.headers.vary, 'Origin, Accept-Encoding')
  })
})
