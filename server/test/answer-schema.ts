import assert from 'node:assert/strict'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { Services } from '../src/api/services.ts'
import type { AnyEndpoint } from '../src/http/endpoint.ts'

const validators = new Map<AnyEndpoint<Services>, ReturnType<typeof validatorOf>>()

/** Asserts that a body is an answer of the endpoint, without fields that its schema does not have. */
export function assertValid(endpoint: AnyEndpoint<Services>, body: unknown): void {
  const validator = validators.get(endpoint) ?? validatorOf(endpoint)
  validators.set(endpoint, validator)
  assert.ok(validator.Check(body), JSON.stringify(validator.Errors(body).slice(0, 3)))
}

function validatorOf(endpoint: AnyEndpoint<Services>) {
  const strict = { additionalProperties: false }
  const data = 'properties' in endpoint.data ? { ...endpoint.data, ...strict } : endpoint.data
  const isList = endpoint.returns !== 'object'
  const hasMeta = isList && endpoint.returns !== 'list'
  const envelope = Type.Object(
    {
      success: Type.Literal(true),
      data: isList ? Type.Array(data) : data,
      ...(hasMeta && { meta: Type.Object(META[endpoint.returns] ?? endpoint.meta?.properties ?? {}, strict) }),
    },
    strict,
  )
  return Compile(envelope)
}

const number = Type.Integer({ minimum: 0 })
const text = Type.String()
const orNull = <S extends typeof number | typeof text>(schema: S) => Type.Union([schema, Type.Null()])
const listed = { totalCount: number, count: number, limit: number, hasMore: Type.Boolean() }
const described = { sort: text, query: orNull(text), plan: text }

/** Contents of `meta` (spec 2.7), transcribed. */
const META: Partial<Record<AnyEndpoint<Services>['returns'], Record<string, Type.TSchema>>> = {
  'cursor-list': {
    ...listed,
    ...described,
    hasPrev: Type.Boolean(),
    nextCursor: orNull(text),
    prevCursor: orNull(text),
  },
  'offset-list': { ...listed, offset: number, prevOffset: orNull(number), nextOffset: orNull(number) },
  'page-list': {
    ...listed,
    ...described,
    page: number,
    totalPages: number,
    prevPage: orNull(number),
    nextPage: orNull(number),
  },
}
