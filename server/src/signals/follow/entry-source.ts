import { setImmediate } from 'node:timers/promises'
import { CLUSTER_TASK } from '../../ingest/indexing/cluster-task.ts'
import type { ClusterAtEntry } from '../../store/clusters/cluster-history.ts'
import type { PublishedEntry } from '../../store/entries/entry-news.ts'
import type { Store } from '../../store/store.ts'
import type { EntryObservation } from '../detect/observation.ts'
import { type Memory, PAGE_SIZE, rememberAll, type Source } from './source.ts'

/** Entries per query for hourly sums. */
const ENTRIES_PER_SUM = 50_000

/** Returns the source of entries, which are ready once they have been clustered. Skips entries of `mintick seed`. */
export function entrySource(store: Store): Source {
  const source: Source = {
    task: 'signals:entries',

    async head() {
      return (await store.entries.head()).seq
    },

    async ready() {
      return (await store.progress.find(CLUSTER_TASK))?.high ?? 0
    },

    async list(from, to) {
      const seeded = await store.progress.listSeeded()
      const start = seeded.reduce((place, { low, high }) => (place >= low && place < high ? high : place), from)
      const end = seeded.find(({ low }) => low >= start && low < to)?.low ?? to
      if (start >= end) return { items: [], reached: Math.min(start, to), isAll: start >= to }
      const entries = await store.entries.listPublished(start, end, PAGE_SIZE)
      const clusters = await store.clusters.listAtEntries(entries.map(({ seq }) => seq))
      const last = entries.at(-1)
      const reached = entries.length < PAGE_SIZE || last === undefined ? end : last.seq
      const items = entries.map((published) => {
        const cluster = clusters.get(published.seq)
        const { assetKeys } = published.entry
        return {
          position: published.seq,
          observation: observationOf(published, cluster),
          assetKeys: [...new Set([...assetKeys, ...(cluster?.assetKeys ?? [])])],
        }
      })
      return { items, reached, isAll: reached >= to }
    },

    async recall(done, memory) {
      const [last] = await store.entries.listPublished(await before(store, done), done, 1)
      if (last === undefined) return
      const lastAt = Date.parse(last.entry.createdAt)
      const { entriesMs, hoursMs } = memory.lookback
      const first = await store.entries.findSeqAt(lastAt - entriesMs, done)
      await recallHours(store, first, lastAt - hoursMs, memory)
      await rememberAll(source, first, done, memory)
    },
  }
  return source
}

/** Returns the position just before the last entry up to `done`. Positions of deleted entries are empty. */
async function before(store: Store, done: number): Promise<number> {
  return (await store.entries.findSeqAt(Number.MAX_SAFE_INTEGER, done)) - 1
}

/** Restores the hourly sums since a time of entries up to `to`. */
async function recallHours(store: Store, to: number, since: number, memory: Memory): Promise<void> {
  const seeded = await store.progress.listSeeded()
  let from = await store.entries.findSeqAt(since, to)
  while (from < to) {
    const within = seeded.find(({ low, high }) => from >= low && from < high)
    const start = within?.high ?? from
    const end = Math.min(to, start + ENTRIES_PER_SUM, seeded.find(({ low }) => low >= start)?.low ?? to)
    if (start < end) {
      for (const { assetKey, hour, ...news } of await store.entries.sumHours(start, end, since)) {
        memory.rememberHour(assetKey, hour, news)
      }
    }
    from = Math.max(start, end)
    await setImmediate()
  }
}

function observationOf({ entry, publisherId }: PublishedEntry, cluster: ClusterAtEntry | undefined): EntryObservation {
  const { id, title, assetKeys, sentimentScore } = entry
  return {
    type: 'entry',
    at: Date.parse(entry.createdAt),
    publishedAt: Date.parse(entry.publishedAt),
    id,
    title,
    publisherId,
    assetKeys,
    sentimentScore,
    cluster,
  }
}
