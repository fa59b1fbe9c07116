import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { residentMb } from '../../bench/machine.ts'
import type { Fault } from '../fault.ts'
import { Rig } from '../rig.ts'

const CLIENTS = 5
const SECONDS = 5
const MAX_GROWTH_MB = 150
/** A masked ping frame with 125 bytes, many times. */
const PINGS = Buffer.concat(
  Array.from({ length: 500 }, () => Buffer.concat([Buffer.of(0x89, 0xfd, 0, 0, 0, 0), Buffer.alloc(125)])),
)

export const unreadPongs: Fault = {
  name: 'unread-pongs',
  tries: 'WebSocket clients that send pings for seconds and never read; the memory of the service stays bounded',
  engines: ['sqlite', 'postgres'],
  async run({ engine, tally }) {
    await Rig.with(engine, tally, async (rig) => {
      const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => openWebSocket(rig)))
      const before = residentMb(rig.child.pid)
      const end = performance.now() + SECONDS * 1_000
      let sent = 0
      await Promise.all(
        sockets.map(async (socket) => {
          while (performance.now() < end && !socket.destroyed) {
            if (socket.writableNeedDrain) await delay(5)
            else if (socket.write(PINGS)) await delay(0)
            sent = sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
          }
        }),
      )
      const growth = residentMb(rig.child.pid) - before
      tally.note = `${Math.round(sent / 1e6)} MB of pings, memory grew by ${Math.round(growth)} MB`
      tally.check(growth < MAX_GROWTH_MB, () => `memory grew by ${Math.round(growth)} MB`)
      for (const socket of sockets) socket.destroy()
      await rig.recover(tally)
    })
  },
}

/** Opens a WebSocket that is never read. */
async function openWebSocket(rig: Rig) {
  const socket = connect(rig.port, '127.0.0.1')
  socket.on('error', () => {})
  const head = [
    'GET /api/v1/signals/ws HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${rig.account.key}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}
