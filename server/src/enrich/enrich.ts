import type { NewAsset } from '../model/assets.ts'
import { cleanText } from '../model/clean-text.ts'
import type { Entity } from '../model/entities.ts'
import type { EntryFindings } from '../model/entries.ts'
import type { TopicWords } from '../model/topics.ts'
import { languageOf } from './language.ts'
import { READERS } from './languages/languages.ts'
import type { FoundAsset } from './mentions/asset.ts'
import { AssetMatcher } from './mentions/matcher.ts'
import { assetSentiment } from './sentiment/asset-sentiment.ts'
import { sentimentOf } from './sentiment/sentiment.ts'
import { type EntryText, LONGEST_READ } from './text.ts'
import { TopicClassifier } from './topics/classifier.ts'
import { topicRules } from './topics/rules.ts'
import type { TopicTerms } from './topics/terms.ts'

/** A text as received from a source. */
export interface RawText {
  title: string
  content: string | null
  /** As declared by the source. */
  language: string | null
}

/** A text with its language and the assets that it mentions. */
interface Found {
  text: EntryText
  language: string | null
  assets: FoundAsset[]
}

export interface EnrichCatalogue {
  assets: readonly NewAsset[]
  topics: readonly TopicWords[]
}

/** Finds language, sentiment, assets and topics of texts. Knows the assets and topics of one catalogue. */
export class Enricher {
  readonly #matcher: AssetMatcher
  readonly #classifier: TopicClassifier
  readonly #assets: ReadonlyMap<string, NewAsset>

  constructor({ assets, topics }: EnrichCatalogue) {
    this.#matcher = new AssetMatcher(assets)
    this.#classifier = new TopicClassifier(
      topicRules(
        topics,
        topics.flatMap(({ slug, terms }): TopicTerms[] => (terms === null ? [] : [{ ...JSON.parse(terms), slug }])),
      ),
    )
    this.#assets = new Map(assets.map((asset) => [asset.key, asset]))
  }

  /** Returns the findings that are stored with an entry. */
  read(raw: RawText): EntryFindings {
    return this.#findingsIn(this.#find(raw))
  }

  /** Returns the assets mentioned and where. */
  entitiesOf(raw: RawText): Entity[] {
    return entitiesIn(this.#find(raw))
  }

  /** Returns the findings and the assets mentioned. */
  enrich(raw: RawText): EntryFindings & { entities: Entity[] } {
    const found = this.#find(raw)
    return { ...this.#findingsIn(found), entities: entitiesIn(found) }
  }

  #find(raw: RawText): Found {
    const text: EntryText = {
      title: cleanText(raw.title, LONGEST_READ),
      content: cleanText(raw.content ?? '', LONGEST_READ),
    }
    const language = languageOf(text, raw.language)
    return { text, language, assets: this.#matcher.find(text, language) }
  }

  #findingsIn({ text, language, assets }: Found): EntryFindings {
    const evidence = assets.map(({ assetKey, relevanceScore }) => {
      const { type = 'other', sector = null, industry = null } = this.#assets.get(assetKey) ?? {}
      return { key: assetKey, type, sector, industry, relevanceScore }
    })
    return {
      language,
      sentimentScore: entrySentiment(text, language),
      assetKeys: assets.map(({ assetKey }) => assetKey),
      // The news about a single asset is that of the entry.
      assetScores: assets.length < 2 ? null : assets.map(({ mentions }) => entitySentiment(text, language, mentions)),
      topicSlugs: this.#classifier.classify(text, evidence, READERS.get(language ?? '')),
    }
  }
}

function entitiesIn({ text, language, assets }: Found): Entity[] {
  return assets.map(({ mentions, ...asset }) => ({
    ...asset,
    sentimentScore: entitySentiment(text, language, mentions),
    mentions,
  }))
}

/**
 * Returns null for a language without rules. A short text of unknown language may be English; no evidence then means no
 * score rather than a neutral one.
 */
function entrySentiment(text: EntryText, language: string | null): number | null {
  const reader = READERS.get(language ?? '')
  if (reader !== undefined) return reader.sentimentOf(text)
  if (language !== null && language !== 'en') return null
  const score = sentimentOf(text)
  return language === null && score === 0 ? null : score
}

/** Returns the sentiment towards one asset. The title counts twice. */
function entitySentiment(text: EntryText, language: string | null, mentions: Entity['mentions']): number | null {
  const reader = READERS.get(language ?? '')
  if (reader === undefined && language !== null && language !== 'en') return null
  const inField = (field: keyof EntryText) => {
    const spans = mentions.filter((mention) => mention.field === field)
    if (spans.length === 0) return null
    return reader === undefined ? assetSentiment(text[field], spans) : reader.assetSentiment(text[field], spans)
  }
  const inTitle = inField('title')
  const inContent = inField('content')
  if (inTitle === null || inContent === null) return inTitle ?? inContent
  return Math.round(((2 * inTitle + inContent) / 3) * 1_000) / 1_000 + 0
}
