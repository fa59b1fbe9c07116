import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Admission } from '../admission/admit.ts'
import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import { type AnyEndpoint, routeOf } from './endpoint.ts'
import { errorBody } from './envelope.ts'
import { Pipeline } from './pipeline.ts'
import { routeUpgrades, wantsWebSocket } from './websocket.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: AnyEndpoint<never>
  }
}

/** For a whole request to arrive. */
const REQUEST_TIMEOUT_MS = 30_000

interface AppParts<Services> {
  endpoints: readonly AnyEndpoint<Services>[]
  services: Services
  admission: Admission
  adminToken: string
  clock: Clock
  log: Logger
}

/** Builds the HTTP service from its endpoints. It does not listen: that is for main.ts, and tests inject. */
export function createApp<Services>(parts: AppParts<Services>): FastifyInstance {
  const pipeline = new Pipeline(parts)
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // What still arrives while the service closes is answered like any other request.
    return503OnClosing: false,
    http: { requireHostHeader: false, shouldUpgradeCallback: wantsWebSocket },
    // The pipeline reads query strings itself: only what the endpoint's schema names, after the key is known.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500, querystringParser: (text) => ({ raw: text }) },
    // Found before there is a route: an id longer than any id, or bad percent-encoding in the path.
    frameworkErrors: (error, request, reply) => {
      const refusal =
        error.code === 'FST_ERR_MAX_PARAM_LENGTH'
          ? new ApiError('NOT_FOUND', 'No such resource')
          : new ApiError('BAD_REQUEST', 'The path is not valid')
      pipeline.serveUnrouted(request, reply, refusal)
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, parts.clock),
  })

  app.addHook('onRoute', (route) => {
    if (route.config?.endpoint === undefined) {
      throw new Error(`${route.method} ${route.url} is not in the list of endpoints`)
    }
  })
  // Bodies are read by the pipeline, once the key is known, whatever their Content-Type: the framework sees none.
  for (const method of app.supportedMethods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })

  for (const endpoint of parts.endpoints) {
    const serve = pipeline.serverOf(endpoint)
    app.route({
      method: endpoint.access === 'open' && endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
      url: routeOf(endpoint),
      config: { endpoint },
      handler: serve,
    })
  }
  app.setNotFoundHandler((request, reply) =>
    pipeline.serveUnrouted(request, reply, new ApiError('NOT_FOUND', 'No such route')),
  )
  routeUpgrades(app.server, (request, response) => app.routing(request, response))
  return app
}

/** What is not HTTP, or has headers beyond any bound, never becomes a request; it is answered all the same. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket, clock: Clock): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const message =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'The address and headers are too long'
      : 'The request is not valid HTTP; characters beyond ASCII in an address must be percent-encoded'
  const body = errorBody(new ApiError('BAD_REQUEST', message), clock.now())
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
}
