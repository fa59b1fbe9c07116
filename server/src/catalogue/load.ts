import type { Static, TSchema } from 'typebox'
import Type from 'typebox'
import { parseTerms, type TopicTerms } from '../enrich/topics/terms.ts'
import { Asset, AssetChange } from '../model/assets.ts'
import { cleanText } from '../model/clean-text.ts'
import { Publisher, PublisherChange } from '../model/publishers.ts'
import { Refused } from '../model/refused.ts'
import { nullable } from '../model/schema.ts'
import { Topic, TopicChange } from '../model/topics.ts'
import type { Upserted } from '../store/lists/catalogue-writes.ts'
import type { Store } from '../store/store.ts'
import { recordReader } from './record-reader.ts'

/** The catalogues that an operator may load. */
export const CATALOGUES = ['assets', 'topics', 'publishers'] as const
export type CatalogueName = (typeof CATALOGUES)[number]

/** Loads an operator's own records: valid ones go into the store, others are refused with a reason. */
export function loadRecords(
  store: Store,
  catalogue: CatalogueName,
  values: readonly unknown[],
  now: number,
): Promise<Upserted> {
  switch (catalogue) {
    case 'assets':
      return load(values, readAsset, (changes) => store.assets.upsert(changes, now))
    case 'topics':
      return load(values, readTopic, (changes) => store.topics.upsert(changes, now))
    case 'publishers':
      return load(values, readPublisher, (changes) => store.publishers.upsert(changes, now))
  }
}

async function load<Change>(
  values: readonly unknown[],
  read: (value: unknown) => Change,
  upsert: (changes: Change[]) => Promise<Upserted>,
): Promise<Upserted> {
  const changes: Change[] = []
  const places: number[] = []
  const refused: Upserted['refused'] = []
  for (const [index, value] of values.entries()) {
    try {
      changes.push(read(value))
      places.push(index)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refused.push({ index, reason: error.message })
    }
  }
  const outcome = await upsert(changes)
  for (const { index, reason } of outcome.refused) refused.push({ index: places[index] ?? 0, reason })
  return { ...outcome, refused: refused.sort((a, b) => a.index - b.index) }
}

const readAsset = recordReader(AssetChange, Asset)
const readPublisher = recordReader(PublisherChange, Publisher)

const terms = () => Type.Optional(Type.String())

const Terms = Type.Object(
  {
    sure: terms(),
    likely: terms(),
    hint: terms(),
    not: terms(),
    assets: terms(),
    fallback: Type.Optional(Type.Boolean()),
  } satisfies Record<Exclude<keyof TopicTerms, 'slug'>, TSchema>,
  { additionalProperties: false },
)

const readTopicRecord = recordReader(
  Type.Object({ ...TopicChange.properties, terms: Type.Optional(nullable(Terms)) }),
  Topic,
)

function readTopic(value: unknown): TopicChange {
  const { terms, ...topic } = readTopicRecord(value)
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
