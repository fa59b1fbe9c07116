/** Worker thread: remembers the stories of the last days and finds the one that each new entry tells. */

import { workerData } from 'node:worker_threads'
import { Stories, type StoryEntry } from '../../enrich/clusters/stories.ts'
import { answerRequests } from '../../thread.ts'

export type StoryRequest =
  | { kind: 'restore'; entries: (StoryEntry & { story: number })[] }
  | { kind: 'add'; entries: StoryEntry[] }

/** A story that new entries were added to. */
export interface ToldStory {
  story: number
  /** Keys of all its entries. */
  members: readonly number[]
  representative: number
}

const stories = new Stories({ isMultilingual: workerData.isMultilingual })

answerRequests((request: StoryRequest): ToldStory[] => {
  if (request.kind === 'restore') {
    stories.restore(request.entries)
    return []
  }
  const touched = new Set(request.entries.map((entry) => stories.add(entry).story))
  return [...touched].map((story) => {
    const members = stories.membersOf(story)
    return { story, members, representative: stories.representativeOf(story)?.key ?? members[0] ?? 0 }
  })
})
