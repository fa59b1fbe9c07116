import { HOUR } from '../../model/time.ts'
import { Centroid, unitOrNull } from './centroid.ts'
import { DocumentFrequencies } from './document-frequencies.ts'
import { type EntryFeatures, extractFeatures, READ_LENGTH } from './features.ts'
import { InvertedIndex, type WeightedTerms } from './inverted-index.ts'
import { isGenericTitle, isNearDuplicate } from './near-duplicates.ts'
import {
  absorbCluster,
  addToCluster,
  createCluster,
  type OpenCluster,
  rangeDistance,
  timeDistance,
} from './open-cluster.ts'
import { differsInQuarter } from './periods.ts'
import { RepeatedSentences } from './repeated-sentences.ts'
import { ReportedDays } from './reported-days.ts'
import { chooseHeadline, considerHeadline } from './representative-headline.ts'
import { SignBitIndex } from './sign-bit-index.ts'
import {
  type Background,
  type Candidate,
  clusterCandidate,
  crossLanguageMargin,
  entryCandidate,
  similarityMargin,
} from './similarity.ts'

/** An entry to cluster. Title and content are clean text. */
export interface ClusterInput {
  key: number
  title: string
  content: string
  language: string
  /** Identifies the publisher; null if unknown. */
  publisher: number | null
  /** Epoch milliseconds. */
  publishedAt: number
  /** All entries use one model; null where it does not support the language. */
  vector: Float32Array | null
}

interface Placement {
  /** The cluster's id: the key of its first entry. */
  cluster: number
  /** Entries that came over from clusters which turned out to tell the same event. */
  moved: readonly number[]
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
/** Clusters are found by this many of a cluster's terms, to merge it with. */
const MERGE_TERMS = 12
const MERGE_CANDIDATES = 40
/** A cluster looks for others to merge with whenever it has grown by this factor, so that the cost per entry is constant. */
const MERGE_GROWTH = 1.5

/**
 * Assigns each entry to a cluster: that of a duplicate if there is one, else the most similar. The first headlines of an
 * event may have little in common and start several clusters; as these grow, the smaller ones join the largest.
 */
export class Clusterer {
  readonly #isMultilingual: boolean
  readonly #maxClusters: number
  readonly #frequencies = new DocumentFrequencies()
  readonly #centroid = new Centroid()
  readonly #background: Background = { frequencies: this.#frequencies, centroid: this.#centroid }
  readonly #sentences = new RepeatedSentences()
  readonly #reportedDays = new ReportedDays()
  readonly #termIndex = new InvertedIndex()
  readonly #vectorIndex = new SignBitIndex()
  /** By id, the least recently updated first. */
  readonly #clusters = new Map<number, OpenCluster>()
  readonly #clusterByKey = new Map<number, OpenCluster>()
  readonly #clusterByTitle = new Map<string, OpenCluster>()
  readonly #rows: (OpenCluster | undefined)[] = []
  readonly #freeRows: number[] = []
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
    if (known !== undefined) return { cluster: known.id, moved: [] }
    const features = this.#featuresOf(entry)
    const vector = this.#usableVector(entry.vector)
    const found = this.#findSameTitle(entry, features) ?? this.#findSimilar(entry, features, vector)
    const cluster = found ?? this.#open(entry.key, entry.language)
    this.#place(cluster, entry, features, vector)
    return this.#isDueToMerge(cluster) ? this.#mergeWithOthers(cluster) : { cluster: cluster.id, moved: [] }
  }

