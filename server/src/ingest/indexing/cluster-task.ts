import type { Clock } from '../../clock.ts'
import type { ClusterInput } from '../../enrich/clusters/clusterer.ts'
import { importanceOf } from '../../enrich/clusters/importance.ts'
import { fewAtOnce } from '../../few-at-once.ts'
import type { ClusterGrowth } from '../../model/clusters.ts'
import { idOf } from '../../model/ids.ts'
import type { EntrySource } from '../../store/entries/entry-candidates.ts'
import type { Lease } from '../../store/leases.ts'
import type { Store } from '../../store/store.ts'
import { Thread } from '../../thread.ts'
import type { ClusterRequest, GrownCluster } from './cluster-thread.ts'
import type { VectorTask } from './vector-task.ts'

/** The name of the task in feed_progress. It must not change: stores have their progress under this name. */
export const CLUSTER_TASK = 'stories'

const CHUNK = 96
/** Entries to restore after a start: enough for the clusters of the last days and for word frequencies. */
const RESTORED = 20_000
const IDLE_MS = 600_000
/** Characters of the content that the clusterer compares. */
const CONTENT_LENGTH = 3_000

interface Portion {
  sources: EntrySource[]
  entries: ClusterInput[]
  /** The head of the feed at the time of reading. */
  to: number
  /** Whether embedding succeeded. */
  isEmbedded: boolean
}

/** Assigns entries to clusters, in the order of the feed. */
export class ClusterTask {
  readonly #store: Store
  readonly #vectors: VectorTask | undefined
  readonly #clock: Clock
  readonly #thread: Thread<ClusterRequest, GrownCluster[]>
  /** The last entry that the thread has seen. */
  #reached: number | undefined
  /** The next portion, being read ahead. */
  #ahead: { from: number; portion: Promise<Portion> } | undefined

