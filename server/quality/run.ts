/** `npm run quality`: measures how well texts are read, on the labelled samples of this folder. */

import { builtInAssets } from '../src/catalogue/built-in/assets.ts'
import { builtInTopics } from '../src/catalogue/built-in/topics.ts'
import { Enricher } from '../src/enrich/enrich.ts'
import { languageOf } from '../src/enrich/language.ts'
import type { CatalogueAsset } from '../src/enrich/mentions/asset.ts'
import { AssetMatcher } from '../src/enrich/mentions/matcher.ts'
import { sentimentOf } from '../src/enrich/sentiment/sentiment.ts'
import { TopicClassifier } from '../src/enrich/topics/classifier.ts'
import { topicRules } from '../src/enrich/topics/rules.ts'
import { embedEntries, type FixtureEntry, fixtureEntries } from './clusters/fixture.ts'
import { heldOutThemes } from './clusters/held-out.ts'
import { measureClusterer } from './clusters/measure.ts'
import { readStories } from './clusters/stories.ts'
import { eightWords } from './language/eight-words.ts'
import { languageHeadlines } from './language/headlines.ts'
import { measureLanguages } from './languages/measure.ts'
import { companyTexts } from './mentions/among-companies.ts'
import { readCompanies } from './mentions/companies.ts'
import { labelledFor } from './mentions/labelled.ts'
import { measureMentions } from './mentions/measure.ts'
import { measureSearch } from './search/measure.ts'
import { GRADED } from './sentiment/graded.ts'
import { labelledSentences } from './sentiment/labelled.ts'
import { correlation, measureSentiment } from './sentiment/measure.ts'
import { toneTexts } from './sentiment/tone.ts'
import { heldOutLines } from './topics/held-out.ts'
import { measureTopics } from './topics/measure.ts'
import { parseLabelled, treeOf } from './topics/parse.ts'
import { VERSION_2 } from './version-2.ts'

const rows = Object.entries(languageHeadlines).flatMap(([language, titles]) =>
  titles.map((title) => ({ language, title })),
)
const right = rows.filter(({ language, title }) => languageOf({ title, content: '' }, null) === language)
show('language: accuracy on headlines', right.length / rows.length, 0.995)

const sentiment = measureSentiment(labelledSentences)
show('sentiment: accuracy on sentences', sentiment.accuracy, 0.9)
show('sentiment: macro-F1 on sentences', sentiment.macroF1)
const graded = GRADED.map(([grade, title]) => [grade, sentimentOf({ title, content: '' })] as const)
show('sentiment: correlation with grades', correlation(graded), 0.58)

const mentions = mentionsOf(builtInAssets)
show('mentions: precision', mentions.precision, 0.9)
show('mentions: recall', mentions.recall, 0.7)
const companies = readCompanies(builtInAssets)
if (companies === undefined) print('mentions: with the companies of EDGAR', 'not measured: no recording')
else {
  const among = mentionsOf(companies)
  show(`mentions: precision among ${companies.length} assets`, among.precision, mentions.precision)
  show(`mentions: recall among ${companies.length} assets`, among.recall, mentions.recall)
}

const classifier = new TopicClassifier(topicRules(treeOf(builtInTopics)))
const topics = measureTopics(
  parseLabelled(heldOutLines).map((row) => ({ ...row, found: classifier.classify(row.text, row.assets) })),
)
show('topics: precision', topics.precision)
show('topics: recall', topics.recall)

const stories = readStories()
const clusterSets: [name: string, entries: FixtureEntry[], before: number][] = [
  ['written headlines, tuned', fixtureEntries(), 0.935],
  ['written headlines, held back', fixtureEntries(heldOutThemes), 0.907],
  ...(stories === undefined
    ? []
    : ([
        ['recorded headlines, tuned', stories.tuned, 0.448],
        ['recorded headlines, held back', stories.heldBack, 0.582],
      ] satisfies [string, FixtureEntry[], number][])),
]
for (const [name, entries, before] of clusterSets) {
  show(`clusters: B-cubed F1, ${name}`, measureClusterer(entries, await embedEntries(entries)).b3F1, 0.8, before)
}
if (stories === undefined) print('clusters: B-cubed F1, recorded headlines', 'not measured: no recording')

for (const [fusion, score] of Object.entries(await measureSearch())) {
  show(`search: nDCG@10 of rephrased headlines, ${fusion}`, score, fusion === 'blend' ? 0.78 : undefined)
}

print('', 'tuned  held back  before: tuned  held back')
compare('language: sentences of eight words', eightWordAccuracy([0, 1]), eightWordAccuracy([2]), 'language')
const tone = toneTexts()
compare(
  'sentiment: misleading words',
  measureSentiment(tone.tuned).accuracy,
  measureSentiment(tone.heldBack).accuracy,
  'tone',
)
if (companies !== undefined) {
  const matcher = new AssetMatcher(companies)
  const { tuned, heldBack } = companyTexts()
  const [on, off] = [tuned, heldBack].map((texts) => measureMentions(texts, (text) => matcher.find(text)))
  if (on !== undefined && off !== undefined) {
    compare('mentions: small companies, precision', on.precision, off.precision, 'precision')
    compare('mentions: small companies, recall', on.recall, off.recall, 'recall')
  }
}
const enricher = new Enricher({ assets: builtInAssets, topics: wordsOfTopics() })
for (const { language, tuned, heldBack } of measureLanguages(enricher)) {
  for (const measure of ['language', 'sentiment', 'mentions', 'topics'] as const) {
    compare(`${language}: ${measure}`, tuned[measure], heldBack[measure], `${language} ${measure}`)
  }
}

function eightWordAccuracy(indexes: readonly number[]): number {
  const texts = Object.entries(eightWords).flatMap(([language, list]) =>
    indexes.map((index) => ({ language, title: list[index] ?? '' })),
  )
  return (
    texts.filter(({ language, title }) => languageOf({ title, content: '' }, null) === language).length / texts.length
  )
}

function wordsOfTopics() {
  const slugOf = new Map(builtInTopics.map(({ id, slug }) => [id, slug]))
  return builtInTopics.map(({ slug, name, parentId }) => ({
    slug,
    name,
    parentSlug: slugOf.get(parentId ?? '') ?? null,
    terms: null,
  }))
}

/** Prints a measure on tuned and on held-back texts, beside the figures of version 2 of the enrichment. */
function compare(measure: string, tuned: number, heldBack: number, key: string): void {
  const [was, wasHeldBack] = VERSION_2[key] ?? []
  const old = (figure: number | undefined) => (figure === undefined ? '-' : figure.toFixed(3))
  print(measure, `${tuned.toFixed(3)}  ${heldBack.toFixed(3).padEnd(9)}  ${old(was).padEnd(13)}  ${old(wasHeldBack)}`)
}

function mentionsOf(assets: readonly CatalogueAsset[]) {
  const matcher = new AssetMatcher(assets)
  return measureMentions(labelledFor(assets), (text) => matcher.find(text))
}

/** `before` is the figure of the previous rules. */
function show(measure: string, value: number, target?: number, before?: number): void {
  const least = target === undefined ? '' : `  (at least ${target.toFixed(3)})`
  print(measure, `${value.toFixed(3)}${least}${before === undefined ? '' : `  before ${before.toFixed(3)}`}`)
}

function print(measure: string, value: string): void {
  process.stdout.write(`${measure.padEnd(58)} ${value}\n`)
}
