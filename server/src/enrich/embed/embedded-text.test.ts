import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { embeddedText } from './embedded-text.ts'

test('the headline is embedded without figures and articles, and a short one with the beginning of the text', () => {
  assert.equal(embeddedText('The maker cuts 4,000 jobs at a plant', 'More.'), 'maker cuts jobs at plant')
  assert.equal(embeddedText('Oil', 'Prices fell by 3% on Monday.'), 'Oil Prices fell by on Monday.')
})

test('however long its words, a text is short enough to embed quickly', () => {
  const pieces = fc.constantFrom('x', 'oil ', 'e\u0301', '\u0301', '\u{10ffff}', '\ud800', '漢', '\u200b', '1')
  const words = fc.array(fc.tuple(pieces, fc.integer({ min: 1, max: 600 })), { maxLength: 5 })
  fc.assert(
    fc.property(words, (list) => {
      const text = embeddedText(list.map(([piece, times]) => piece.repeat(times)).join(' '), null)
      assert.ok(text.length <= 200 && text.isWellFormed(), text)
    }),
  )
})
