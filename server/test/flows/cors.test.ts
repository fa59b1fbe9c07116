import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertOk } from '../envelope.ts'
import { onAnyEngine, type Reply, serviceForSuite } from '../harness.ts'

const ORIGIN = 'https://app.example'
const preflight = {
  method: 'OPTIONS',
  headers: {
    origin: ORIGIN,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization,last-event-id',
  },
}

const corsHeaders = ({ headers }: Reply) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-') || name === 'vary')

onAnyEngine('CORS', (engine) => {
  describe('with a list of origins', () => {
    const service = serviceForSuite(engine, { CORS_ORIGINS: `${ORIGIN}, http://localhost:5173` })
    const headers = { origin: ORIGIN }

    test('a preflight needs no key, is not charged and names methods and headers', async () => {
      const { id } = await service.open()
      const before = await service.balance(id)
      for (const path of ['/entries', '/account/api-keys/x', '/signals/stream', '/no-such-route']) {
        const reply = await service.api(path, undefined, preflight)
        assert.equal(reply.status, 204)
        assert.equal(reply.headers['access-control-allow-origin'], ORIGIN)
        for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']) {
          assert.ok(reply.headers['access-control-allow-methods']?.split(', ').includes(method), method)
        }
        for (const header of ['Authorization', 'Content-Type', 'Last-Event-ID', 'Range', 'If-Range']) {
          assert.ok(reply.headers['access-control-allow-headers']?.split(', ').includes(header), header)
        }
        assert.ok(Number(reply.headers['access-control-max-age']) >= 600)
        assert.equal(reply.headers.vary, 'Origin')
        assert.equal(reply.headers['content-length'], undefined)
        assert.equal(reply.body, undefined)
      }
      assert.equal(await service.balance(id), before)
    })

    test('answers and errors name the origin and expose every header of the API', async () => {
      const { key } = await service.open()
      const replies = [
        await service.api('/entries?limt=3', key, { headers }),
        await service.api('/entries', undefined, { headers }),
        await service.api('/entries?limit=x', key, { headers }),
        await service.api('/no-such-route', key, { headers }),
        await service.api('/%', key, { headers }),
        await service.call('/health', { headers }),
        await service.api('/export/entries?limit=1', key, { headers }),
      ]
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200, 401, 400, 404, 400, 200, 200],
      )
      for (const reply of replies) {
        assert.equal(reply.headers['access-control-allow-origin'], ORIGIN)
        assert.equal(reply.headers.vary, 'Origin')
        const exposed = reply.headers['access-control-expose-headers']?.toLowerCase().split(', ')
        for (const name of Object.keys(reply.headers)) {
          // They tell browsers and proxies what to do, and pages nothing.
          if (name === 'x-content-type-options' || name === 'x-accel-buffering') continue
          if (/^(x-|ratelimit|retry-after|www-authenticate|content-disposition)/.test(name))
            assert.ok(exposed?.includes(name), name)
        }
      }
    })

    test('a stream carries the headers', async () => {
      const { key } = await service.open()
      const url = await service.listen()
      const stop = new AbortController()
      const response = await fetch(`${url}/signals/stream`, {
        headers: { ...headers, authorization: `Bearer ${key}` },
        signal: stop.signal,
      })
      stop.abort()
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('access-control-allow-origin'), ORIGIN)
    })

    test('other origins, and requests without one, get only Vary', async () => {
      const { key } = await service.open()
      for (const origin of ['https://app.example.evil.example', 'http://app.example', 'null', undefined]) {
        const reply = await service.api('/entries', key, origin === undefined ? {} : { headers: { origin } })
        assertOk(reply)
        assert.deepEqual(corsHeaders(reply), ['vary'])
      }
      const refused = { ...preflight, headers: { ...preflight.headers, origin: 'https://evil.example' } }
      assert.deepEqual(corsHeaders(await service.api('/entries', undefined, refused)), ['vary'])
    })

    test('OPTIONS that is no preflight is an unknown route', async () => {
      const { key } = await service.open()
      assert.equal((await service.api('/entries', key, { method: 'OPTIONS' })).status, 404)
    })
  })

  describe('with *', () => {
    const service = serviceForSuite(engine, { CORS_ORIGINS: '*' })

    test('every origin is allowed, and answers do not vary', async () => {
      const reply = await service.api('/entries', undefined, preflight)
      assert.equal(reply.status, 204)
      assert.equal(reply.headers['access-control-allow-origin'], '*')
      assert.equal(reply.headers.vary, undefined)
    })
  })

  describe('unset', () => {
    const service = serviceForSuite(engine)

    test('no answer has the headers, and a preflight is an unknown route', async () => {
      const { key } = await service.open()
      const reply = await service.api('/entries', key, { headers: { origin: ORIGIN } })
      assertOk(reply)
      assert.deepEqual(corsHeaders(reply), [])
      assert.equal((await service.api('/entries', undefined, preflight)).status, 401)
    })
  })
})
