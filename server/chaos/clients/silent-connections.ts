import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCommand } from '../../bench/machine.ts'
import { spawnService } from '../../test/spawn.ts'
import { type Fault, Skipped } from '../fault.ts'
import { exchange } from '../raw-http.ts'
import { Rig } from '../rig.ts'

const FILE_LIMIT = 200
const CLIENTS = 400

export const silentConnections: Fault = {
  name: 'silent-connections',
  tries: `${CLIENTS} clients that connect and send nothing, half a request or half a body, to a service that may open ${FILE_LIMIT} files`,
  engines: ['sqlite', 'postgres'],
  async run({ engine, repeats, tally }) {
    if (!hasCommand('prlimit', '--version')) throw new Skipped('prlimit is not installed')
    await Rig.with(
      engine,
      tally,
      async (rig) => {
        for (let round = 0; round < Math.ceil(repeats / 5); round += 1) {
          const sockets = Array.from({ length: CLIENTS }, (_, index) => open(rig, index))
          await delay(200)
          await rig.recover(tally, () => servesNewClient(rig))
          tally.check(rig.isRunning, () => 'the service ended')
          for (const socket of sockets) socket.destroy()
        }
      },
      {
        start: (env) => spawnService(env, (command, args) => ['prlimit', [`--nofile=${FILE_LIMIT}`, command, ...args]]),
      },
    )
  },
}

/** Returns whether a client that connects now is served: connections from before the fault still work. */
async function servesNewClient(rig: Rig): Promise<boolean> {
  const headers = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${rig.account.key}`
  const result = await exchange(rig.port, [`GET /api/v1/entries HTTP/1.1\r\n${headers}\r\n\r\n`], { timeoutMs: 2_000 })
  rig.remember(result)
  if (result.replies.length === 0) rig.unanswered += 1
  return result.replies[0]?.status === 200
}

function open(rig: Rig, index: number): Socket {
  const socket = connect({ port: rig.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  const head = `GET /api/v1/entries HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${rig.account.key}\r\n`
  const beginnings = ['', 'GET', head, head.replace('GET', 'POST').replace('entries', 'account/api-keys')]
  const beginning = beginnings[index % beginnings.length] ?? ''
  void once(socket, 'connect').then(
    () => socket.write(index % 4 === 3 ? `${beginning}Content-Length: 100\r\n\r\n{` : beginning),
    () => {},
  )
  return socket
}
