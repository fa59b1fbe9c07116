import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import Type from 'typebox'
import { runs } from '../../test/depth.ts'
import { fieldsOf, refusalOf } from '../../test/refusal.ts'
import { ApiError } from '../model/errors.ts'
import { bodyReader } from './body.ts'

describe('body', () => {
  const read = bodyReader(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 100 }),
      expiresAt: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      plan: Type.Optional(Type.Enum(['free', 'starter'])),
      credits: Type.Optional(Type.Integer({ minimum: 0 })),
      more: Type.Optional(Type.Object({ note: Type.String() }, { additionalProperties: false })),
    }),
  )
  const body = (more: object) => JSON.stringify({ name: 'a', ...more })

  test('what fits the schema is read as it is', () => {
    for (const value of [
      { name: 'a' },
      { name: 'é😀'.repeat(30), expiresAt: null, plan: 'free', credits: 0, more: { note: '' } },
    ]) {
      assert.deepEqual(read(JSON.stringify(value)), value)
    }
  })

  test('unknown fields are ignored, whatever is in them', () => {
    for (const unknown of ['[1,{"deep":null}]', '"\\udc00"', '"\\u0000"']) {
      assert.deepEqual(read(`{"name":"a","unknown":${unknown}}`), { name: 'a' })
    }
  })

  for (const raw of [
    '',
    ' ',
    '{',
    '{"name":"a"',
    "{'name':'a'}",
    'name=a',
    '{"name":"a"}x',
    'undefined',
    'NaN',
    '\0',
    '\ufeff',
  ]) {
    test(`${JSON.stringify(raw)} is 400: it is not JSON`, () => {
      assert.match(refusalOf(() => read(raw)).message, /not valid JSON/)
    })
  }

  for (const raw of ['null', '[]', '[{"name":"a"}]', '5', 'true', '"text"']) {
    test(`${raw} is 400: it is not an object`, () =>
      assert.deepEqual(
        fieldsOf(() => read(raw)),
        ['body'],
      ))
  }

  for (const [what, raw, field] of [
    ['a missing field', '{}', 'name'],
    ['null', '{"name":null}', 'name'],
    ['a wrong type', '{"name":5}', 'name'],
    ['an array', '{"name":["a"]}', 'name'],
    ['an empty text', '{"name":""}', 'name'],
    ['a text too long', body({ name: 'a'.repeat(101) }), 'name'],
    ['a value not in the list', body({ plan: 'gold' }), 'plan'],
    ['a fraction', body({ credits: 1.5 }), 'credits'],
    ['a negative number', body({ credits: -1 }), 'credits'],
    ['a number beyond all numbers', '{"name":"a","credits":1e400}', 'credits'],
    ['a number as text', body({ credits: '5' }), 'credits'],
    ['a missing field inside', body({ more: {} }), 'more.note'],
    ['a wrong type inside', body({ more: { note: 5 } }), 'more.note'],
    ['an unknown field where none may be', body({ more: { note: '', x: 1 } }), 'more.x'],
    ['an array for an object', body({ more: [] }), 'more'],
    ['a NUL byte', body({ name: 'a\0' }), 'name'],
    ['half a character', '{"name":"\\ud800"}', 'name'],
    ['a NUL byte inside', body({ more: { note: '\0' } }), 'more.note'],
    ['a text that is a NUL byte', '"\\u0000"', 'body'],
  ] as const) {
    test(`${what} is 400 on ${field}`, () => {
      assert.ok(fieldsOf(() => read(raw)).includes(field))
    })
  }

  test('every field that is wrong is named', () => {
    const fields = fieldsOf(() => read('{"credits":-1,"plan":"gold"}'))
    assert.deepEqual(new Set(fields), new Set(['name', 'credits', 'plan']))
  })

  test('a body nested deeper than 32 levels is refused before it is parsed', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    for (const deep of [nested(33), nested(500_000), `{"name":"a","unknown":${nested(32)}}`, '['.repeat(33)]) {
      assert.match(refusalOf(() => read(deep)).message, /nested deeper than 32 levels/)
    }
    read(`{"name":"a","unknown":${nested(31)}}`)
    read(`{"name":"[[\\"{{","unknown":"${'['.repeat(100)}"}`)
  })

  test('__proto__ in a body is a field like any other', () => {
    assert.deepEqual(
      fieldsOf(() => read('{"__proto__":{"name":"a"}}')),
      ['name'],
    )
    read('{"name":"a","__proto__":{"toString":5}}')
    assert.equal(typeof {}.toString, 'function')
  })

  test('any text is read or refused with BAD_REQUEST and nothing else', () => {
    const nearly = fc
      .record(
        {
          name: fc.anything(),
          expiresAt: fc.anything(),
          plan: fc.anything(),
          credits: fc.anything(),
          more: fc.anything(),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each)))
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), nearly), (raw) => {
        try {
          read(raw)
        } catch (error) {
          assert.ok(error instanceof ApiError, String(error))
          assert.equal(error.code, 'BAD_REQUEST')
        }
      }),
      { numRuns: runs(100, 1_000) },
    )
  })
})
