/** Process: stream clients over raw sockets that only answer pings and record when signals or entries arrive. */
import { connect } from 'node:net'
import { answerOrders, monotonicMs } from './child-process.ts'

export interface StreamGroup {
  path: string
  isWebSocket?: boolean
  count: number
}

export type ClientOrder =
  | { type: 'open'; port: number; authorizations: readonly string[]; groups: readonly StreamGroup[] }
  /** Waits for `count` records and returns the arrival times of all of them. */
  | { type: 'collect'; count: number }

const OPENING_AT_ONCE = 100
const READY = Buffer.from('"connectionId"')
/** Part of the event of a signal or an entry in both protocols. */
const RECORD = Buffer.from('"change":"')
/** A WebSocket ping without data, and its answer, whose mask is zero. The service ends clients that do not answer. */
const PING = Buffer.from([0x89, 0])
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.alloc(16).toString('base64'),
}

/** Shared by all sockets: each callback uses it synchronously. */
const buffer = Buffer.alloc(65_536)
let arrivals: number[] = []
let collecting: { count: number; done: (times: number[]) => void } | undefined

answerOrders<ClientOrder, number | number[]>((given) => (given.type === 'open' ? openAll(given) : collect(given.count)))

/** Opens all streams and returns their number. */
async function openAll({ port, authorizations, groups }: ClientOrder & { type: 'open' }): Promise<number> {
  const requests = groups.flatMap(({ path, isWebSocket, count }) =>
    Array.from({ length: count }, (_, index) => {
      const authorization = authorizations[index % authorizations.length]
      const headers = Object.entries({ host: 'localhost', authorization, ...(isWebSocket && UPGRADE) })
      return `GET ${path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
    }),
  )
  let next = 0
  const openSome = async () => {
    while (next < requests.length) await open(port, requests[next++] ?? '')
  }
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, openSome))
  return requests.length
}

/** Resolves when the stream's `ready` event arrives. */
function open(port: number, request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let status: string | undefined
    let isReady = false
    const take = (length: number) => {
      const chunk = buffer.subarray(0, length)
      status ??= chunk.toString('latin1', 9, 12)
      if (!isReady && chunk.includes(READY)) {
        isReady = true
        resolve()
      }
      if (isReady && chunk.includes(RECORD)) arrive()
      // No text has a zero byte, and only WebSockets have others.
      if (chunk.includes(PING)) socket.write(PONG)
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback: take } })
    socket.on('error', reject).on('close', () => {
      // The bench would wait forever for the records of this stream.
      if (isReady) throw new Error('the service ended a stream')
      reject(new Error(`a stream closed with status ${status}`))
    })
    socket.write(request)
  })
}

function arrive(): void {
  arrivals.push(monotonicMs())
  if (collecting !== undefined && arrivals.length >= collecting.count) collecting.done(takeArrivals())
}

async function collect(count: number): Promise<number[]> {
  if (arrivals.length >= count) return takeArrivals()
  return new Promise((done) => {
    collecting = { count, done }
  })
}

function takeArrivals(): number[] {
  const taken = arrivals
  arrivals = []
  collecting = undefined
  return taken
}
