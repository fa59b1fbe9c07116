import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { publicUrl } from './public-url.ts'

const config = { PUBLIC_URL: undefined, HOST: '127.0.0.1', PORT: 3000 }

test('PUBLIC_URL is taken as it is, wherever the server listens', () => {
  const address = { address: '0.0.0.0', family: 'IPv4', port: 8080 }
  assert.equal(publicUrl({ ...config, PUBLIC_URL: 'https://data.example/base' }, address), 'https://data.example/base')
})

test('without it, HOST and PORT make the address', () => {
  for (const [HOST, url] of [
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['data.local', 'http://data.local:3000'],
    ['::1', 'http://[::1]:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', 'http://localhost:3000'],
  ] as const) {
    assert.equal(publicUrl({ ...config, HOST }, null), url)
  }
})

test('a server on any address and any port answers at its address', async () => {
  for (const HOST of ['127.0.0.1', '0.0.0.0', 'localhost']) {
    const server = createServer((_request, response) => response.end('here')).listen(0, HOST)
    await once(server, 'listening')
    const response = await fetch(publicUrl({ ...config, HOST, PORT: 0 }, server.address()))
    assert.equal(await response.text(), 'here')
    server.closeAllConnections()
    server.close()
  }
})
