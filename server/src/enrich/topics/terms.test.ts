import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInTopics } from '../../catalogue/built-in/topics.ts'
import { topicRules } from './rules.ts'
import { builtInTerms } from './terms/built-in.ts'
import { everydayPhrases } from './terms/everyday.ts'
import { parsePhrases, parseTerms } from './terms.ts'

test('terms are parsed by weight', () => {
  const { phrases, not, assets } = parseTerms({
    slug: 'x',
    sure: 'job cut, cut|axe ** job',
    hint: '#  worker',
    not: 'price cut',
    assets: 'industry:Oil and gas',
  })
  assert.deepEqual(phrases, [
    { parts: [{ words: ['job'] }, { words: ['cut'] }], weight: 300 },
    { parts: [{ words: ['cut', 'axe'] }, { gap: 5 }, { words: ['job'] }], weight: 300 },
    { parts: [{ number: true }, { words: ['worker'] }], weight: 100 },
  ])
  assert.equal(not.length, 1)
  assert.deepEqual(assets, [{ field: 'industry', value: 'Oil and gas' }])
})

test('the error for a bad term names the topic and the term', () => {
  const refused = (terms: object, message: RegExp) =>
    assert.throws(() => parseTerms({ slug: 'wine', ...terms }), message)
  refused({ sure: 'red wine, , cork' }, /"wine": an empty term/)
  refused({ sure: 'red-wine' }, /"wine": "red-wine": "red-wine" is not a word/)
  refused({ sure: 'a||b' }, /"wine": "a\|\|b": "" is not a word/)
  refused({ likely: '** cork' }, /"wine": "\*\* cork": a gap must be between/)
  refused({ likely: 'cork * ** wine' }, /"wine": "cork \* \*\* wine": a gap must be between/)
  refused({ hint: '# #' }, /"wine": "# #": contains no word/)
  refused({ assets: 'colour:red' }, /"wine": asset "colour:red" is not one of type:…, key:…/)
  refused({ assets: 'Banks' }, /"wine": asset "Banks"/)
})

test('every topic of the built-in tree has terms once, and all terms have a topic', () => {
  const slugs = builtInTerms.map(({ slug }) => slug)
  assert.deepEqual([...slugs].sort(), builtInTopics.map(({ slug }) => slug).sort())
})

test('all built-in terms can be parsed', () => {
  for (const terms of builtInTerms) assert.ok(parseTerms(terms).phrases.length > 0, terms.slug)
  assert.ok(parsePhrases(everydayPhrases).length > 0)
})

test('own terms replace the built-in ones, a topic without terms is found by its name', () => {
  const tree = [
    { slug: 'gold', parentSlug: null },
    { slug: 'natural-wine', parentSlug: null, name: 'Natural wine' },
    { slug: 'empty', parentSlug: null, name: '???' },
  ]
  const [gold, wine, empty] = topicRules(tree, [{ slug: 'gold', sure: 'aurum' }])
  assert.deepEqual(gold?.phrases, [{ parts: [{ words: ['aurum'] }], weight: 300 }])
  assert.deepEqual(wine?.phrases, [{ parts: [{ words: ['natural'] }, { words: ['wine'] }], weight: 300 }])
  assert.deepEqual(empty?.phrases, [])
})

test('own terms for a topic that is not in the tree are refused', () => {
  assert.throws(() => topicRules([], [{ slug: 'lost', sure: 'x' }]), /"lost": no topic has this slug/)
})
