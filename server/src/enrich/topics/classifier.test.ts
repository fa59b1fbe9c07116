import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { treeOf } from '../../../quality/topics/parse.ts'
import { cpuTimer } from '../../../test/cpu-time.ts'
import { builtInTopics } from '../../catalogue/built-in/topics.ts'
import { TopicClassifier } from './classifier.ts'
import type { TopicAsset } from './evidence.ts'
import { topicRules } from './rules.ts'
import { parseTerms, type TopicTerms } from './terms.ts'

const sampleTree = treeOf(builtInTopics)
const builtIn = new TopicClassifier(topicRules(sampleTree))

/** Creates a classifier over a small tree: "metals" with "gold" and "silver", and "jobs". */
function small(...terms: TopicTerms[]): TopicClassifier {
  return new TopicClassifier(
    terms.map((one) => ({
      slug: one.slug,
      parentSlug: one.slug === 'gold' || one.slug === 'silver' ? 'metals' : null,
      ...parseTerms(one),
    })),
  )
}

const titled = (title: string, content = '') => ({ title, content })
const bank: TopicAsset = { type: 'equity', sector: 'Financials', industry: 'Banks', relevanceScore: 0.9 }

test('a sure term in the title is enough, a likely one needs another term, hints alone are never enough', () => {
  const classifier = small({
    slug: 'jobs',
    sure: 'layoff',
    likely: 'redundancy, severance',
    hint: 'worker, staff, union',
  })
  assert.deepEqual(classifier.classify(titled('Layoffs loom'), []), ['jobs'])
  assert.deepEqual(classifier.classify(titled('Severance loom'), []), [])
  assert.deepEqual(classifier.classify(titled('Severance for staff'), []), ['jobs'])
  assert.deepEqual(classifier.classify(titled('Workers, staff and union'), []), [])
})

test('terms in the content count less than in the title, and later ones less than earlier ones', () => {
  const classifier = small({ slug: 'jobs', sure: 'layoff, job cut' })
  assert.deepEqual(classifier.classify(titled('A quiet day', 'Layoffs loom.'), []), [])
  assert.deepEqual(classifier.classify(titled('A quiet day', 'Layoffs loom, and more job cuts.'), []), ['jobs'])
  assert.deepEqual(classifier.classify(titled('A quiet day', `${'word '.repeat(400)} layoffs, job cuts.`), []), [])
})

test('without a title the first words of the content count as the title', () => {
  assert.deepEqual(small({ slug: 'jobs', sure: 'layoff' }).classify(titled('', 'Layoffs loom'), []), ['jobs'])
})

test('words of an excluded phrase do not count, the same words elsewhere do', () => {
  const classifier = small({ slug: 'gold', sure: 'gold', not: 'gold coast' })
  assert.deepEqual(classifier.classify(titled('Gold Coast beaches'), []), [])
  assert.deepEqual(classifier.classify(titled('Gold Coast trader buys gold'), []), ['gold'])
})

test('a word counts once per topic', () => {
  assert.deepEqual(small({ slug: 'gold', likely: 'gold', hint: 'gold bar' }).classify(titled('Gold bars'), []), [])
})

test('a topic replaces its ancestors', () => {
  const classifier = small({ slug: 'metals', sure: 'metal' }, { slug: 'gold', sure: 'gold' })
  assert.deepEqual(classifier.classify(titled('Metals: gold'), []), ['gold'])
})

test('evidence spread over several children yields their parent', () => {
  const classifier = small(
    { slug: 'metals', sure: 'metal', likely: 'ore' },
    { slug: 'gold', likely: 'nugget' },
    { slug: 'silver', likely: 'argent' },
  )
  assert.deepEqual(classifier.classify(titled('Nugget, argent and ore'), []), ['metals'])
})

test('a fallback topic gives way to other topics of the text', () => {
  const classifier = small({ slug: 'shares', sure: 'share', fallback: true }, { slug: 'jobs', sure: 'layoff' })
  assert.deepEqual(classifier.classify(titled('Shares fall'), []), ['shares'])
  assert.deepEqual(classifier.classify(titled('Shares fall on layoffs'), []), ['jobs'])
})

test('an asset adds its industry only if the text is mainly about it', () => {
  const text = titled('Quarterly profit rises 12%')
  assert.deepEqual(builtIn.classify(text, [bank]), ['earnings', 'banks'])
  assert.deepEqual(builtIn.classify(text, [{ ...bank, relevanceScore: 0.2 }]), ['earnings'])
})

test('an asset yields its topic in any language', () => {
  const coin: TopicAsset = { type: 'crypto', key: 'BTC', sector: null, industry: null, relevanceScore: 0.8 }
  assert.deepEqual(builtIn.classify(titled('比特币上涨'), [coin]), ['bitcoin'])
  assert.deepEqual(builtIn.classify(titled('Монета растёт'), [{ ...coin, key: 'NEW' }]), ['coins'])
})

test('an unknown industry falls back to its sector', () => {
  assert.deepEqual(builtIn.classify(titled('Hello'), [{ ...bank, industry: 'Pawn shops' }]), ['financials'])
})

test('assets alone add at most two topics', () => {
  const assets = ['Banks', 'Airlines', 'Tobacco', 'Mining'].map((industry) => ({ ...bank, sector: null, industry }))
  assert.equal(builtIn.classify(titled('A list'), assets).length, 2)
})

test('any text gets at most four topics, each once, none an ancestor of another', () => {
  const parents = new Map(sampleTree.map(({ slug, parentSlug }) => [slug, parentSlug]))
  const word = fc.constantFrom(
    ...'Fed cuts rates gold oil bank profit layoffs strike AI tariff bitcoin IPO shares'.split(' '),
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.array(word, { maxLength: 60 }), (title, content) => {
      const found = builtIn.classify(titled(title.join(' '), content.join(' ')), [])
      assert.ok(found.length <= 4)
      assert.equal(new Set(found).size, found.length)
      for (const slug of found) assert.ok(!found.includes(parents.get(slug) ?? ''), found.join(' '))
    }),
  )
})

test('no text makes the classifier throw', () => {
  const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string())
  fc.assert(fc.property(anything, anything, (title, content) => builtIn.classify({ title, content }, []).length >= 0))
  for (const odd of ['', '🚀🚀🚀', '\u0000\ud800', 'مرحبا بالعالم', '#'.repeat(50), '* ** #', '…']) {
    assert.deepEqual(builtIn.classify({ title: odd, content: odd }, []), [])
  }
})

test('a topic tree with a cycle is accepted', () => {
  const rules = topicRules([
    { slug: 'gold', parentSlug: 'silver' },
    { slug: 'silver', parentSlug: 'gold' },
  ])
  assert.ok(new TopicClassifier(rules).classify(titled('Gold price climbs'), []).length <= 1)
})

/** The bound allows for slow machines; quadratic work would take seconds. */
test('20,000 characters of any kind are classified in bounded time', () => {
  const texts = [
    'a',
    'a.',
    'U.',
    "a'",
    '1,',
    '#gold ',
    'cut ',
    'raise cut sell bank gold ',
    'not cut gold medal ',
    '字',
    '. ',
  ]
  for (const piece of texts) {
    const content = piece.repeat(Math.ceil(20_000 / piece.length))
    const cpuMs = cpuTimer()
    builtIn.classify({ title: content, content }, [])
    assert.ok(cpuMs() < 500, JSON.stringify(piece))
  }
})
