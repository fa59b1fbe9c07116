import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { cell, linesText, link, listText, MAX_CHARS, minute } from './text.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: fc.constantFrom('|', '\n', '\r', '\t', '\u2028', '\0', '\ud83d', 'x', '😀'), maxLength: 400 }),
)

describe('the text of a list', () => {
  test('never exceeds the limit, has one line per row, and says what it leaves out', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(anyText, { minLength: 3, maxLength: 3 }), { maxLength: 200, size: 'max' }),
        anyText,
        fc.array(anyText, { maxLength: 5 }),
        (rows, title, notes) => {
          const columns = [0, 1, 2].map((place) => ({
            name: `c${place}`,
            value: (row: string[]) => row[place],
            maxLength: 300,
          }))
          const text = listText({ title, columns, rows, foot: (shown) => [`shown ${shown}`, ...notes] })
          assert.ok(text.length <= MAX_CHARS, String(text.length))
          assert.ok(text.isWellFormed())
          const lines = text.split('\n')
          const shown = lines.findIndex((line) => line.startsWith('shown '))
          const head = rows.length === 0 ? 1 : 2
          assert.equal(lines[shown], `shown ${shown - head}`)
          for (const line of lines.slice(head, shown)) assert.equal(line.split(' | ').length, 3)
          assert.equal(lines.length, shown + 1 + notes.length)
          if (shown - head < rows.length) assert.ok(text.length > MAX_CHARS - 3 * 310 - 20, 'left out a row that fits')
        },
      ),
      { numRuns: runs(100, 2_000) },
    )
  })
})

test('the text of an item never exceeds the limit and always has its last line', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 3_000, size: 'max' }), { maxLength: 60, size: 'max' }),
      anyText,
      (lines, last) => {
        const text = linesText(lines, last)
        assert.ok(text.length <= MAX_CHARS)
        assert.ok(text.split('\n').length >= 1)
        assert.equal(text.split('\n').at(-1)?.includes('\r'), false)
      },
    ),
    { numRuns: runs(100, 1_000) },
  )
})

test('a cell is one line without separators', () => {
  assert.equal(cell('a\r\n b|c\td'), 'a b/c d')
  assert.equal(cell(null), '-')
  assert.equal(cell(''), '-')
  assert.equal(cell([]), '-')
  assert.equal(cell(['AAPL', 'BTC']), 'AAPL,BTC')
  assert.equal(cell(false), 'no')
  assert.equal(cell(0), '0')
  assert.equal(cell('x'.repeat(500)).length, 160)
  // A surrogate pair at the end is not cut in half.
  assert.ok(cell('😀'.repeat(300), 10).isWellFormed())
})

test('a link is whole or absent', () => {
  assert.equal(link('https://a.example/x|y'), 'https://a.example/x%7Cy')
  assert.equal(link(`https://a.example/${'x'.repeat(300)}`), '-')
  assert.equal(link(null), '-')
})

test('times are told to the minute, and days as days', () => {
  assert.equal(minute('2026-03-02T10:20:30.400Z'), '2026-03-02T10:20Z')
  assert.equal(minute('2026-03-02T00:00:00.000Z'), '2026-03-02')
  assert.equal(minute(null), null)
})
