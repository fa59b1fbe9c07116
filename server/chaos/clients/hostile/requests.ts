/** Well-framed requests with hostile contents, generated from openapi.json. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_KEY } from '../../../src/admission/key.ts'
import { endpoints } from '../../../src/api/index.ts'
import { isInReference, routeOf } from '../../../src/http/endpoint.ts'
import type { Random } from './random.ts'
import { encodedValue, jsonBody, ODD_HEADERS, type Schema } from './values.ts'

interface Operation {
  method: string
  path: string
  params: readonly { name: string; schema: Schema }[]
  body: Schema | undefined
  /** The reply is a stream, which never ends. */
  isStream: boolean
}

export interface Keys {
  /** Key of the account whose charges are compared with the answers. */
  own: string
  admin: string
}

export interface HostileRequest {
  parts: (string | Uint8Array)[]
  isHead: boolean
  isStream: boolean
  /** Another account pays: that of the demo key. */
  isDemo: boolean
}

/** Operations that would reach beyond the service under test, or take the data away that other requests ask for. */
const LEFT_OUT: Record<string, string> = {
  'POST /admin/sources': 'reads the given address',
  'POST /admin/sample/clear': 'removes the data',
  'POST /admin/reindex': 'processes all entries again each time',
  'GET /admin/audit': 'reads the whole ledger each time',
}

const DEMO = `Authorization: Bearer ${DEMO_KEY}`

const STREAMS = ['signals/stream', 'signals/ws', 'entries/stream', 'entries/ws'].map((path) => `/api/v1/${path}`)
/** Returns whether an answer may be too long to read to its end. */
const isLong = (path: string) => STREAMS.includes(path) || path.startsWith('/api/v1/export/')

const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']

interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { parameters: Record<string, Parameter> }
}

interface Parameter {
  name: string
  in: string
  schema: Schema
}

interface OpenApiOperation {
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Lists the operations of openapi.json, and those for browsers and payment processors, which it leaves out. */
export function listOperations(): Operation[] {
  const file = join(import.meta.dirname, '../../../../openapi.json')
  const { paths, components }: OpenApi = JSON.parse(readFileSync(file, 'utf8'))
  const queryParam = (param: Parameter | { $ref: string }): Parameter[] => {
    const found = '$ref' in param ? components.parameters[param.$ref.replace(/.*\//, '')] : param
    return found?.in === 'query' ? [found] : []
  }
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      params: parameters.flatMap(queryParam),
      body: Object.values(requestBody?.content ?? {})[0]?.schema,
    })),
  )
  const unlisted = endpoints
    .filter((endpoint) => !isInReference(endpoint))
    .map((endpoint) => ({
      method: endpoint.method,
      path: routeOf(endpoint).replaceAll(/:(\w+)/g, '{$1}'),
      params: [],
      body: endpoint.body as Schema | undefined,
    }))
  return [...listed, ...unlisted]
    .filter(({ method, path }) => LEFT_OUT[`${method} ${path}`] === undefined)
    .map((operation) => ({ ...operation, isStream: isLong(operation.path) }))
}

/** Creates a request to a random operation; `ids` are ids of existing records. */
export function hostileRequest(
  operations: readonly Operation[],
  ids: readonly string[],
  keys: Keys,
  random: Random,
): HostileRequest {
  const operation = random.pick(operations)
  const method = random.chance(0.92) ? operation.method : random.pick(METHODS)
  const path = operation.path.replaceAll(/\{\w+\}/g, () =>
    ids.length > 0 && random.chance(0.6)
      ? encodeURIComponent(random.pick(ids))
      : encodedValue({}, random).slice(0, 600),
  )
  const target = damagedPath(path, random) + queryOf(operation, random)
  const headers = headersOf(operation, keys, random)
  const body = operation.body === undefined && random.chance(0.95) ? undefined : jsonBody(operation.body ?? {}, random)
  return {
    parts: framed(`${method} ${target} HTTP/1.1`, headers, body, random),
    isHead: method === 'HEAD',
    isStream: operation.isStream,
    isDemo: headers.includes(DEMO) && !headers.some((line) => line.includes(keys.own)),
  }
}

