import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { ServiceAddress } from './public-url.ts'

const settings = { PUBLIC_URL: undefined, HOST: '127.0.0.1', PORT: 3000 }

test('PUBLIC_URL is used as it is', () => {
  const address = new ServiceAddress({ ...settings, PUBLIC_URL: 'https://data.example/base' })
  assert.equal(address.publicUrl, 'https://data.example/base')
})

test('without PUBLIC_URL, HOST and PORT make the URL', () => {
  for (const [HOST, url] of [
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['data.local', 'http://data.local:3000'],
    ['::1', 'http://[::1]:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', 'http://localhost:3000'],
  ] as const) {
    const address = new ServiceAddress({ ...settings, HOST })
    assert.equal(address.publicUrl, url)
    assert.equal(address.localUrl, undefined)
  }
})

test('a server on any host and any port answers at its URLs', async () => {
  for (const HOST of ['127.0.0.1', '0.0.0.0', 'localhost']) {
    const server = createServer((_request, response) => response.end('here')).listen(0, HOST)
    await once(server, 'listening')
    const address = new ServiceAddress({ ...settings, HOST, PORT: 0 })
    address.attach(server)
    for (const url of [address.publicUrl, address.localUrl ?? '']) {
      assert.equal(await (await fetch(url)).text(), 'here')
    }
    server.closeAllConnections()
    server.close()
  }
})
