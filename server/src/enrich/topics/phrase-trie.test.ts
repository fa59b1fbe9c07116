import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PhraseTrie } from './phrase-trie.ts'
import { parsePhrases } from './terms.ts'
import { Vocabulary } from './vocabulary.ts'

/** Reports whether a text contains a term. */
function matches(term: string, text: string): boolean {
  const vocabulary = new Vocabulary()
  const trie = new PhraseTrie(vocabulary)
  for (const parts of parsePhrases(term)) trie.add(parts, 0)
  return trie.find(vocabulary.encode(text)).length > 0
}

test('a word matches its inflections in any case', () => {
  assert.ok(matches('job cut', 'JOB CUTS at the bank'))
  assert.ok(matches('rally', 'Stocks rallied'))
  assert.ok(!matches('job cut', 'cut job'))
})

test('a word marked with = matches only itself, in any case', () => {
  assert.ok(matches('=mining', 'Mining shares'))
  assert.ok(!matches('=mining', 'a friend of mine'))
})

test('a capitalised word matches as written, an acronym also in the plural and with full stops', () => {
  assert.ok(matches('Fed', "the Fed's decision"))
  assert.ok(!matches('Fed', 'he fed the cat'))
  assert.ok(matches('IPO', 'IPOs return'))
  assert.ok(matches('US', 'U.S. stocks'))
  assert.ok(!matches('US', 'tell us'))
})

test('* matches up to one word, ** up to five', () => {
  assert.ok(matches('cut * jobs', 'cut jobs'))
  assert.ok(matches('cut * jobs', 'cuts 1,200 jobs'))
  assert.ok(!matches('cut * jobs', 'cuts about 1,200 jobs'))
  assert.ok(matches('cut ** jobs', 'cut one two three four five jobs'))
  assert.ok(!matches('cut ** jobs', 'cut one two three four five six jobs'))
})

test('# matches a number', () => {
  assert.ok(matches('add # job', 'added 12,500 jobs'))
  assert.ok(!matches('add # job', 'added many jobs'))
})

test('hyphens separate words, and a phrase does not span sentences', () => {
  assert.ok(matches('short seller', 'a short-seller report'))
  assert.ok(!matches('oil price', 'They struck oil. Prices were not named'))
})

test('addresses, accounts and tags after the text are ignored, a tag within it is read', () => {
  assert.ok(!matches('gold', 'Read on https://example.com/gold www.gold.example @gold'))
  assert.ok(!matches('gold', 'Good morning #gold #silver'))
  assert.ok(matches('gold', '#gold climbs'))
})

test('phrases in one trie match the same as each alone', () => {
  const words = ['a', 'b', 'c', 'd']
  const part = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...words) }, fc.constantFrom('*', '**', 'a|c'))
  const term = fc
    .tuple(fc.constantFrom(...words), fc.array(part, { maxLength: 3 }), fc.constantFrom(...words))
    .map(([first, middle, last]) => [first, ...middle, last].join(' ').replaceAll(/\*+ (?=\*)/g, ''))
  const text = fc.array(fc.constantFrom(...words, 'x'), { maxLength: 25 }).map((list) => list.join(' '))
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 5 }), text, (terms, line) => {
      const vocabulary = new Vocabulary()
      const trie = new PhraseTrie(vocabulary)
      for (const [id, one] of terms.entries()) for (const parts of parsePhrases(one)) trie.add(parts, id)
      const found = new Set(trie.find(vocabulary.encode(line)).map(({ id }) => id))
      for (const [id, one] of terms.entries()) assert.equal(found.has(id), asRegex(one).test(` ${line} `), one)
    }),
  )
})

/** Translates a term into a regular expression, as a reference. */
function asRegex(term: string): RegExp {
  const pieces = term.split(' ').map((piece) => {
    if (piece === '*') return '(?: \\w)?'
    if (piece === '**') return '(?: \\w){0,5}'
    return ` (?:${piece})`
  })
  return new RegExp(`${pieces.join('')} `)
}
