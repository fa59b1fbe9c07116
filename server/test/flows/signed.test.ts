/** Endpoints with signed bodies: the handler receives the raw body and verifies it. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import Type from 'typebox'
import { endpointFactory } from '../../src/http/endpoint.ts'
import { ApiError } from '../../src/model/errors.ts'
import { startApp } from '../app.ts'
import { assertError, assertOk } from '../envelope.ts'

const MB = 1_048_576
const sign = (body: string | Uint8Array) => createHmac('sha256', 'secret').update(body).digest('hex')

const endpoint = endpointFactory<object>()
const hook = endpoint({
  method: 'POST',
  path: '/hooks/paid',
  access: 'signed',
  summary: 'Something was paid',
  cost: { credits: 0 },
  returns: 'object',
  data: Type.Object({ received: Type.Integer(), missing: Type.Boolean() }),
  handle({ body, header }) {
    if (header('X-Signature') !== sign(body)) throw new ApiError('BAD_REQUEST', 'The signature does not match')
    if (body === 'broken') throw new Error('the password is hunter2')
    return { received: body.length, missing: header('x-other') === undefined }
  },
})

describe('signed bodies', () => {
  let base: string
  let stop: () => Promise<void>
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  before(async () => {
    const started = await startApp([hook], {})
    base = await started.app.listen({ port: 0, host: '127.0.0.1' })
    stop = started.stop
  })
  after(async () => {
    agent.destroy()
    await stop()
  })

  /** Sends a request over one connection, for as long as the server keeps it open. */
  function send(body: string | Uint8Array, headers: Record<string, string> = {}) {
    return new Promise<{ status: number; body: ReturnType<typeof JSON.parse>; port: number | undefined }>(
      (resolve, reject) => {
        const call = request(`${base}/hooks/paid`, { method: 'POST', agent, headers }, (response) => {
          const port = response.socket.localPort
          let text = ''
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text), port }))
        })
        call.on('error', reject).end(body)
      },
    )
  }
  const sendSigned = (body: string | Uint8Array) => send(body, { 'x-signature': sign(body) })

  test('any text arrives exactly as it was signed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('', '\ufeff', ' ', '\r\n', '\0'),
        async (text, edge) => {
          const body = edge + text + edge
          const reply = await sendSigned(body)
          assertOk(reply)
          assert.deepEqual(reply.body.data, { received: body.length, missing: true })
        },
      ),
    )
  })

  test('the names of headers are found in any case; no key and no token is asked for', async () => {
    assertOk(await send('x', { 'X-SIGNATURE': sign('x') }))
    assertOk(await send('x', { 'x-signature': sign('x'), authorization: 'Bearer nobody' }))
  })

  test('what the handler refuses is told in the envelope, and of what breaks nothing', async () => {
    assertError(await send('x'), 400, 'BAD_REQUEST')
    assertError(await send('x', { 'x-signature': sign('y') }), 400, 'BAD_REQUEST')
    const broken = await sendSigned('broken')
    assertError(broken, 500, 'INTERNAL_ERROR')
    assert.doesNotMatch(JSON.stringify(broken.body), /hunter2/)
  })

  test('bytes that are not UTF-8 answer 400', async () => {
    assertError(await sendSigned(Uint8Array.of(0x7b, 0xff, 0x7d)), 400, 'BAD_REQUEST')
  })

  test('1 MB is taken, one byte more and 10 MB answer 400, and the connection goes on', async () => {
    const first = await sendSigned('x'.repeat(MB))
    assertOk(first)
    for (const size of [MB + 1, 10 * MB]) {
      const refused = await sendSigned('x'.repeat(size))
      assertError(refused, 400, 'BAD_REQUEST')
      assert.match(refused.body.error.message, /larger than 1024 KB/)
      const next = await sendSigned('x')
      assertOk(next)
      assert.deepEqual([refused.port, next.port], [first.port, first.port])
    }
  })

  test('it is there for POST alone', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      assert.equal((await fetch(`${base}/hooks/paid`, { method })).status, 401)
    }
  })
})
