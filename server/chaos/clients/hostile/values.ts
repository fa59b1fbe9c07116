/** Values that clients should not send, for parameters, paths, headers and bodies. */
import type { Random } from './random.ts'

/** A schema of openapi.json, as far as values depend on it. */
export interface Schema {
  type?: string
  format?: string
  enum?: readonly unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  items?: Schema
  properties?: Record<string, Schema>
  anyOf?: readonly Schema[]
}

/** Percent-encoded, ready for a URL. */
const ENCODED_TEXTS = [
  '',
  '%20',
  '%00',
  'a%00b',
  '%FF',
  '%C0%AF',
  '%ED%A0%80',
  '%F4%90%80%80',
  '%EF%BB%BF',
  '%zz',
  '%',
  '%u0041',
  '%25%32%35',
  '+',
  '%F0%9F%92%A9',
  '%E2%80%AE%D7%90',
  'e%CC%81'.repeat(50),
  '%C4%B0%C5%BF%E1%BA%9E',
]

const TEXTS = [
  "' or 1=1--",
  "'; drop table accounts; --",
  '"',
  '"unclosed',
  '((((',
  'NEAR(a b, 3)',
  'a AND OR NOT',
  '-',
  '-a -b',
  '*',
  'a*',
  'title:x',
  '^a',
  '\\',
  '%',
  '_',
  '$1',
  '{{x}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'null',
  'undefined',
  'true',
  '[]',
  '{"$gt":""}',
  '[object Object]',
  '__proto__',
  'constructor',
  'a,b,,c',
  ',',
  ',,,,,,',
]

const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1.5',
  '1e1',
  '1e309',
  '-1e309',
  'NaN',
  'Infinity',
  '0x10',
  '1_000',
  '٣',
  '9007199254740993',
  '99999999999999999999',
  '2147483648',
  '9223372036854775808',
  '00000001',
  ' 1',
  '1 ',
]

const TIMES = [
  '2026-02-30',
  '2026-13-01',
  '0000-00-00',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:60Z',
  '1700000000',
  'now',
  '2026-11-16T00:00:00+99:99',
  '2026-11-16 00:00',
]

/** Returns a value for a parameter, percent-encoded: valid, near its limits, or of another kind. */
export function encodedValue(schema: Schema, random: Random): string {
  if (random.chance(0.2)) return random.pick(ENCODED_TEXTS)
  return encodeURIComponent(textFor(schema, random)).slice(0, 6_000)
}

function textFor(schema: Schema, random: Random): string {
  const { anyOf, items } = schema
  if (anyOf !== undefined && anyOf.length > 0) return textFor(random.pick(anyOf), random)
  if (random.chance(0.15)) return 'x'.repeat(random.below(2_000))
  if (random.chance(0.15)) return random.pick([...TEXTS, ...NUMBERS, ...TIMES])
  if (items !== undefined) {
    return Array.from({ length: random.below(25) }, () => textFor(items, random)).join(',')
  }
  if (schema.enum !== undefined && random.chance(0.8)) return String(random.pick(schema.enum))
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum = 0, maximum = 1_000 } = schema
    return random.pick([
      ...NUMBERS,
      String(minimum),
      String(minimum - 1),
      String(maximum),
      String(maximum + 1),
      String(minimum + random.below(Math.min(100, maximum - minimum + 1))),
    ])
  }
  if (schema.type === 'boolean') return random.pick(['true', 'false', '1', 'TRUE', 'yes', ''])
  if (schema.format === 'date-time') return random.pick([...TIMES, '2026-01-01', '2026-11-01T00:00:00.000Z'])
  if (schema.format === 'uuid') return random.pick(['00000000-0000-4000-8000-000000000000', 'x', random.hex(32)])
  return random.pick([...TEXTS, 'bank', 'AAPL', 'apple profit', 'en', `${'a '.repeat(300)}`])
}

