import type { Static, TObject, TSchema } from 'typebox'
import Type from 'typebox'
import { parseTerms, type TopicTerms } from '../enrich/topics/terms.ts'
import { Asset, AssetChange } from '../model/assets.ts'
import { cleanText } from '../model/clean-text.ts'
import { Market, MarketChange } from '../model/markets.ts'
import { Publisher, PublisherChange } from '../model/publishers.ts'
import { Refused } from '../model/refused.ts'
import { nullable } from '../model/schema.ts'
import { Topic, TopicChange } from '../model/topics.ts'
import type { Upserted, UpsertOptions } from '../store/lists/catalogue-writes.ts'
import type { Store } from '../store/store.ts'
import { fieldNames, type Importable, writer } from './importable.ts'
import { rowReader } from './row-reader.ts'

/** Describes the import of a catalogue, whose records change field by field. */
function catalogue<Change>(
  described: Pick<Importable, 'noun' | 'key' | 'about' | 'example'>,
  records: { schema: TObject; apiRecord: TObject; read(row: unknown): Change },
  upsert: (store: Store) => (changes: readonly Change[], now: number, options: UpsertOptions) => Promise<Upserted>,
): Importable {
  const names = fieldNames(Object.keys(records.schema.properties), Object.keys(records.apiRecord.properties))
  return {
    ...described,
    batchRows: 500,
    fieldsOf: () => names,
    write: writer(records.read, async (changes, options, { store, now }) => {
      const { unchanged, ...outcome } = await upsert(store)(changes, now, options)
      return { ...outcome, known: unchanged }
    }),
  }
}

const readAsset = rowReader(AssetChange)

export const assets = catalogue(
  {
    noun: 'assets',
    key: 'key',
    about: 'A new asset needs name and type. aliases are the names that identify it in entries.',
    example: { key: 'QUUX', name: 'Quuxwell Holdings plc', type: 'equity', exchange: 'LSE', aliases: ['Quuxwell'] },
  },
  { schema: AssetChange, apiRecord: Asset, read: readAsset },
  (store) => store.assets.upsert,
)

const readPublisher = rowReader(PublisherChange)

export const publishers = catalogue(
  {
    noun: 'publishers',
    key: 'slug',
    about: 'A new publisher needs name and domain. A new countryCode also applies to its existing entries.',
    example: { slug: 'hive-post', name: 'The Hive Post', domain: 'hive.example', countryCode: 'NZ', language: 'en' },
  },
  { schema: PublisherChange, apiRecord: Publisher, read: readPublisher },
  (store) => store.publishers.upsert,
)

const readMarket = rowReader(MarketChange)

export const markets = catalogue(
  {
    noun: 'markets',
    key: 'symbol',
    about:
      'A new market needs assetKey (the key of an asset), type and quoteCurrency. Volumes are stored with volumeDecimals and quoteVolumeDecimals places, which cannot change later.',
    example: {
      symbol: 'QUUX-GBP',
      name: 'Quuxwell',
      assetKey: 'QUUX',
      type: 'stock',
      venue: 'LSE',
      quoteCurrency: 'GBP',
    },
  },
  { schema: MarketChange, apiRecord: Market, read: readMarket },
  (store) => store.markets.upsert,
)

const terms = () => Type.Optional(Type.String())

const Terms = Type.Object({
  sure: terms(),
  likely: terms(),
  hint: terms(),
  not: terms(),
  assets: terms(),
  fallback: Type.Optional(Type.Boolean()),
} satisfies Record<Exclude<keyof TopicTerms, 'slug'>, TSchema>)

const TopicRow = Type.Object({ ...TopicChange.properties, terms: Type.Optional(nullable(Terms)) })
const readTopicRow = rowReader(TopicRow)

function readTopic(value: unknown): TopicChange {
  const { terms, ...topic } = readTopicRow(value)
  if (terms === undefined) return topic
  return { ...topic, terms: terms === null ? null : checkedTerms(topic.slug, terms) }
}

const LONGEST_TERMS = 50_000
const LONGEST_REASON = 300

/** Returns the terms as stored: JSON. */
function checkedTerms(slug: string, terms: Static<typeof Terms>): string {
  const json = JSON.stringify(terms)
  if (json.length > LONGEST_TERMS) throw new Refused(`terms has more than ${LONGEST_TERMS} characters`)
  try {
    parseTerms({ ...terms, slug })
  } catch (error) {
    throw new Refused(cleanText(error instanceof Error ? error.message : String(error), LONGEST_REASON))
  }
  return json
}

export const topics = catalogue(
  {
    noun: 'topics',
    key: 'slug',
    about:
      'A new topic needs name; its parent must exist or come before it. If a topic gets another parent, its descendants move with it. terms {sure, likely, hint, not, assets, fallback} replace the built-in terms; null restores them.',
    example: { slug: 'robotaxis', name: 'Robotaxis', terms: { sure: 'robotaxi, driverless taxi' } },
  },
  { schema: TopicRow, apiRecord: Topic, read: readTopic },
  (store) => store.topics.upsert,
)
