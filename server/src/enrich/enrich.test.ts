import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuTimer } from '../../test/cpu-time.ts'
import { runs } from '../../test/depth.ts'
import { builtInAssets } from '../catalogue/built-in/assets.ts'
import { builtInTopics } from '../catalogue/built-in/topics.ts'
import { Enricher } from './enrich.ts'

const enricher = new Enricher({
  assets: builtInAssets,
  topics: builtInTopics.map(({ slug, name }) => ({ slug, name, parentSlug: null, terms: null })),
})

const PIECES = [
  ...['a', 'A', '漢', '🚀', '<', '&', '.', ',', '1', '\n', '\u200d', '\ud83d', '(', '"', '-', '$'],
  ...[' ', ' and ', "'s ", '% ', ', ', '. ', '; ', ' as ', ' not ', ' more than ', ' (NYSE: ', ') '],
  builtInAssets.map(({ name }) => name).join(' '),
  builtInAssets.map(({ name }) => name).join(', '),
  builtInAssets.map(({ symbol }) => `$${symbol}`).join(' '),
  builtInAssets.map(({ symbol }) => `(NYSE: ${symbol})`).join(' '),
  'Apple shares rise 5% as profit falls and Tesla cuts prices. ',
  '<p><a href="x">Apple</a> rises 5%</p>',
  '&amp;&#8217;&nbsp;',
  'Goldman Sachs at Citi cuts Ford to sell from buy ',
  'THE BANK OF ',
  'https://a.example/b?c=d @user #tag ',
  'Die Aktie von Siemens steigt nicht um 5 Prozent, weil der Gewinn fällt. ',
  'Donaudampfschifffahrtsgesellschaftskapitän',
  'La acción de Telefónica no sube, aunque el beneficio crece. ',
  '日経平均が下落、アップルは上昇。',
  '腾讯和苹果股价大涨',
  'ارتفعت أسهم أبل بنسبة ',
  'מניות אפל עלו ',
  'e\u0301\u0301',
  '👨‍👩‍👧‍👦 ',
]

const LENGTH = 20_000
const LONGEST_MS = 50
const TRIES = 20

/** Returns the CPU time of the fastest of several tries: the first ones also compile code, and others run beside it. */
function msToRead(title: string, content: string): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && fastest > LONGEST_MS; tries++) {
    const cpuMs = cpuTimer()
    enricher.enrich({ title, content, language: null })
    fastest = Math.min(fastest, cpuMs())
  }
  return fastest
}

test('no text occupies the thread for more than 50 ms per 20,000 characters', () => {
  const text = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }).map((pieces) => {
    const piece = pieces.join('')
    return piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH)
  })
  fc.assert(
    fc.property(text, (content) => {
      const ms = msToRead(content.slice(0, 200), content)
      assert.ok(ms <= LONGEST_MS, `${ms} ms`)
    }),
    {
      numRuns: PIECES.length + runs(10, 400),
      examples: PIECES.map((piece): [string] => [piece.repeat(LENGTH).slice(0, LENGTH)]),
    },
  )
})

test('an entity has the same score as its asset in the findings of the entry', () => {
  const raw = { title: 'Apple rises as Tesla falls', content: 'Nvidia was unchanged.', language: 'en' }
  const { assetKeys, assetScores } = enricher.read(raw)
  const entities = enricher.entitiesOf(raw)
  assert.deepEqual(
    entities.map(({ assetKey, sentimentScore }) => [assetKey, sentimentScore]),
    assetKeys.map((key, index) => [key, assetScores?.[index]]),
  )
  const [only] = enricher.entitiesOf({ title: 'Apple rises', content: null, language: 'en' })
  assert.ok((only?.sentimentScore ?? 0) > 0)
})
