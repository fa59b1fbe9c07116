/** Worker thread: remembers the stories of the last days and finds the one that each new entry tells. */

import { workerData } from 'node:worker_threads'
import { Clusterer, type ClusterInput } from '../../enrich/clusters/clusterer.ts'
import { answerRequests } from '../../thread.ts'

export type ClusterRequest =
  | { kind: 'restore'; entries: (ClusterInput & { cluster: number })[] }
  | { kind: 'add'; entries: ClusterInput[] }

/** A story that new entries were added to. */
export interface GrownCluster {
  story: number
  /** Keys of all its entries. */
  members: readonly number[]
  representative: number
}

const stories = new Clusterer({ isMultilingual: workerData.isMultilingual })

answerRequests((request: ClusterRequest): GrownCluster[] => {
  if (request.kind === 'restore') {
    stories.restore(request.entries)
    return []
  }
  const touched = new Set(request.entries.map((entry) => stories.add(entry).cluster))
  return [...touched].map((story) => {
    const members = stories.membersOf(story)
    return { story, members, representative: stories.representativeOf(story)?.key ?? members[0] ?? 0 }
  })
})
