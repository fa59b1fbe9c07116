import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { TestService } from '../../test/harness.ts'
import { networkOf } from './client-address.ts'

describe('connections of a trusted proxy', () => {
  test('are not limited', async () => {
    const service = await TestService.start('sqlite', { CONNECTIONS_PER_ADDRESS: '1', TRUSTED_PROXIES: '127.0.0.1' })
    const port = Number(new URL(await service.listen()).port)
    const sockets = Array.from({ length: 3 }, () => connect(port, '127.0.0.1'))
    for (const socket of sockets) {
      socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
      assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 200/)
    }
    for (const socket of sockets) socket.destroy()
    await service.stop()
  })
})

describe('connections', () => {
  let service: TestService
  let port: number
  before(async () => {
    service = await TestService.start('sqlite', { CONNECTIONS_PER_ADDRESS: '3' })
    port = Number(new URL(await service.listen()).port)
  })
  after(() => service.stop())

  const open = async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  const connections = () =>
    new Promise<number>((resolve) => service.mintick.app.server.getConnections((_, count) => resolve(count)))

  test('a connection beyond the limit of its address is closed; one is accepted again when another closes', async () => {
    const sockets = [await open(), await open(), await open()]
    await once((await open()).resume(), 'end')
    sockets[0]?.destroy()
    while ((await connections()) > 2) await new Promise((resolve) => setImmediate(resolve))
    const next = await open()
    next.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
    assert.match(String((await once(next, 'data'))[0]), /^HTTP\/1.1 200/)
    for (const socket of [...sockets, next]) socket.destroy()
  })

  test('a client that is refused and keeps its half open loses the connection', async () => {
    const socket = await open()
    socket.write('hello\r\n\r\n')
    await once(socket.resume(), 'end')
    while ((await connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
  })

  test('clients that never send their headers are disconnected within seconds', { timeout: 10_000 }, async () => {
    const silent = await open()
    const partial = await open()
    partial.write('GET / HTTP/1.1\r\n')
    await Promise.all([once(silent.resume(), 'end'), once(partial.resume(), 'end')])
    while ((await connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
    silent.destroy()
    partial.destroy()
  })

  test('addresses of one IPv6 customer are one client', () => {
    assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1')
    assert.equal(networkOf('192.0.2.1'), '192.0.2.1')
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:db8:1:2::9'))
    assert.notEqual(networkOf('2001:db8:1:2::'), networkOf('2001:db8:1:3::'))
    assert.equal(networkOf('::1'), '0:0:0:0')
  })
})
