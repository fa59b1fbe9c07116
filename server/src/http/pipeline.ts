import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Admission } from '../admission/admit.ts'
import type { Caller } from '../admission/caller.ts'
import { DEMO_LIST_CAP } from '../admission/demo.ts'
import { gateError } from '../admission/gate.ts'
import { bearerToken } from '../admission/key.ts'
import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import type { CursorPage, Position } from '../model/paging.ts'
import { baseCost, effectiveCost } from '../plans/cost.ts'
import { Answer, NO_BODY, toApiError } from './answer.ts'
import { type BodyReader, bodyReader, formReader, readBody } from './body.ts'
import { type AnyEndpoint, isStream } from './endpoint.ts'
import { successBody } from './envelope.ts'
import { creditHeaders, rateHeaders } from './headers.ts'
import { HTML_FORM } from './html-page.ts'
import { type Applied, cursorMeta, offsetMeta, pageMeta, positionOf } from './paging.ts'
import { type QueryReader, queryReader } from './query.ts'
import { checkHandshake } from './websocket.ts'

const MAX_URL_LENGTH = 8_192

/** What an endpoint's schemas made of a request. */
interface Read {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  page: { limit: number; from: Position | undefined; offset: number; number: number }
  header: ((name: string) => string | undefined) | undefined
}

interface Mounted<Services> {
  endpoint: AnyEndpoint<Services>
  name: string
  readQuery: QueryReader
  readBody: BodyReader | undefined
}

type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Takes a request through admission and its endpoint to an answer. Every route goes through here. */
export class Pipeline<Services> {
  readonly #services: Services
  readonly #admission: Admission
  readonly #adminTokenHash: Buffer
  readonly #clock: Clock
  readonly #log: Logger
  readonly #bodies = new WeakMap<CursorPage<unknown>, Map<string | undefined, Buffer>>()

  constructor(parts: {
    services: Services
    admission: Admission
    adminToken: string
    clock: Clock
    log: Logger
  }) {
    this.#services = parts.services
    this.#admission = parts.admission
    this.#adminTokenHash = sha256(parts.adminToken)
    this.#clock = parts.clock
    this.#log = parts.log
  }

  serverOf(endpoint: AnyEndpoint<Services>): Serve {
    const mounted: Mounted<Services> = {
      endpoint,
      name: `${endpoint.method} ${endpoint.path}`,
      readQuery: endpoint.query === undefined ? () => ({}) : queryReader(endpoint.query),
      readBody: bodyReaderOf(endpoint),
    }
    if (endpoint.returns === 'html') {
      if (endpoint.access !== 'open') throw new Error(`${mounted.name} is a page, so its access has to be open`)
      return (request, reply) => this.#servePage(mounted, request, reply)
    }
    if (endpoint.access === 'key') return (request, reply) => this.#serveCaller(mounted, undefined, request, reply)
    return (request, reply) => this.#serveOther(mounted, request, reply)
  }