  /**
   * Replays earlier assignments in their original order. Entries of expired clusters may be included: they add to the
   * document frequencies, and their clusters expire again.
   */
  restore(entries: Iterable<ClusterInput & { cluster: number }>): void {
    for (const entry of entries) {
      if (this.#clusterByKey.has(entry.key)) continue
      const features = this.#featuresOf(entry)
      const cluster = this.#clusters.get(entry.cluster) ?? this.#open(entry.cluster, entry.language)
      this.#place(cluster, entry, features, this.#usableVector(entry.vector))
      this.#isDueToMerge(cluster)
    }
  }

  /** Returns the current cluster of an entry; undefined if it was dropped. */
  clusterOf(key: number): number | undefined {
    return this.#clusterByKey.get(key)?.id
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

  #featuresOf(entry: ClusterInput): EntryFeatures {
    const { publisher } = entry
    const content = entry.content.slice(0, READ_LENGTH)
    const own = publisher === null ? content : this.#sentences.strip(publisher, content)
    return extractFeatures({ ...entry, content, own }, this.#frequencies)
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
    const byTerms = this.#clustersWithTerms(features, TERM_CANDIDATES).filter(isNear)
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
    const candidate = entryCandidate(features, entry.publishedAt, vector, this.#background)
    return this.#mostSimilar(new Set([...byTerms, ...byVector]), entry.language, candidate)
  }

  #mostSimilar(clusters: Iterable<OpenCluster>, language: string, candidate: Candidate): OpenCluster | undefined {
    let best: OpenCluster | undefined
    let bestMargin = 0
    for (const cluster of clusters) {
      if (cluster.isRoutine) continue
      const isSameLanguage = cluster.language === language
      if (!isSameLanguage && !this.#isMultilingual) continue
      const marginOf = isSameLanguage ? similarityMargin : crossLanguageMargin
      const margin = marginOf(cluster, candidate, this.#background)
      if (margin !== null && margin > bestMargin) {
        best = cluster
        bestMargin = margin
      }
    }
    return best
  }

  /** Reports whether the cluster has grown enough since it last looked for others. */
  #isDueToMerge(cluster: OpenCluster): boolean {
    if (cluster.keys.length < cluster.mergeSize) return false
    cluster.mergeSize = Math.ceil(cluster.keys.length * MERGE_GROWTH)
    return true
  }

  #mergeWithOthers(cluster: OpenCluster): Placement {
    const moved: number[] = []
    if (cluster.isRoutine) return { cluster: cluster.id, moved }
    for (const other of this.#clustersWithTerms(this.#mainTerms(cluster), MERGE_CANDIDATES)) {
      if (other === cluster || other.isRoutine || other.language !== cluster.language) continue
      if (rangeDistance(cluster, other) > CLUSTER_WINDOW) continue
      const isSmaller = other.keys.length < cluster.keys.length
      const [larger, smaller] = isSmaller || other.id > cluster.id ? [cluster, other] : [other, cluster]
      const candidate = clusterCandidate(smaller, this.#background)
      if (similarityMargin(larger, candidate, this.#background) <= 0) continue
      moved.push(...smaller.keys)
      this.#absorb(larger, smaller)
      if (larger === other) return { cluster: other.id, moved }
    }
    return { cluster: cluster.id, moved }
  }

  /** Returns the terms that most of a cluster's entries share and few others have. */
  #mainTerms({ terms, keys }: OpenCluster): WeightedTerms {
    const heaviest = Array.from(terms, ([term, known]) => ({
      term,
      weight: (known.weight / keys.length) * this.#frequencies.idf(term),
    }))
    heaviest.sort((a, b) => b.weight - a.weight || a.term - b.term)
    heaviest.length = Math.min(heaviest.length, MERGE_TERMS)
    return {
      terms: Int32Array.from(heaviest, ({ term }) => term),
      weights: Float32Array.from(heaviest, ({ weight }) => weight),
    }
  }

  #absorb(cluster: OpenCluster, other: OpenCluster): void {
    this.#drop(other)
    for (const key of other.keys) this.#clusterByKey.set(key, cluster)
    for (const title of other.titles) this.#clusterByTitle.set(title, cluster)
    this.#index(cluster, absorbCluster(cluster, other))
    chooseHeadline(cluster, (term) => this.#frequencies.idf(term))
  }

  #clustersWithTerms({ terms, weights }: WeightedTerms, count: number): OpenCluster[] {
    const rare = weights.map((weight, index) => weight * this.#frequencies.idf(terms[index] ?? 0))
    return this.#clustersAt(this.#termIndex.nearest({ terms, weights: rare }, count, this.#rows.length))
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
    this.#index(cluster, addToCluster(cluster, entry, features, vector))
    considerHeadline(cluster, entry, features.fingerprint.titleTerms, (term) => this.#frequencies.idf(term))
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

  #index(cluster: OpenCluster, { gained, lost }: { gained: number[]; lost: number[] }): void {
    this.#termIndex.add(cluster.row, gained)
    this.#termIndex.remove(cluster.row, lost)
    const { vectors } = cluster
    if (vectors !== null) this.#vectorIndex.set(cluster.row, this.#centroid.signBits(vectors.sum, vectors.count))
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
    this.#termIndex.remove(cluster.row, cluster.terms.keys())
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
