/** Clients that are slow or disconnect at an awkward moment leave no slot, connection or memory behind. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { WebSocket } from 'ws'
import { SECOND } from '../../src/model/time.ts'
import { runs } from '../depth.ts'
import { EventReader } from '../event-source.ts'
import type { TestService } from '../harness.ts'
import { publishSignal, startStreamService, waitUntil } from '../streams.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

describe('stream clients', () => {
  let service: TestService
  let url: URL
  let account: { id: string; key: string }
  before(async () => {
    const started = await startStreamService('sqlite')
    service = started.service
    url = new URL(started.url)
    account = started.account
  })
  after(() => service.stop())
  beforeEach(() => reach(0))

  /** Waits until `count` streams are open and `count` slots taken. */
  async function reach(count: number): Promise<void> {
    const { streams } = service.mintick
    await waitUntil(
      async () => streams.count === count && (await openSlots()) === count,
      () => `${streams.count} streams are open, not ${count}`,
    )
  }

  async function openSlots(): Promise<number> {
    return (await service.api('/account', account.key)).body.data.realtimeConnections.open
  }

  /** Returns the number of connections to the service. */
  const connections = () =>
    new Promise<number>((resolve) => service.mintick.app.server.getConnections((_, count) => resolve(count)))

  /** Delays new streams before they take a slot, until the returned function is called. */
  function delayOpenings(context: TestContext): () => void {
    const { streamMeter } = service.mintick
    const open = streamMeter.open.bind(streamMeter)
    const { promise, resolve } = Promise.withResolvers<void>()
    context.mock.method(streamMeter, 'open', async (...given: Parameters<typeof open>) => {
      await promise
      return open(...given)
    })
    return resolve
  }

  /** Opens a connection and sends a raw request for a stream. */
  function ask(path = '/signals/stream', headers: string[] = []): Socket {
    const socket = connect({ port: Number(url.port), host: '127.0.0.1', allowHalfOpen: true })
    const lines = [`GET ${url.pathname}${path} HTTP/1.1`, 'host: x', `authorization: Bearer ${account.key}`, ...headers]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    socket.on('error', () => {})
    return socket
  }

  const SOCKET_HEADERS = [
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  ]

  for (const [path, headers] of [
    ['/signals/stream', []],
    ['/signals/ws', SOCKET_HEADERS],
  ] as const) {
    test(`${path}: a client that disconnects by a reset, a close or a half-close frees its slot at once`, async () => {
      const leave = [
        (socket: Socket) => socket.resetAndDestroy(),
        (socket: Socket) => socket.destroy(),
        (socket: Socket) => socket.end(),
      ]
      for (const go of leave) {
        const sockets = Array.from({ length: 20 }, () => ask(path, [...headers]))
        await reach(20)
        for (const socket of sockets) go(socket)
        await reach(0)
      }
    })

    test(`${path}: a client that disconnects before the response leaves nothing behind`, async () => {
      for (let count = 0; count < 50; count++) {
        const socket = ask(path, [...headers])
        if (count % 2 === 0) await once(socket, 'connect')
        setImmediate(() => socket.resetAndDestroy())
      }
      await service.api('/stats', account.key)
      await reach(0)
    })

    test(`${path}: a client that disconnects while its slot is taken leaves nothing behind`, async (context) => {
      const proceed = delayOpenings(context)
      const before = await connections()
      const socket = ask(path, [...headers])
      await waitUntil(() => service.mintick.streams.count === 1)
      socket.resetAndDestroy()
      await waitUntil(async () => (await connections()) === before)
      proceed()
      await reach(0)
    })

    test(`${path}: a client that disconnects while it catches up leaves nothing behind`, async () => {
      for (let count = 0; count < 50; count++) await publishSignal(service, { title: 'x'.repeat(10_000) })
      for (let count = 0; count < 20; count++) {
        const socket = ask(`${path}?lastEventId=0`, [...headers])
        await once(socket, 'data')
        socket.resetAndDestroy()
      }
      await reach(0)
    })

    test(`${path}: a client that stops reading is ended, and receives closing if it reads on`, async () => {
      const slow = ask(path, [...headers])
      await once(slow, 'data')
      slow.pause()
      const quick = await EventReader.open(`${url}/signals/stream`, account.key)
      await quick.nextOf('ready')
      let sent = 0
      while (service.mintick.streams.count === 2) {
        await publishSignal(service, { title: 'x'.repeat(100_000) })
        await quick.nextOf('signal')
        sent += 100_000
        assert.ok(sent < 50_000_000, 'the bytes that wait for a slow client are bounded')
      }
      await waitUntil(
        async () => (await openSlots()) === 1,
        () => 'the slot is not free before the client reads on',
      )
      let end = ''
      slow.setEncoding('utf8').on('data', (text: string) => {
        end = (end + text).slice(-1_000)
      })
      slow.resume()
      await once(slow, 'end')
      assert.match(end, /"?closing"?.*"reason":"slow_consumer","reconnectAfterMs":\d+/s)
      slow.destroy()
      quick.close()
    })
  }

  test('a refused WebSocket leaves no connection behind, even if the client keeps its half open', async () => {
    const before = await connections()
    const sockets = Array.from({ length: 10 }, () => ask('/signals/ws?kind=none', SOCKET_HEADERS))
    await Promise.all(sockets.map((socket) => once(socket.resume(), 'end')))
    await waitUntil(async () => (await connections()) === before)
    for (const socket of sockets) socket.destroy()
  })

  test('a WebSocket pipelined behind an unanswered request closes only its own connection', async () => {
    for (const first of ['/stats', '/signals/stream', '/signals/ws']) {
      const socket = connect({ port: Number(url.port), host: '127.0.0.1' })
      socket.on('error', () => {})
      const request = (path: string, headers: readonly string[]) =>
        `${[`GET ${url.pathname}${path} HTTP/1.1`, 'host: x', `authorization: Bearer ${account.key}`, ...headers].join('\r\n')}\r\n\r\n`
      socket.resume().write(request(first, []) + request('/signals/ws', SOCKET_HEADERS))
      await once(socket, 'close')
    }
    assert.equal((await service.api('/stats', account.key)).status, 200)
  })

  test('pipelined streams of a client that disconnects leave nothing behind', async (context) => {
    const proceed = delayOpenings(context)
    const before = await connections()
    const request = `GET ${url.pathname}/signals/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\n\r\n`
    const socket = connect({ port: Number(url.port), host: '127.0.0.1' })
    socket.write(request + request)
    await waitUntil(() => service.mintick.streams.count === 2)
    socket.resetAndDestroy()
    await waitUntil(async () => (await connections()) === before)
    proceed()
    await reach(0)
  })

  test('a client that pauses while it catches up continues at once when it reads on', async () => {
    const head = await service.mintick.store.signalLog.head()
    for (let count = 0; count < 300; count++) await publishSignal(service, { title: 'x'.repeat(20_000) })
    const socket = ask(`/signals/stream?lastEventId=${head}`)
    await once(socket, 'data')
    socket.pause()
    // Gives the service time to fill the kernel's buffers.
    await delay(300)
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-50_000)
    })
    const signal = AbortSignal.timeout(10 * SECOND)
    socket.resume()
    while (!text.includes(`id: ${head + 300}\n`)) await once(socket, 'data', { signal })
    socket.destroy()
  })

  test('a pipelined stream starts once the request before it is answered', async () => {
    const socket = connect({ port: Number(url.port), host: '127.0.0.1' })
    const request = (path: string) =>
      `GET ${url.pathname}${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\n\r\n`
    socket.write(request('/stats') + request('/signals/stream'))
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    while (!text.includes('event: ready')) await once(socket, 'data')
    assert.match(text, /"success":true.*HTTP\/1.1 200 OK.*retry: 3000\n\n\r\n/s)
    socket.destroy()
  })

  test('a WebSocket that answers no ping between two heartbeats is disconnected; one that does is not', async () => {
    const silent = ask('/signals/ws', SOCKET_HEADERS)
    await once(silent, 'data')
    const lively = new WebSocket(`${String(url).replace('http', 'ws')}/signals/ws`, {
      headers: { authorization: `Bearer ${account.key}` },
    })
    await once(lively, 'open')
    await reach(2)
    for (const _ of [1, 2, 3]) {
      const pinged = once(lively, 'ping')
      service.clock.advance(15 * SECOND)
      service.mintick.streams.signals.tick()
      await pinged
      // The pong to the test's ping arrives after the service has received the pong to its own ping.
      await new Promise((resolve) => lively.ping(undefined, undefined, resolve))
      await once(lively, 'pong')
    }
    await reach(1)
    assert.equal(lively.readyState, WebSocket.OPEN)
    lively.terminate()
    silent.destroy()
  })

  test('a WebSocket that sends pings and does not read makes the service buffer next to nothing', async () => {
    const accepted = once(service.mintick.app.server, 'connection')
    const client = ask('/signals/ws', SOCKET_HEADERS)
    const [connection]: Socket[] = await accepted
    await once(client, 'data')
    client.pause()
    // A masked ping with 125 bytes of zeros.
    const ping = Buffer.concat([Buffer.of(0x89, 0xfd), Buffer.alloc(129)])
    const pings = Buffer.concat(Array.from({ length: 8_000 }, () => ping))
    let largest = 0
    for (let megabytes = 0; megabytes < 30; megabytes++) {
      await new Promise((resolve) => client.write(pings, resolve))
      largest = Math.max(largest, connection?.writableLength ?? 0)
    }
    assert.ok(largest < 100_000, `${largest} bytes wait`)
    client.destroy()
  })

  test('a WebSocket that sends an oversized message is closed', async () => {
    const socket = new WebSocket(`${String(url).replace('http', 'ws')}/signals/ws`, {
      headers: { authorization: `Bearer ${account.key}` },
    })
    await once(socket, 'open')
    socket.send('{"hello":true}')
    await reach(1)
    socket.send('x'.repeat(100_000))
    const [code] = await once(socket, 'close')
    assert.equal(code, 1_009)
    await reach(0)
  })

  const skip = runs(0, 1) === 0 && 'takes a minute; npm run test:deep runs it'
  test('3,000 connections leave no memory behind', { skip }, async () => {
    const round = async () => {
      for (let turn = 0; turn < 10; turn++) {
        const sockets = Array.from({ length: 50 }, () => ask())
        await Promise.all(sockets.map((socket) => once(socket, 'data')))
        for (const socket of sockets) socket.destroy()
        await reach(0)
      }
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    await round()
    const before = await round()
    for (const _ of [1, 2, 3]) await round()
    const growth = ((await round()) - before) / 2_000
    assert.ok(growth < 500, `${growth} bytes remain of each stream`)
  })
})
