import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PhraseTrie } from './phrase-trie.ts'
import { parsePhrases } from './terms.ts'
import { Vocabulary } from './vocabulary.ts'

/** Whether a term stands in a text. */
function stands(term: string, text: string): boolean {
  const vocabulary = new Vocabulary()
  const tree = new PhraseTrie(vocabulary)
  for (const parts of parsePhrases(term)) tree.add(parts, 0)
  return tree.find(vocabulary.encode(text)).length > 0
}

test('a word stands for its inflections, in any case', () => {
  assert.ok(stands('job cut', 'JOB CUTS at the bank'))
  assert.ok(stands('rally', 'Stocks rallied'))
  assert.ok(!stands('job cut', 'cut job'))
})

test('a marked word is met as it is, in any case', () => {
  assert.ok(stands('=mining', 'Mining shares'))
  assert.ok(!stands('=mining', 'a friend of mine'))
})

test('a word with a capital is met as written, an acronym also in the plural and with full stops', () => {
  assert.ok(stands('Fed', "the Fed's decision"))
  assert.ok(!stands('Fed', 'he fed the cat'))
  assert.ok(stands('IPO', 'IPOs return'))
  assert.ok(stands('US', 'U.S. stocks'))
  assert.ok(!stands('US', 'tell us'))
})

test('a gap holds up to one or up to five other words, and none', () => {
  assert.ok(stands('cut * jobs', 'cut jobs'))
  assert.ok(stands('cut * jobs', 'cuts 1,200 jobs'))
  assert.ok(!stands('cut * jobs', 'cuts about 1,200 jobs'))
  assert.ok(stands('cut ** jobs', 'cut one two three four five jobs'))
  assert.ok(!stands('cut ** jobs', 'cut one two three four five six jobs'))
})

test('a number is met by its sign', () => {
  assert.ok(stands('add # job', 'added 12,500 jobs'))
  assert.ok(!stands('add # job', 'added many jobs'))
})

test('hyphens part words, and a phrase does not go on over the end of a sentence', () => {
  assert.ok(stands('short seller', 'a short-seller report'))
  assert.ok(!stands('oil price', 'They struck oil. Prices were not named'))
})

test('addresses, accounts and tags behind the text are not read, a tag within is', () => {
  assert.ok(!stands('gold', 'Read on https://example.com/gold www.gold.example @gold'))
  assert.ok(!stands('gold', 'Good morning #gold #silver'))
  assert.ok(stands('gold', '#gold climbs'))
})

test('many phrases at once find what each finds alone', () => {
  const words = ['a', 'b', 'c', 'd']
  const part = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...words) }, fc.constantFrom('*', '**', 'a|c'))
  const term = fc
    .tuple(fc.constantFrom(...words), fc.array(part, { maxLength: 3 }), fc.constantFrom(...words))
    .map(([first, middle, last]) => [first, ...middle, last].join(' ').replaceAll(/\*+ (?=\*)/g, ''))
  const text = fc.array(fc.constantFrom(...words, 'x'), { maxLength: 25 }).map((list) => list.join(' '))
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 5 }), text, (terms, line) => {
      const vocabulary = new Vocabulary()
      const tree = new PhraseTrie(vocabulary)
      for (const [id, one] of terms.entries()) for (const parts of parsePhrases(one)) tree.add(parts, id)
      const found = new Set(tree.find(vocabulary.encode(line)).map(({ id }) => id))
      for (const [id, one] of terms.entries()) assert.equal(found.has(id), asRegex(one).test(` ${line} `), one)
    }),
  )
})

/** The plain meaning of a term, to compare with. */
function asRegex(term: string): RegExp {
  const pieces = term.split(' ').map((piece) => {
    if (piece === '*') return '(?: \\w)?'
    if (piece === '**') return '(?: \\w){0,5}'
    return ` (?:${piece})`
  })
  return new RegExp(`${pieces.join('')} `)
}
