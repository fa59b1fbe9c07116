import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Admission } from '../admission/admit.ts'
import type { Caller } from '../admission/caller.ts'
import { bearerSecret } from '../admission/key.ts'
import type { OperatorRequest } from '../admission/operator-request.ts'
import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import { http } from '../node-http.ts'
import { Answer, type Logs, toApiError } from './answer.ts'
import { AnswerBodies } from './answer-bodies.ts'
import { summaryOf } from './audit-summary.ts'
import { readBody } from './body.ts'
import { AssessedRequest, checkRequest } from './check-request.ts'
import { type ClientAddresses, networkOf } from './client-address.ts'
import type { Cors } from './cors.ts'
import { type Download, hasLeft } from './download.ts'
import { type AnyEndpoint, type Assess, isOfDashboard, isStream, type StreamKind } from './endpoint.ts'
import { type AnswerFormat, JSON_FORMAT, successBody } from './envelope.ts'
import { creditHeaders, rateHeaders } from './headers.ts'
import { HTML_FORMAT, type HtmlAnswer } from './html-page.ts'
import { replayHeaders, withoutSecrets } from './idempotent-answer.ts'
import { ignoredParamsHeader } from './ignored-params.ts'
import { headerOf, type ParsedInput, type Route, receiveInput, routeTo, withoutFuture } from './input.ts'
import { noticeOf } from './notice.ts'
import { OperatorGate, requireScope } from './operator.ts'
import type { ServiceAddress } from './public-url.ts'
import { Relays } from './relays.ts'
import { Visit } from './visit.ts'

const ADMIN_PATH = /^\/admin(?![^/?])/

/** Runs the handler of an endpoint that reads data with services that read from the primary, or from a replica. */
export type ReadData<Services> = <T>(read: (services: Services) => Promise<T>) => Promise<T>

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Serves every request: authentication, rate limit, input, credits, the endpoint's handler, the charge, the response.
 */
export class Pipeline<Services> {
  readonly #services: Services
  readonly #readData: ReadData<Services> | undefined
  readonly #admission: Admission
  readonly #operator: OperatorGate
  readonly #servesOperator: boolean
  readonly #addresses: ClientAddresses
  readonly #address: ServiceAddress
  readonly #clock: Clock
  readonly #logs: Logs
  readonly #cors: Cors | undefined
  readonly #relays: Relays<Services>
  #app: Pick<FastifyInstance, 'routing'> | undefined
  readonly #bodies = new AnswerBodies()

  constructor(parts: {
    services: Services
    readData?: ReadData<Services> | undefined
    admission: Admission
    servesOperator: boolean
    addresses: ClientAddresses
    address: ServiceAddress
    clock: Clock
    logs: Logs
    cors: Cors | undefined
    corsOrigins: readonly string[]
  }) {
    this.#services = parts.services
    this.#readData = parts.readData
    this.#admission = parts.admission
    this.#operator = new OperatorGate({ ...parts, operators: parts.admission.operators, log: parts.logs.log })
    this.#servesOperator = parts.servesOperator
    this.#addresses = parts.addresses
    this.#address = parts.address
    this.#clock = parts.clock
    this.#logs = parts.logs
    this.#cors = parts.cors
    this.#relays = new Relays(parts)
  }

  /** Sets the service that this pipeline serves: `assess` and relays send requests to it. */
  attach(app: Pick<FastifyInstance, 'routing' | 'inject'>): void {
    this.#app = app
    this.#relays.attach(app)
  }

  handlerFor(endpoint: AnyEndpoint<Services>): Handler {
    const route = routeTo(endpoint)
    if (endpoint.access === 'relay') return this.#relays.handlerFor(route)
    if (isOfDashboard(endpoint)) return (request, reply) => this.#serveVisit(route, request, reply)
    if (endpoint.returns === 'html') {
      if (endpoint.access !== 'open') throw new Error(`${route.name} returns HTML, so its access must be open`)
      return (request, reply) => this.#serveHtml(route, request, reply)
    }
    if (endpoint.access === 'key') return (request, reply) => this.#serveWithKey(route, undefined, request, reply)
    if (endpoint.access === 'operator') return (request, reply) => this.#serveOperator(route, request, reply)
    return (request, reply) => this.#serveWithoutKey(route, request, reply)
  }