  /** A request that matches no route: the key comes first here too, and the request counts against its rate. */
  async serveUnrouted(request: FastifyRequest, reply: FastifyReply, refusal: ApiError): Promise<void> {
    if (this.#isOperator(request)) {
      new Answer(request, reply, this.#clock, this.#log).fail(refusal)
      return
    }
    return this.#serveCaller(undefined, refusal, request, reply)
  }

  async #serveCaller(
    mounted: Mounted<Services> | undefined,
    refusal: ApiError | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const answer = new Answer(request, reply, this.#clock, this.#log)
    const authenticate = () => this.#admission.callers.authenticate(request.headers.authorization, request.ip)
    let caller: Caller
    let body: string | ApiError = ''
    try {
      caller = await authenticate()
      if (mounted?.readBody !== undefined) {
        body = await readBody(request.raw).catch(toApiError)
        // A body can take its time to arrive, and the key may have been revoked meanwhile.
        caller = await authenticate()
      }
    } catch (error) {
      answer.fail(error)
      return
    }
    answer.caller = caller

    const judged = mounted === undefined ? { verdict: refusal, cost: 0 } : judge(mounted, request, body, caller)
    const { verdict, read, cost } = judged

    const { meter, requestWriter: charges } = this.#admission
    const { id: accountId } = caller.account
    let held = 0
    try {
      const admitted = await this.#admission.admit(caller, cost, verdict)
      answer.addHeaders(rateHeaders(caller.plan, admitted.rate))
      if (!admitted.rate.isAllowed) {
        answer.addHeaders(creditHeaders(0, meter.available(accountId)))
        const body = answer.fail(admitted.refusal)
        charges.logRateLimited(answer.call(mounted?.name, body, 0))
        return
      }
      if (admitted.refusal !== undefined || mounted === undefined || read === undefined) {
        throw admitted.refusal ?? new Error('a request without input was admitted')
      }
      if (isStream(mounted.endpoint.returns)) {
        const streaming = await mounted.endpoint.handle({ ...read, caller, endpoint: mounted.name }, this.#services)
        answer.addHeaders(creditHeaders(0, meter.available(accountId)))
        answer.stream(mounted.endpoint.returns, streaming)
        charges.log(answer.call(mounted.name, NO_BODY, 0))
        return
      }
      held = cost
      const body = await this.#run(mounted, read, caller)
      const call = answer.call(mounted.name, body, cost)
      if (cost > 0) {
        held = 0
        const balance = await this.#admission.chargeOrRefuse(caller, call)
        answer.addHeaders(creditHeaders(cost, balance))
      } else {
        charges.log(call)
        answer.addHeaders(creditHeaders(0, meter.available(accountId)))
      }
      answer.succeed(body, call.durationMs)
    } catch (error) {
      if (held > 0) meter.release(accountId, held)
      answer.addHeaders(creditHeaders(0, meter.available(accountId)))
      const body = answer.fail(error)
      charges.log(answer.call(mounted?.name, body, 0))
    }
  }

  /** Open, signed and operator's endpoints: no rate, no credits, no log of calls. */
  async #serveOther(mounted: Mounted<Services>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const answer = new Answer(request, reply, this.#clock, this.#log)
    try {
      if (mounted.endpoint.access === 'operator') this.#checkOperator(request)
      answer.succeed(await this.#run(mounted, await receive(mounted, request), undefined))
    } catch (error) {
      answer.fail(error)
    }
  }

  /** Whoever reads a page is told in one as well what went wrong. */
  async #servePage(mounted: Mounted<Services>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const answer = new Answer(request, reply, this.#clock, this.#log, HTML_FORM)
    try {
      const read = await receive(mounted, request)
      answer.page(await mounted.endpoint.handle({ ...read, endpoint: mounted.name }, this.#services))
    } catch (error) {
      answer.fail(error)
    }
  }

  #isOperator(request: FastifyRequest): boolean {
    const token = bearerToken(request.headers.authorization)
    return token !== undefined && timingSafeEqual(sha256(token), this.#adminTokenHash)
  }

  #checkOperator(request: FastifyRequest): void {
    if (!this.#isOperator(request)) {
      throw new ApiError(
        'UNAUTHORIZED',
        'Send the operator\'s token in the header "Authorization: Bearer <ADMIN_TOKEN>"',
      )
    }
  }

  async #run({ endpoint, name }: Mounted<Services>, read: Read, caller: Caller | undefined): Promise<Buffer> {
    const { query, page } = read
    const applied = {
      limit: page.limit,
      sort: stringOrNull(query.sortBy) ?? '',
      query: stringOrNull(query.query) ?? stringOrNull(query.search),
      plan: caller?.plan.slug,
    }
    const result = await endpoint.handle({ ...read, caller, endpoint: name }, this.#services)
    switch (endpoint.returns) {
      case 'cursor-list':
        return this.#cursorBody(result, applied)
      case 'offset-list':
        return successBody(result.data, offsetMeta(result, page.limit, page.offset))
      case 'page-list':
        return successBody(result.data, pageMeta(result, page.number, applied))
      case 'list':
        return successBody(caller?.account.isDemo ? result.slice(0, DEMO_LIST_CAP) : result)
      default:
        return successBody(result)
    }
  }

  /** A page that the store answers from its cache is the same object again, so its body is too, but for the plan. */
  #cursorBody(page: CursorPage<unknown>, applied: Applied): Buffer {
    const bodies = this.#bodies.get(page) ?? new Map<string | undefined, Buffer>()
    const known = bodies.get(applied.plan)
    if (known !== undefined) return known
    const body = successBody(page.data, cursorMeta(page, applied))
    this.#bodies.set(page, bodies.set(applied.plan, body))
    return body
  }
}

/** Everything that can be said of a request before it costs anything. */
function judge(
  mounted: Mounted<never>,
  request: FastifyRequest,
  body: string | ApiError,
  caller: Caller,
): { verdict: ApiError | undefined; read?: Read; cost: number } {
  const { endpoint } = mounted
  const verdict = gateError(caller, endpoint)
  if (verdict !== undefined) return { verdict, cost: 0 }
  try {
    const read = readInput(mounted, request, body, caller.account.isDemo)
    return { verdict, read, cost: effectiveCost(baseCost(endpoint.cost, read.query), caller.plan) }
  } catch (error) {
    return { verdict: toApiError(error), cost: 0 }
  }
}

function bodyReaderOf({ access, returns, body }: AnyEndpoint<never>): BodyReader | undefined {
  if (access === 'signed') return (raw) => raw
  if (body === undefined) return undefined
  return returns === 'html' ? formReader(body) : bodyReader(body)
}

/** The input of a request that nobody pays for. */
async function receive(mounted: Mounted<never>, request: FastifyRequest): Promise<Read> {
  const isSigned = mounted.endpoint.access === 'signed'
  const body = mounted.readBody === undefined ? '' : await readBody(request.raw, isSigned)
  const read = readInput(mounted, request, body, false)
  return isSigned ? { ...read, header: (name) => headerOf(request, name) } : read
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

function readInput(mounted: Mounted<never>, request: FastifyRequest, body: string | ApiError, isDemo: boolean): Read {
  if (request.url.length > MAX_URL_LENGTH) {
    throw new ApiError('BAD_REQUEST', `The address is longer than ${MAX_URL_LENGTH} characters`)
  }
  const params = request.params as Record<string, string>
  for (const value of Object.values(params)) {
    // No id looks like this, and no engine takes it.
    if (value.includes('\0') || !value.isWellFormed()) throw new ApiError('NOT_FOUND', 'No such resource')
  }
  const query = mounted.readQuery((request.query as { raw: string }).raw ?? '', isDemo, request.headers)
  if (mounted.endpoint.returns === 'websocket') checkHandshake(request.raw)
  if (body instanceof ApiError) throw body
  return { params, query, body: mounted.readBody?.(body), page: pageOf(query), header: undefined }
}

function pageOf(query: Record<string, unknown>): Read['page'] {
  const limit = numberOr(query.limit, 0)
  const number = numberOr(query.page, 1)
  const offset = numberOr(query.offset, (number - 1) * limit)
  return { limit, number, offset, from: positionOf(query) }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

const numberOr = (value: unknown, fallback: number) => (typeof value === 'number' ? value : fallback)
const stringOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
