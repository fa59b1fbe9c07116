import { setImmediate } from 'node:timers/promises'
import type { SecDataset } from '../../model/sec/datasets.ts'
import type { SecRecord } from '../../model/sec/record.ts'
import type { Store } from '../../store/store.ts'
import type { FilingHappening } from '../detect/happening.ts'
import { type Followed, PORTION } from './followed.ts'

/** The datasets in which detectors find something. */
export const FOLLOWED_DATASETS = [
  'insider-trades',
  'beneficial-ownership',
  'material-events',
] as const satisfies SecDataset[]

/** The records of a dataset, as they come in. */
export function followFilings(store: Store, dataset: (typeof FOLLOWED_DATASETS)[number]): Followed {
  const listAfter = (from: number, to: number, filedAfter?: number) =>
    store.sec.listAfter(dataset, { from, to, limit: PORTION, ...(filedAfter !== undefined && { filedAfter }) })

  return {
    task: `signals:${dataset}`,

    head: () => store.sec.head(dataset),

    ready: () => store.sec.head(dataset),

    async list(from, to) {
      const records = await listAfter(from, to)
      const reached = records.length < PORTION ? to : (records.at(-1)?.seq ?? to)
      const items = records.map(({ seq, record }) => ({
        place: seq,
        happening: happeningOf(dataset, record),
        assetKeys: record.assetKey === null ? [] : [record.assetKey],
      }))
      return { items, reached, isAll: reached >= to }
    },

    async recall(done, memory) {
      const [last] = await listAfter(done - 1, done)
      if (last === undefined) return
      const since = Date.parse(last.record.createdAt) - memory.remembers.filingsMs
      for (let from = 0; from < done; ) {
        const records = await listAfter(from, done, since)
        for (const { record } of records) memory.remember(happeningOf(dataset, record))
        from = records.length < PORTION ? done : (records.at(-1)?.seq ?? done)
        await setImmediate()
      }
    },
  }
}

/** The compiler does not see that dataset and record belong together. */
function happeningOf(dataset: SecDataset, record: SecRecord): FilingHappening {
  return { type: 'filing', at: Date.parse(record.createdAt), dataset, record } as FilingHappening
}