/** Returns JSON of a body: as the schema has it, with a field damaged, or something else. */
export function jsonBody(schema: Schema, random: Random): string {
  if (random.chance(0.25)) return random.pick(BODIES)
  const fields = Object.entries(schema.properties ?? {}).filter(() => random.chance(0.8))
  const body = Object.fromEntries(fields.map(([name, field]) => [name, jsonValue(field, random, 0)]))
  const text = JSON.stringify(random.chance(0.1) ? { ...body, surplus: jsonValue({}, random, 0) } : body)
  if (random.chance(0.9)) return text
  return random.pick([text.slice(0, -1), `${text}${text}`, `\ufeff${text}`, text.replaceAll('"', "'"), `${text},`])
}

function jsonValue(schema: Schema, random: Random, depth: number): unknown {
  const { anyOf, items, properties } = schema
  if (random.chance(0.2) || depth > 5) return random.pick(ODD_VALUES)
  if (anyOf !== undefined && anyOf.length > 0) return jsonValue(random.pick(anyOf), random, depth + 1)
  if (schema.enum !== undefined) return random.pick(schema.enum)
  if (items !== undefined) {
    return Array.from({ length: random.below(4) }, () => jsonValue(items, random, depth + 1))
  }
  if (properties !== undefined) {
    return Object.fromEntries(
      Object.entries(properties)
        .filter(() => random.chance(0.8))
        .map(([name, field]) => [name, jsonValue(field, random, depth + 1)]),
    )
  }
  if (schema.type === 'integer')
    return random.pick([schema.minimum ?? 0, (schema.maximum ?? 10) + 1, random.below(100)])
  if (schema.type === 'number') return random.pick([0.1, -1, 1e15, schema.maximum ?? 5])
  if (schema.type === 'boolean') return random.chance(0.5)
  return textFor(schema, random)
}

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  '\0',
  '\ud800',
  'x'.repeat(5_000),
  '💩'.repeat(200),
  [],
  {},
  [[]],
  [null],
  { toString: 1 },
]

const BODIES = [
  '',
  ' ',
  '{',
  'null',
  '1',
  '"x"',
  '[]',
  '[{}]',
  '{}',
  'NaN',
  '{"a":1e999}',
  '{"name":"a","name":"b"}',
  '{"__proto__":{"x":1},"constructor":{"prototype":{}}}',
  '{"name":"\\ud800"}',
  'name=x&packageId=credits_1000',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `{"name":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`,
  `{"name":"${'x'.repeat(70_000)}"}`,
  `{${Array.from({ length: 2_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
]

/** Header lines that are valid HTTP but unusual. */
export const ODD_HEADERS = [
  'Content-Type: text/plain; charset=utf-16',
  'Content-Type: ;;;',
  'Content-Encoding: gzip',
  'Accept: application/xml',
  'Accept-Encoding: gzip;q=0, identity;q=0, *;q=0',
  'Accept-Charset: klingon',
  'Range: bytes=0-0, 5-, -1',
  'If-None-Match: *',
  'If-Modified-Since: yesterday',
  'If-Match: "x"',
  'Expect: miracles',
  'Connection: keep-alive, x-request-id',
  'Connection: Upgrade, HTTP2-Settings',
  'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
  'Keep-Alive: timeout=999999999',
  'TE: trailers, deflate;q=0.5',
  'Trailer: Authorization',
  'X-Forwarded-For: 127.0.0.1, ::1, \'"<>',
  'X-Forwarded-Host: evil.example',
  'X-HTTP-Method-Override: DELETE',
  'X-Original-URL: /admin/accounts',
  'X-Request-Id: ../../x',
  'Forwarded: for="[::1]:x";proto=https',
  'Origin: null',
  'Origin: https://evil.example',
  'Access-Control-Request-Method: DELETE',
  'Cookie: a=b; a=c; __proto__=x',
  `Cookie: ${'x'.repeat(4_000)}`,
  'Last-Event-ID: 99999999999999999999',
  'Last-Event-ID: -1',
  'Priority: u=9',
  'Stripe-Signature: t=0,v1=00',
  'Max-Forwards: 0',
  'Host: other.example:99999',
  'Referer: \u00ff\u00fe',
  'User-Agent: %s%n {{7*7}}',
]
