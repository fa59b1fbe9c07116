import type { NewRecord, SecRecord } from '../model/sec/record.ts'
import type {
  EntryObservation,
  FilingObservation,
  Observation,
  ObservedCluster,
  OddsObservation,
} from '../signals/detect/observation.ts'
import { recordsOf } from './world/sec/sec.ts'
import type { SampleWorld } from './world/world.ts'

/** Returns everything that detectors look at, in the order in which a store would have received it. */
export function sampleHappenings(world: SampleWorld): Observation[] {
  return [...entryHappenings(world), ...filingHappenings(world), ...oddsHappenings(world)].sort((a, b) => a.at - b.at)
}

function entryHappenings({ entries, clusters }: SampleWorld): EntryObservation[] {
  const clusterOf = new Map(clusters.flatMap((cluster) => cluster.entryIds.map((id) => [id, cluster] as const)))
  const membersSoFar = new Map<string, ObservedCluster['members']>()
  return entries.map(({ id, title, publisherId, assetKeys, sentimentScore, publishedAt, createdAt: at }) => {
    const cluster = clusterOf.get(id)
    const members = [...(membersSoFar.get(cluster?.id ?? '') ?? []), { id, publisherId, publishedAt, sentimentScore }]
    if (cluster !== undefined) membersSoFar.set(cluster.id, members)
    // A cluster exists from its second entry on.
    const observed =
      cluster === undefined || members.length < 2 ? undefined : { id: cluster.id, title: cluster.title, members }
    return { type: 'entry', at, publishedAt, id, title, publisherId, assetKeys, sentimentScore, cluster: observed }
  })
}

/** Covers the datasets that detectors look at. */
function filingHappenings({ sec }: SampleWorld): FilingObservation[] {
  return [
    ...recordsOf(sec, 'insider-trades').map((record): FilingObservation => {
      return { type: 'filing', at: Date.parse(record.filedAt), dataset: 'insider-trades', record: asStored(record) }
    }),
    ...recordsOf(sec, 'beneficial-ownership').map((record): FilingObservation => {
      return {
        type: 'filing',
        at: Date.parse(record.filedAt),
        dataset: 'beneficial-ownership',
        record: asStored(record),
      }
    }),
    ...recordsOf(sec, 'material-events').map((record): FilingObservation => {
      return { type: 'filing', at: Date.parse(record.filedAt), dataset: 'material-events', record: asStored(record) }
    }),
  ]
}

/** Returns the record before anything superseded it. Detectors read no other field that the store adds. */
function asStored<Record extends NewRecord<SecRecord>>(record: Record) {
  const { filedAt: createdAt } = record
  return { ...record, assetId: null, supersededById: null, createdAt, ownerRole: null, filingValue: null }
}

function oddsHappenings({ predictionMarkets }: SampleWorld): OddsObservation[] {
  return predictionMarkets.flatMap((market) => {
    const open = { ...market, status: 'open' as const }
    const closeAt = Date.parse(market.closeAt ?? '')
    return market.history.flatMap(({ at, probabilities }) => {
      const probability = probabilities[market.outcomes[0]?.id ?? '']
      return probability === undefined ? [] : [{ type: 'odds', at, market: at < closeAt ? open : market, probability }]
    })
  })
}