  constructor(parts: { store: Store; vectors: VectorTask | undefined; clock: Clock }) {
    this.#thread = new Thread(new URL('./cluster-thread.ts', import.meta.url), {
      data: { isMultilingual: parts.vectors?.isMultilingual ?? false },
      idleMs: IDLE_MS,
      onEnd: () => {
        this.#reached = undefined
      },
    })
    this.#store = parts.store
    this.#vectors = parts.vectors
    this.#clock = parts.clock
  }

  async left(): Promise<number> {
    return (await this.#store.entries.head()).seq - (await this.#high())
  }

  /**
   * Clusters the next portion; returns false if there was none. Clusters and progress are written under the lease:
   * otherwise an instance that was paused would restore old members and set back the progress of its successor.
   */
  async step(lease: Lease): Promise<boolean> {
    const { seq: head } = await this.#store.entries.head()
    const high = await this.#high()
    if (high >= head) return false
    await this.#restore(high)
    const { sources, entries, to, isEmbedded } = await this.#takePortion(high, head)
    // `to`, not `head`: a portion read ahead lacks entries that arrived since.
    const reached = sources.length < CHUNK ? to : (sources.at(-1)?.seq ?? to)
    // The model embeds the next portion while this one is written.
    if (reached < head) this.#readAhead(reached, head)
    const grown = await this.#thread.ask({ kind: 'add', entries })
    const shared = grown.filter(({ joined, known }) => joined.length + known.length > 1)
    const clusters = (await fewAtOnce(shared, (one) => this.#growthOf(one))).flat()
    if (clusters.length > 0) await this.#store.clusters.grow(clusters, importanceOf, this.#clock.now(), lease)
    this.#reached = reached
    await this.#store.progress.save(CLUSTER_TASK, { low: 0, high: reached }, lease)
    if (isEmbedded) await this.#vectors?.markDone(high, reached, lease)
    return true
  }

  /** Saves the current position, so that skipped load-test entries stay skipped once their marks are removed. */
  async saveProgress(lease: Lease): Promise<void> {
    await this.#store.progress.save(CLUSTER_TASK, { low: 0, high: await this.#high() }, lease)
  }

  async close(): Promise<void> {
    await this.#ahead?.portion.catch(() => {})
    await this.#thread.close()
  }

  /** Returns the next portion, which may have been read ahead. */
  #takePortion(from: number, to: number): Promise<Portion> {
    const ahead = this.#ahead
    this.#ahead = undefined
    return ahead?.from === from ? ahead.portion : this.#read(from, to)
  }

  #readAhead(from: number, to: number): void {
    const portion = this.#read(from, to)
    this.#ahead = { from, portion }
    // #takePortion awaits the error; this avoids an unhandled rejection until then.
    portion.catch(() => {})
  }

  async #read(from: number, to: number): Promise<Portion> {
    const sources = await this.#store.entries.listSources({
      from,
      to,
      limit: CHUNK,
      order: 'asc',
      contentLength: CONTENT_LENGTH,
    })
    try {
      return { sources, entries: toClusterInputs(sources, await this.#vectors?.embed(sources)), to, isEmbedded: true }
    } catch {
      // Without the model, clustering uses words only; the vector task reports the error.
      return { sources, entries: toClusterInputs(sources, undefined), to, isEmbedded: false }
    }
  }

  async #high(): Promise<number> {
    const high = (await this.#store.progress.find(CLUSTER_TASK))?.high ?? 0
    const seeded = await this.#store.progress.listSeeded()
    return seeded.reduce((reached, { low, high: end }) => (reached >= low && reached < end ? end : reached), high)
  }

  /** Restores clusters in the thread that were decided before it started or by another instance. */
  async #restore(high: number): Promise<void> {
    if (this.#reached === high) return
    let from = Math.max(this.#reached ?? 0, high - RESTORED)
    while (from < high) {
      const sources = await this.#store.entries.listSources({
        from,
        to: high,
        limit: CHUNK,
        order: 'asc',
        contentLength: CONTENT_LENGTH,
      })
      const last = sources.at(-1)
      if (last === undefined) break
      const clusters = await this.#store.clusters.listByEntry(sources.map(({ seq }) => seq))
      const vectors = await this.#vectors?.find(sources)
      const entries = toClusterInputs(sources, vectors).map((entry) => ({
        ...entry,
        cluster: clusters.get(entry.key)?.firstSeq ?? entry.key,
      }))
      await this.#thread.ask({ kind: 'restore', entries })
      from = last.seq
    }
    this.#reached = high
  }

  /** Returns an empty list if the entries were removed meanwhile. */
  async #growthOf({ joined, known, representative }: GrownCluster): Promise<ClusterGrowth[]> {
    const clusters = await this.#store.clusters.listByEntry(known)
    const id = known.flatMap((seq) => clusters.get(seq)?.id ?? [])[0]
    const joining = new Set(id === undefined ? [...known, ...joined] : joined)
    const entries = await this.#store.entries.listBySeq([...joining, representative])
    const best = entries.find(({ seq }) => seq === representative) ?? entries[0]
    const entryIds = entries.filter(({ seq }) => joining.has(seq)).map(({ entry }) => entry.id)
    const [first] = entryIds
    if (best === undefined || first === undefined || (id === undefined && entryIds.length < 2)) return []
    return [
      {
        id: id ?? idOf(`mintick:cluster:${first}`),
        title: best.entry.title,
        summary: best.entry.excerpt,
        representativeEntryId: best.entry.id,
        entryIds,
      },
    ]
  }
}

function toClusterInputs(
  sources: readonly EntrySource[],
  vectors: ReadonlyMap<number, Float32Array> | undefined,
): ClusterInput[] {
  return sources.map(({ seq, entry, content, publisherRef }) => ({
    key: seq,
    publisher: publisherRef,
    title: entry.title,
    content: content ?? entry.excerpt ?? '',
    language: entry.language ?? '',
    publishedAt: Date.parse(entry.publishedAt),
    vector: vectors?.get(seq) ?? null,
  }))
}
