import Type, { type TObject, type TSchema } from 'typebox'
import { DEMO_LIST_CAP } from '../admission/demo.ts'
import { type AnyEndpoint, isInReference, isStream, type Returns, routeOf, type StreamKind } from '../http/endpoint.ts'
import type { ParamMarks } from '../http/params.ts'
import { ERROR_STATUS, type ErrorCode } from '../model/errors.ts'
import { nullable, time } from '../model/schema.ts'
import type { Feature } from '../plans/plans.ts'

interface ApiInfo {
  title: string
  version: string
  description: string
}

/** As much of JSON Schema as the reference reads; everything else in a schema is passed on as it is. */
export interface JsonSchema extends ParamMarks {
  type?: string
  format?: string
  enum?: readonly string[]
  const?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  default?: unknown
  description?: string
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
}

export interface Parameter extends ParamMarks {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  style?: 'form'
  explode?: false
  schema: JsonSchema
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  'x-credits': { base: number; perMinute?: number; with?: { parameter: string; credits: number } }
  'x-needs'?: Feature
  'x-refuses-demo'?: true
  parameters: Parameter[]
  requestBody?: object
  responses: Record<string, object>
}

export interface OpenApi {
  openapi: string
  info: ApiInfo
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<'securitySchemes' | 'headers' | 'responses' | 'schemas', Record<string, object>>
}

