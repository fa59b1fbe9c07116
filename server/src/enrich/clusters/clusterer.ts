import { HOUR } from '../../model/time.ts'
import { Centroid, unitOrNull } from './centroid.ts'
import { DocumentFrequencies, TERM_COUNT } from './document-frequencies.ts'
import { type EntryFeatures, extractFeatures } from './features.ts'
import { InvertedIndex } from './inverted-index.ts'
import { isGenericTitle, isNearDuplicate } from './near-duplicates.ts'
import { addToCluster, createCluster, type OpenCluster, timeDistance } from './open-cluster.ts'
import { differsInQuarter } from './periods.ts'
import { ReportedDays } from './reported-days.ts'
import { considerHeadline } from './representative-headline.ts'
import { SignBitIndex } from './sign-bit-index.ts'
import { type Comparison, crossLanguageMargin, similarityMargin } from './similarity.ts'

/** An entry to cluster. Title and content are clean text. */
export interface ClusterInput {
  key: number
  title: string
  content: string
  language: string
  /** Epoch milliseconds. */
  publishedAt: number
  /** All entries use one model; null where it does not support the language. */
  vector: Float32Array | null
}

interface Placement {
  /** The cluster's id: the key of its first entry. */
  cluster: number
  isNew: boolean
}

interface ClustererOptions {
  /** Whether vectors of different languages can be compared, so that a cluster may span languages. */
  isMultilingual?: boolean
  /** Beyond this number the least recently updated clusters are dropped. */
  maxClusters?: number
}

/** An entry joins a cluster if it was published within this time of one of its entries, before or after. */
const CLUSTER_WINDOW = 72 * HOUR
/** The same for a generic headline such as "Stocks close higher": tomorrow it is about something else. */
const ROUTINE_WINDOW = 12 * HOUR

/** Clusters compared with an entry: those that share its rare terms, and those with similar vectors. */
const TERM_CANDIDATES = 24
const VECTOR_CANDIDATES = 12
/** A near duplicate shares nearly all terms, so its cluster is among the first candidates. */
const DUPLICATE_CANDIDATES = 8
const STALE_CHECKS = 2

/**
 * Assigns each entry to a cluster, in one pass and for good: that of a duplicate if there is one, else the most
 * similar. The result depends on the entries and their order alone.
 */
export class Clusterer {
  readonly #isMultilingual: boolean
  readonly #maxClusters: number
  readonly #frequencies = new DocumentFrequencies()
  readonly #centroid = new Centroid()
  readonly #reportedDays = new ReportedDays()
  readonly #termIndex = new InvertedIndex()
  readonly #vectorIndex = new SignBitIndex()
  /** By id, the least recently updated first. */
  readonly #clusters = new Map<number, OpenCluster>()
  readonly #clusterByKey = new Map<number, OpenCluster>()
  readonly #clusterByTitle = new Map<string, OpenCluster>()
  readonly #rows: (OpenCluster | undefined)[] = []
  readonly #freeRows: number[] = []
  /** The entry's weights by term; all zero between two comparisons. */
  readonly #weights = new Float32Array(TERM_COUNT)
  #dimensions = 0
  #checkedRow = 0

  constructor({ isMultilingual = false, maxClusters = 50_000 }: ClustererOptions = {}) {
    this.#isMultilingual = isMultilingual
    this.#maxClusters = Math.max(1, maxClusters)
  }

  get size(): number {
    return this.#clusters.size
  }

  /** Assigns an entry to a cluster. An entry added before keeps its cluster. */
  add(entry: ClusterInput): Placement {
    const known = this.#clusterByKey.get(entry.key)
    if (known !== undefined) return { cluster: known.id, isNew: false }
    const features = extractFeatures(entry, this.#frequencies)
    const vector = this.#usableVector(entry.vector)
    const found = this.#findSameTitle(entry, features) ?? this.#findSimilar(entry, features, vector)
    const cluster = found ?? this.#open(entry.key, entry.language)
    this.#place(cluster, entry, features, vector)
    return { cluster: cluster.id, isNew: found === undefined }
  }

  /**
   * Replays earlier assignments in their original order. Entries of expired clusters may be included: they add to the
   * document frequencies, and their clusters expire again.
   */
  restore(entries: Iterable<ClusterInput & { cluster: number }>): void {
    for (const entry of entries) {
      if (this.#clusterByKey.has(entry.key)) continue
      const features = extractFeatures(entry, this.#frequencies)
      const cluster = this.#clusters.get(entry.cluster) ?? this.#open(entry.cluster, entry.language)
      this.#place(cluster, entry, features, this.#usableVector(entry.vector))
    }
  }

  /** Returns the keys of a cluster's entries in the order of arrival; none if it was dropped. */
  membersOf(cluster: number): readonly number[] {
    return this.#clusters.get(cluster)?.keys ?? []
  }

  /** Returns the entry whose title describes the cluster best. */
  representativeOf(cluster: number): { key: number; title: string } | null {
    const headline = this.#clusters.get(cluster)?.headlines[0]
    return headline === undefined ? null : { key: headline.key, title: headline.title }
  }

  #findSameTitle(
    { language, publishedAt }: ClusterInput,
    { fingerprint, isRoutine }: EntryFeatures,
  ): OpenCluster | undefined {
    const cluster = this.#clusterByTitle.get(titleKey(language, fingerprint.title))
    if (cluster === undefined) return undefined
    const window = isRoutine || isGenericTitle(fingerprint) ? ROUTINE_WINDOW : CLUSTER_WINDOW
    return timeDistance(cluster, publishedAt) <= window ? cluster : undefined
  }

  #findSimilar(entry: ClusterInput, features: EntryFeatures, vector: Float32Array | null): OpenCluster | undefined {
    if (features.terms.length === 0) return undefined
    const window = features.isRoutine ? ROUTINE_WINDOW : CLUSTER_WINDOW
    const isNear = (cluster: OpenCluster) => timeDistance(cluster, entry.publishedAt) <= window
    const byTerms = this.#clustersAt(this.#termIndex.nearest(features, TERM_CANDIDATES, this.#rows.length)).filter(
      isNear,
    )
    const duplicated = byTerms
      .slice(0, DUPLICATE_CANDIDATES)
      .find(
        ({ language, periods, fingerprints }) =>
          language === entry.language &&
          !differsInQuarter(periods, features.periods) &&
          fingerprints.some((fingerprint) => isNearDuplicate(fingerprint, features.fingerprint)),
      )
    if (duplicated !== undefined || features.isRoutine) return duplicated
    const byVector = vector === null ? [] : this.#clustersAt(this.#rowsNear(vector)).filter(isNear)
    return this.#mostSimilar(new Set([...byTerms, ...byVector]), entry, features, vector)
  }

