import { setImmediate } from 'node:timers/promises'
import { CLUSTER_TASK } from '../../ingest/indexing/cluster-task.ts'
import type { ClusterAtEntry } from '../../store/clusters/cluster-history.ts'
import type { PublishedEntry } from '../../store/entries/entry-news.ts'
import type { Store } from '../../store/store.ts'
import type { EntryHappening } from '../detect/happening.ts'
import { type Followed, type Memory, PORTION, rememberAll } from './followed.ts'

/** Entries whose hours are summed up at once. */
const SUMMED = 50_000

/** Entries, once it is known which story they tell. Those that were made for load tests are passed over. */
export function followEntries(store: Store): Followed {
  const followed: Followed = {
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
      const entries = await store.entries.listPublished(start, end, PORTION)
      const stories = await store.clusters.listAtEntries(entries.map(({ seq }) => seq))
      const last = entries.at(-1)
      const reached = entries.length < PORTION || last === undefined ? end : last.seq
      const items = entries.map((published) => {
        const story = stories.get(published.seq)
        const { assetKeys } = published.entry
        return {
          place: published.seq,
          happening: happeningOf(published, story),
          assetKeys: [...new Set([...assetKeys, ...(story?.assetKeys ?? [])])],
        }
      })
      return { items, reached, isAll: reached >= to }
    },

    async recall(done, memory) {
      const [last] = await store.entries.listPublished(await before(store, done), done, 1)
      if (last === undefined) return
      const lastAt = Date.parse(last.entry.createdAt)
      const { entriesMs, hoursMs } = memory.remembers
      const first = await store.entries.findSeqAt(lastAt - entriesMs, done)
      await recallHours(store, first, lastAt - hoursMs, memory)
      await rememberAll(followed, first, done, memory)
    },
  }
  return followed
}

/** The place just before the last entry up to `done`: places of entries that were removed are empty. */
async function before(store: Store, done: number): Promise<number> {
  return (await store.entries.findSeqAt(Number.MAX_SAFE_INTEGER, done)) - 1
}

/** The sums of the hours since a time, of entries up to `to`. */
async function recallHours(store: Store, to: number, since: number, memory: Memory): Promise<void> {
  const seeded = await store.progress.listSeeded()
  let from = await store.entries.findSeqAt(since, to)
  while (from < to) {
    const within = seeded.find(({ low, high }) => from >= low && from < high)
    const start = within?.high ?? from
    const end = Math.min(to, start + SUMMED, seeded.find(({ low }) => low >= start)?.low ?? to)
    if (start < end) {
      for (const { assetKey, hour, ...news } of await store.entries.sumHours(start, end, since)) {
        memory.rememberHour(assetKey, hour, news)
      }
    }
    from = Math.max(start, end)
    await setImmediate()
  }
}

function happeningOf({ entry, publisherId }: PublishedEntry, story: ClusterAtEntry | undefined): EntryHappening {
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
    story,
  }
}