function damagedPath(path: string, random: Random): string {
  if (random.chance(0.93)) return path
  return random.pick([
    `${path}/`,
    `/${path}`,
    `${path}/..%2f..`,
    path.toUpperCase(),
    `${path};x=1`,
    `${path}%2f`,
    `/api/v2${path}`,
    `http://other.example${path}`,
    `${path}.json`,
    `/./${path}`,
    '*',
    '/api/v1',
    '/%00',
    '/favicon.ico',
    '/.env',
  ])
}

function queryOf({ params }: Operation, random: Random): string {
  if (params.length === 0 && random.chance(0.8)) return ''
  const chosen = Array.from({ length: params.length === 0 ? 0 : random.below(4) }, () => random.pick(params))
  const pairs = chosen.map(({ name, schema }) => {
    const shown = random.chance(0.95)
      ? name
      : random.pick([`${name}[]`, `${name}[a]`, name.toUpperCase(), `%00${name}`])
    return `${shown}=${encodedValue(schema, random)}`
  })
  if (random.chance(0.1)) {
    pairs.push(
      random.pick(['nonsense=1', '__proto__=1', '=', '&&&', 'limit', '=x', 'constructor[prototype]=1', '%zz=%zz', '?']),
    )
  }
  // What the service takes as a URL; longer ones are in framing.ts.
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`.slice(0, 7_000)
}

function headersOf({ path }: Operation, keys: Keys, random: Random): string[] {
  const isAdmin = path.startsWith('/admin')
  const right = `Authorization: Bearer ${isAdmin ? keys.admin : keys.own}`
  const wrong = [
    [],
    ['Authorization:'],
    ['Authorization: Bearer'],
    [`Authorization: Bearer ${random.hex(48)}`],
    [`Authorization: Bearer mtk_${random.hex(44)}`],
    [`Authorization: Basic ${random.hex(20)}`],
    [`Authorization: Bearer ${'x'.repeat(3_000)}`],
    ['Authorization: Bearer \u00ff\u00fe'],
    [right, DEMO],
    [DEMO],
    [`authorization:\tbearer   ${keys.own}  `],
    [`X-API-Key: ${keys.own}`],
  ]
  const odd = Array.from({ length: random.chance(0.3) ? 1 + random.below(3) : 0 }, () => random.pick(ODD_HEADERS))
  return ['Host: test', ...(random.chance(0.8) ? [right] : random.pick(wrong)), ...odd]
}

/** Frames a body with its length or in chunks, so that the next request on the connection is found. */
function framed(line: string, headers: readonly string[], body: string | undefined, random: Random) {
  if (body === undefined) return [[line, ...headers, '', ''].join('\r\n')]
  const bytes = encodedBody(body, random)
  if (random.chance(0.8)) return [[line, ...headers, `Content-Length: ${bytes.length}`, '', ''].join('\r\n'), bytes]
  const chunks: Uint8Array[] = []
  for (let from = 0; from < bytes.length; ) {
    const size = Math.min(bytes.length - from, 1 + random.below(20_000))
    const extension = random.chance(0.1) ? ';a="b"' : ''
    chunks.push(
      Buffer.from(`${size.toString(16)}${extension}\r\n`),
      bytes.subarray(from, from + size),
      Buffer.from('\r\n'),
    )
    from += size
  }
  const trailer = random.chance(0.1) ? 'X-Trailer: y\r\n' : ''
  return [[line, ...headers, 'Transfer-Encoding: chunked', '', ''].join('\r\n'), ...chunks, `0\r\n${trailer}\r\n`]
}

function encodedBody(body: string, random: Random): Buffer {
  if (random.chance(0.95)) return Buffer.from(body)
  return random.pick([
    Buffer.from(body, 'utf16le'),
    Buffer.concat([Buffer.from(body), Buffer.of(0xff, 0xfe, 0xc0)]),
    Buffer.concat([Buffer.of(0x1f, 0x8b, 8, 0), Buffer.from(body)]),
    Buffer.from(body, 'latin1'),
  ])
}
