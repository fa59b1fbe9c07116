/** Malformed HTTP gets a reply in the envelope too, even if it cannot be parsed as a request. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { before, test } from 'node:test'
import { assertError, assertOk } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

const MB = 1_048_576

onEveryEngine('bad HTTP', (engine) => {
  const service = serviceForSuite(engine)
  let account: { id: string; key: string }
  let port: number
  before(async () => {
    account = await service.open('custom', 10)
    port = Number(new URL(await service.mintick.app.listen({ port: 0, host: '127.0.0.1' })).port)
  })

  const head = (line: string, ...headers: string[]) =>
    [`${line} HTTP/1.1`, 'Host: test', `Authorization: Bearer ${account.key}`, ...headers, '', ''].join('\r\n')
  const createKey = (...headers: string[]) => head('POST /api/v1/account/api-keys', 'Connection: close', ...headers)

  /** Sends data over a new connection and returns everything received until the server closes it. */
  async function send(...parts: (string | Uint8Array)[]) {
    return parseAnswer(await exchange(...parts))
  }

  async function exchange(...parts: (string | Uint8Array)[]): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    // A server that replies early may close the connection before it has read everything.
    socket.on('error', () => {})
    for (const part of parts) socket.write(part)
    return readAll(socket)
  }

  const NOT_HTTP: Record<string, string | Uint8Array> = {
    'a greeting': 'hello\r\n\r\n',
    'NUL bytes': new Uint8Array(64),
    'a TLS handshake': Uint8Array.of(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3),
    'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'an unknown method': 'FETCH /health HTTP/1.1\r\nHost: test\r\n\r\n',
    'a NUL in the address': 'GET /api/v1/entries?search=\0 HTTP/1.1\r\nHost: test\r\n\r\n',
    'a space in the address': 'GET /api/v1/entries?search=a b HTTP/1.1\r\nHost: test\r\n\r\n',
    'a header without a name': 'GET /health HTTP/1.1\r\nHost: test\r\n: x\r\n\r\n',
    'an address of a megabyte': `GET /api/v1/entries?search=${'x'.repeat(MB)} HTTP/1.1\r\nHost: test\r\n\r\n`,
    'a header of a megabyte': `GET /health HTTP/1.1\r\nHost: test\r\nX-Large: ${'x'.repeat(MB)}\r\n\r\n`,
  }
  for (const [name, bytes] of Object.entries(NOT_HTTP)) {
    test(`${name} answers 400`, async () => assertError(await send(bytes), 400, 'BAD_REQUEST'))
  }

  test('a query string between what we take and what the parser takes answers 400', async () => {
    const line = `GET /api/v1/entries?search=${'x'.repeat(9_000)}`
    assertError(await send(head(line, 'Connection: close')), 400, 'BAD_REQUEST')
  })

  test('a body that contradicts its own length answers 400', async () => {
    const chunked = createKey('Transfer-Encoding: chunked')
    assertError(await send(chunked, 'zz\r\nnope\r\n'), 400, 'BAD_REQUEST')
    assertError(
      await send(createKey('Transfer-Encoding: chunked', 'Content-Length: 3'), '0\r\n\r\n'),
      400,
      'BAD_REQUEST',
    )
    assertError(await send(createKey('Content-Length: 1, 2'), '{}'), 400, 'BAD_REQUEST')
    assertError(await send(createKey('Content-Length: -1'), '{}'), 400, 'BAD_REQUEST')
  })

  test('a body that is not UTF-8 answers 400', async () => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xed, 0xa0, 0x80, 0xff), Buffer.from('"}')])
    assertError(await send(createKey(`Content-Length: ${body.length}`), body), 400, 'BAD_REQUEST')
  })

  test('a body of two megabytes answers 400, and 401 without a key', async () => {
    const body = `{"name":"${'x'.repeat(2 * MB)}"}`
    const size = `Content-Length: ${body.length}`
    assertError(await send(createKey(size), body), 400, 'BAD_REQUEST')
    const inChunks = [`${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n']
    assertError(await send(createKey('Transfer-Encoding: chunked'), ...inChunks), 400, 'BAD_REQUEST')
    const keyless = createKey(size).replace(account.key, 'nobody')
    assertError(await send(keyless, body), 401, 'UNAUTHORIZED')
  })

  test('after a refused body the connection serves the next request', async () => {
    const body = 'x'.repeat(2 * MB)
    const first = head('POST /api/v1/account/api-keys', `Content-Length: ${body.length}`)
    const socket = connect(port, '127.0.0.1')
    socket.write(first + body)
    const [refusal] = await once(socket, 'data')
    assertError(parseAnswer(String(refusal)), 400, 'BAD_REQUEST')
    socket.write(head('GET /api/v1/stats', 'Connection: close'))
    assertOk(parseAnswer(await readAll(socket)))
  })

  test('a caller that hangs up in the middle of a body leaves no key and no hold behind', async () => {
    for (const part of ['', '{"na', '{"name":"x"}']) {
      const socket = connect(port, '127.0.0.1')
      socket.write(createKey('Content-Length: 50') + part)
      await once(socket, 'connect')
      socket.resetAndDestroy()
    }
    assertOk(await send(head('GET /api/v1/entries', 'Connection: close')))
    assert.equal((await service.mintick.store.keys.list(account.id)).length, 1)
  })

  test('bytes after a request are refused once it is answered', async () => {
    const text = await exchange(head('GET /api/v1/entries'), head('GET /api/v1/stats'), 'surplus\r\n\r\n')
    const statuses = [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)
    assert.deepEqual(statuses, ['200', '200', '400'])
  })

  test('a body on GET without a length does not replace the answer', async () => {
    const request = httpRequest({ port, path: '/api/v1/entries', headers: { authorization: `Bearer ${account.key}` } })
    request.end('{"search":"x"}')
    const [response] = await once(request, 'response')
    response.resume()
    assert.equal(response.statusCode, 200)
  })

  test('HEAD has the status and headers of GET, and no body', async () => {
    const text = await exchange(head('HEAD /api/v1/entries', 'Connection: close'))
    assert.match(text, /^HTTP\/1.1 200 OK\r\n.*x-credits-cost: 1\r\n.*content-length: [1-9]\d*\r\n.*\r\n\r\n$/s)
    const unknown = await exchange(head('HEAD /api/v1/entries/nope', 'Connection: close'))
    assert.match(unknown, /^HTTP\/1.1 404 Not Found\r\n.*\r\n\r\n$/s)
  })

  test('an expectation that is not known is ignored', async () => {
    assertOk(await send(head('GET /api/v1/stats', 'Expect: miracles', 'Connection: close')))
  })

  test('a declined WebSocket gets its answer although it has sent more', async () => {
    const handshake = head('GET /api/v1/nowhere', 'Connection: upgrade', 'Upgrade: websocket')
    assertError(await send(handshake, 'x'.repeat(MB)), 404, 'NOT_FOUND')
  })

  test('a client that closes its half of the connection still gets the answers that it pays for', async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end(head('GET /api/v1/entries') + head('GET /api/v1/entries'))
    const text = await readAll(socket)
    assert.equal(text.match(/HTTP\/1.1 200 /g)?.length, 2)
  })

  test('a stream ends with the half of the connection that its client closes', async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end(head('GET /api/v1/signals/stream'))
    await readAll(socket)
  })

  test('an upgrade to another protocol gets its answer and ends the connection: Node loses a request behind it', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: h2c']
    assertOk(await send(head('GET /api/v1/stats', ...upgrade)))
    assertOk(await send(head('GET /api/v1/stats', 'Expect: miracles', ...upgrade)))
  })

  test('afterwards the service is well and each answered call was charged', async () => {
    assertOk(await service.call('/health'))
    assert.equal(await service.balance(account.id), 4)
    assert.equal(service.mintick.admission.meter.held(account.id), 0)
  })
})

async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await new Promise((resolve) => socket.on('close', resolve))
  return text
}

function parseAnswer(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  assert.match(head, /content-type: application\/json/, text.slice(0, 500))
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) }
}
