import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuTimer } from '../../test/cpu-time.ts'
import { cleanText } from '../model/clean-text.ts'
import { sentencesOf } from './text.ts'

test('markup is removed, its text and signs that only look like markup stay', () => {
  assert.equal(cleanText('<p>Profit <b>up</b>&nbsp;5&#37;</p><script>x()</script><p>Next</p>'), 'Profit up 5% Next')
  assert.equal(cleanText('AT&T: 3 < 5 and 7 > 6'), 'AT&T: 3 < 5 and 7 > 6')
  assert.equal(cleanText('a\u0000b\u202ec\ud800 d\n\te'), 'a bc d e')
})

test('any text becomes clean, and cleaning is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const clean = cleanText(text)
      assert.ok(clean.isWellFormed() && clean === clean.trim() && !/[\u0000-\u001f]|\s{2}/.test(clean))
      if (!/[<>&]/.test(text)) assert.equal(cleanText(clean), clean)
      assert.ok(cleanText(text, 10).length <= 10)
    }),
  )
})

test('hostile texts are cleaned and split in bounded time', () => {
  const texts = [
    '\u0301\u0323'.repeat(200_000),
    `${'<b>'.repeat(66_000)}${'</c>'.repeat(49_000)}`,
    '<table><tr><td>'.repeat(30_000),
    '<a '.repeat(130_000),
    '&#x26;'.repeat(60_000),
    '.'.repeat(100_000),
    '! "'.repeat(100_000),
    '\u202e'.repeat(400_000),
  ]
  for (const text of texts) {
    const cpuMs = cpuTimer()
    sentencesOf(cleanText(text, 100_000).slice(0, 20_000))
    assert.ok(cpuMs() < 1_000, `${text.slice(0, 10)} took ${cpuMs()} ms`)
  }
})

test('sentences end where another begins, not at every full stop', () => {
  const text = 'Apple Inc. rose 3.5% in U.S. trading. Analysts cheered! "Buy," said one. Why?'
  assert.deepEqual(
    sentencesOf(text).map(({ start, end }) => text.slice(start, end)),
    ['Apple Inc. rose 3.5% in U.S. trading.', 'Analysts cheered!', '"Buy," said one.', 'Why?'],
  )
})
