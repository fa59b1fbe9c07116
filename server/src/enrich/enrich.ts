import type { NewAsset } from '../model/assets.ts'
import type { Entity } from '../model/entities.ts'
import type { Entry } from '../model/entries.ts'
import type { TopicWords } from '../model/topics.ts'
import { languageOf } from './language.ts'
import { AssetMatcher, type FoundAsset } from './mentions/matcher.ts'
import { sentimentAround, sentimentOf } from './sentiment/sentiment.ts'
import { cleanText, type EntryText, LONGEST_READ } from './text.ts'
import { TopicClassifier } from './topics/classify.ts'
import { topicRules } from './topics/rules.ts'
import { parseTopicTerms } from './topics/terms.ts'

/** Raised when the same text would be read differently, so that what was read before can be told from what is read now. */
export const ENRICHMENT_VERSION = 1

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
        topics.flatMap(({ slug, terms }) => (terms === null ? [] : [parseTopicTerms(slug, terms)])),
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
    const hasTone = language === 'en' || language === null
    const found = this.#matcher.find(text)
    const evidence = found.map(({ assetKey, relevanceScore }) => {
      const { type = 'other', sector = null, industry = null } = this.#assets.get(assetKey) ?? {}
      return { assetKey, type, sector, industry, relevanceScore }
    })
    return {
      language,
      // The rules of sentiment are those of English.
      sentimentScore: hasTone && language !== null ? sentimentOf(text) : null,
      assetKeys: found.map(({ assetKey }) => assetKey),
      entities: found.map((asset) => ({ ...asset, sentimentScore: hasTone ? sentimentAbout(text, asset) : null })),
      topicSlugs: this.#classifier.classify(text, evidence),
    }
  }
}
