/** Clients that are slow, vanish or fall silent: each costs the service nothing once it is found out. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { before, beforeEach, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { WebSocket } from 'ws'
import { SECOND } from '../../src/model/time.ts'
import { runs } from '../depth.ts'
import { EventReader } from '../event-source.ts'
import { serviceForSuite } from '../harness.ts'
import { newSignal } from '../signals.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

describe('clients of streams', () => {
  const service = serviceForSuite('sqlite')
  let url: URL
  let account: { id: string; key: string }
  before(async () => {
    url = new URL(await service.listen())
    account = await service.openUnlimited()
    await service.mintick.store.assets.upsert([{ key: 'AAPL', name: 'Apple', type: 'equity' }], service.clock.now())
  })
  beforeEach(() => reach(0))

  /** Waits until so many streams are open, here and by the account's own count. */
  async function reach(count: number, counted: () => number | Promise<number> = openSlots): Promise<void> {
    const { streams } = service.mintick
    const end = performance.now() + 10 * SECOND
    while (streams.count !== count || (await counted()) !== count) {
      if (performance.now() > end) assert.fail(`${streams.count} are open, ${await counted()} by count, not ${count}`)
      await new Promise(setImmediate)
    }
  }

  async function openSlots(): Promise<number> {
    return (await service.api('/account', account.key)).body.data.realtimeConnections.open
  }

  async function find(title = ''): Promise<void> {
    const { store, bus, clock } = service.mintick
    const change = { type: 'new' as const, signal: newSignal(clock.now(), { title }), supersedes: [] }
    await store.signals.apply([change], [], clock.now())
    await bus.publish('signals', '')
  }

  /** A connection on which a stream is asked for by hand. */
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
    test(`${path}: a client that vanishes, by a reset, a goodbye or half of one, frees its slot at once`, async () => {
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

    test(`${path}: a client that vanishes before it is answered leaves nothing behind`, async () => {
      for (let count = 0; count < 50; count++) {
        const socket = ask(path, [...headers])
        if (count % 2 === 0) await once(socket, 'connect')
        setImmediate(() => socket.resetAndDestroy())
      }
      await service.api('/stats', account.key)
      await reach(0)
    })

    test(`${path}: a client that vanishes while its slot is taken leaves nothing behind`, async (context) => {
      const { streamMeter } = service.mintick
      const open = streamMeter.open.bind(streamMeter)
      context.mock.method(streamMeter, 'open', async (...asked: Parameters<typeof open>) => {
        await delay(50)
        return open(...asked)
      })
      const socket = ask(path, [...headers])
      await reach(1, () => service.mintick.streams.count)
      socket.resetAndDestroy()
      await reach(0)
    })

    test(`${path}: a client that vanishes while it is told what it missed leaves nothing behind`, async () => {
      for (let count = 0; count < 50; count++) await find('x'.repeat(10_000))
      for (let count = 0; count < 20; count++) {
        const socket = ask(`${path}?lastEventId=0`, [...headers])
        await once(socket, 'data')
        socket.resetAndDestroy()
      }
      await reach(0)
    })

    test(`${path}: a client that reads nothing is ended for it, and is told if it reads on`, async () => {
      const slow = ask(path, [...headers])
      await once(slow, 'data')
      slow.pause()
      const quick = await EventReader.open(`${url}/signals/stream`, account.key)
      await quick.nextOf('ready')
      let sent = 0
      while (service.mintick.streams.count === 2) {
        await find('x'.repeat(100_000))
        await quick.nextOf('signal')
        sent += 100_000
        assert.ok(sent < 50_000_000, 'what waits for a slow client has a bound')
      }
      assert.equal(await openSlots(), 1, 'the slot is free before the client has noticed')
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

  test('a refused WebSocket leaves no connection behind, also when the client keeps its half open', async () => {
    const connections = () =>
      new Promise<number>((resolve) => service.mintick.app.server.getConnections((_, count) => resolve(count)))
    const before = await connections()
    const sockets = Array.from({ length: 10 }, () => ask('/signals/ws?kind=none', SOCKET_HEADERS))
    await Promise.all(sockets.map((socket) => once(socket.resume(), 'end')))
    const end = performance.now() + 5 * SECOND
    while ((await connections()) > before && performance.now() < end) await delay(10)
    assert.equal(await connections(), before)
    for (const socket of sockets) socket.destroy()
  })

  test('a WebSocket right behind a request that is not answered yet is cut off, and nothing else', async () => {
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

  test('events right behind others whose client is gone leave nothing behind', async (context) => {
    const { streamMeter } = service.mintick
    const open = streamMeter.open.bind(streamMeter)
    context.mock.method(streamMeter, 'open', async (...asked: Parameters<typeof open>) => {
      await delay(50)
      return open(...asked)
    })
    const request = `GET ${url.pathname}/signals/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\n\r\n`
    const socket = connect({ port: Number(url.port), host: '127.0.0.1' })
    socket.write(request + request)
    await reach(2, () => service.mintick.streams.count)
    socket.resetAndDestroy()
    await reach(0)
  })

  test('a client that reads a little late is told what it missed without a pause', async () => {
    const head = await service.mintick.store.signalLog.head()
    for (let count = 0; count < 300; count++) await find('x'.repeat(20_000))
    const socket = ask(`/signals/stream?lastEventId=${head}`)
    await once(socket, 'data')
    socket.pause()
    await delay(300)
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-50_000)
    })
    const start = performance.now()
    socket.resume()
    while (!text.includes(`id: ${head + 300}\n`)) await once(socket, 'data')
    assert.ok(performance.now() - start < 10 * SECOND)
    socket.destroy()
  })

  test('a request right behind another one is streamed once that one is answered', async () => {
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

  test('a WebSocket that gives no sign of life between two heartbeats is cut off; one that does is not', async () => {
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
      service.mintick.streams.tick()
      await pinged
      // The answer to the ping is on its way.
      await service.api('/stats', account.key)
      await new Promise((resolve) => lively.ping(undefined, undefined, resolve))
      await once(lively, 'pong')
    }
    await reach(1)
    assert.equal(lively.readyState, WebSocket.OPEN)
    lively.terminate()
    silent.destroy()
  })

  test('a WebSocket that talks too much is ended, not listened to', async () => {
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

  test('thousands of comings and goings leave no memory behind', async () => {
    const turns = runs(5, 10)
    const round = async () => {
      for (let turn = 0; turn < turns; turn++) {
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
    const growth = ((await round()) - before) / (4 * turns * 50)
    assert.ok(growth < 500, `${growth} bytes are left of each stream`)
  })
})
