import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { damagedText } from '../../test/damaged-text.ts'
import { runs } from '../../test/depth.ts'
import { VENDOR_ANSWERS } from '../../test/vendor-answers.ts'
import { PredictionMarketDetail } from '../model/prediction-markets.ts'
import { ParseError } from './answer.ts'
import { PARSERS } from './parsers.ts'

/** Fields that the store adds or derives. */
const DERIVED = ['id', 'assetKeys', 'topicSlugs', 'createdAt', 'updatedAt'] as const
const FROM_OTHER_RECORDS = ['history', 'relatedMarkets', 'relatedEntryIds'] as const
const market = Compile(
  Type.Object(Type.Omit(PredictionMarketDetail, [...DERIVED, ...FROM_OTHER_RECORDS]).properties, {
    additionalProperties: false,
  }),
)
const point = Compile(
  Type.Object({
    venueMarketId: Type.Union([Type.String(), Type.Null()]),
    outcomeId: Type.Union([Type.String(), Type.Null()]),
    at: Type.String({ format: 'date-time' }),
    probability: Type.Number({ minimum: 0, maximum: 1 }),
  }),
)
const candle = Compile(
  Type.Object({
    openedAt: Type.String({ format: 'date-time' }),
    open: Type.Number(),
    high: Type.Number(),
    low: Type.Number(),
    close: Type.Number(),
    volume: Type.Number({ minimum: 0 }),
  }),
)

const NOW = Date.UTC(2026, 5, 1)

/** Parses a text; checks that its records are valid and in order, or that the error says why it has none. */
function check(kind: string, text: string): void {
  try {
    assertRecords([...(PARSERS[kind]?.(Buffer.from(text), NOW).records ?? [])])
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    assert.notEqual(error.message, '')
  }
}

function assertRecords(records: readonly object[]): void {
  let last = ''
  for (const record of records) {
    const isKnown = [market, point, candle].some((schema) => schema.Check(record))
    assert.ok(isKnown, JSON.stringify(record))
    const at = 'openedAt' in record ? record.openedAt : 'at' in record ? record.at : last
    assert.ok(String(at) >= last, `${at} comes after ${last}`)
    last = String(at)
    if (candle.Check(record)) {
      assert.ok(record.low <= Math.min(record.open, record.close))
      assert.ok(record.high >= Math.max(record.open, record.close))
    }
  }
}

const NASTY = [
  ...[
    '',
    '0',
    '-1',
    '1e999',
    '"NaN"',
    '"Infinity"',
    '"-0"',
    'null',
    'true',
    '{}',
    '[]',
    '""',
    '"\\ud800"',
    '"\\u0000"',
  ],
  ...['[[', '}}', ',', ',,', ';', '"', '\\', '\n', '\r', '\0', '\ufeff', '<html>', '99999999999999999999', '1.5e-7'],
  ...['"2026-13-01"', '"0001-01-01T00:00:00Z"', '"\\"[1"', '"[\\"1\\",\\"0\\"]"', '"__proto__":1,', '[0.5,0.5]'],
]

describe('parsers of vendors', () => {
  for (const [kind, answers] of Object.entries(VENDOR_ANSWERS)) {
    test(`${kind}: all records of the answers are valid`, () => {
      for (const text of answers) {
        const { records = [], rejected } = PARSERS[kind]?.(Buffer.from(text), NOW) ?? {}
        assert.notEqual([...records].length, 0)
        assert.deepEqual(rejected, [])
        assertRecords([...records])
      }
    })

    test(`${kind}: a damaged answer has valid records or an error`, () => {
      fc.assert(
        fc.property(damagedText(answers, NASTY), (text) => check(kind, text)),
        { numRuns: runs(300, 5_000) },
      )
    })

    test(`${kind}: a JSON answer with any value replaced has valid records or an error`, () => {
      const texts = answers.filter((answer) => /^[[{]/.test(answer))
      if (texts.length === 0) return
      fc.assert(
        fc.property(fc.constantFrom(...texts), fc.nat(), fc.jsonValue({ maxDepth: 2 }), (answer, place, value) => {
          const count = countValues(answer)
          let index = 0
          const changed = JSON.stringify(JSON.parse(answer), (_name, old) => (index++ === place % count ? value : old))
          check(kind, changed)
        }),
        { numRuns: runs(300, 5_000) },
      )
    })

    test(`${kind}: junk is an error`, () => {
      const junk = ['', ' ', '\0\0\0', '\ufffd\ufffd', 'null', '5', '"x"', '{}', '<html></html>', '\u001f\u008b\b']
      for (const text of [...junk, '['.repeat(1e6), `${'['.repeat(1e5)}${']'.repeat(1e5)}`, '{"a":'.repeat(1e5)]) {
        assert.throws(() => PARSERS[kind]?.(Buffer.from(text), NOW), ParseError)
      }
      check(kind, '[]')
      check(kind, `[${'1,'.repeat(200_000)}1]`)
    })
  }
})

function countValues(text: string): number {
  let count = 0
  JSON.parse(text, () => {
    count += 1
  })
  return count
}
