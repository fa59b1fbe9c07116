/** Worker thread: holds the clusters of the last days and assigns new entries to them. */

import { workerData } from 'node:worker_threads'
import { Clusterer, type ClusterInput } from '../../enrich/clusters/clusterer.ts'
import { answerRequests } from '../../thread.ts'

export type ClusterRequest =
  | { kind: 'restore'; entries: (ClusterInput & { cluster: number })[] }
  | { kind: 'add'; entries: ClusterInput[] }

/** A cluster that entries joined. */
export interface GrownCluster {
  /** Keys of the entries that joined, be it from another cluster. */
  joined: readonly number[]
  /** Keys of the first other entries of the cluster: a few are enough to find it in the store. */
  known: readonly number[]
  representative: number
}

/** Known entries to name: some of them may have been removed from the store. */
const MAX_KNOWN = 16

const clusterer = new Clusterer({ isMultilingual: workerData.isMultilingual })

answerRequests((request: ClusterRequest): GrownCluster[] => {
  if (request.kind === 'restore') {
    clusterer.restore(request.entries)
    return []
  }
  const keys = new Set(request.entries.flatMap((entry) => [entry.key, ...clusterer.add(entry).moved]))
  const grown = Map.groupBy(keys, (key) => clusterer.clusterOf(key))
  return [...grown].flatMap(([cluster, joined]) => {
    if (cluster === undefined) return []
    return {
      joined,
      known: firstOthers(clusterer.membersOf(cluster), keys),
      representative: clusterer.representativeOf(cluster)?.key ?? cluster,
    }
  })
})

function firstOthers(members: readonly number[], excluded: ReadonlySet<number>): number[] {
  const others: number[] = []
  for (const key of members) {
    if (others.length === MAX_KNOWN) break
    if (!excluded.has(key)) others.push(key)
  }
  return others
}
