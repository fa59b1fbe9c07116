import Type, { type TObject } from 'typebox'
import { hasRequired } from '../http/body.ts'
import { type AnyEndpoint, isInReference, isStream, type Returns, routeOf, type StreamKind } from '../http/endpoint.ts'
import type { ParamMarks } from '../http/params.ts'
import { requiredParams } from '../http/query.ts'
import { ERROR_STATUS } from '../model/errors.ts'
import type { OperatorScope } from '../model/operators.ts'
import type { Feature } from '../plans/plans.ts'
import { type CodeSample, codeSamples } from './code-samples.ts'
import type { Example, Examples } from './example-requests.ts'
import {
  CALLER_HEADERS,
  ERROR_CODES,
  errorBodyOf,
  errorResponse,
  errorsOf,
  HEADERS,
  headerRefs,
  type Reference,
  refTo,
  SHARED_SCHEMAS,
} from './openapi-components.ts'
import { isList, nameSchemas, operationIdOf, pascal, type SchemaNames, TAGS, tagOf } from './openapi-names.ts'

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

const NOT_MODIFIED = 'NotModified'

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