  /**
   * Refuses a request that matches no route, unless it is a preflight. It needs a key and counts towards its rate limit.
   * Below /admin the operator's token will do, or nothing if the operator API has another address.
   */
  async serveUnrouted(request: FastifyRequest, reply: FastifyReply, refusal: () => ApiError): Promise<void> {
    if (this.#cors?.isPreflight(request.raw)) {
      const answer = this.#answer(request, reply)
      answer.addHeaders(this.#cors.preflightHeaders(request.headers.origin))
      answer.noContent()
      return
    }
    const hasKey = bearerSecret(request.headers.authorization) !== undefined
    if (ADMIN_PATH.test(request.url) && !(this.#servesOperator && hasKey)) {
      const answer = this.#answer(request, reply)
      try {
        if (this.#servesOperator) await this.#operator.check(request.raw)
        answer.fail(refusal())
      } catch (error) {
        answer.fail(error)
      }
      return
    }
    return this.#serveWithKey(undefined, refusal, request, reply)
  }

  /** Without a route, `refusal` returns the error to answer with after authentication and rate limit. */
  async #serveWithKey(
    route: Route<Services> | undefined,
    refusal: (() => ApiError) | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    if (request.raw instanceof AssessedRequest) {
      reply.hijack()
      request.raw.routed({ route, ...checkRequest(route, refusal, request, undefined, request.raw.caller, undefined) })
      return
    }
    const answer = this.#answer(request, reply, route?.name)
    const address = this.#addresses.of(request.raw)
    const client = networkOf(address)
    const authenticate = () => this.#admission.callers.authenticate(request.headers.authorization, client)
    let caller: Caller
    let given: string | ApiError = ''
    try {
      const known = authenticate()
      // A cached caller is not a promise; awaiting it would cost a microtask.
      caller = known instanceof Promise ? await known : known
      if (route?.readBody !== undefined) {
        given = await readBody(request.raw, 'key').catch(toApiError)
        // Again: a slow body leaves time for the key to be revoked.
        caller = await authenticate()
      }
    } catch (error) {
      answer.fail(error)
      return
    }
    answer.caller = caller

    let checked = checkRequest(route, refusal, request, given, caller, address)
    const { meter, requestWriter } = this.#admission
    const { id: accountId } = caller.account
    let held = 0
    try {
      let admitted = await this.#admission.admit(caller, checked.cost, checked.refusal)
      if (admitted === undefined) {
        const current = await this.#admission.callers.identify(request.headers.authorization, client).catch(toApiError)
        if (current instanceof ApiError) {
          answer.fail(current)
          return
        }
        caller = current
        answer.caller = caller
        checked = checkRequest(route, refusal, request, given, caller, address)
        admitted = await this.#admission.admit(caller, checked.cost, checked.refusal)
      }
      const { input, cost } = checked
      if (admitted === undefined) throw new Error('the caller is outdated although it was just read')
      answer.addHeaders(rateHeaders(admitted.limits, admitted.rate))
      if (!admitted.rate.isAllowed) {
        answer.addHeaders(creditHeaders(0, meter.available(accountId)))
        const body = answer.fail(admitted.refusal)
        requestWriter.logRateLimited(answer.toLoggedRequest(route?.name, body.length, 0))
        return
      }
      if (admitted.refusal !== undefined || route === undefined || input === undefined) {
        throw admitted.refusal ?? new Error('admitted a request without input')
      }
      nameIgnored(answer, route, input)
      const { returns } = route.endpoint
      if (isStream(returns)) return await this.#stream(route, returns, input, { ...caller, address }, answer)
      if (returns === 'download') {
        // It holds what it costs as it goes.
        if (cost > 0) meter.release(accountId, cost, 'requests')
        return await this.#download(route, input, { caller, address }, answer, request, reply)
      }
      held = cost
      const whole = await this.#runOnce(route, input, caller, answer)
      const body = answer.revalidate(this.#bodies.select(whole, input.selection))
      const loggedRequest = answer.toLoggedRequest(route.name, body.length, cost)
      if (cost > 0) {
        held = 0
        const balance = await this.#admission.chargeOrRefuse(caller, loggedRequest)
        answer.addHeaders(creditHeaders(cost, balance))
      } else {
        requestWriter.log(loggedRequest)
        answer.addHeaders(creditHeaders(0, meter.available(accountId)))
      }
      answer.succeed(body, loggedRequest.durationMs)
    } catch (error) {
      if (held > 0) meter.release(accountId, held, 'requests')
      answer.addHeaders(creditHeaders(0, meter.available(accountId)))
      const body = answer.fail(error)
      requestWriter.log(answer.toLoggedRequest(route?.name, body.length, 0))
    }
  }

  async #stream(
    { endpoint, name }: Route<Services>,
    kind: StreamKind,
    input: ParsedInput,
    caller: Caller & { address: string },
    answer: Answer,
  ): Promise<void> {
    const { meter, requestWriter } = this.#admission
    const streaming = await endpoint.handle({ ...input, caller, endpoint: name }, this.#services)
    answer.addHeaders(creditHeaders(0, meter.available(caller.account.id)))
    answer.stream(kind, streaming)
    requestWriter.log(answer.toLoggedRequest(name, 0, 0))
  }

  /** Sends a file, whose endpoint charges for it and may log it with its first charge. */
  async #download(
    { endpoint, name }: Route<Services>,
    input: ParsedInput,
    { caller, address }: { caller: Caller; address: string },
    answer: Answer,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { meter, requestWriter } = this.#admission
    const now = this.#clock.now()
    const toLogged = (bytes: number) => ({ ...answer.toLoggedRequest(name, bytes, 0), createdAt: now })
    const download: Download = await this.#handle(endpoint, {
      ...input,
      query: withoutFuture(input.query, now),
      caller,
      endpoint: name,
      request: { isHead: request.method === 'HEAD', address, toLogged, hasLeft: () => hasLeft(reply.raw) },
      header: (name: string) => headerOf(request, name),
    })
    answer.addHeaders(creditHeaders(download.cost, meter.available(caller.account.id)))
    const bytes = await answer.download(download)
    if (download.isLogged) requestWriter.complete(toLogged(bytes))
    else requestWriter.log(toLogged(bytes))
  }

