import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { FakeClock, onEveryEngine, storeForSuite } from '../../test/harness.ts'
import { builtInAssets } from '../catalogue/built-in/assets.ts'
import { builtInTopics } from '../catalogue/built-in/topics.ts'
import type { NewEntry } from '../model/entries.ts'
import { DAY, HOUR } from '../model/time.ts'
import { samplePublishers } from '../sample/world/publishers.ts'
import { type EntryStreamFilters, entryEvents, entryFilter } from './entry-events.ts'

const clock = new FakeClock()
const NOW = clock.now()
const WORDS = ['zebra', 'zebras', 'rate', 'rates', 'cut', 'Über', 'naïve', '東京', 'rate-cut', 'U.S.']
const SEARCHES = [
  ...WORDS,
  'zebra rate',
  '"rate cut"',
  '"cut rate" or zebra',
  '-zebra',
  'rate -cut',
  'ra*',
  'zeb* cut',
  '"東京 zebra"',
  'uber',
  'rate-cuts',
  '!!',
]
const publishers = samplePublishers
  .slice(0, 3)
  .map((publisher, place) => ({ ...publisher, countryCode: ['US', 'DE', null][place] ?? null }))
const assets = builtInAssets.filter(({ key }) => ['AAPL', 'MSFT', 'BTC'].includes(key))
const roots = builtInTopics.filter(({ parentId }) => parentId === null).slice(0, 2)
const topics = [
  ...roots,
  ...builtInTopics.filter(({ parentId }) => roots.some(({ id }) => id === parentId)).slice(0, 4),
]

const someText = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const someEntry: fc.Arbitrary<NewEntry> = fc
  .record({
    title: someText,
    excerpt: fc.option(someText),
    content: fc.option(someText),
    author: fc.constantFrom('Ann', 'Bob', null),
    language: fc.constantFrom('en', 'de', null),
    sentimentScore: fc.constantFrom(-0.5, 0, 0.25, null),
    assetKeys: fc.subarray(assets.map(({ key }) => key)),
    topicSlugs: fc.subarray(topics.map(({ slug }) => slug)),
    publishedAt: fc.constantFrom(NOW, NOW - HOUR, NOW - DAY),
    publisherId: fc.constantFrom(...publishers.map(({ id }) => id)),
  })
  .map((fields) => {
    const id = randomUUID()
    return { id, url: `https://a.example/${id}`, urlDomain: 'a.example', imageUrl: null, ...fields, createdAt: NOW }
  })

const some = (values: readonly string[]) => fc.subarray([...values, 'none'], { minLength: 1, maxLength: 2 })
const someId = (records: readonly { id: string }[]) =>
  fc.subarray(
    records.map(({ id }) => id),
    { minLength: 1, maxLength: 2 },
  )
const someFilters: fc.Arbitrary<EntryStreamFilters> = fc.record(
  {
    search: fc.constantFrom(...SEARCHES),
    hasAssets: fc.boolean(),
    assetKey: some(assets.map(({ key }) => key)),
    ticker: some(assets.map(({ symbol }) => symbol)),
    symbol: some(assets.map(({ symbol }) => symbol)),
    assetId: someId(assets),
    topicSlug: some(topics.map(({ slug }) => slug)),
    topicId: someId(topics),
    author: some(['Ann', 'Bob']),
    publisherSlug: some(publishers.map(({ slug }) => slug)),
    publisherId: someId(publishers),
    countryCode: some(['US', 'DE']),
    language: some(['en', 'de']),
    sentimentScoreMin: fc.constantFrom(-1, -0.5, 0, 0.3),
    sentimentScoreMax: fc.constantFrom(-0.5, 0, 0.3),
    publishedAfter: fc.constantFrom(NOW, NOW - HOUR, NOW - 2 * DAY),
    publishedBefore: fc.constantFrom(NOW, NOW - HOUR, NOW - 2 * DAY),
  },
  { requiredKeys: [] },
)
/** Each filter by itself, and combinations. */
const someRequest = fc.oneof(
  someFilters.map((filters) => {
    const [first] = Object.entries(filters)
    return (first === undefined ? {} : Object.fromEntries([first])) as EntryStreamFilters
  }),
  someFilters.map((filters) => Object.fromEntries(Object.entries(filters).slice(0, 3)) as EntryStreamFilters),
)

onEveryEngine('events of entries', (engine) => {
  const store = storeForSuite(engine)
  before(async () => {
    await store().publishers.insert(publishers, NOW)
    await store().assets.insert(assets, NOW)
    await store().topics.insert(topics, NOW)
  })

  test('the events that pass any filters are the entries that the list has with these filters', async () => {
    const source = entryEvents(store(), clock)
    await fc.assert(
      fc.asyncProperty(
        fc.array(someEntry, { minLength: 1, maxLength: 12 }),
        fc.array(someRequest, { minLength: 6, maxLength: 6 }),
        async (entries, requests) => {
          const start = await source.head()
          await store().entries.insert(entries)
          const [first] = entries
          await store().entries.update([{ id: first?.id ?? '', title: 'zebra rates', assetKeys: ['AAPL'] }], NOW)
          const { events, reached } = await source.list(start, await source.head())
          assert.equal(events.length, entries.length + 1)
          assert.equal(reached, await source.head())
          const ids = new Set(entries.map(({ id }) => id))
          for (const filters of requests) {
            const page = await store().entries.page({ filters, sort: 'createdAt:asc', limit: 1_000, from: undefined })
            const listed = page.data.parse().filter(({ id }) => ids.has(id))
            const filter = entryFilter(filters)
            const passing = events.filter((event) => source.passes(filter, event))
            const isNew = passing.filter(({ change }) => change === 'new')
            assert.deepEqual(
              isNew.map(({ doc }) => JSON.parse(doc)),
              listed,
              JSON.stringify(filters),
            )
            assert.equal(await source.countPassing(filter, start, reached, () => true), passing.length)
          }
          await store().entries.remove([...ids], NOW)
          assert.deepEqual((await source.list(start, await source.head())).events, [], 'removed entries are not sent')
        },
      ),
      { numRuns: runs(40, 400) },
    )
  })

  test('the oldest event that can be sent again is the first of the last 24 hours', async () => {
    const clock = new FakeClock()
    const source = entryEvents(store(), clock)
    const [entry] = fc.sample(someEntry, { numRuns: 1 })
    const add = async (at: number) => {
      const id = randomUUID()
      await store().entries.insert([{ ...(entry ?? assert.fail()), id, url: `https://a.example/${id}`, createdAt: at }])
      return source.head()
    }
    const old = [await add(NOW + HOUR), await add(NOW + 2 * HOUR)]
    clock.advance(2 * HOUR + DAY)
    assert.equal(await source.oldest(), (old[0] ?? 0) + 1)
    clock.advance(1)
    assert.equal(await source.oldest(), (old[1] ?? 0) + 1)
    const late = await add(clock.now())
    assert.equal(await source.oldest(), (old[1] ?? 0) + 1)
    clock.advance(DAY + 1)
    assert.equal(await source.oldest(), late + 1)
  })
})
