import Type, { type TObject, type TSchema } from 'typebox'
import { DEMO_LIST_CAP } from '../admission/demo.ts'
import { hasRequired } from '../http/body.ts'
import { type AnyEndpoint, isInReference, isStream, type Returns, routeOf, type StreamKind } from '../http/endpoint.ts'
import type { ParamMarks } from '../http/params.ts'
import { requiredParams } from '../http/query.ts'
import { ERROR_STATUS, type ErrorCode, FieldError } from '../model/errors.ts'
import type { OperatorScope } from '../model/operators.ts'
import { SEARCH_MODES } from '../model/paging.ts'
import { count, flag, nullable, text, time } from '../model/schema.ts'
import type { Feature } from '../plans/plans.ts'
import { type CodeSample, codeSamples } from './code-samples.ts'
import type { Example, Examples } from './example-requests.ts'

interface ApiInfo {
  title: string
  version: string
  description: string
  license: { name: string; identifier: string }
}

/** The part of JSON Schema that the reference reads. Other keywords are copied unchanged. */
export interface JsonSchema extends ParamMarks {
  $ref?: string
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
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  style?: 'form'
  explode?: false
  schema: JsonSchema
}

interface Reference {
  $ref: string
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  'x-credits': {
    base: number
    perMinute?: number
    perRows?: number
    perFile?: true
    with?: { parameter: string; credits: number }
  }
  'x-needs'?: Feature
  'x-operator-scope'?: OperatorScope
  'x-refuses-demo'?: true
  'x-codeSamples'?: CodeSample[]
  parameters: (Parameter | Reference)[]
  requestBody?: object
  responses: Record<string, object>
}

export interface OpenApi {
  openapi: string
  info: ApiInfo
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<'securitySchemes' | 'headers' | 'responses' | 'schemas', Record<string, object>> & {
    parameters: Record<string, Parameter>
  }
}