  /** Serves the operator API, which has an audit trail instead of a rate limit, credits and a request log. */
  async #serveOperator(route: Route<Services>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const answer = this.#answer(request, reply, route.name)
    const { endpoint } = route
    let operator: OperatorRequest | undefined
    try {
      const [target] = Object.values(request.params as Record<string, string>)
      operator = this.#admission.operators.request(await this.#operator.check(request.raw), {
        requestId: request.id,
        method: request.method,
        route: route.name,
        target,
      })
      requireScope(operator, endpoint.operatorScope ?? 'owner')
      const input = await receiveInput(route, request)
      // Again: a slow body leaves time for the token to be revoked.
      await this.#operator.check(request.raw)
      nameIgnored(answer, route, input)
      if (endpoint.method !== 'GET' || endpoint.isAudited) {
        await operator.begin(summaryOf(endpoint, input.params, input.body))
      }
      const body = await this.#runOnce(route, { ...input, operator }, undefined, answer)
      await operator.end(200)
      answer.succeed(answer.revalidate(body))
    } catch (error) {
      await operator?.end(toApiError(error).statusCode)
      answer.fail(error)
    }
  }

  /** Serves open and signed endpoints, which have no rate limit, credits or request log. */
  async #serveWithoutKey(route: Route<Services>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { pageForBrowsers } = route.endpoint
    const isBrowser = pageForBrowsers !== undefined && request.headers.accept?.includes('text/html') === true
    const answer = this.#answer(request, reply, route.name, isBrowser ? HTML_FORMAT : undefined)
    if (pageForBrowsers !== undefined) answer.addHeaders({ vary: 'Accept, Origin' })
    try {
      if (isBrowser && typeof pageForBrowsers === 'string') return answer.page({ location: pageForBrowsers })
      const input = await receiveInput(route, request)
      nameIgnored(answer, route, input)
      const isOperator = () => this.#operator.isCalling(request.raw)
      if (isBrowser && typeof pageForBrowsers === 'function') {
        const data = await route.endpoint.handle({ ...input, isOperator, endpoint: route.name }, this.#services)
        return answer.page({ html: pageForBrowsers(data) })
      }
      answer.succeed(answer.revalidate(await this.#run(route, { ...input, isOperator }, undefined, answer)))
    } catch (error) {
      answer.fail(error)
    }
  }

  /** Serves HTML endpoints; their errors are HTML pages too. */
  async #serveHtml(route: Route<Services>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const answer = new Answer(request, reply, this.#clock, this.#logs, route.name, HTML_FORMAT)
    try {
      const input = await receiveInput(route, request)
      const result: HtmlAnswer = await route.endpoint.handle({ ...input, endpoint: route.name }, this.#services)
      if (!('text' in result)) return answer.page(result)
      answer.addHeaders({ 'content-type': result.type, ...result.headers })
      answer.succeed(answer.revalidate(this.#bodies.cached(result, undefined, () => Buffer.from(result.text))))
    } catch (error) {
      answer.fail(error)
    }
  }

  /** Serves the dashboard. Its answers are neither for pages of other origins nor for caches. */
  async #serveVisit(route: Route<Services>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { endpoint, name } = route
    const format = endpoint.returns === 'html' ? HTML_FORMAT : JSON_FORMAT
    const answer = new Answer(request, reply, this.#clock, this.#logs, name, format)
    answer.addHeaders({ 'cache-control': 'no-store' })
    const visit = new Visit(request.raw, this.#addresses.of(request.raw), this.#address)
    try {
      if (endpoint.method !== 'GET') visit.checkOrigin()
      const input = await receiveInput(route, request)
      const signedIn = await this.#admission.sessions.find(visit.cookie('session'))
      if (endpoint.access === 'session' && signedIn === undefined) {
        throw new ApiError('UNAUTHORIZED', 'You are not signed in, or your session has ended')
      }
      const result = await endpoint.handle({ ...input, visit, signedIn, endpoint: name }, this.#services)
      answer.setCookies(visit.newCookies)
      if (endpoint.returns === 'html') answer.page(result)
      else answer.succeed(successBody(result))
    } catch (error) {
      answer.setCookies(visit.newCookies)
      answer.fail(error)
    }
  }

  /** Creates an answer that pages of allowed origins may read. */
  #answer(request: FastifyRequest, reply: FastifyReply, endpoint?: string, format?: AnswerFormat): Answer {
    const answer = new Answer(request, reply, this.#clock, this.#logs, endpoint, format)
    if (this.#cors !== undefined) answer.addHeaders(this.#cors.headersFor(request.headers.origin))
    return answer
  }

  #runOnce(route: Route<Services>, input: ParsedInput, caller: Caller | undefined, answer: Answer): Promise<Buffer> {
    const { idempotencyKey: key } = input
    return key === undefined
      ? this.#run(route, input, caller, answer)
      : this.#runOrRepeat(key, route, input, caller, answer)
  }

  /** Runs the endpoint, or repeats the answer to the first request with the same idempotency key. */
  async #runOrRepeat(
    key: string,
    route: Route<Services>,
    input: ParsedInput,
    caller: Caller | undefined,
    answer: Answer,
  ): Promise<Buffer> {
    const { params, query, body: given } = input
    const { idempotency } = this.#admission
    const digest = hash('sha256', JSON.stringify([route.name, params, query, given]))
    // Each admin token has idempotency keys of its own.
    const request = { owner: caller?.account.id ?? `operator:${input.operator?.name}`, key, digest }
    const known = await idempotency.start(request)
    if (known !== undefined) {
      answer.addHeaders(replayHeaders(route.endpoint))
      input.operator?.repeats()
      return Buffer.from(known)
    }
    try {
      const body = await this.#run(route, input, caller, answer)
      await idempotency.finish(request, withoutSecrets(body.toString(), route.endpoint))
      return body
    } catch (error) {
      await idempotency.fail(request, error)
      throw error
    }
  }

  /** Runs the endpoint's handler and returns the response body. */
  async #run(route: Route<Services>, input: ParsedInput, caller: Caller | undefined, answer: Answer): Promise<Buffer> {
    const { endpoint, name } = route
    const { query } = input
    const now = this.#clock.now()
    const known = withoutFuture(query, now)
    const given = { ...input, query: known, caller, endpoint: name, assess: this.#assess }
    const result = await this.#handle(endpoint, given)
    const notice = noticeOf(endpoint, query, result, now)
    if (notice !== undefined) answer.addHeaders({ 'x-notice': notice })
    if (endpoint.returns === 'text') answer.addHeaders({ 'content-type': result.type })
    return this.#bodies.of(route, input, caller, result)
  }

  // biome-ignore lint/suspicious/noExplicitAny: of endpoints of every shape
  #handle(endpoint: AnyEndpoint<Services>, input: unknown): any {
    if (!endpoint.readsData || this.#readData === undefined) return endpoint.handle(input, this.#services)
    return this.#readData((services) => endpoint.handle(input, services))
  }

  /**
   * Routes and checks another request of a caller like one that arrives, up to the handler, and asks for its admission
   * without counting it. It is assumed to have a valid body, and the handshake of a WebSocket.
   */
  readonly #assess: Assess = async (caller, method, url) => {
    const request = new AssessedRequest(caller, method, url)
    this.#app?.routing(request, new http.ServerResponse(request))
    const { route, input, cost, refusal: verdict } = await request.checked
    const { rate, refusal } = await this.#admission.assess(caller, cost, verdict)
    return { endpoint: route?.endpoint, query: input?.query, cost, rate, refusal }
  }
}

function nameIgnored(answer: Answer, { endpoint }: Route<never>, { ignored }: ParsedInput): void {
  if (ignored.length === 0) return
  const known = Object.keys(endpoint.query?.properties ?? {})
  answer.addHeaders({ 'x-ignored-parameters': ignoredParamsHeader(ignored, known) })
}
