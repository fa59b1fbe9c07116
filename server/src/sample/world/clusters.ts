import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import type { NewAsset } from '../../model/assets.ts'
import type { NewCluster } from '../../model/clusters.ts'
import type { NewEntry } from '../../model/entries.ts'
import { stableId } from '../../model/ids.ts'
import type { SampleReport } from './entries.ts'
import type { Occurrence } from './occurrence.ts'
import { assetsByPopularity } from './popularity.ts'

/** Returns a cluster for each occurrence that at least two publishers reported, ordered by first report. */
export function sampleClusters(reports: readonly SampleReport[]): NewCluster[] {
  const clusters: NewCluster[] = []
  for (const [occurrence, reported] of Map.groupBy(reports, (report) => report.occurrence)) {
    const entries = reported.map(({ entry }) => entry).sort((a, b) => a.publishedAt - b.publishedAt)
    const publishers = new Set(entries.map((entry) => entry.publisherId)).size
    const representative = entries.find((entry) => entry.language === 'en') ?? entries[0]
    if (representative === undefined || publishers < 2) continue
    clusters.push({
      // Entry ids do not depend on the clock, so cluster ids do not either.
      id: stableId('cluster', reported[0]?.entry.id ?? ''),
      title: representative.title,
      summary: summarise(representative, entries),
      importanceScore: importanceOf(occurrence, publishers),
      representativeEntryId: representative.id,
      entryIds: entries.map((entry) => entry.id),
    })
  }
  return clusters
}

/** Prefers an excerpt in the language of the title. */
function summarise(representative: NewEntry, entries: readonly NewEntry[]): string | null {
  if (representative.excerpt !== null) return representative.excerpt
  const withExcerpt = entries.filter((entry) => entry.excerpt !== null)
  const sameLanguage = withExcerpt.find((entry) => entry.language === representative.language)
  return (sameLanguage ?? withExcerpt[0])?.excerpt ?? null
}

/** Returns 0 to 1: grows with the number of publishers, the strength of the event and the fame of its asset. */
function importanceOf(occurrence: Occurrence, publishers: number): number {
  const spread = 1 - Math.exp(-(publishers - 1) / 3)
  const main = occurrence.assets[0]
  const prominence = main === undefined ? 0.5 : (prominences.get(main) ?? 0.1)
  return Math.round((0.55 * spread + 0.25 * occurrence.event.strength + 0.2 * prominence) * 1000) / 1000
}

const prominences = new Map<NewAsset, number>(
  [...new Set(builtInAssets.map((asset) => asset.type))].flatMap((type) =>
    assetsByPopularity(type).map((asset, rank) => [asset, 1 / Math.sqrt(1 + rank / 3)] as const),
  ),
)
