import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { OperatorRequest } from '../admission/operator-request.ts'
import type { Scope } from '../model/accounts.ts'
import { ApiError } from '../model/errors.ts'
import { scopeOfPath } from '../model/key-restrictions.ts'
import type { Position } from '../model/paging.ts'
import type { Selection } from '../model/selection.ts'
import { type BodyReader, bodyReader, formReader, readBody } from './body.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { fieldsReader } from './fields.ts'
import { boundList, positionOf, scopeOf } from './paging.ts'
import { type QueryReader, queryReader } from './query.ts'
import { checkHandshake } from './websocket.ts'

const MAX_URL_LENGTH = 8_192
const NO_PARAMS = Type.Object({})

/** The input of a request, parsed by the endpoint's schemas. */
export interface ParsedInput {
  params: Record<string, string>
  query: Record<string, unknown>
  ignored: string[]
  body: unknown
  page: { limit: number; from: Position | undefined; offset: number; number: number }
  /** The requested fields; undefined if all are requested. */
  selection: Selection | undefined
  idempotencyKey: string | undefined
  isOperator: (() => Promise<boolean>) | undefined
  operator: OperatorRequest | undefined
  header: ((name: string) => string | undefined) | undefined
}

/** An endpoint with its parsers. */
export interface Route<Services> {
  endpoint: AnyEndpoint<Services>
  name: string
  scope: Scope
  /** Last part of the path: the list to which cursors are bound. Lists of entries share the feed of entries. */
  list: string
  hasIdCursors: boolean
  readQuery: QueryReader
  readFields: (names: readonly string[]) => Selection
  readBody: BodyReader | undefined
}

/** Creates the parsers of an endpoint. */
export function routeTo<Services>(endpoint: AnyEndpoint<Services>): Route<Services> {
  return {
    endpoint,
    name: `${endpoint.method} ${endpoint.path}`,
    scope: scopeOfPath(endpoint.path),
    list: endpoint.path.slice(endpoint.path.lastIndexOf('/') + 1),
    hasIdCursors: 'x-id-cursor' in (endpoint.query?.properties.after ?? {}),
    readQuery: queryReader(endpoint.query ?? NO_PARAMS),
    readFields: fieldsReader(endpoint),
    readBody: bodyReaderOf(endpoint),
  }
}

function bodyReaderOf({ access, returns, body }: AnyEndpoint<never>): BodyReader | undefined {
  if (access === 'signed') return (raw) => raw
  if (body === undefined) return undefined
  return returns === 'html' ? formReader(body) : bodyReader(body)
}

/** Reads the body and parses the input of a request that is not metered. */
export async function receiveInput(route: Route<never>, request: FastifyRequest): Promise<ParsedInput> {
  const { access } = route.endpoint
  const body = route.readBody === undefined ? '' : await readBody(request.raw, access)
  const input = parseInput(route, request, body, false)
  return access === 'signed' ? { ...input, header: (name) => headerOf(request, name) } : input
}

export function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Without a `body`, neither a body nor a handshake is expected. */
export function parseInput(
  route: Route<never>,
  request: FastifyRequest,
  body: string | ApiError | undefined,
  isDemo: boolean,
): ParsedInput {
  if (request.url.length > MAX_URL_LENGTH) {
    throw new ApiError('BAD_REQUEST', `The URL must be at most ${MAX_URL_LENGTH} characters long`)
  }
  const params = request.params as Record<string, string>
  for (const value of Object.values(params)) {
    // No id contains these, and the database would refuse them.
    if (value.includes('\0') || !value.isWellFormed()) throw new ApiError('NOT_FOUND', 'No such resource')
  }
  const ignored: string[] = []
  const query = route.readQuery((request.query as { raw: string }).raw ?? '', isDemo, request.headers, ignored)
  // A filter of a file that has no effect would be paid for with all rows.
  const { returns, refusesParams } = route.endpoint
  const refused = ignored.filter((name) => returns === 'download' || refusesParams?.includes(name))
  if (refused.length > 0) {
    throw ApiError.invalid(refused.map((field) => ({ field, message: 'is not available here' })))
  }
  if (route.endpoint.returns === 'websocket' && body !== undefined) checkHandshake(request.raw)
  if (body instanceof ApiError) throw body
  return {
    params,
    query,
    ignored,
    body: body === undefined ? undefined : route.readBody?.(body),
    idempotencyKey: route.endpoint.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined,
    selection: query.fields === undefined ? undefined : takeFields(route, query),
    page: pageOf(route, query, params),
    isOperator: undefined,
    operator: undefined,
    header: undefined,
  }
}

/** Takes the parameter `fields` out of the query: it concerns the answer, not the handler. */
function takeFields({ readFields }: Route<never>, query: Record<string, unknown>): Selection {
  const names = query.fields as string[]
  delete query.fields
  return readFields(names)
}

function pageOf(
  { list, endpoint, hasIdCursors }: Route<never>,
  query: Record<string, unknown>,
  params: Record<string, string>,
): ParsedInput['page'] {
  const limit = numberOr(query.limit, 0)
  const number = numberOr(query.page, 1)
  const offset = numberOr(query.offset, (number - 1) * limit)
  const hasCursor = endpoint.returns === 'cursor-list' && (query.after !== undefined || query.before !== undefined)
  const scope = () => scopeOf(boundList(list, query), query, params)
  return { limit, number, offset, from: hasCursor ? positionOf(scope(), query, hasIdCursors) : undefined }
}

/** A time of the past that has yet to come is now. */
export function withoutFuture(query: Record<string, unknown>, now: number): Record<string, unknown> {
  return typeof query.asOf === 'number' && query.asOf > now ? { ...query, asOf: now } : query
}

const numberOr = (value: unknown, fallback: number) => (typeof value === 'number' ? value : fallback)
