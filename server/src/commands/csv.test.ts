import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import Papa from 'papaparse'
import { CsvReader } from './csv.ts'

function read(text: string) {
  const [header = '', ...lines] = text.split('\n')
  const reader = new CsvReader(header)
  const records = lines.flatMap((line, index) => reader.read({ number: index + 2, text: line }))
  return [...records, ...reader.end()].map(({ line, value, problem }) => [line, problem ?? value])
}

test('finds the delimiter, and leaves empty cells out', () => {
  for (const mark of [',', ';', '\t', '|']) {
    assert.deepEqual(read(['a,b', '1,2', ',x', '', 'null,'].join('\n').replaceAll(',', mark)), [
      [2, { a: '1', b: '2' }],
      [3, { b: 'x' }],
      [5, { a: null }],
    ])
  }
})

test('a quoted cell may contain delimiters, quotes and line breaks', () => {
  assert.deepEqual(read('a,b\n"x, ""y""",2\n"one\n\ntwo",3\n5" pipe,4'), [
    [2, { a: 'x, "y"', b: '2' }],
    [3, { a: 'one\n\ntwo', b: '3' }],
    [6, { a: '5" pipe', b: '4' }],
  ])
})

test('columns such as publisher.name make nested objects', () => {
  assert.deepEqual(read('title,publisher.name,publisher.slug,__proto__\nx,The Gull,gull,y'), [
    [2, { title: 'x', publisher: { name: 'The Gull', slug: 'gull' } }],
  ])
})

test('an open quote, a misplaced one and too many cells refuse their row only', () => {
  const many = Array.from({ length: 150 }, (_, index) => `${index},x`)
  const records = read(['a,b', '"open,1', ...many, '"a"b,2', '1,2,3', '1,2,', '3,4', '"end'].join('\n'))
  assert.deepEqual(records[0], [2, 'a quote is not closed'])
  assert.deepEqual(
    records.slice(1, 151),
    many.map((line, index) => [index + 3, { a: line.split(',')[0], b: 'x' }]),
  )
  assert.deepEqual(records.slice(151), [
    [153, 'a quote is misplaced'],
    [154, 'it has 3 cells, but the header has 2'],
    [155, { a: '1', b: '2' }],
    [156, { a: '3', b: '4' }],
    [157, 'a quote is not closed'],
  ])
})

test('reads what papaparse writes', () => {
  const cell = fc.stringMatching(/^[a-z",;\n|]{1,8}$/).filter((text) => text === text.trim() && text !== 'null')
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
      const text = Papa.unparse([['a', 'b'], ...rows], { newline: '\n' })
      assert.deepEqual(
        read(text).map(([, value]) => value),
        rows.map(([a, b]) => ({ a, b })),
      )
    }),
  )
})
