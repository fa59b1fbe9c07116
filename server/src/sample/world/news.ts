import type { NewEntry } from '../../model/entries.ts'
import type { Occurrence } from './occurrence.ts'

/** What a story says of assets and topics, and when it was first out: prices and odds move with it. */
export interface WorldNews {
  /** Epoch milliseconds. */
  at: number
  /** From -1 (bad) to 1 (good). */
  score: number
  /** The first is what the story is about, the others are mentioned. */
  assetKeys: readonly string[]
  topicSlugs: readonly string[]
}

export interface Report {
  entry: Pick<NewEntry, 'publishedAt'>
  story: Pick<Occurrence, 'event' | 'assets' | 'topicSlugs'>
}

/** One for each story, however many report it, in the order of time. */
export function newsOf(reports: Iterable<Report>): WorldNews[] {
  const byStory = new Map<Report['story'], WorldNews>()
  for (const { entry, story } of reports) {
    const known = byStory.get(story)
    if (known !== undefined) known.at = Math.min(known.at, entry.publishedAt)
    else byStory.set(story, tell(story, entry.publishedAt))
  }
  return [...byStory.values()].sort((a, b) => a.at - b.at)
}

function tell({ event, assets, topicSlugs }: Report['story'], at: number): WorldNews {
  const sign = { positive: 1, negative: -1, neutral: 0 }[event.direction]
  return { at, score: sign * event.strength, assetKeys: assets.map((asset) => asset.key), topicSlugs }
}
