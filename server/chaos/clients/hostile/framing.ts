/** Bytes that are not quite HTTP. */
import type { Random } from './random.ts'

type Parts = (string | Uint8Array)[]

/** Each returns the bytes of a connection, whose client then closes its half. */
const FRAMINGS: readonly ((key: string, random: Random) => Parts)[] = [
  // Contradicting lengths, which proxies and servers may read differently.
  (key) => [post(key, 'Content-Length: 13', 'Transfer-Encoding: chunked'), '0\r\n\r\n', get(key)],
  (key) => [post(key, 'Content-Length: 2', 'Content-Length: 20'), '{}'],
  (key) => [post(key, 'Content-Length: 2, 2'), '{}'],
  (key) => [post(key, 'Content-Length: +2'), '{}'],
  (key) => [post(key, 'Content-Length: 0x2'), '{}'],
  (key) => [post(key, 'Content-Length: -1'), '{}'],
  (key) => [post(key, 'Content-Length: 18446744073709551617'), '{}'],
  (key) => [post(key, 'Content-Length : 2'), '{}'],
  (key) => [post(key, 'Transfer-Encoding: identity, chunked, chunked'), '0\r\n\r\n'],
  (key) => [post(key, 'Transfer-Encoding: xchunked'), '0\r\n\r\n'],
  (key) => [post(key, 'Transfer-Encoding:\u000bchunked'), '0\r\n\r\n'],
  (key) => [post(key, 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity'), '0\r\n\r\n'],
  (key) => [post(key, 'Transfer-Encoding: chunked'), 'zz\r\n{}\r\n0\r\n\r\n'],
  (key) => [post(key, 'Transfer-Encoding: chunked'), 'ffffffffffffffffff\r\n{}\r\n'],
  (key) => [post(key, 'Transfer-Encoding: chunked'), '-2\r\n{}\r\n0\r\n\r\n'],
  (key) => [post(key, 'Transfer-Encoding: chunked'), '2\n{}\n0\n\n'],
  (key) => [post(key, 'Transfer-Encoding: chunked'), '2\r\n{}0\r\n\r\n'],
  (key) => [post(key, 'Transfer-Encoding: chunked'), `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
  (key) => [post(key, 'Transfer-Encoding: chunked'), `0\r\n${'X: y\r\n'.repeat(3_000)}\r\n`],
  // Bodies that end early or never begin.
  (key) => [post(key, 'Content-Length: 50'), '{"na'],
  (key) => [post(key, 'Content-Length: 50')],
  (key) => [post(key, 'Transfer-Encoding: chunked'), '5\r\n{"n'],
  (key) => [post(key, 'Expect: 100-continue', 'Content-Length: 2')],
  // A body on GET, and bytes after a request.
  (key) => [get(key), '{"search":"x"}'],
  (key) => [get(key, 'Content-Length: 9'), 'surplus\r\n'],
  (key, random) => [get(key), get(key), random.hex(200)],
  (key, random) => [get(key), Buffer.from(random.hex(2_000), 'hex')],
  (key) => Array.from({ length: 20 }, () => get(key)),
  // Broken heads.
  (key) => [get(key).replaceAll('\r\n', '\n')],
  (key) => [get(key).replaceAll('\r\n', '\r')],
  (key) => [get(key).replace('HTTP/1.1', 'HTTP/9.9')],
  (key) => [get(key).replace('HTTP/1.1', 'HTTP/1.0')],
  (key) => [get(key).replace('HTTP/1.1', 'http/1.1')],
  (key) => [get(key).replace(' HTTP/1.1', '')],
  (key) => [get(key).replace('GET', 'get')],
  (key) => [get(key).replace('GET', 'G\0T')],
  (key) => [get(key).replace('GET ', 'GET\t')],
  (key) => [get(key).replace('/api', 'api')],
  (key) => [get(key).replace('/api/v1', '/api/v1/\u00e9\u00ff')],
  (key) => [get(key).replace('/entries', '/entries?search=\0')],
  (key) => [get(key).replace('/entries', `/entries?search=${'x'.repeat(9_000)}`)],
  (key) => [get(key).replace('/entries', `/entries?search=${'x'.repeat(100_000)}`)],
  (key) => [get(key, ' folded: header')],
  (key) => [get(key, 'No-Colon')],
  (key) => [get(key, ': empty name')],
  (key) => [get(key, 'Sp ace: x')],
  (key) => [get(key, 'Nul: a\0b')],
  (key) => [get(key, 'Host: second')],
  (key) => [get(key).replace('Host: test\r\n', '')],
  (key) => [get(key, `X: ${'x'.repeat(100_000)}`)],
  (key) => [get(key, ...Array.from({ length: 3_000 }, (_, index) => `X-${index}: y`))],
  (key) => [get(key, 'Upgrade: websocket', 'Connection: Upgrade'), '\x81\xff'.repeat(50)],
  (key) => [
    get(key, 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 99', 'Sec-WebSocket-Key: x').replace(
      '/entries',
      '/signals/ws',
    ),
  ],
  // Not HTTP at all.
  () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  () => [Uint8Array.of(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3)],
  () => ['hello\r\n\r\n'],
  () => ['\r\n\r\n\r\n'],
  () => [''],
  () => ['CONNECT 127.0.0.1:5432 HTTP/1.1\r\nHost: x\r\n\r\n'],
  () => ['OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  (_key, random) => [Buffer.from(random.hex(2 + 2 * random.below(500)), 'hex')],
  (key, random) => {
    const bytes = Buffer.from(get(key), 'latin1')
    bytes[random.below(bytes.length)] = random.below(256)
    return [bytes]
  },
]

export function brokenFraming(key: string, random: Random): Parts {
  return random.pick(FRAMINGS)(key, random)
}

function get(key: string, ...headers: string[]): string {
  return ['GET /api/v1/entries HTTP/1.1', 'Host: test', `Authorization: Bearer ${key}`, ...headers, '', ''].join('\r\n')
}

function post(key: string, ...headers: string[]): string {
  const line = 'POST /api/v1/account/api-keys HTTP/1.1'
  return [line, 'Host: test', `Authorization: Bearer ${key}`, ...headers, '', ''].join('\r\n')
}
