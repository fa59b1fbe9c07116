import type { NewAsset } from '../../model/assets.ts'
import type { NewEntry } from '../../model/entries.ts'
import type { NewPublisher } from '../../model/publishers.ts'
import type { NewTopic } from '../../model/topics.ts'
import { sampleAssets } from './assets.ts'
import { sampleEntries } from './entries.ts'
import { samplePublishers } from './publishers.ts'
import { sampleTopics } from './topics.ts'

export interface SampleWorld {
  publishers: NewPublisher[]
  assets: NewAsset[]
  topics: NewTopic[]
  entries: NewEntry[]
}

export const SAMPLE_SEED = 'mintick-sample'
const ENTRY_COUNT = 6000
const SPAN_DAYS = 90

/** The whole synthetic world as of `now`: the same on every machine, only its dates move with `now`. */
export function sampleWorld(now: number): SampleWorld {
  const from = now - SPAN_DAYS * 86_400_000
  return {
    publishers: samplePublishers,
    assets: sampleAssets,
    topics: sampleTopics,
    entries: [...sampleEntries({ count: ENTRY_COUNT, from, to: now, seed: SAMPLE_SEED })],
  }
}
