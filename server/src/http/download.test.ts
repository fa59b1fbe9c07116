import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { ResponseWire, WireBroken } from './download.ts'

/** Starts a server and a client that has sent a request and reads nothing. */
async function connected(stallMs: number) {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  client.pause()
  client.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  response.writeHead(200)
  return {
    client,
    wire: new ResponseWire(response, stallMs),
    waiting: () => response.writableLength,
    close() {
      client.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Writes until the wire breaks; returns how. */
async function brokenBy(wire: ResponseWire, onWritten?: () => void): Promise<string> {
  const bytes = new Uint8Array(1_000_000)
  try {
    for (;;) {
      await wire.write(bytes, () => {})
      onWritten?.()
    }
  } catch (error) {
    assert.ok(error instanceof WireBroken)
    return error.by
  }
}

test('a client that reads nothing stalls the wire, and few bytes wait for it', async () => {
  const { wire, waiting, close } = await connected(100)
  assert.equal(await brokenBy(wire), 'stalled')
  assert.ok(waiting() < 200_000, `${waiting()} bytes wait`)
  close()
})

test('a client that leaves breaks the wire at once, also before the first byte', async () => {
  const { wire, client, close } = await connected(60_000)
  assert.equal(await brokenBy(wire, () => client.destroy()), 'disconnected')
  await assert.rejects(
    wire.write(new Uint8Array(1), () => assert.fail()),
    WireBroken,
  )
  assert.throws(() => wire.check(), WireBroken)
  close()
})

test('a slow client that goes on reading gets every byte', async () => {
  const { wire, client, close } = await connected(5_000)
  let [received, accepted] = [0, 0]
  client.on('data', (part: Buffer) => {
    received += part.length
    client.pause()
    setImmediate(() => client.resume())
  })
  client.resume()
  for (let count = 0; count < 20; count += 1)
    await wire.write(new Uint8Array(100_000), ({ length }) => (accepted += length))
  wire.end()
  await once(client, 'end')
  assert.ok(received > 2_000_000)
  assert.equal(accepted, 2_000_000)
  close()
})