  #mostSimilar(
    candidates: Iterable<OpenCluster>,
    { language, publishedAt }: ClusterInput,
    features: EntryFeatures,
    vector: Float32Array | null,
  ): OpenCluster | undefined {
    const weights = this.#weights
    for (const [index, term] of features.terms.entries()) weights[term] = features.weights[index] ?? 0
    const common = vector === null ? 0 : this.#centroid.dot(vector)
    const comparison: Comparison = { features, publishedAt, vector, common, centroid: this.#centroid, weights }
    let best: OpenCluster | undefined
    let bestMargin = 0
    for (const cluster of candidates) {
      if (cluster.isRoutine) continue
      const isSameLanguage = cluster.language === language
      if (!isSameLanguage && !this.#isMultilingual) continue
      const margin = isSameLanguage ? similarityMargin(cluster, comparison) : crossLanguageMargin(cluster, comparison)
      if (margin !== null && margin > bestMargin) {
        best = cluster
        bestMargin = margin
      }
    }
    for (const term of features.terms) weights[term] = 0
    return best
  }

  #rowsNear(vector: Float32Array): number[] {
    return this.#vectorIndex.nearest(this.#centroid.signBits(vector, 1), VECTOR_CANDIDATES, this.#rows.length)
  }

  #clustersAt(rows: readonly number[]): OpenCluster[] {
    return rows.map((row) => this.#rows[row]).filter((cluster) => cluster !== undefined)
  }

  #open(id: number, language: string): OpenCluster {
    const row = this.#freeRows.pop() ?? this.#rows.length
    const cluster = createCluster(id, row, language)
    this.#rows[row] = cluster
    return cluster
  }

  #place(cluster: OpenCluster, entry: ClusterInput, features: EntryFeatures, vector: Float32Array | null): void {
    if (vector !== null && cluster.keys.length === 0) this.#centroid.add(vector)
    const { gained, lost } = addToCluster(cluster, entry, features, vector)
    this.#termIndex.add(cluster.row, gained)
    this.#termIndex.remove(cluster.row, lost)
    if (cluster.vectors !== null && vector !== null) {
      this.#vectorIndex.set(cluster.row, this.#centroid.signBits(cluster.vectors.sum, cluster.vectors.count))
    }
    considerHeadline(cluster, entry, features.fingerprint.titleTerms)
    this.#frequencies.count(features.allTerms)

    // Deleted first, so that it moves to the end of the map.
    this.#clusters.delete(cluster.id)
    this.#clusters.set(cluster.id, cluster)
    this.#clusterByKey.set(entry.key, cluster)
    if (features.fingerprint.title !== '') {
      const title = titleKey(entry.language, features.fingerprint.title)
      cluster.titles.add(title)
      this.#clusterByTitle.set(title, cluster)
    }
    this.#reportedDays.add(entry.publishedAt)
    this.#dropStale()
  }

  /** Checks a few clusters at a time, so that no call takes long. */
  #dropStale(): void {
    for (let check = 0; check < STALE_CHECKS; check++) {
      this.#checkedRow = (this.#checkedRow + 1) % this.#rows.length
      const cluster = this.#rows[this.#checkedRow]
      if (cluster === undefined) continue
      const { firstAt, lastAt } = cluster
      if (!this.#reportedDays.isReported(firstAt - CLUSTER_WINDOW, lastAt + CLUSTER_WINDOW)) this.#drop(cluster)
    }
    const [oldest] = this.#clusters.values()
    if (oldest !== undefined && this.#clusters.size > this.#maxClusters) this.#drop(oldest)
  }

  #drop(cluster: OpenCluster): void {
    this.#termIndex.remove(cluster.row, cluster.terms)
    this.#vectorIndex.remove(cluster.row)
    this.#rows[cluster.row] = undefined
    this.#freeRows.push(cluster.row)
    this.#clusters.delete(cluster.id)
    for (const key of cluster.keys) this.#clusterByKey.delete(key)
    for (const title of cluster.titles) {
      if (this.#clusterByTitle.get(title) === cluster) this.#clusterByTitle.delete(title)
    }
  }

  /** Ignores vectors with other dimensions than the first one: they come from another model. */
  #usableVector(vector: Float32Array | null): Float32Array | null {
    const unit = vector === null ? null : unitOrNull(vector)
    if (unit === null) return null
    if (this.#dimensions === 0) this.#dimensions = unit.length
    return unit.length === this.#dimensions ? unit : null
  }
}

function titleKey(language: string, title: string): string {
  return `${language} ${title}`
}
