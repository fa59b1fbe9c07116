import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { FetchError } from './fetch-error.ts'
import { Fetcher } from './fetcher.ts'

const NOW = Date.parse('2026-03-02T10:00:00Z')
const TEXT = 'Zinsen steigen. '.repeat(1_000)
const NOISE = Buffer.alloc(1_000, 0xff)
const PACKED: Record<string, Buffer> = {
  gzip: gzipSync(TEXT),
  'x-gzip': gzipSync(TEXT),
  deflate: deflateSync(TEXT),
  br: brotliCompressSync(TEXT),
  zstd: zstdCompressSync(TEXT),
}
const fastBrotli = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY } })
const PACKERS = { gzip: gzipSync, deflate: deflateSync, br: fastBrotli, zstd: zstdCompressSync }

type Handler = (request: IncomingMessage, response: ServerResponse) => void

describe('fetcher', () => {
  let handle: Handler
  let base: string
  const server = createServer((request, response) => handle(request, response))
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const fetcherOf = (allowHosts = ['127.0.0.1'], timeoutMs = 10_000) =>
    new Fetcher({ allowHosts, timeoutMs, now: () => NOW })

  const answered = (handler: Handler, path = '/', options = {}) => {
    handle = handler
    return fetcherOf().fetch({ url: base + path, ...options })
  }

  const fails = (promise: Promise<unknown>, kind: FetchError['kind'], words: RegExp = /./) =>
    assert.rejects(promise, (error) => {
      assert.ok(error instanceof FetchError, String(error))
      assert.equal(error.kind, kind, error.message)
      assert.match(error.message, words)
      return true
    })

  for (const [encoding, packed] of Object.entries(PACKED)) {
    test(`decompresses ${encoding}`, async () => {
      const send: Handler = (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(packed)
      assert.equal(String((await answered(send)).body), TEXT)
    })

    test(`an answer in ${encoding} that ends early is cut off or cannot be decompressed`, async () => {
      const half = packed.subarray(0, packed.length / 2)
      const cut: Handler = (_, response) => {
        response.writeHead(200, { 'content-encoding': encoding, 'content-length': packed.length })
        response.write(half, () => response.destroy())
      }
      await fails(answered(cut), 'cut off')
      await fails(
        answered((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(half)),
        'compression',
      )
    })

    test(`noise that is not in ${encoding}, as it claims, cannot be decompressed`, async () => {
      const lie: Handler = (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(NOISE)
      await fails(answered(lie), 'compression')
    })
  }

  for (const [encoding, pack] of Object.entries(PACKERS)) {
    test(`a bomb in ${encoding} is given up at the limit, without the memory for the rest`, async () => {
      const bomb = pack(Buffer.alloc(60_000_000))
      const before = process.memoryUsage().rss
      const send: Handler = (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb)
      await fails(answered(send, '/', { maxBytes: 1_000_000 }), 'too large', /more than 1 MB/)
      assert.ok(process.memoryUsage().rss - before < 40_000_000)
    })
  }

  test('bombs in several layers are not unpacked', async () => {
    const layers = Array(500).fill('gzip').join(', ')
    const send: Handler = (_, response) => response.writeHead(200, { 'content-encoding': layers }).end('x')
    await fails(answered(send), 'compression')
  })

  test('two layers, unknown and absurd encodings', async () => {
    const twice = gzipSync(brotliCompressSync(TEXT))
    const send = (encoding: string, body: Buffer | string) =>
      answered((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body))
    assert.equal(String((await send('br, gzip', twice)).body), TEXT)
    for (const encoding of ['identity', 'UTF-8', 'none', 'constructor', '__proto__', 'toString', '']) {
      assert.equal(String((await send(encoding, TEXT)).body), TEXT, encoding)
    }
  })

  test('an answer of exactly the limit is read, one byte more is not', async () => {
    const send: Handler = (_, response) => response.end('x'.repeat(1_000))
    assert.equal((await answered(send, '/', { maxBytes: 1_000 })).body.length, 1_000)
    await fails(answered(send, '/', { maxBytes: 999 }), 'too large')
  })

  test('an answer without end is given up at the limit', async () => {
    const send: Handler = (_, response) => {
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
        response.once('drain', pour)
      }
      pour()
    }
    await fails(answered(send, '/', { maxBytes: 1_000_000 }), 'too large')
  })

  test('a server that drips or never answers is given up', async () => {
    const drip: Handler = (_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('<'), 10)
      response.on('close', () => clearInterval(timer))
    }
    for (const handler of [drip, () => {}]) {
      handle = handler
      await fails(fetcherOf(undefined, 150).fetch({ url: base }), 'timeout', /within 0.15 s/)
    }
  })

  test('a server that cuts the connection before it answers', async () => {
    await fails(
      answered((request) => request.socket.destroy()),
      'cut off',
    )
  })

  test('nobody listens, and a name without an address', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => closed.once('listening', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    await fails(fetcherOf().fetch({ url: `http://127.0.0.1:${port}/` }), 'unreachable', /ECONNREFUSED/)
    await fails(fetcherOf().fetch({ url: 'http://nobody.invalid/' }), 'unresolved')
  })

  test('an address that cannot be read as one', async () => {
    for (const url of ['', 'http://', 'http://[::1', '/feed.xml']) await fails(fetcherOf().fetch({ url }), 'scheme')
  })

  test('an answer that is not HTTP', async () => {
    await fails(
      answered((request) => request.socket.end('hello\r\n\r\n')),
      'unreachable',
    )
  })

  for (const status of [301, 302, 303, 307, 308]) {
    test(`${status} is followed${status === 301 || status === 308 ? ' and remembered' : ''}`, async () => {
      const isPermanent = status === 301 || status === 308
      const fetched = await answered(({ url }, response) => {
        if (url === '/old') response.writeHead(status, { location: '/new' }).end()
        else response.end('new')
      }, '/old')
      assert.equal(fetched.url, `${base}/new`)
      assert.equal(fetched.movedTo, isPermanent ? `${base}/new` : undefined)
    })
  }

  test('of a chain, the permanent redirects before the first temporary one are remembered', async () => {
    const next: Record<string, [number, string]> = {
      '/1': [301, '/2'],
      '/2': [308, '/3'],
      '/3': [302, '/4'],
      '/4': [301, '/5'],
    }
    const fetched = await answered(({ url = '' }, response) => {
      const [status, location] = next[url] ?? [200, '']
      response.writeHead(status, { location }).end('end')
    }, '/1')
    assert.equal(fetched.url, `${base}/5`)
    assert.equal(fetched.movedTo, `${base}/3`)
  })

  test('circles, long chains and redirects to nowhere end', async () => {
    let requests = 0
    const chain = answered((_, response) => {
      requests += 1
      response.writeHead(302, { location: `/${requests}` }).end()
    })
    await fails(chain, 'too many redirects')
    assert.equal(requests, 6)
    const redirect = (location: string) => answered((_, response) => response.writeHead(302, { location }).end())
    await fails(redirect('/'), 'too many redirects')
    await fails(redirect('http://['), 'too many redirects')
    await fails(
      answered((_, response) => response.writeHead(302).end()),
      'status',
    )
  })

  test('a redirect to another scheme is not followed', async () => {
    for (const location of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:text/plain,x']) {
      await fails(
        answered((_, response) => response.writeHead(302, { location }).end()),
        'scheme',
      )
    }
  })

  test('private addresses are refused, also by name and after a redirect', async () => {
    const { port } = server.address() as AddressInfo
    let requests = 0
    handle = (_, response) => {
      requests += 1
      response.end('secret')
    }
    const hosts = ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[::1]', '0']
    for (const host of hosts) {
      await fails(fetcherOf([]).fetch({ url: `http://${host}:${port}/` }), 'private', /allowHosts/)
    }
    assert.equal(requests, 0)
    const targets = ['http://10.1.2.3/', `http://localhost:${port}/`, 'http://[fe80::1]/', 'http://169.254.169.254/']
    for (const location of targets) {
      await fails(
        answered((_, response) => response.writeHead(301, { location }).end()),
        'private',
      )
    }
  })

  test('a connection that one fetcher may hold open is not there for one that may not have it', async () => {
    const { port } = server.address() as AddressInfo
    handle = (_, response) => response.end('secret')
    const url = `http://localhost:${port}/`
    await fetcherOf(['localhost']).fetch({ url })
    await fails(fetcherOf([]).fetch({ url }), 'private')
  })

  test('allowed hosts are read in whatever case they are written', async () => {
    const { port } = server.address() as AddressInfo
    handle = (_, response) => response.end('ok')
    assert.equal(String((await fetcherOf(['LocalHost']).fetch({ url: `http://LOCALHOST:${port}/` })).body), 'ok')
  })

  const RETRIES: [header: string, ms: number | undefined][] = [
    ['120', 120_000],
    ['0', undefined],
    ['99999999999', 86_400_000],
    [new Date(NOW + 90_000).toUTCString(), 90_000],
    [new Date(NOW - 90_000).toUTCString(), undefined],
    ['soon', undefined],
    ['-5', undefined],
  ]
  for (const [header, ms] of RETRIES) {
    test(`Retry-After: ${header} is ${ms === undefined ? 'ignored' : `${ms} ms`}`, async () => {
      const busy = answered((_, response) => response.writeHead(503, { 'retry-after': header }).end('busy'))
      const error = await busy.catch((reason: unknown) => reason)
      assert.ok(error instanceof FetchError)
      assert.deepEqual([error.kind, error.status, error.retryAfterMs], ['status', 503, ms])
    })
  }

  test('other statuses are errors that say what to do', async () => {
    for (const status of [201, 204, 206, 400, 403, 404, 410, 418, 429, 451, 500, 599]) {
      const refused = answered((_, response) => response.writeHead(status).end())
      await fails(refused, 'status', new RegExp(`answered ${status}: \\w`))
    }
  })

  test('304 has no body', async () => {
    const { status, body } = await answered((_, response) => response.writeHead(304).end())
    assert.deepEqual([status, body.length], [304, 0])
  })

  test('an aborted fetch ends at once with the reason', async () => {
    for (const when of ['before', 'during']) {
      const stop = new AbortController()
      handle = () => stop.abort(new Error('stopped'))
      if (when === 'before') stop.abort(new Error('stopped'))
      await assert.rejects(fetcherOf().fetch({ url: base }, stop.signal), /^Error: stopped$/, when)
    }
    const stop = new AbortController()
    handle = (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(PACKED.gzip?.subarray(0, 50))
      setTimeout(() => stop.abort(new Error('stopped')), 20)
    }
    await assert.rejects(fetcherOf().fetch({ url: base }, stop.signal), /^Error: stopped$/)
  })
})
