import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { damagedText } from '../../../test/damaged-text.ts'
import { runs } from '../../../test/depth.ts'
import { EDGAR_ANSWERS } from '../../../test/edgar-answers.ts'
import { ParseError } from '../answer.ts'
import { PARSERS } from '../parsers.ts'

const parse = (kind: string, bytes: Uint8Array) => PARSERS[kind]?.(bytes, 0)

/** Parses a damaged text: a result or the error that says why there is none. */
function check(kind: string, text: string): void {
  try {
    parse(kind, Buffer.from(text))
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    assert.notEqual(error.message, '')
  }
}

const NASTY = [
  ...['', '<', '>', '</', '<a>', '</value>', '<value>', '<![CDATA[', ']]>', '&', '&amp;', '&#0;', '&#x110000;', '\0'],
  ...['NaN', '-1', '1e999', 'Infinity', '99999999999999999999', '"', '{', '}', '[', ']', ',', '\\', ':', '|', '\n\n'],
  ...['0000-00-00', '9999-12-31', '\ufeff', '\ud800', 'null', '<DOCUMENT>', '<TEXT>', '__proto__'],
]

describe('parsers of EDGAR', () => {
  for (const [kind, answers] of Object.entries(EDGAR_ANSWERS)) {
    test(`${kind}: all rows of the answers are read`, () => {
      for (const text of answers) {
        const { records = [], rejected } = parse(kind, Buffer.from(text)) ?? {}
        assert.notEqual([...records].length, 0)
        assert.deepEqual(rejected, [])
      }
    })

    test(`${kind}: a damaged answer has records or an error`, () => {
      fc.assert(
        fc.property(damagedText(answers, NASTY), (text) => check(kind, text)),
        { numRuns: runs(200, 5_000) },
      )
    })

    test(`${kind}: a JSON answer with any value replaced has records or an error`, () => {
      const texts = answers.filter((answer) => answer.startsWith('{'))
      if (texts.length === 0) return
      fc.assert(
        fc.property(fc.constantFrom(...texts), fc.nat(60), fc.jsonValue({ maxDepth: 2 }), (answer, place, value) => {
          let index = 0
          check(
            kind,
            JSON.stringify(JSON.parse(answer), (_name, old) => (index++ === place ? value : old)),
          )
        }),
        { numRuns: runs(200, 5_000) },
      )
    })

    test(`${kind}: junk is an error`, () => {
      const junk = [
        '',
        ' ',
        '\0\0\0',
        'null',
        '5',
        '"x"',
        '{}',
        '[]',
        '<html></html>',
        '\u001f\u008b\b',
        '<a>'.repeat(1e5),
      ]
      for (const text of [...junk, '['.repeat(1e6), '{"a":'.repeat(1e5), `{"cik":1,"facts":{${'"a":{'.repeat(1e5)}`]) {
        assert.throws(() => parse(kind, Buffer.from(text)), ParseError, text.slice(0, 20))
      }
    })
  }

  test('deep and endless XML is an error', () => {
    const inside = (xml: string) => Buffer.from(`<ownershipDocument>${xml}</ownershipDocument>`)
    assert.throws(() => parse('sec-ownership', inside('<a>'.repeat(1e5))), /nested/)
    assert.throws(() => parse('sec-ownership', inside(`<a ${'b="" '.repeat(1e4)}/>`)), ParseError)
    assert.throws(() => parse('sec-ownership', inside('<a/>'.repeat(1_000_001))), /elements/)
  })
})
