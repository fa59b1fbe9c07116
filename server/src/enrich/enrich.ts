import type { NewAsset } from '../model/assets.ts'
import type { Entity } from '../model/entities.ts'
import type { Entry } from '../model/entries.ts'
import type { TopicWords } from '../model/topics.ts'
import { languageOf } from './language.ts'
import { AssetMatcher } from './mentions/matcher.ts'
import { sentimentAround } from './sentiment/around.ts'
import { sentimentOf } from './sentiment/sentiment.ts'
import { cleanText, type EntryText, LONGEST_READ } from './text.ts'
import { TopicClassifier } from './topics/classify.ts'
import { topicRules } from './topics/rules.ts'
import type { TopicTerms } from './topics/terms.ts'

/** A text as it came in. */
export interface RawText {
  title: string
  content: string | null
  /** As the source declares it. */
  language: string | null
}

/** What is derived from a text. */
export interface Enriched extends Pick<Entry, 'language' | 'sentimentScore' | 'assetKeys' | 'topicSlugs'> {
  entities: Entity[]
}

export interface Catalogue {
  assets: readonly NewAsset[]
  topics: readonly TopicWords[]
}

/** Reads texts over a catalogue of assets and topics. */
export class Enricher {
  readonly #matcher: AssetMatcher
  readonly #classifier: TopicClassifier
  readonly #assets: ReadonlyMap<string, NewAsset>

  constructor({ assets, topics }: Catalogue) {
    this.#matcher = new AssetMatcher(assets)
    this.#classifier = new TopicClassifier(
      topicRules(
        topics,
        topics.flatMap(({ slug, terms }): TopicTerms[] => (terms === null ? [] : [{ ...JSON.parse(terms), slug }])),
      ),
    )
    this.#assets = new Map(assets.map((asset) => [asset.key, asset]))
  }

  enrich(raw: RawText): Enriched {
    const text: EntryText = {
      title: cleanText(raw.title, LONGEST_READ),
      content: cleanText(raw.content ?? '', LONGEST_READ),
    }
    const language = languageOf(text, raw.language)
    // The rules of sentiment are those of English.
    const hasTone = language === 'en' || language === null
    const found = this.#matcher.find(text)
    const evidence = found.map(({ assetKey, relevanceScore }) => {
      const { type = 'other', sector = null, industry = null } = this.#assets.get(assetKey) ?? {}
      return { key: assetKey, type, sector, industry, relevanceScore }
    })
    return {
      language,
      sentimentScore: hasTone ? toneOf(text, language) : null,
      assetKeys: found.map(({ assetKey }) => assetKey),
      entities: found.map(({ mentions, ...asset }) => ({
        ...asset,
        sentimentScore: hasTone ? sentimentAbout(text, mentions) : null,
        mentions,
      })),
      topicSlugs: this.#classifier.classify(text, evidence),
    }
  }
}

/** A few words of which nobody knows the language may say something; if they do not, nothing is known. */
function toneOf(text: EntryText, language: string | null): number | null {
  const score = sentimentOf(text)
  return language === null && score === 0 ? null : score
}

/** What is said of one asset; the headline counts twice. */
function sentimentAbout(text: EntryText, mentions: Entity['mentions']): number | null {
  const inField = (field: keyof EntryText) => {
    const spans = mentions.filter((mention) => mention.field === field)
    return spans.length === 0 ? null : sentimentAround(text[field], spans)
  }
  const inTitle = inField('title')
  const inContent = inField('content')
  if (inTitle === null || inContent === null) return inTitle ?? inContent
  return Math.round(((2 * inTitle + inContent) / 3) * 1_000) / 1_000 + 0
}
