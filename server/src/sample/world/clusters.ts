import { sampleAssets } from '../../catalogue/built-in/assets.ts'
import type { NewAsset } from '../../model/assets.ts'
import type { NewCluster } from '../../model/clusters.ts'
import type { NewEntry } from '../../model/entries.ts'
import { stableId } from '../../model/ids.ts'
import type { SampleReport } from './entries.ts'
import type { Occurrence } from './occurrence.ts'
import { assetsByPopularity } from './popularity.ts'

/** One for each story that at least two publishers told, in the order in which the stories began. */
export function sampleClusters(reports: readonly SampleReport[]): NewCluster[] {
  const clusters: NewCluster[] = []
  for (const [story, told] of Map.groupBy(reports, (report) => report.story)) {
    const entries = told.map(({ entry }) => entry).sort((a, b) => a.publishedAt - b.publishedAt)
    const publishers = new Set(entries.map((entry) => entry.publisherId)).size
    const representative = entries.find((entry) => entry.language === 'en') ?? entries[0]
    if (representative === undefined || publishers < 2) continue
    clusters.push({
      // Entry ids do not move with the clock, so these do not either.
      id: stableId('cluster', told[0]?.entry.id ?? ''),
      title: representative.title,
      summary: summarise(representative, entries),
      importanceScore: importanceOf(story, publishers),
      representativeEntryId: representative.id,
      entryIds: entries.map((entry) => entry.id),
    })
  }
  return clusters
}

/** In the language of the title where one of them has an excerpt in it. */
function summarise(representative: NewEntry, entries: readonly NewEntry[]): string | null {
  if (representative.excerpt !== null) return representative.excerpt
  const withExcerpt = entries.filter((entry) => entry.excerpt !== null)
  const sameLanguage = withExcerpt.find((entry) => entry.language === representative.language)
  return (sameLanguage ?? withExcerpt[0])?.excerpt ?? null
}

/** The more publishers, the stronger the event and the better known what it is about, the closer to 1. */
function importanceOf(story: Occurrence, publishers: number): number {
  const spread = 1 - Math.exp(-(publishers - 1) / 3)
  const main = story.assets[0]
  const prominence = main === undefined ? 0.5 : (prominences.get(main) ?? 0.1)
  return Math.round((0.55 * spread + 0.25 * story.event.strength + 0.2 * prominence) * 1000) / 1000
}

const prominences = new Map<NewAsset, number>(
  [...new Set(sampleAssets.map((asset) => asset.type))].flatMap((type) =>
    assetsByPopularity(type).map((asset, rank) => [asset, 1 / Math.sqrt(1 + rank / 3)] as const),
  ),
)
