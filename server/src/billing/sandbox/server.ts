import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type Stripe from 'stripe'
import { Fault, refused } from './fault.ts'
import { BadForm, decodeForm, type Form } from './form.ts'
import { API_VERSION } from './objects.ts'
import { findRoute, type Route } from './routes.ts'

const BODY_BYTES_MAX = 256 * 1024
const KEY_LENGTH_MAX = 255

/** A request that was read and may run. */
export interface ApiCall {
  route: Route
  id: string
  form: Form
  request: Stripe.Event.Request
  /** The same for the same method, path and parameters. */
  digest: string
}

export interface ApiAnswer {
  status: number
  body: string
  isReplayed: boolean
}

/** The HTTP side: reads requests, checks the key, writes answers. What is to be done is up to `perform`. */
export function createApiServer(parts: {
  secretKey: string
  perform: (call: ApiCall) => Promise<ApiAnswer>
  onError: (error: unknown) => void
}): Server {
  const server = createServer((incoming, outgoing) => {
    const requestId = `req_sandbox_${randomBytes(12).toString('hex')}`
    answer(incoming, requestId)
      .catch((error) => {
        if (error instanceof Fault) return faultAnswer(error)
        // Whoever hung up in the middle of a request made no mistake of ours.
        if (incoming.complete) parts.onError(error)
        return faultAnswer(new Fault(500, { type: 'api_error', message: 'An unknown error occurred.' }))
      })
      .then((reply) => {
        // A connection that is kept would keep a server from closing.
        if (!server.listening) outgoing.shouldKeepAlive = false
        send(outgoing, reply, requestId, headerOf(incoming, 'idempotency-key'))
      })
  })
  return server

  async function answer(incoming: IncomingMessage, requestId: string): Promise<ApiAnswer> {
    const { method = '', url = '' } = incoming
    const [path = '', query = ''] = url.split('?', 2)
    // The body is read first, so that a refusal does not cut the connection while it is being sent.
    const body = await readBody(incoming)
    checkKey(incoming, parts.secretKey)
    const found = findRoute(method, path)
    if (found === undefined) throw unknownUrl(method, path)
    const text = method === 'POST' ? body : query
    const key = method === 'POST' ? headerOf(incoming, 'idempotency-key') : null
    if (key !== null && key.length > KEY_LENGTH_MAX) throw refused('Idempotency keys can have up to 255 characters')
    return parts.perform({
      route: found.route,
      id: decodeId(found.id),
      form: readForm(text),
      request: { id: requestId, idempotency_key: key },
      digest: createHash('sha256').update(`${method} ${path}\n${text}`).digest('hex'),
    })
  }
}

export const faultAnswer = ({ status, body }: Fault): ApiAnswer => ({
  status,
  body: JSON.stringify({ error: body }),
  isReplayed: false,
})

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += chunk.length
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
  }
  if (bytes > BODY_BYTES_MAX) throw new Fault(413, { type: 'invalid_request_error', message: 'The body is too large.' })
  return Buffer.concat(chunks).toString('utf8')
}

function checkKey(incoming: IncomingMessage, secretKey: string): void {
  const given = /^Bearer (.+)$/.exec(headerOf(incoming, 'authorization') ?? '')?.[1]
  const type = 'invalid_request_error'
  if (given === undefined) throw new Fault(401, { type, message: 'You did not provide an API key.' })
  const digest = (key: string) => createHash('sha256').update(key).digest()
  if (!timingSafeEqual(digest(given), digest(secretKey))) {
    throw new Fault(401, { type, message: `Invalid API Key provided: ${given.slice(0, 3)}****` })
  }
}

function readForm(text: string): Form {
  try {
    return decodeForm(text)
  } catch (error) {
    throw error instanceof BadForm ? refused(error.message, { code: 'parameter_invalid' }) : error
  }
}

function decodeId(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

const unknownUrl = (method: string, path: string) =>
  new Fault(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}): the sandbox does not know it.`,
  })

function headerOf(incoming: IncomingMessage, name: string): string | null {
  const value = incoming.headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

function send(outgoing: ServerResponse, reply: ApiAnswer, requestId: string, key: string | null): void {
  outgoing.writeHead(reply.status, {
    'content-type': 'application/json',
    'request-id': requestId,
    'stripe-version': API_VERSION,
    ...(key !== null && { 'idempotency-key': key }),
    ...(reply.isReplayed && { 'idempotent-replayed': 'true' }),
    // A failure of our own is told at once instead of being tried again by the SDK.
    ...(reply.status >= 500 && { 'stripe-should-retry': 'false' }),
  })
  outgoing.end(reply.body)
}
