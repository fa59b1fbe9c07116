import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { ClusterInput } from '../../enrich/clusters/clusterer.ts'
import { importanceOf } from '../../enrich/clusters/importance.ts'
import type { NewCluster } from '../../model/clusters.ts'
import { idOf } from '../../model/ids.ts'
import { HOUR } from '../../model/time.ts'
import type { EntrySource } from '../../store/entries/entry-candidates.ts'
import type { Lease } from '../../store/leases.ts'
import type { Store } from '../../store/store.ts'
import { Thread } from '../../thread.ts'
import type { ClusterRequest, GrownCluster } from './cluster-thread.ts'
import type { VectorTask } from './vector-task.ts'

/** The task of telling which entries tell the same story, as far as it has come. */
export const CLUSTER_TASK = 'stories'

const CHUNK = 96
/** Clusters that are written at once: callers get their turn between. */
const PORTION = 6
/** What is remembered after a start: enough to know the stories of the last days and which words are common. */
const REMEMBERED = 20_000
const IDLE_MS = 600_000
/** Characters of the full text that tell which story it is. */
const READ = 3_000

interface Portion {
  sources: EntrySource[]
  entries: ClusterInput[]
  /** The head of the feed when they were read. */
  to: number
  /** Whether all have the vectors that they can have. */
  isEmbedded: boolean
}

/** Puts entries that tell the same story into one cluster, in the order in which they came. */
export class ClusterTask {
  readonly #store: Store
  readonly #vectors: VectorTask | undefined
  readonly #clock: Clock
  readonly #thread: Thread<ClusterRequest, GrownCluster[]>
  /** The last entry that the thread knows of. */
  #reached: number | undefined
  /** What comes next, being read. */
  #ahead: { from: number; portion: Promise<Portion> } | undefined

  constructor(parts: { store: Store; vectors: VectorTask | undefined; clock: Clock }) {
    this.#thread = new Thread(new URL('./cluster-thread.ts', import.meta.url), {
      data: { isMultilingual: parts.vectors?.isMultilingual ?? false },
      idleMs: IDLE_MS,
      computes: true,
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
   * Does a few; false when there was nothing to do. Clusters and progress are written under the lease: otherwise an
   * instance that was paused would put old members back and set the progress of its successor back.
   */
  async step(lease: Lease): Promise<boolean> {
    const { seq: head } = await this.#store.entries.head()
    const high = await this.#high()
    if (high >= head) return false
    await this.#remember(high)
    const { sources, entries, to, isEmbedded } = await this.#taken(high, head)
    // Entries that came after it was read ahead are not among them.
    const reached = sources.length < CHUNK ? to : (sources.at(-1)?.seq ?? to)
    // The model works on the next ones while these are written.
    if (reached < head) this.#readAhead(reached, head)
    const told = await this.#thread.ask({ kind: 'add', entries })
    const shared = told.filter(({ members }) => members.length > 1)
    for (let start = 0; start < shared.length; start += PORTION) {
      const clusters: NewCluster[] = []
      for (const one of shared.slice(start, start + PORTION)) clusters.push(...(await this.#clusterOf(one)))
      await this.#store.clusters.upsert(clusters, this.#clock.now(), lease)
      await setImmediate()
    }
    this.#reached = reached
    await this.#store.progress.save(CLUSTER_TASK, { low: 0, high: reached }, lease)
    if (isEmbedded) await this.#vectors?.markDone(high, reached, lease)
    return true
  }

  /** Entries for load tests that were passed over stay so, also when others are told of them. */
  async settle(lease: Lease): Promise<void> {
    await this.#store.progress.save(CLUSTER_TASK, { low: 0, high: await this.#high() }, lease)
  }

  async close(): Promise<void> {
    await this.#ahead?.portion.catch(() => {})
    await this.#thread.close()
  }

  /** The next entries with their vectors, which may have been read ahead. */
  #taken(from: number, to: number): Promise<Portion> {
    const ahead = this.#ahead
    this.#ahead = undefined
    return ahead?.from === from ? ahead.portion : this.#read(from, to)
  }

  #readAhead(from: number, to: number): void {
    const portion = this.#read(from, to)
    this.#ahead = { from, portion }
    // Whoever takes it is told; until then nobody is.
    portion.catch(() => {})
  }

  async #read(from: number, to: number): Promise<Portion> {
    const sources = await this.#store.entries.listSources({ from, to, limit: CHUNK, order: 'asc', contentLength: READ })
    try {
      return { sources, entries: storyEntries(sources, await this.#vectors?.embed(sources)), to, isEmbedded: true }
    } catch {
      // While the model cannot be asked, words must do; the task of the vectors says what is wrong.
      return { sources, entries: storyEntries(sources, undefined), to, isEmbedded: false }
    }
  }

  async #high(): Promise<number> {
    const high = (await this.#store.progress.find(CLUSTER_TASK))?.high ?? 0
    const seeded = await this.#store.progress.listSeeded()
    return seeded.reduce((reached, { low, high: end }) => (reached >= low && reached < end ? end : reached), high)
  }

  /** Tells the thread of what was decided without it: before it started, or by another instance. */
  async #remember(high: number): Promise<void> {
    if (this.#reached === high) return
    let from = Math.max(this.#reached ?? 0, high - REMEMBERED)
    while (from < high) {
      const sources = await this.#store.entries.listSources({
        from,
        to: high,
        limit: CHUNK,
        order: 'asc',
        contentLength: READ,
      })
      const last = sources.at(-1)
      if (last === undefined) break
      const clusters = await this.#store.clusters.listByEntry(sources.map(({ seq }) => seq))
      const vectors = await this.#vectors?.find(sources)
      const entries = storyEntries(sources, vectors).map((entry) => {
        const cluster = clusters.get(entry.key)?.firstSeq ?? entry.key
        return { ...entry, cluster }
      })
      await this.#thread.ask({ kind: 'restore', entries })
      from = last.seq
    }
    this.#reached = high
  }

  /** None when its entries have gone meanwhile. */
  async #clusterOf({ members, representative }: GrownCluster): Promise<NewCluster[]> {
    const { id: knownId, seqs } = await this.#store.clusters.findStory(members)
    // The store may know of more than the last days.
    const entries = await this.#store.entries.listBySeq([...new Set([...seqs, ...members])])
    const [first] = entries
    if (first === undefined || entries.length < 2) return []
    const best = entries.find(({ seq }) => seq === representative) ?? first
    const times = entries.map(({ entry }) => Date.parse(entry.publishedAt))
    const hours = (Math.max(...times) - Math.min(...times)) / HOUR
    const id = knownId ?? idOf(`mintick:cluster:${first.entry.id}`)
    const spread = {
      entryCount: entries.length,
      publisherCount: new Set(entries.map(({ publisherRef }) => publisherRef)).size,
      velocity: entries.length / Math.max(1, hours),
    }
    return [
      {
        id,
        title: best.entry.title,
        summary: best.entry.excerpt,
        importanceScore: importanceOf(spread),
        representativeEntryId: best.entry.id,
        entryIds: entries.map(({ entry }) => entry.id),
      },
    ]
  }
}

function storyEntries(
  sources: readonly EntrySource[],
  vectors: ReadonlyMap<number, Float32Array> | undefined,
): ClusterInput[] {
  return sources.map(({ seq, entry, content }) => ({
    key: seq,
    title: entry.title,
    content: content ?? entry.excerpt ?? '',
    language: entry.language ?? '',
    publishedAt: Date.parse(entry.publishedAt),
    vector: vectors?.get(seq) ?? null,
  }))
}
