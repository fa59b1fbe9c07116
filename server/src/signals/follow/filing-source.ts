import { setImmediate } from 'node:timers/promises'
import type { SecDataset } from '../../model/sec/datasets.ts'
import type { SecRecord } from '../../model/sec/record.ts'
import type { Store } from '../../store/store.ts'
import type { FilingObservation } from '../detect/observation.ts'
import { PAGE_SIZE, type Source } from './source.ts'

/** Datasets that detectors use. */
export const FOLLOWED_DATASETS = [
  'insider-trades',
  'beneficial-ownership',
  'material-events',
] as const satisfies SecDataset[]

/** Returns the source of the records of a dataset. */
export function filingSource(store: Store, dataset: (typeof FOLLOWED_DATASETS)[number]): Source {
  const listAfter = (from: number, to: number, filedAfter?: number) =>
    store.sec.listAfter(dataset, { from, to, limit: PAGE_SIZE, ...(filedAfter !== undefined && { filedAfter }) })

  return {
    task: `signals:${dataset}`,

    head: () => store.sec.head(dataset),

    ready: () => store.sec.head(dataset),

    async list(from, to) {
      const records = await listAfter(from, to)
      const reached = records.length < PAGE_SIZE ? to : (records.at(-1)?.seq ?? to)
      const items = records.map(({ seq, record }) => ({
        position: seq,
        observation: observationOf(dataset, record),
        assetKeys: record.assetKey === null ? [] : [record.assetKey],
      }))
      return { items, reached, isAll: reached >= to }
    },

    async recall(done, memory) {
      const [last] = await listAfter(done - 1, done)
      if (last === undefined) return
      const since = Date.parse(last.record.createdAt) - memory.lookback.filingsMs
      for (let from = 0; from < done; ) {
        const records = await listAfter(from, done, since)
        for (const { record } of records) memory.remember(observationOf(dataset, record))
        from = records.length < PAGE_SIZE ? done : (records.at(-1)?.seq ?? done)
        await setImmediate()
      }
    },
  }
}

/** Casts because the compiler cannot see that dataset and record belong together. */
function observationOf(dataset: SecDataset, record: SecRecord): FilingObservation {
  return { type: 'filing', at: Date.parse(record.createdAt), dataset, record } as FilingObservation
}