/** Returns the OpenAPI 3.1 document of the API and the operator API, with an example for each endpoint that has one. */
export function openApiOf(
  endpoints: readonly AnyEndpoint<never>[],
  info: ApiInfo,
  examples: Examples = new Map(),
): OpenApi {
  const listed = endpoints.filter(isInReference)
  const names = nameSchemas(listed)
  const shared = new SharedParameters(listed)
  const samplesOf = codeSamples(listed)
  const paths: OpenApi['paths'] = {}
  for (const endpoint of listed) {
    const path = routeOf(endpoint).replaceAll(/:(\w+)/g, '{$1}')
    const example = examples.get(`${endpoint.method} ${endpoint.path}`)
    const samples = example && samplesOf(endpoint, example)
    const operation = operationOf(endpoint, names, shared, example, samples)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The server that this document comes from' }],
    tags: [...new Set(listed.map(tagOf))].map((name) => ({ name, description: TAGS[name] ?? '' })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer <API_KEY>`' },
        operator: {
          type: 'http',
          scheme: 'bearer',
          description:
            "A token of the operator: ADMIN_TOKEN, or another one with at least the operation's `x-operator-scope`",
        },
      },
      parameters: shared.components,
      headers: HEADERS,
      responses: {
        ...Object.fromEntries(ERROR_CODES.map((code) => [pascal(code.split('_')), errorResponse(code)])),
        [NOT_MODIFIED]: {
          description: 'The answer is still the one that `If-None-Match` names; it costs as much as the answer',
          headers: headerRefs(...CALLER_HEADERS, 'X-Request-Id', 'ETag'),
        },
      },
      schemas: {
        ...Object.fromEntries([...names].map(([schema, name]) => [name, expand(schema, names)])),
        ...Object.fromEntries(Object.entries(SHARED_SCHEMAS).map(([name, schema]) => [name, expand(schema, names)])),
      },
    },
  }
}

function operationOf(
  endpoint: AnyEndpoint<never>,
  names: SchemaNames,
  shared: SharedParameters,
  example: Example | undefined,
  samples: CodeSample[] | undefined,
): Operation {
  const { access, cost, needs, operatorScope, refusesDemo, summary, description, body, errors = {} } = endpoint
  const parameters = parametersOf(endpoint)
  const costWith = parameters.some(({ name }) => name === cost.with?.param) ? cost.with : undefined
  return {
    operationId: operationIdOf(endpoint),
    tags: [tagOf(endpoint)],
    summary,
    ...(description !== undefined && { description }),
    security: access === 'open' ? [] : [{ [access === 'key' ? 'apiKey' : 'operator']: [] }],
    'x-credits': {
      base: cost.credits,
      ...(costWith !== undefined && { with: { parameter: costWith.param, credits: costWith.credits } }),
      ...(cost.perMinute !== undefined && { perMinute: cost.perMinute }),
      ...(cost.perRows !== undefined && { perRows: cost.perRows }),
      ...(cost.perFile && { perFile: true }),
    },
    ...(needs !== undefined && { 'x-needs': needs }),
    ...(operatorScope !== undefined && { 'x-operator-scope': operatorScope }),
    ...(refusesDemo && { 'x-refuses-demo': true }),
    ...(samples !== undefined && { 'x-codeSamples': samples }),
    parameters: sentParametersOf(endpoint).map((parameter) => shared.refer(parameter)),
    ...(body !== undefined && { requestBody: requestBodyOf(body, names, example) }),
    responses: {
      ...(isStream(endpoint.returns)
        ? streamResponse(endpoint.returns, endpoint, names, example)
        : endpoint.returns === 'download'
          ? { 200: fileResponse(endpoint, names, example) }
          : {
              200: successResponse(endpoint, names, example),
              ...(endpoint.method === 'GET' && { 304: refTo('responses', NOT_MODIFIED) }),
            }),
      ...Object.fromEntries(
        errorsOf(endpoint).map((code) => [ERROR_STATUS[code], refTo('responses', pascal(code.split('_')))]),
      ),
      ...Object.fromEntries(Object.entries(errors).map(([status, condition]) => [status, errorBodyOf(condition)])),
    },
  }
}

/** Parameters that several operations have in the same form, each written once. */
class SharedParameters {
  readonly components: Record<string, Parameter> = {}
  readonly #names = new Map<string, string>()

  constructor(endpoints: readonly AnyEndpoint<never>[]) {
    const seen = new Set<string>()
    for (const endpoint of endpoints) {
      for (const parameter of sentParametersOf(endpoint)) {
        const text = JSON.stringify(parameter)
        const names = ['', `${tagOf(endpoint)}-`, `${operationIdOf(endpoint)}-`].map(
          (prefix) => prefix + parameter.name,
        )
        const name = names.find((candidate) => !(candidate in this.components))
        if (seen.has(text) && !this.#names.has(text) && name !== undefined) {
          this.components[name] = parameter
          this.#names.set(text, name)
        }
        seen.add(text)
      }
    }
  }

  refer(parameter: Parameter): Parameter | Reference {
    const name = this.#names.get(JSON.stringify(parameter))
    return name === undefined ? parameter : refTo('parameters', name)
  }
}

function requestBodyOf(body: TObject, names: SchemaNames, example: Example | undefined) {
  const { description, ...schema } = expand(body, names)
  return {
    description,
    required: hasRequired(body),
    content: { 'application/json': { schema, ...(example?.body !== undefined && { example: example.body }) } },
  }
}

/** Returns the path and query parameters of an endpoint. */
export function parametersOf({ path, params, query }: AnyEndpoint<never>): Parameter[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) =>
    parameterOf(name, 'path', params?.properties[name] ?? Type.String()),
  )
  return [...inPath, ...(query === undefined ? [] : queryParametersOf(query))]
}

/** Returns the parameters of an endpoint and its request headers. */
const sentParametersOf = (endpoint: AnyEndpoint<never>): Parameter[] =>
  endpoint.method === 'POST' ? [...parametersOf(endpoint), IDEMPOTENCY_KEY] : parametersOf(endpoint)

function queryParametersOf(query: TObject): Parameter[] {
  const required = requiredParams(query)
  return Object.entries(query.properties).map(([name, schema]) =>
    parameterOf(name, 'query', schema, required.includes(name)),
  )
}

function parameterOf(name: string, place: Parameter['in'], schema: JsonSchema, required = place === 'path'): Parameter {
  const { description, ...rest } = schema
  const isMark = ([keyword]: [string, unknown]) => keyword.startsWith('x-')
  return {
    name,
    in: place,
    required,
    ...(description !== undefined && { description }),
    ...(schema.type === 'array' && { style: 'form', explode: false }),
    ...Object.fromEntries(Object.entries(rest).filter(isMark)),
    schema: Object.fromEntries(Object.entries(rest).filter((entry) => !isMark(entry))),
  }
}

export const IDEMPOTENCY_TEXT =
  'Makes it safe to send the request again: for 24 hours, requests with the same key and body get the first answer, without a second effect. Failed requests do not use the key up.'

const IDEMPOTENCY_KEY = parameterOf(
  'Idempotency-Key',
  'header',
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: IDEMPOTENCY_TEXT,
  }),
)

const META: Record<Returns, string | undefined> = {
  object: undefined,
  list: undefined,
  series: undefined,
  'cursor-list': 'CursorMeta',
  'offset-list': 'OffsetMeta',
  'page-list': 'PageMeta',
  html: undefined,
  text: undefined,
  download: undefined,
  reply: undefined,
  'event-stream': undefined,
  websocket: undefined,
}

function streamResponse(
  kind: StreamKind,
  { data }: AnyEndpoint<never>,
  names: SchemaNames,
  example: Example | undefined,
) {
  const headers = headerRefs(...CALLER_HEADERS, 'X-Request-Id')
  const event = { schema: refer(data, names), ...(example !== undefined && { example: example.answer }) }
  if (kind === 'websocket') {
    const description =
      'The connection is a WebSocket. Each of its messages is one event: a text in JSON with `id`, `event` and `data`. The service reads no messages.'
    return { 101: { description, headers, content: { 'application/json': event } } }
  }
  const description =
    'The events. Each has the lines `id:`, `event:` (its name) and `data:` (JSON on one line), and ends with an empty line; the schema shows the three as one object.'
  return { 200: { description, headers, content: { 'text/event-stream': event } } }
}

function fileResponse({ data, cost }: AnyEndpoint<never>, names: SchemaNames, example: Example | undefined) {
  const binary = { schema: { type: 'string', format: 'binary' } }
  if (cost.perFile) {
    const file = { ...binary, ...(example !== undefined && { example: example.answer }) }
    return {
      description: 'The file, or with `Range` a part of it, with status 206.',
      headers: headerRefs(...CALLER_HEADERS, 'X-Request-Id', 'ETag'),
      content: { 'application/vnd.apache.parquet': file },
    }
  }
  const rows = { schema: refer(data, names), ...(example !== undefined && { example: example.answer }) }
  return {
    description:
      'The file. In ndjson, each line is a row as the schema shows it; the other formats have a column for each of its fields.',
    headers: headerRefs(...CALLER_HEADERS, 'X-Request-Id', 'X-Total-Count'),
    content: {
      'application/x-ndjson': rows,
      'text/csv': { schema: { type: 'string' } },
      'application/vnd.apache.parquet': binary,
    },
  }
}

function successResponse(
  { access, method, query, returns, data, meta: own }: AnyEndpoint<never>,
  names: SchemaNames,
  example: Example | undefined,
) {
  const item = refer(data, names)
  const shared = META[returns]
  const meta = shared === undefined ? own && refer(own, names) : refTo('schemas', shared)
  return {
    description: 'Success',
    headers: headerRefs(
      ...(access === 'key' ? CALLER_HEADERS : []),
      'X-Request-Id',
      ...(method === 'GET' ? (['ETag'] as const) : []),
      ...headersOf(query),
    ),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['success', 'data', ...(meta === undefined ? [] : ['meta'])],
          properties: {
            success: { type: 'boolean', const: true, description: 'Always true; false in errors' },
            data: isList(returns)
              ? { type: 'array', items: item, description: 'The items, in the requested order' }
              : item,
            ...(meta !== undefined && { meta }),
          },
        },
        ...(example !== undefined && { example: example.answer }),
      },
    },
  }
}

/** Returns the headers about the parameters of a request. */
function headersOf(query: TObject | undefined): (keyof typeof HEADERS)[] {
  if (query === undefined) return []
  const hasRange = Object.keys(query.properties).some((name) => name.endsWith('After'))
  return ['X-Ignored-Parameters', ...(hasRange ? (['X-Notice'] as const) : [])]
}

const isList = (returns: Returns) => returns.endsWith('list') || returns === 'series'

export const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[]

/** The conditions of each error (spec 7). */
export const ERROR_CONDITIONS: Record<ErrorCode, string> = {
  BAD_REQUEST: `The request is malformed, or parameters or body fields are invalid: \`error.details\` names them. Also if the demo key requests more than ${DEMO_LIST_CAP} items or uses a paging parameter.`,
  UNAUTHORIZED:
    'The API key is missing, malformed, unknown, expired or revoked, or its account is suspended; the answer does not tell which. For the operator API: the token is missing or wrong.',
  INSUFFICIENT_CREDITS:
    'The balance is below the cost of the request. Nothing was executed or charged. For the demo key: the credits of this hour are used up; `Retry-After` says when they are refilled.',
  FORBIDDEN:
    'The plan does not include this feature or allows no more active keys, the key may not call this path (its `scopes`) or not from this address (its `allowedAddresses`), or the request needs a key other than the demo key. For the operator API: the token lacks the scope.',
  NOT_FOUND: 'The resource does not exist, or the route is unknown.',
  RATE_LIMIT_EXCEEDED:
    'A rate limit of the plan, or the shared limit of the demo key, is exceeded, or the plan allows no more open real-time connections. No credits were charged; wait for the number of seconds in `Retry-After`.',
  INTERNAL_ERROR: 'Something went wrong on the server. No credits were charged.',
}

function errorsOf({ access, cost, path }: AnyEndpoint<never>): ErrorCode[] {
  const isPossible: Record<ErrorCode, boolean> = {
    // A URL may be too long, or its query string not valid.
    BAD_REQUEST: true,
    UNAUTHORIZED: access !== 'open',
    INSUFFICIENT_CREDITS:
      cost.credits > 0 || cost.with !== undefined || cost.perMinute !== undefined || cost.perFile === true,
    // A key or token may be restricted.
    FORBIDDEN: access !== 'open',
    NOT_FOUND: path.includes(':'),
    RATE_LIMIT_EXCEEDED: access !== 'open',
    INTERNAL_ERROR: true,
  }
  return ERROR_CODES.filter((code) => isPossible[code])
}

function errorResponse(code: ErrorCode) {
  // Without a valid key there is no plan and no balance.
  const caller = code === 'UNAUTHORIZED' ? [] : CALLER_HEADERS
  const retry = code === 'RATE_LIMIT_EXCEEDED' || code === 'INSUFFICIENT_CREDITS' ? (['Retry-After'] as const) : []
  return {
    description: ERROR_CONDITIONS[code],
    headers: headerRefs(...caller, 'X-Request-Id', ...retry, ...(code === 'NOT_FOUND' ? (['Allow'] as const) : [])),
    content: ERROR_CONTENT,
  }
}

/** Returns an error response that only few endpoints have. */
function errorBodyOf(condition: string) {
  return { description: condition, headers: headerRefs('X-Request-Id'), content: ERROR_CONTENT }
}

const NOT_MODIFIED = 'NotModified'

const refTo = (kind: string, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` })

const ERROR_CONTENT = { 'application/json': { schema: refTo('schemas', 'Error') } }

const header = (description: string, schema: TSchema) => ({ description, schema })

const HEADERS = {
  RateLimit: header(
    'With a valid API key: remaining requests (r) and seconds until reset (t) of each window, such as `"burst";r=14;t=6, "hour";r=99;t=3600, "day";r=499;t=86400`',
    Type.String(),
  ),
  'RateLimit-Policy': header(
    'With a valid API key: quota (q) and length in seconds (w) of each window of the plan, such as `"burst";q=15;w=90, "hour";q=100;w=3600, "day";q=500;w=86400`',
    Type.String(),
  ),
  'X-Credits-Cost': header('With a valid API key: credits charged for this request', Type.Integer({ minimum: 0 })),
  'X-Credits-Remaining': header(
    'With a valid API key: credits left after this request, minus credits held by other requests and open streams',
    Type.Integer({ minimum: 0 }),
  ),
  'X-Request-Id': header('Id of this request, as in the request logs', Type.String({ format: 'uuid' })),
  'X-Total-Count': header(
    'Rows that match the filters, also those before `after` and beyond `limit`',
    Type.Integer({ minimum: 0 }),
  ),
  'X-Ignored-Parameters': header(
    'Parameters of the request that have no effect, each with the nearest known name, such as `"assetkey";nearest="assetKey"`',
    Type.String(),
  ),
  'X-Notice': header(
    'Why the list is empty, if its range of time lies in the future or before the first record',
    Type.String(),
  ),
  ETag: header(
    'On GET: names this answer. Sent as `If-None-Match` in the next request, it is answered with 304 and no body if nothing has changed; the cost is the same',
    Type.String(),
  ),
  Allow: header('If the route exists with other methods: these methods', Type.String()),
  'Retry-After': header('Seconds to wait before retrying', Type.Integer({ minimum: 0 })),
}

const CALLER_HEADERS = ['RateLimit', 'RateLimit-Policy', 'X-Credits-Cost', 'X-Credits-Remaining'] as const

const headerRefs = (...names: (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, refTo('headers', name)]))

const totals = {
  totalCount: count('Number of records that match the filters, on all pages'),
  count: count('Number of items on this page'),
  limit: count('Applied page size; may be lower than requested'),
}
const applied = {
  sort: text('Applied sort order'),
  query: nullable(text('Applied search term; null if there was none')),
  plan: Type.Optional(text("Slug of the caller's plan")),
}
const hasMore = flag('Whether more results follow')
const pageNumber = (description: string) => Type.Integer({ minimum: 1, description })

/** Spec 2.7 and 2.8. */
const SHARED_SCHEMAS = {
  CursorMeta: Type.Object(
    {
      ...totals,
      hasMore,
      hasPrev: flag('Whether there are results before this page'),
      nextCursor: nullable(text('Opaque cursor to send as after. Null if hasMore is false')),
      prevCursor: nullable(text('Opaque cursor to send as before. Null if hasPrev is false')),
      sort: applied.sort,
      query: applied.query,
      mode: Type.Optional(
        Type.Enum(SEARCH_MODES, {
          description:
            'With query: semantic, or words if it was answered by words alone, for example in another language than the model knows',
        }),
      ),
      plan: applied.plan,
    },
    { description: 'The place of this page in a list paged by cursor' },
  ),
  OffsetMeta: Type.Object(
    {
      ...totals,
      offset: count('Number of skipped records'),
      hasMore,
      prevOffset: nullable(count('offset of the page before; null on the first page')),
      nextOffset: nullable(count('offset of the next page; null on the last page')),
    },
    { description: 'The place of this page in a list paged by offset' },
  ),
  PageMeta: Type.Object(
    {
      ...totals,
      page: pageNumber('Number of this page'),
      totalPages: count('Number of pages'),
      prevPage: nullable(pageNumber('Number of the page before; null on the first page')),
      nextPage: nullable(pageNumber('Number of the next page; null on the last page')),
      hasMore,
      ...applied,
    },
    { description: 'The place of this page in a list paged by number' },
  ),
  Error: Type.Object(
    {
      success: Type.Literal(false, { description: 'Always false' }),
      error: Type.Object(
        {
          message: text('For people; may change at any time'),
          code: Type.Enum(ERROR_CODES, { description: 'For programs; stable' }),
          details: Type.Optional(Type.Array(FieldError, { description: 'Present only if fields failed validation' })),
        },
        { description: 'What went wrong' },
      ),
      statusCode: Type.Integer({ description: 'Equals the HTTP status' }),
      timestamp: time('Time of the error'),
    },
    { description: 'The body of every error' },
  ),
}

type SchemaNames = ReadonlyMap<object, string>

const VERBS = { GET: 'get', POST: 'create', PATCH: 'update', DELETE: 'delete' } as const
const verbOf = ({ method, returns }: AnyEndpoint<never>) =>
  method === 'GET' && isList(returns) ? 'list' : VERBS[method]

/**
 * A schema is named after the path that returns it. Where one path returns several shapes (an API key with and without
 * its secret), the later ones get a distinguishing name.
 */
const DIFFERENCE = {
  get: (noun: string) => `${noun}Detail`,
  list: (noun: string) => `${noun}Item`,
  create: (noun: string) => `Created${noun}`,
  update: (noun: string) => `Updated${noun}`,
  delete: (noun: string) => `Deleted${noun}`,
}
const NAMING_ORDER = Object.keys(DIFFERENCE)

/** Returns the names of the schemas that endpoints return. */
export function nameSchemas(endpoints: readonly AnyEndpoint<never>[]): SchemaNames {
  const names = new Map<object, string>()
  const taken = new Set(Object.keys(SHARED_SCHEMAS))
  // The rows of a file are mostly the items of a list, which names them.
  const placeOf = (endpoint: AnyEndpoint<never>) =>
    endpoint.returns === 'download' ? NAMING_ORDER.length : NAMING_ORDER.indexOf(verbOf(endpoint))
  const byVerb = endpoints.toSorted((a, b) => placeOf(a) - placeOf(b))
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

/** Returns the named definitions of a recursive schema, to which it refers by name. */
function definitionsOf(schema: TSchema): Record<string, object> {
  return '$defs' in schema ? (schema.$defs as Record<string, object>) : {}
}

/** Returns verb and path, such as `listEntries`, `getEntry`, `listTopicEntries`, `createAccountApiKey`. */
function operationIdOf(endpoint: AnyEndpoint<never>): string {
  return verbOf(endpoint) + pascal(operationWords(endpoint, false))
}

/** Returns the words of the path, in the singular before an id, for created resources and for parent resources. */
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

const TAGS: Record<string, string> = {
  service: 'The server itself',
  health: 'Liveness, for process supervisors',
  ready: 'Readiness, for load balancers',
  status: 'Uptime, and how current the data is',
  entries: 'Financial news',
  assets: 'Companies, currencies, cryptocurrencies, commodities, indices and funds',
  topics: 'Subjects of entries, in a tree',
  publishers: 'Who publishes entries',
  clusters: 'Entries about the same event',
  markets: 'Places where assets trade, with charts and candles',
  'prediction-markets': 'Questions about the future with their odds',
  sec: 'Records from filings at the SEC; needs a plan with SEC data',
  signals: 'What stands out about an asset, as lists and as live streams',
  changes: 'Inserts, revisions and removals of records, for mirrors',
  stats: 'Numbers of records, and how often signals were right',
  export: 'Whole lists as files; needs a plan with bulk export',
  account: 'The account of the key: balance, usage, request logs, keys and alerts; free of charge',
  billing: 'Credit packs, plans and subscriptions; free of charge',
  admin: "The operator's API, with a token of the operator",
}

const pascal = (words: readonly string[]) =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('')

/** Returns the value with every named schema in it replaced by a reference. */
function refer(value: unknown, names: SchemaNames): unknown {
  if (Array.isArray(value)) return value.map((item) => refer(item, names))
  if (typeof value !== 'object' || value === null) return value
  const name = names.get(value) ?? ('$ref' in value ? String(value.$ref) : undefined)
  return name === undefined ? expand(value, names) : refTo('schemas', name)
}

function expand(schema: object, names: SchemaNames): Record<string, unknown> {
  const expanded = Object.fromEntries(
    Object.entries(schema)
      // References are relative to the `$id` of a schema, which would hide the components.
      .filter(([keyword]) => keyword !== '$id')
      .map(([keyword, value]) => [keyword, refer(value, names)]),
  )
  return withOwnDescription(expanded)
}

/** Moves the description of a value that may be null to the field itself, where readers look for it. */
function withOwnDescription(schema: JsonSchema & Record<string, unknown>): Record<string, unknown> {
  const [value, other] = schema.anyOf ?? []
  if (value?.description === undefined || other?.type !== 'null' || schema.description !== undefined) return schema
  const { description, ...rest } = value
  return { description, ...schema, anyOf: [rest, other] }
}
