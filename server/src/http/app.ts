import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import type { Admission } from '../admission/admit.ts'
import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import { withTrace } from '../trace.ts'
import type { Logs } from './answer.ts'
import { ClientAddresses } from './client-address.ts'
import { limitConnections } from './connections.ts'
import { Cors } from './cors.ts'
import type { Drain } from './drain.ts'
import { type AnyEndpoint, methodsOf, routeOf } from './endpoint.ts'
import { errorBody } from './envelope.ts'
import { Pipeline, type ReadData } from './pipeline.ts'
import type { ServiceAddress } from './public-url.ts'
import { unroutedErrors } from './unrouted.ts'
import { routeUpgrades, wantsWebSocket } from './websocket.ts'
import { endInTime } from './wire.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: AnyEndpoint<never>
  }
}

/** Time for a whole request to arrive, and for its headers. */
const REQUEST_TIMEOUT_MS = 30_000
const HEADERS_TIMEOUT_MS = 6_000
const CHECK_TIMEOUTS_MS = 1_000
/** How long a client whose request is refused may keep its half of the connection open. */
const REFUSED_GRACE_MS = 1_000

function unused(): never {
  throw new Error('no route has a schema of its own')
}

interface AppParts<Services> {
  endpoints: readonly AnyEndpoint<Services>[]
  services: Services
  /** Undefined without a replica. */
  readData?: ReadData<Services> | undefined
  admission: Admission
  clock: Clock
  logs: Logs
  /** Connections beyond this number are closed at once. */
  connectionsPerAddress: number
  /** Origins whose pages may call the API; `*` allows all. */
  corsOrigins: readonly string[]
  /** Addresses and networks of proxies whose X-Forwarded-For names the client. */
  trustedProxies: readonly string[]
  /** The addresses of the service, by which it recognises its own pages. */
  address: ServiceAddress
  drain: Drain
}

/** Creates the HTTP service from its endpoints, without listening: tests inject requests. */
export function createApp<Services>(parts: AppParts<Services>): FastifyInstance {
  const servesOperator = parts.endpoints.some(({ access }) => access === 'operator')
  const addresses = new ClientAddresses(parts.trustedProxies)
  const methods = new Set(['HEAD', ...parts.endpoints.map(({ method }) => method)])
  const cors = parts.corsOrigins.length > 0 ? new Cors(parts.corsOrigins, [...methods]) : undefined
  const pipeline = new Pipeline({ ...parts, cors, addresses, servesOperator })
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Requests that arrive during shutdown are served like any other.
    return503OnClosing: false,
    http: {
      requireHostHeader: false,
      shouldUpgradeCallback: wantsWebSocket,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_TIMEOUTS_MS,
    },
    // The pipeline validates and serializes itself; Fastify's own compilers would slow every start.
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    // The pipeline parses query strings itself, after authentication, and only the parameters of the endpoint.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500, querystringParser: (text) => ({ raw: text }) },
    // Raised before routing: a path parameter that is too long, or invalid percent-encoding in the path.
    frameworkErrors: (error, request, reply) => {
      const refusal =
        error.code === 'FST_ERR_MAX_PARAM_LENGTH'
          ? new ApiError('NOT_FOUND', 'No such resource')
          : new ApiError('BAD_REQUEST', 'The path contains invalid percent-encoding')
      pipeline.serveUnrouted(request, reply, () => refusal)
    },
    clientErrorHandler: (error, socket) => refuseUnparsable(error, socket, parts.clock),
  })

  app.addHook('onRoute', (route) => {
    if (route.config?.endpoint === undefined) {
      throw new Error(`${route.method} ${route.url} is not in the list of endpoints; add it to api/index.ts`)
    }
  })
  // The pipeline reads bodies itself, after authentication and regardless of Content-Type.
  for (const method of app.supportedMethods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })

  for (const endpoint of parts.endpoints) {
    const handle = pipeline.handlerFor(endpoint)
    app.route({
      method: methodsOf(endpoint),
      url: routeOf(endpoint),
      config: { endpoint },
      handler: (request, reply) => withTrace(request.headers.traceparent, () => handle(request, reply)),
    })
  }
  const unrouted = unroutedErrors(parts.endpoints)
  app.setNotFoundHandler((request, reply) =>
    pipeline.serveUnrouted(request, reply, () => unrouted(request.method, request.url)),
  )
  pipeline.attach(app)
  parts.drain.watch(app.server, (request, response) => app.routing(request, response))
  // A client may close its half after its last request. Node would close the other half at once, without the answer.
  Object.assign(app.server, { httpAllowHalfOpen: true })
  limitConnections(app.server, parts.connectionsPerAddress, addresses, parts.logs.log)
  // Node would answer 417 without a body to expectations other than 100-continue.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  routeUpgrades(app.server, (request, response) => app.routing(request, response))
  return app
}

/** Sockets with bytes that are refused, now or once the requests before them are answered. */
const refused = new WeakSet<Socket>()

/** Answers 400 to bytes that Node cannot parse as a request: not HTTP, or headers over the limit. */
function refuseUnparsable(error: NodeJS.ErrnoException, socket: Socket, clock: Clock): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy()
    return
  }
  // Node reports each further chunk of an unparsable connection again.
  if (refused.has(socket)) return
  refused.add(socket)
  afterAnswers(socket, () => {
    if (!socket.writable) return
    const body = errorBody(new ApiError('BAD_REQUEST', reasonOf(error)), clock.now())
    socket.write(
      `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    )
    endInTime(socket, REFUSED_GRACE_MS)
  })
}

/** Runs `work` once the complete requests of a connection are answered: they may have been charged. */
function afterAnswers(socket: Socket & { _httpMessage?: ServerResponse | null }, work: () => void): void {
  // Node has no public name for the response that a socket is waiting for.
  const { _httpMessage: response } = socket
  if (response?.req.complete) response.once('finish', () => afterAnswers(socket, work))
  else work()
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'The URL and headers are too long'
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time'
  return 'The request is not valid HTTP; percent-encode non-ASCII characters in the URL'
}