/** Describes the endpoints that programs of callers and the operator call as an OpenAPI 3.1 document. */
export function openApiOf(endpoints: readonly AnyEndpoint<never>[], info: ApiInfo): OpenApi {
  const listed = endpoints.filter(isInReference)
  const names = nameSchemas(listed)
  const paths: OpenApi['paths'] = {}
  for (const endpoint of listed) {
    const path = routeOf(endpoint).replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, names) }
  }
  return {
    openapi: '3.1.0',
    info,
    tags: [...new Set(listed.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer <API_KEY>`' },
        operator: { type: 'http', scheme: 'bearer', description: "The operator's token (ADMIN_TOKEN)" },
      },
      headers: HEADERS,
      responses: Object.fromEntries(ERROR_CODES.map((code) => [pascal(code.split('_')), errorResponse(code)])),
      schemas: {
        ...Object.fromEntries([...names].map(([schema, name]) => [name, expand(schema, names)])),
        ...SHARED_SCHEMAS,
      },
    },
  }
}

function operationOf(endpoint: AnyEndpoint<never>, names: SchemaNames): Operation {
  const { access, cost, needs, refusesDemo, summary, description, body } = endpoint
  const parameters = parametersOf(endpoint)
  const dearer = parameters.some(({ name }) => name === cost.with?.param) ? cost.with : undefined
  return {
    operationId: operationIdOf(endpoint),
    tags: [tagOf(endpoint)],
    summary,
    ...(description !== undefined && { description }),
    security: access === 'open' ? [] : [{ [access === 'key' ? 'apiKey' : 'operator']: [] }],
    'x-credits': {
      base: cost.credits,
      ...(dearer !== undefined && { with: { parameter: dearer.param, credits: dearer.credits } }),
      ...(cost.perMinute !== undefined && { perMinute: cost.perMinute }),
    },
    ...(needs !== undefined && { 'x-needs': needs }),
    ...(refusesDemo && { 'x-refuses-demo': true }),
    parameters,
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: refer(body, names) } } },
    }),
    responses: {
      ...(isStream(endpoint.returns)
        ? streamResponse(endpoint.returns, endpoint, names)
        : { 200: successResponse(endpoint, names) }),
      ...Object.fromEntries(
        errorsOf(endpoint).map((code) => [ERROR_STATUS[code], refTo('responses', pascal(code.split('_')))]),
      ),
    },
  }
}

/** Parameters of path and query. */
export function parametersOf({ path, params, query }: AnyEndpoint<never>): Parameter[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) =>
    parameterOf(name, 'path', params?.properties[name] ?? Type.String()),
  )
  return [...inPath, ...(query === undefined ? [] : queryParametersOf(query))]
}

function queryParametersOf({ properties }: TObject): Parameter[] {
  return Object.entries(properties).map(([name, schema]) => parameterOf(name, 'query', schema))
}

function parameterOf(name: string, place: Parameter['in'], schema: JsonSchema): Parameter {
  const { description, ...rest } = schema
  const isMark = ([keyword]: [string, unknown]) => keyword.startsWith('x-')
  return {
    name,
    in: place,
    // input.ts refuses no request because a query parameter is missing.
    required: place === 'path',
    ...(description !== undefined && { description }),
    ...(schema.type === 'array' && { style: 'form', explode: false }),
    ...Object.fromEntries(Object.entries(rest).filter(isMark)),
    schema: Object.fromEntries(Object.entries(rest).filter((entry) => !isMark(entry))),
  }
}

const META: Record<Returns, string | undefined> = {
  object: undefined,
  list: undefined,
  'cursor-list': 'CursorMeta',
  'offset-list': 'OffsetMeta',
  'page-list': 'PageMeta',
  html: undefined,
  'event-stream': undefined,
  websocket: undefined,
}

function streamResponse(kind: StreamKind, { data }: AnyEndpoint<never>, names: SchemaNames) {
  const headers = headerRefs(...CALLER_HEADERS, 'X-Request-Id')
  const schema = refer(data, names)
  if (kind === 'websocket') {
    return { 101: { description: 'A WebSocket whose messages are events', headers, 'x-message': schema } }
  }
  const description = 'Events, each with its `id`, its name as `event` and its data as JSON on one line'
  return {
    200: { description, headers, content: { 'text/event-stream': { schema: { type: 'string' }, 'x-event': schema } } },
  }
}

function successResponse({ access, returns, data }: AnyEndpoint<never>, names: SchemaNames) {
  const item = refer(data, names)
  const meta = META[returns]
  return {
    description: 'Success',
    headers: headerRefs(...(access === 'key' ? CALLER_HEADERS : []), 'X-Request-Id'),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['success', 'data', ...(meta === undefined ? [] : ['meta'])],
          properties: {
            success: { type: 'boolean', const: true },
            data: isList(returns) ? { type: 'array', items: item } : item,
            ...(meta !== undefined && { meta: refTo('schemas', meta) }),
          },
        },
      },
    },
  }
}

const isList = (returns: Returns) => returns.endsWith('list')

export const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[]

/** When each error is given (spec 7). */
export const ERROR_CONDITIONS: Record<ErrorCode, string> = {
  BAD_REQUEST: `The request is malformed, or a parameter or body field is not valid: \`error.details\` then names the fields. Also when the demo key asks for more than ${DEMO_LIST_CAP} items or uses a paging parameter.`,
  UNAUTHORIZED:
    "The API key is missing, malformed, unknown, expired or revoked. For the operator's API: its token is missing or wrong.",
  INSUFFICIENT_CREDITS:
    'The balance is below the cost of the call. Nothing was executed or charged. For the demo key: the budget of this hour is used up, and `Retry-After` says when it refills.',
  FORBIDDEN:
    'The plan does not include this, its number of active keys is reached, or the demo key tried what needs a key of your own.',
  NOT_FOUND: 'The resource does not exist, or the route is unknown.',
  RATE_LIMIT_EXCEEDED:
    'A rate limit of the plan, or of all demo callers together, is used up, or as many real-time connections are open as the plan allows. No credits were charged; wait for the seconds in `Retry-After`.',
  INTERNAL_ERROR: 'Something went wrong on the server. No credits were charged.',
}

function errorsOf({ access, cost, needs, refusesDemo, path, query, body }: AnyEndpoint<never>): ErrorCode[] {
  const isGiven: Record<ErrorCode, boolean> = {
    BAD_REQUEST: query !== undefined || body !== undefined,
    UNAUTHORIZED: access !== 'open',
    INSUFFICIENT_CREDITS: cost.credits > 0 || cost.with !== undefined || cost.perMinute !== undefined,
    FORBIDDEN: needs !== undefined || refusesDemo === true,
    NOT_FOUND: path.includes(':'),
    RATE_LIMIT_EXCEEDED: access === 'key',
    INTERNAL_ERROR: true,
  }
  return ERROR_CODES.filter((code) => isGiven[code])
}

function errorResponse(code: ErrorCode) {
  // A request without a valid key has no plan and no balance to speak of.
  const caller = code === 'UNAUTHORIZED' ? [] : CALLER_HEADERS
  const retry = code === 'RATE_LIMIT_EXCEEDED' || code === 'INSUFFICIENT_CREDITS' ? (['Retry-After'] as const) : []
  return {
    description: ERROR_CONDITIONS[code],
    headers: headerRefs(...caller, 'X-Request-Id', ...retry),
    content: { 'application/json': { schema: refTo('schemas', 'Error') } },
  }
}

const header = (description: string, schema: TSchema) => ({ description, schema })

const HEADERS = {
  RateLimit: header(
    'With a valid API key: for each window, requests remaining (r) and seconds until it resets (t), such as `"burst";r=14;t=6, "hour";r=99;t=3600, "day";r=499;t=86400`',
    Type.String(),
  ),
  'RateLimit-Policy': header(
    'With a valid API key: the windows of the plan with their quota (q) and length in seconds (w), such as `"burst";q=15;w=90, "hour";q=100;w=3600, "day";q=500;w=86400`',
    Type.String(),
  ),
  'X-Credits-Cost': header('With a valid API key: credits charged for this call', Type.Integer({ minimum: 0 })),
  'X-Credits-Remaining': header(
    'With a valid API key: credits left after this call, less what calls in progress and open streams hold',
    Type.Integer({ minimum: 0 }),
  ),
  'X-Request-Id': header('Id of this request, as in the request logs', Type.String({ format: 'uuid' })),
  'Retry-After': header('Seconds to wait before the next try', Type.Integer({ minimum: 0 })),
}

const CALLER_HEADERS = ['RateLimit', 'RateLimit-Policy', 'X-Credits-Cost', 'X-Credits-Remaining'] as const

const headerRefs = (...names: (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, refTo('headers', name)]))

const count = (description: string) => Type.Integer({ minimum: 0, description })
const totals = {
  totalCount: count('Records that match the filters, on all pages'),
  count: count('Items on this page'),
  limit: count('Page size applied; may be lower than asked for'),
}
const applied = {
  sort: Type.String({ description: 'Sort order applied' }),
  query: nullable(Type.String({ description: 'Search term applied' })),
  plan: Type.Optional(Type.String({ description: 'Slug of the plan of the caller' })),
}
const hasMore = Type.Boolean({ description: 'Whether more results follow' })

/** Spec 2.7 and 2.8. */
const SHARED_SCHEMAS = {
  CursorMeta: Type.Object({
    ...totals,
    hasMore,
    hasPrev: Type.Boolean({ description: 'Whether results precede this page' }),
    nextCursor: nullable(Type.String({ description: 'Opaque; send it as after. Null when hasMore is false' })),
    prevCursor: nullable(Type.String({ description: 'Opaque; send it as before. Null when hasPrev is false' })),
    ...applied,
  }),
  OffsetMeta: Type.Object({
    ...totals,
    offset: count('Records skipped'),
    hasMore,
    prevOffset: nullable(count('Null on the first page')),
    nextOffset: nullable(count('Null when no results follow')),
  }),
  PageMeta: Type.Object({
    ...totals,
    page: Type.Integer({ minimum: 1, description: 'Number of this page' }),
    totalPages: count('Number of pages'),
    prevPage: nullable(Type.Integer({ minimum: 1, description: 'Null on the first page' })),
    nextPage: nullable(Type.Integer({ minimum: 1, description: 'Null on the last page' })),
    hasMore,
    ...applied,
  }),
  Error: Type.Object({
    success: Type.Literal(false),
    error: Type.Object({
      message: Type.String({ description: 'For people; may change at any time' }),
      code: Type.Enum(ERROR_CODES, { description: 'For programs; stable' }),
      details: Type.Optional(
        Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
          description: 'Only when fields failed validation',
        }),
      ),
    }),
    statusCode: Type.Integer({ description: 'Equals the HTTP status' }),
    timestamp: time('When the error was given'),
  }),
}

