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
import { BEFORE } from './before.ts'
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
import { type LabelledText, measureMentions } from './mentions/measure.ts'
import { misleadingNames } from './mentions/misleading-names.ts'
import { measureSearch } from './search/measure.ts'
import { GRADED } from './sentiment/graded.ts'
import { labelledSentences } from './sentiment/labelled.ts'
import { correlation, measureSentiment } from './sentiment/measure.ts'
import { toneTexts } from './sentiment/tone.ts'
import { heldOutLines } from './topics/held-out.ts'
import { measureTopics } from './topics/measure.ts'
import { parseLabelled, treeOf } from './topics/parse.ts'
import { tuningLines } from './topics/tuning.ts'

print('', ['tuned', 'held back', 'before: tuned', 'held back', 'at least'])

show('language: headlines', languageAccuracy(Object.entries(languageHeadlines)), undefined, 0.995)
show('language: sentences of eight words', ...eightWordAccuracies())

const sentiment = measureSentiment(labelledSentences)
show('sentiment: accuracy on sentences', sentiment.accuracy, undefined, 0.9)
show('sentiment: macro-F1 on sentences', sentiment.macroF1)
const graded = GRADED.map(([grade, title]) => [grade, sentimentOf({ title, content: '' })] as const)
show('sentiment: correlation with grades', correlation(graded), undefined, 0.58)
const tone = toneTexts()
show('sentiment: misleading words', measureSentiment(tone.tuned).accuracy, measureSentiment(tone.heldBack).accuracy)

showMentions('built-in assets', builtInAssets, labelledFor(builtInAssets))
showMentions('misleading names', builtInAssets, [...misleadingNames().values()].flat())
const companies = readCompanies(builtInAssets)
if (companies === undefined) print('mentions: with the companies of EDGAR', ['not measured: no recording'])
else {
  showMentions(`among ${companies.length} assets`, companies, labelledFor(companies))
  const { tuned, heldBack } = companyTexts()
  showMentions('small companies', companies, tuned, heldBack)
}

const classifier = new TopicClassifier(topicRules(treeOf(builtInTopics)))
const [topics, heldBackTopics] = [tuningLines, heldOutLines].map((lines) =>
  measureTopics(parseLabelled(lines).map((row) => ({ ...row, found: classifier.classify(row.text, row.assets) }))),
)
show('topics: precision', topics?.precision, heldBackTopics?.precision)
show('topics: recall', topics?.recall, heldBackTopics?.recall)

await showClusters('written headlines', fixtureEntries(), fixtureEntries(heldOutThemes))
const stories = readStories()
if (stories === undefined) print('clusters: B-cubed F1, recorded headlines', ['not measured: no recording'])
else await showClusters('recorded headlines', stories.tuned, stories.heldBack)

const search = await measureSearch()
show('search: nDCG@10 of rephrased headlines', ...search.headlines, 0.78)
show('search: nDCG@10 of questions about articles', ...search.questions, 0.55)
show('search: nDCG@10 of questions about articles, plain BM25', ...search.plainWords)

const enricher = new Enricher({
  assets: builtInAssets,
  topics: treeOf(builtInTopics).map(({ slug, name = slug, parentSlug }) => ({ slug, name, parentSlug, terms: null })),
})
for (const { language, tuned, heldBack } of measureLanguages(enricher)) {
  for (const measure of ['language', 'sentiment', 'mentions', 'topics'] as const) {
    show(`${language}: ${measure}`, tuned[measure], heldBack[measure])
  }
}

function languageAccuracy(
  titlesByLanguage: readonly (readonly [language: string, titles: readonly string[]])[],
): number {
  const rows = titlesByLanguage.flatMap(([language, titles]) => titles.map((title) => ({ language, title })))
  const right = rows.filter(({ language, title }) => languageOf({ title, content: '' }, null) === language)
  return right.length / rows.length
}

/** The third sentence of each language is held back. */
function eightWordAccuracies(): [tuned: number, heldBack: number] {
  const lists = Object.entries(eightWords)
  return [
    languageAccuracy(lists.map(([language, list]) => [language, list.slice(0, 2)])),
    languageAccuracy(lists.map(([language, list]) => [language, list.slice(2, 3)])),
  ]
}

function showMentions(
  name: string,
  assets: readonly CatalogueAsset[],
  tuned: readonly LabelledText[],
  heldBack?: readonly LabelledText[],
): void {
  const matcher = new AssetMatcher(assets)
  const [scores, others] = [tuned, heldBack].map(
    (texts) => texts && measureMentions(texts, (text) => matcher.find(text)),
  )
  show(`mentions: ${name}, precision`, scores?.precision, others?.precision, heldBack === undefined ? 0.9 : undefined)
  show(`mentions: ${name}, recall`, scores?.recall, others?.recall, heldBack === undefined ? 0.7 : undefined)
}

async function showClusters(name: string, tuned: FixtureEntry[], heldBack: FixtureEntry[]): Promise<void> {
  const scoreOf = async (entries: FixtureEntry[]) => measureClusterer(entries, await embedEntries(entries)).b3F1
  show(`clusters: B-cubed F1, ${name}`, await scoreOf(tuned), await scoreOf(heldBack), 0.8)
}

/** Prints a measure on the texts that rules were tuned on and on those held back, beside the figures before. */
function show(measure: string, tuned: number | undefined, heldBack?: number, least?: number): void {
  const [before, heldBackBefore] = BEFORE[measure] ?? []
  print(
    measure,
    [tuned, heldBack, before, heldBackBefore, least].map((figure) => figure?.toFixed(3) ?? '-'),
  )
}

function print(measure: string, cells: readonly string[]): void {
  process.stdout.write(
    `${measure.padEnd(58)} ${cells
      .map((cell) => cell.padEnd(13))
      .join(' ')
      .trimEnd()}\n`,
  )
}
