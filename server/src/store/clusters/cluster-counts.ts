import type { Transaction } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'
import { insertRecords, together } from '../sql.ts'
import type { Figures, Member } from './cluster-doc.ts'

type Kind = 'publisher' | 'asset' | 'topic' | 'language'

/** The scores of a cluster's entries. */
export interface ScoreSums {
  count: number
  sum: number
  squares: number
}

/** Most values that a cluster lists; rarer ones are counted only. */
const MAX_LISTED = 50

/** Counts entries that a cluster gains and loses. Returns the change in the number of its publishers, and its new scores. */
export async function addCounts(
  tx: Transaction,
  clusterSeq: number,
  gained: readonly Member[],
  lost: readonly Member[],
): Promise<{ publishers: number; scores: ScoreSums }> {
  const [publishers, scores] = await together([
    writeCounts(tx, clusterSeq, changesOf(gained, lost)),
    addScores(tx, clusterSeq, gained, lost),
  ])
  return { publishers, scores }
}

/** Writes the changed counts. Returns the change in the number of publishers. */
async function writeCounts(tx: Transaction, clusterSeq: number, changes: readonly CountChange[]): Promise<number> {
  const known = new Map<string, number>()
  await forEachChunk([...new Set(changes.map(({ value }) => value))], async (params, list) => {
    const rows = await tx.query<{ kind: Kind; value: string; count: number }>(
      `select kind, value, count from cluster_counts where value in (${list}) and cluster_seq = ${params.add(clusterSeq)}`,
      params.values,
    )
    for (const { kind, value, count } of rows) known.set(keyOf(kind, value), count)
  })
  let publishers = 0
  const rows: { cluster_seq: number; kind: Kind; value: string; count: number }[] = []
  for (const { kind, value, change } of changes) {
    const before = known.get(keyOf(kind, value)) ?? 0
    const count = before + change
    if (kind === 'publisher') publishers += Math.sign(count) - Math.sign(before)
    if (count > 0) rows.push({ cluster_seq: clusterSeq, kind, value, count })
    else
      await tx.query('delete from cluster_counts where cluster_seq = $1 and kind = $2 and value = $3', [
        clusterSeq,
        kind,
        value,
      ])
  }
  await insertRecords(
    tx,
    'cluster_counts',
    rows,
    'on conflict (cluster_seq, kind, value) do update set count = excluded.count',
  )
  return publishers
}

/** Returns the figures of a new cluster. */
export function figuresOf(members: readonly Member[]): Figures {
  const counts = changesOf(members, [])
  const listed = (kind: Kind) =>
    counts
      .filter((count) => count.kind === kind)
      .sort((a, b) => b.change - a.change || (a.value < b.value ? 1 : -1))
      .slice(0, MAX_LISTED)
      .map(({ value }) => value)
  const times = members.map(({ entry }) => Date.parse(entry.publishedAt))
  return {
    entryCount: members.length,
    publisherCount: counts.filter(({ kind }) => kind === 'publisher').length,
    firstAt: Math.min(...times),
    lastAt: Math.max(...times),
    scores: withScores({ count: 0, sum: 0, squares: 0 }, members, 1),
    assetKeys: listed('asset'),
    topicSlugs: listed('topic'),
    languages: listed('language'),
  }
}

/** Inserts the counts of new clusters; their scores are in their rows. */
export function insertCounts(
  tx: Transaction,
  clusters: readonly { seq: number; members: readonly Member[] }[],
): Promise<void> {
  return insertRecords(
    tx,
    'cluster_counts',
    clusters.flatMap(({ seq, members }) =>
      changesOf(members, []).map(({ kind, value, change }) => ({ cluster_seq: seq, kind, value, count: change })),
    ),
  )
}

/** Returns the most common values of a cluster's entries, the most common first. */
export async function listCommon(tx: Transaction, clusterSeq: number, kind: Kind): Promise<string[]> {
  const rows = await tx.query<{ value: string }>(
    `select value from cluster_counts where cluster_seq = $1 and kind = $2
     order by count desc, value desc limit ${MAX_LISTED}`,
    [clusterSeq, kind],
  )
  return rows.map(({ value }) => value)
}

async function addScores(
  tx: Transaction,
  clusterSeq: number,
  gained: readonly Member[],
  lost: readonly Member[],
): Promise<ScoreSums> {
  const [before = { count: 0, sum: 0, squares: 0 }] = await tx.query<ScoreSums>(
    'select scored_count as count, score_sum as sum, score_squares as squares from clusters where seq = $1',
    [clusterSeq],
  )
  const sums = withScores(withScores(before, gained, 1), lost, -1)
  await tx.query('update clusters set scored_count = $2, score_sum = $3, score_squares = $4 where seq = $1', [
    clusterSeq,
    sums.count,
    sums.sum,
    sums.squares,
  ])
  return sums
}

function withScores(sums: ScoreSums, members: readonly Member[], sign: 1 | -1): ScoreSums {
  const next = { ...sums }
  for (const { entry } of members) {
    if (entry.sentimentScore === null) continue
    next.count += sign
    next.sum = settled(next.sum + sign * entry.sentimentScore)
    next.squares = settled(next.squares + sign * entry.sentimentScore ** 2)
  }
  return next
}

interface CountChange {
  kind: Kind
  value: string
  change: number
}

function changesOf(gained: readonly Member[], lost: readonly Member[]): CountChange[] {
  const changes = new Map<string, CountChange>()
  const add = (kind: Kind, value: string, by: number) => {
    const key = keyOf(kind, value)
    const known = changes.get(key)
    if (known === undefined) changes.set(key, { kind, value, change: by })
    else known.change += by
  }
  const addAll = ({ publisherRef, entry }: Member, by: number) => {
    add('publisher', String(publisherRef), by)
    for (const key of new Set(entry.assetKeys)) add('asset', key, by)
    for (const slug of new Set(entry.topicSlugs)) add('topic', slug, by)
    if (entry.language !== null) add('language', entry.language, by)
  }
  for (const member of gained) addAll(member, 1)
  for (const member of lost) addAll(member, -1)
  return [...changes.values()].filter(({ change }) => change !== 0)
}

function keyOf(kind: Kind, value: string): string {
  return `${kind} ${value}`
}

/** Removes what the order of additions leaves in the last digits of a sum. */
const settled = (sum: number): number => Math.round(sum * 1e9) / 1e9
