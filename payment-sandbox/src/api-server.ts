import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type Stripe from 'stripe'
import { invalidRequest, RequestError } from './errors.ts'
import { decodeForm, type Form, FormError } from './form.ts'
import { API_VERSION } from './objects.ts'
import { findRoute, type Route } from './routes.ts'

// An import statement would load Node's fetch as well, which costs 50 ms.
const { createServer } = process.getBuiltinModule('node:http')

const BODY_BYTES_MAX = 256 * 1024
const KEY_LENGTH_MAX = 255

export interface SandboxRequest {
  route: Route
  id: string
  form: Form
  /** The ids of the request, as its events contain them. */
  origin: Stripe.Event.Request
  /** A digest of method, path and parameters. */
  digest: string
}

export interface SandboxResponse {
  status: number
  body: string
  isReplayed: boolean
}

/** Creates the HTTP server, which authenticates and parses requests and passes them to `perform`. */
export function createApiServer(parts: {
  secretKey: string
  perform: (request: SandboxRequest) => Promise<SandboxResponse>
  onError: (error: unknown) => void
}): Server {
  const server = createServer((incoming, outgoing) => {
    const requestId = `req_sandbox_${randomBytes(12).toString('hex')}`
    respond(incoming, requestId)
      .catch((error) => {
        if (error instanceof RequestError) return errorResponse(error)
        // An incomplete request means that the client disconnected, which is not an error of the sandbox.
        if (incoming.complete) parts.onError(error)
        return errorResponse(new RequestError(500, { type: 'api_error', message: 'An unknown error occurred.' }))
      })
      .then((response) => {
        // A kept-alive connection would delay the close of the server.
        if (!server.listening) outgoing.shouldKeepAlive = false
        send(outgoing, response, requestId, header(incoming, 'idempotency-key'))
      })
  })
  return server

  async function respond(incoming: IncomingMessage, requestId: string): Promise<SandboxResponse> {
    const { method = '', url = '' } = incoming
    const [path = '', query = ''] = url.split('?', 2)
    // The body is read before any check, because an early response would reset the connection of a client that still sends.
    const body = await readBody(incoming)
    checkKey(incoming, parts.secretKey)
    const found = findRoute(method, path)
    if (found === undefined) throw unknownUrl(method, path)
    const text = method === 'POST' ? body : query
    const key = method === 'POST' ? header(incoming, 'idempotency-key') : null
    if (key !== null && key.length > KEY_LENGTH_MAX) {
      throw invalidRequest(`Idempotency keys can have up to ${KEY_LENGTH_MAX} characters`)
    }
    return parts.perform({
      route: found.route,
      id: decodeId(found.id),
      form: readForm(text),
      origin: { id: requestId, idempotency_key: key },
      digest: createHash('sha256').update(`${method} ${path}\n${text}`).digest('hex'),
    })
  }
}

export const errorResponse = ({ status, body }: RequestError): SandboxResponse => ({
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
  if (bytes > BODY_BYTES_MAX) {
    throw new RequestError(413, { type: 'invalid_request_error', message: 'The body is too large.' })
  }
  return Buffer.concat(chunks).toString('utf8')
}

function checkKey(incoming: IncomingMessage, secretKey: string): void {
  const given = /^Bearer (.+)$/.exec(header(incoming, 'authorization') ?? '')?.[1]
  const type = 'invalid_request_error'
  if (given === undefined) throw new RequestError(401, { type, message: 'You did not provide an API key.' })
  const digest = (key: string) => createHash('sha256').update(key).digest()
  if (!timingSafeEqual(digest(given), digest(secretKey))) {
    throw new RequestError(401, { type, message: `Invalid API Key provided: ${given.slice(0, 3)}****` })
  }
}

function readForm(text: string): Form {
  try {
    return decodeForm(text)
  } catch (error) {
    throw error instanceof FormError ? invalidRequest(error.message, { code: 'parameter_invalid' }) : error
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
  new RequestError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}): the sandbox does not support it.`,
  })

function header(incoming: IncomingMessage, name: string): string | null {
  const value = incoming.headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

function send(outgoing: ServerResponse, response: SandboxResponse, requestId: string, key: string | null): void {
  outgoing.writeHead(response.status, {
    'content-type': 'application/json',
    'request-id': requestId,
    'stripe-version': API_VERSION,
    ...(key !== null && { 'idempotency-key': key }),
    ...(response.isReplayed && { 'idempotent-replayed': 'true' }),
    // Makes the SDK report an error of the sandbox at once instead of retrying.
    ...(response.status >= 500 && { 'stripe-should-retry': 'false' }),
  })
  outgoing.end(response.body)
}