type SchemaNames = ReadonlyMap<object, string>

const VERBS = { GET: 'get', POST: 'create', PATCH: 'update', DELETE: 'delete' } as const
const verbOf = ({ method, returns }: AnyEndpoint<never>) =>
  method === 'GET' && isList(returns) ? 'list' : VERBS[method]

/**
 * A resource is named after the path that gets or lists it. Where one path gives several shapes (an API key with and
 * without its secret), the later ones say how they differ.
 */
const DIFFERENCE = {
  get: (noun: string) => `${noun}Detail`,
  list: (noun: string) => `${noun}Item`,
  create: (noun: string) => `Created${noun}`,
  update: (noun: string) => `Updated${noun}`,
  delete: (noun: string) => `Deleted${noun}`,
}
const NAMING_ORDER = Object.keys(DIFFERENCE)

function nameSchemas(endpoints: readonly AnyEndpoint<never>[]): SchemaNames {
  const names = new Map<object, string>()
  const taken = new Set(Object.keys(SHARED_SCHEMAS))
  const byVerb = endpoints.toSorted((a, b) => NAMING_ORDER.indexOf(verbOf(a)) - NAMING_ORDER.indexOf(verbOf(b)))
  for (const endpoint of byVerb) {
    const { data } = endpoint
    const noun = pascal(operationWords(endpoint, isList(endpoint.returns)))
    const name = [noun, DIFFERENCE[verbOf(endpoint)](noun)].find((candidate) => !taken.has(candidate))
    for (const [own, schema] of Object.entries(definitionsOf(data))) names.set(schema, own)
    if (name === undefined || names.has(data) || !('properties' in data || 'anyOf' in data)) continue
    names.set(data, name)
    taken.add(name)
  }
  return new Map([...names].sort(([, a], [, b]) => (a < b ? -1 : 1)))
}

