import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryEngine, storeForSuite } from '../../../test/harness.ts'
import { SEC_DATASETS } from '../../model/sec/datasets.ts'
import type { Store } from '../store.ts'

const NOW = Date.parse('2026-03-01T00:00:00Z')
const CURSOR = { limit: 3, from: undefined }
const OFFSET = { limit: 3, offset: 0 }

/** Asks every list of the store for rows that pass these filters. */
const LISTS: Record<string, (store: Store, filters: object) => Promise<unknown>> = {
  entries: ({ entries }, filters) => entries.page({ filters, sort: 'createdAt:desc', ...CURSOR }),
  'entries among others': ({ entries }, filters) => entries.among(filters, [1]),
  clusters: ({ clusters }, filters) => clusters.page({ filters, sort: 'lastPublishedAt:desc', ...CURSOR }, NOW),
  signals: ({ signals }, filters) => signals.page({ filters, sort: 'generatedAt:desc', ...CURSOR }, NOW),
  'prediction markets': ({ predictionMarkets }, filters) =>
    predictionMarkets.page({ filters, sort: 'volume:desc', ...OFFSET }, NOW),
  assets: ({ assets }, filters) => assets.page({ filters, sort: 'name:asc', ...OFFSET }, NOW),
  topics: ({ topics }, filters) => topics.page({ filters, sort: 'name:asc', ...OFFSET }, NOW),
  publishers: ({ publishers }, filters) => publishers.page({ filters, sort: 'name:asc', ...OFFSET }, NOW),
  markets: ({ markets }, filters) => markets.page({ filters, sort: 'symbol:asc', ...OFFSET }),
  'request log': ({ requestLog }, filters) => requestLog.page('account', filters, 3, 0),
  history: ({ history }, filters) => history.page('account', filters, false, 3, 0),
  ...Object.fromEntries(
    SEC_DATASETS.map((dataset) => [
      dataset,
      ({ sec }: Store, filters: object) => sec.page(dataset, { filters, sort: 'filedAt:desc', ...CURSOR }),
    ]),
  ),
}

onEveryEngine('filters of every list', (engine) => {
  const store = storeForSuite(engine)

  for (const [name, list] of Object.entries(LISTS)) {
    test(`${name}: a filter that the list does not have is an error of the program, not of the caller`, async () => {
      await list(store(), {})
      await assert.rejects(list(store(), { zzz: ['x'] }), { name: 'Error', message: 'the list has no filter zzz' })
    })
  }
})
