import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Admission } from '../admission/admit.ts'
import type { Clock } from '../clock.ts'
import { restrictionError } from '../model/key-restrictions.ts'
import { Answer, type Logs } from './answer.ts'
import { readBody } from './body.ts'
import { type ClientAddresses, networkOf } from './client-address.ts'
import { Cors } from './cors.ts'
import { methodsOf } from './endpoint.ts'
import type { Route } from './input.ts'
import type { ServiceAddress } from './public-url.ts'
import { checkOrigin, Relay } from './relay.ts'

interface Parts<Services> {
  services: Services
  admission: Admission
  addresses: ClientAddresses
  address: ServiceAddress
  clock: Clock
  logs: Logs
  cors: Cors | undefined
  corsOrigins: readonly string[]
}

/** Serves clients of other protocols. Only the requests to the API that they lead to are metered and logged. */
export class Relays<Services> {
  readonly #parts: Parts<Services>
  #app: Pick<FastifyInstance, 'inject'> | undefined

  constructor(parts: Parts<Services>) {
    this.#parts = parts
  }

  /** Sets the service that requests are sent to. */
  attach(app: Pick<FastifyInstance, 'inject'>): void {
    this.#app = app
  }

  handlerFor(route: Route<Services>): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
    const { cors, corsOrigins } = this.#parts
    const { origins } = route.endpoint
    const own = origins && new Cors([...corsOrigins, ...origins], methodsOf(route.endpoint))
    return (request, reply) => this.#serve(route, own ?? cors, request, reply)
  }

  async #serve(
    { endpoint, name }: Route<Services>,
    cors: Cors | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { services, clock, logs, address } = this.#parts
    const answer = new Answer(request, reply, clock, logs, name)
    const { origin } = request.headers
    if (cors !== undefined) answer.addHeaders(cors.headersFor(origin))
    if (cors !== undefined && request.method === 'OPTIONS') {
      answer.addHeaders(cors.preflightHeaders(origin))
      answer.noContent()
      return
    }
    try {
      checkOrigin(origin, address, cors)
      const body = endpoint.method === 'POST' ? await readBody(request.raw, 'relay') : ''
      const relay = this.#relayOf(request, body)
      const params = request.params as Record<string, string>
      answer.reply(await endpoint.handle({ params, relay, endpoint: name }, services))
    } catch (error) {
      answer.fail(error)
    }
  }

  #relayOf(request: FastifyRequest, body: string): Relay {
    const { admission, addresses } = this.#parts
    if (this.#app === undefined) throw new Error('the relay has no service')
    const address = addresses.of(request.raw)
    return new Relay({
      request,
      body,
      app: this.#app,
      authenticate: async (authorization) => {
        const caller = await admission.callers.authenticate(authorization, networkOf(address))
        const refusal = restrictionError(caller.key, { scope: undefined, address })
        if (refusal !== undefined) throw refusal
      },
    })
  }
}