/** A schema that contains itself brings the names of its parts along, and refers to them by these. */
function definitionsOf(schema: TSchema): Record<string, object> {
  return '$defs' in schema ? (schema.$defs as Record<string, object>) : {}
}

/** `listEntries`, `getEntry`, `listTopicEntries`, `createAccountApiKey`: verb and path, so it stays while they do. */
function operationIdOf(endpoint: AnyEndpoint<never>): string {
  return verbOf(endpoint) + pascal(operationWords(endpoint, false))
}

/** The words of the path, singular where they stand for one: before an id, for what is created, and for an owner. */
function operationWords(endpoint: AnyEndpoint<never>, isOne: boolean): string[] {
  const segments = endpoint.path.split('/').filter((segment) => segment !== '')
  const nouns = segments.filter((segment) => !segment.startsWith(':'))
  const isLastOne = isOne || segments.at(-1)?.startsWith(':') || verbOf(endpoint) === 'create'
  const words = nouns.map((noun, index) => (index < nouns.length - 1 || isLastOne ? singular(noun) : noun))
  return words.length === 0 ? [SERVICE] : words.flatMap((word) => word.split('-'))
}

function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`
  return /[^sui]s$/.test(noun) ? noun.slice(0, -1) : noun
}

const SERVICE = 'service'
const tagOf = ({ path }: AnyEndpoint<never>) => path.split('/')[1] || SERVICE

const pascal = (words: readonly string[]) =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('')

const refTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** The value as it stands in the document: a named schema is referred to, wherever it is. */
function refer(value: unknown, names: SchemaNames): unknown {
  if (Array.isArray(value)) return value.map((item) => refer(item, names))
  if (typeof value !== 'object' || value === null) return value
  const name = names.get(value) ?? ('$ref' in value ? String(value.$ref) : undefined)
  return name === undefined ? expand(value, names) : refTo('schemas', name)
}

function expand(schema: object, names: SchemaNames): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, refer(value, names)]))
}
