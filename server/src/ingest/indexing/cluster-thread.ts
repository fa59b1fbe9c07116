/** Worker thread: holds the clusters of the last days and assigns new entries to them. */

import { workerData } from 'node:worker_threads'
import { Clusterer, type ClusterInput } from '../../enrich/clusters/clusterer.ts'
import { answerRequests } from '../../thread.ts'

export type ClusterRequest =
  | { kind: 'restore'; entries: (ClusterInput & { cluster: number })[] }
  | { kind: 'add'; entries: ClusterInput[] }

/** A cluster that new entries were added to. */
export interface GrownCluster {
  /** Keys of all its entries. */
  members: readonly number[]
  representative: number
}

const clusterer = new Clusterer({ isMultilingual: workerData.isMultilingual })

answerRequests((request: ClusterRequest): GrownCluster[] => {
  if (request.kind === 'restore') {
    clusterer.restore(request.entries)
    return []
  }
  const grown = new Set(request.entries.map((entry) => clusterer.add(entry).cluster))
  return [...grown].map((cluster) => {
    const members = clusterer.membersOf(cluster)
    return { members, representative: clusterer.representativeOf(cluster)?.key ?? members[0] ?? 0 }
  })
})
