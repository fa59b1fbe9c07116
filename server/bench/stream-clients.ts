/** Process: clients of streams over raw sockets, which note when signals arrive and do no more. */
import { connect } from 'node:net'
import { answerOrders, monotonicMs } from './orders.ts'

export interface StreamKind {
  path: string
  isWebSocket?: boolean
  count: number
}

export type ClientOrder =
  | { type: 'open'; port: number; authorizations: readonly string[]; kinds: readonly StreamKind[] }
  /** To wait for so many signals and give the times at which they and others came. */
  | { type: 'collect'; count: number }

const OPENING_AT_ONCE = 100
const READY = Buffer.from('"connectionId"')
/** In the frames of both protocols. */
const SIGNAL = Buffer.from('"signal":{')
const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.alloc(16).toString('base64'),
}

/** One for all: who is called has it for itself until it returns. */
const buffer = Buffer.alloc(65_536)
let arrivals: number[] = []
let collecting: { count: number; done: (times: number[]) => void } | undefined

answerOrders<ClientOrder, number | number[]>((given) => (given.type === 'open' ? openAll(given) : collect(given.count)))

/** Gives how many are open. */
async function openAll({ port, authorizations, kinds }: ClientOrder & { type: 'open' }): Promise<number> {
  const requests = kinds.flatMap(({ path, isWebSocket, count }) =>
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

/** Resolves when the stream says that it is ready. */
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
      if (isReady && chunk.includes(SIGNAL)) arrive()
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback: take } })
    socket.on('error', reject).on('close', () => reject(new Error(`a stream was answered ${status}`)))
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
