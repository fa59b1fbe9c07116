import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { builtInAssets } from '../../src/catalogue/built-in/assets.ts'
import { builtInTopics } from '../../src/catalogue/built-in/topics.ts'
import type { Entry, NewEntry } from '../../src/model/entries.ts'
import { sampleEntries } from '../../src/sample/world/entries.ts'
import { samplePublishers } from '../../src/sample/world/publishers.ts'
import { runs } from '../depth.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

const FROM = Date.parse('2026-01-01T00:00:00Z')
const TO = Date.parse('2026-02-01T00:00:00Z')
const SORTS = ['createdAt:desc', 'createdAt:asc', 'publishedAt:desc', 'publishedAt:asc'] as const

const entriesOf = (count: number, seed: string, from = FROM, to = TO) => [...sampleEntries({ count, from, to, seed })]
/** Rounds times so that many entries share the same time and the tie-breaker determines their order. */
const coarse = (entry: NewEntry): NewEntry => ({
  ...entry,
  publishedAt: Math.floor(entry.publishedAt / 7_200_000) * 7_200_000,
  createdAt: Math.floor(entry.createdAt / 7_200_000) * 7_200_000,
})

const WORLD = entriesOf(900, 'paging').map(coarse)
const publisherOf = new Map(samplePublishers.map((publisher) => [publisher.id, publisher]))
const assetId = new Map(builtInAssets.map(({ key, id }) => [key, id]))
const assetSymbol = new Map(builtInAssets.map(({ key, symbol }) => [key, symbol]))
const topicId = new Map(builtInTopics.map(({ slug, id }) => [slug, id]))
const topicBySlug = new Map(builtInTopics.map((topic) => [topic.slug, topic]))
const topicById = new Map(builtInTopics.map((topic) => [topic.id, topic]))

interface Filter {
  params: Record<string, string>
  matches(entry: NewEntry): boolean
}

const filter = (params: Record<string, string>, matches: Filter['matches']): Filter => ({ params, matches })

/** The filters of spec 4.3, each with a naive predicate. */
const filters: fc.Arbitrary<Filter> = fc.oneof(
  some(WORLD.flatMap(({ assetKeys }) => assetKeys)).map((keys) =>
    filter({ assetKey: keys.join(',') }, (entry) => entry.assetKeys.some((key) => keys.includes(key))),
  ),
  some(WORLD.flatMap(({ assetKeys }) => assetKeys)).map((keys) =>
    filter({ assetId: keys.map((key) => assetId.get(key)).join(',') }, (entry) =>
      entry.assetKeys.some((key) => keys.includes(key)),
    ),
  ),
  fc
    .tuple(fc.constantFrom('ticker', 'symbol'), some(WORLD.flatMap(({ assetKeys }) => assetKeys)))
    .map(([name, keys]) => {
      const symbols = keys.map((key) => assetSymbol.get(key) ?? '')
      return filter({ [name]: symbols.join(',').toLowerCase() }, (entry) =>
        entry.assetKeys.some((key) => symbols.includes(assetSymbol.get(key) ?? '')),
      )
    }),
  some(WORLD.flatMap(({ topicSlugs }) => topicSlugs)).map((slugs) =>
    filter({ topicSlug: slugs.join(',') }, (entry) => isAbout(entry, slugs)),
  ),
  some(WORLD.flatMap(({ topicSlugs }) => topicSlugs)).map((slugs) =>
    filter({ topicId: slugs.map((slug) => topicId.get(slug)).join(',') }, (entry) => isAbout(entry, slugs)),
  ),
  some(samplePublishers.map(({ slug }) => slug)).map((slugs) =>
    filter({ publisherSlug: slugs.join(',') }, (entry) =>
      slugs.includes(publisherOf.get(entry.publisherId)?.slug ?? ''),
    ),
  ),
  some(samplePublishers.map(({ id }) => id)).map((ids) =>
    filter({ publisherId: ids.join(',') }, (entry) => ids.includes(entry.publisherId)),
  ),
  some(WORLD.flatMap(({ author }) => author ?? [])).map((authors) =>
    filter({ author: authors.join(',') }, (entry) => authors.includes(entry.author ?? '')),
  ),
  some(['en', 'de', 'fr', 'ja', 'xx']).map((languages) =>
    filter({ language: languages.join(',') }, (entry) => languages.includes(entry.language ?? '')),
  ),
  some(['US', 'GB', 'DE', 'JP', 'ZZ']).map((codes) =>
    filter({ countryCode: codes.join(',').toLowerCase() }, (entry) =>
      codes.includes(publisherOf.get(entry.publisherId)?.countryCode ?? ''),
    ),
  ),
  fc
    .boolean()
    .map((hasAssets) => filter({ hasAssets: String(hasAssets) }, (entry) => entry.assetKeys.length > 0 === hasAssets)),
  fc
    .constantFrom(-0.5, 0, 0.3, 0.95)
    .map((least) =>
      filter(
        { sentimentScoreMin: String(least) },
        (entry) => entry.sentimentScore !== null && entry.sentimentScore >= least,
      ),
    ),
  fc
    .constantFrom(-0.9, 0, 0.5)
    .map((most) =>
      filter(
        { sentimentScoreMax: String(most) },
        (entry) => entry.sentimentScore !== null && entry.sentimentScore <= most,
      ),
    ),
  fc
    .constantFrom(...WORLD.map(({ publishedAt }) => publishedAt))
    .map((time) => filter({ publishedAfter: new Date(time).toISOString() }, (entry) => entry.publishedAt >= time)),
  fc
    .constantFrom(...WORLD.map(({ publishedAt }) => publishedAt))
    .map((time) => filter({ publishedBefore: new Date(time).toISOString() }, (entry) => entry.publishedAt <= time)),
  fc
    .constantFrom(...WORLD.map(({ createdAt }) => createdAt))
    .chain((time) => fc.constantFrom(time - 1, time))
    .map((time) => filter({ asOf: new Date(time).toISOString() }, (entry) => entry.createdAt <= time)),
  fc
    .constantFrom('shares', 'profit', 'bank', 'the', 'and', 'zzz')
    .map((word) => filter({ search: `"${word}"` }, (entry) => hasWord(entry, word))),
  fc
    .constantFrom(['shares', 'profit'], ['the', 'zzz'], ['market', 'and'])
    .map(([one = '', other = '']) =>
      filter({ search: `"${one}" or "${other}"` }, (entry) => hasWord(entry, one) || hasWord(entry, other)),
    ),
  fc.constantFrom('shares', 'the').map((word) => filter({ search: `-"${word}"` }, (entry) => !hasWord(entry, word))),
)

function some(values: string[]): fc.Arbitrary<string[]> {
  return fc.uniqueArray(fc.constantFrom(...new Set(values)), { minLength: 1, maxLength: 3 })
}

/** Whether an entry is about one of the topics, or about a topic below one. */
function isAbout({ topicSlugs }: NewEntry, slugs: readonly string[]): boolean {
  return topicSlugs.some((slug) => {
    for (let topic = topicBySlug.get(slug); topic !== undefined; topic = topicById.get(topic.parentId ?? ''))
      if (slugs.includes(topic.slug)) return true
    return false
  })
}

function hasWord({ title, content, excerpt }: NewEntry, word: string): boolean {
  const text = `${title} ${content ?? excerpt ?? ''}`
  return new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'iu').test(
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, ' '),
  )
}

/** Several filters at once, each parameter at most once. */
const requests = fc
  .record({
    filters: fc.uniqueArray(filters, { maxLength: 3, selector: ({ params }) => Object.keys(params)[0] }),
    sort: fc.constantFrom(...SORTS),
    limit: fc.integer({ min: 7, max: 100 }),
  })
  .filter(({ filters: given }) => {
    const params = Object.assign({}, ...given.map((filter) => filter.params))
    return (
      !(params.publishedAfter > params.publishedBefore) &&
      !(Number(params.sentimentScoreMin) > Number(params.sentimentScoreMax))
    )
  })

/** Returns the expected ids: filters, then sorts by time and position in the feed. */
function expected(world: NewEntry[], given: Filter[], sort: (typeof SORTS)[number]): string[] {
  const [field, direction] = sort.split(':') as ['createdAt' | 'publishedAt', string]
  const sign = direction === 'desc' ? -1 : 1
  return world
    .map((entry, place) => ({ entry, place }))
    .filter(({ entry }) => given.every((filter) => filter.matches(entry)))
    .sort((a, b) => sign * (a.entry[field] - b.entry[field] || a.place - b.place))
    .map(({ entry }) => entry.id)
}

onEveryEngine('paging through entries', (engine) => {
  const service = serviceForSuite(engine)
  let key: string
  let world: NewEntry[]
  before(async () => {
    const { store, clock } = service.mintick
    await store.publishers.insert(samplePublishers, clock.now())
    await store.assets.insert(builtInAssets, clock.now())
    await store.topics.insert(builtInTopics, clock.now())
    world = [...WORLD]
    await store.entries.insert(world)
    key = (await service.openUnlimited()).key
  })

  const get = async (params: Record<string, string | number>) => {
    const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))
    const reply = await service.api(`/entries?${query}`, key)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body as { data: Entry[]; meta: Meta }
  }
  interface Meta {
    totalCount: number
    count: number
    hasMore: boolean
    hasPrev: boolean
    nextCursor: string | null
    prevCursor: string | null
  }
  const ids = (data: Entry[]) => data.map(({ id }) => id)

  test('any filters and sort, walked forward and back, give the filtered and sorted whole, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async ({ filters: given, sort, limit }) => {
        const params = { ...Object.assign({}, ...given.map((filter) => filter.params)), sortBy: sort, limit }
        const whole = expected(world, given, sort)
        const pages: string[][] = []
        let page = await get(params)
        assert.equal(page.meta.hasPrev, false)
        for (;;) {
          assert.equal(page.meta.totalCount, whole.length)
          assert.equal(page.meta.count, page.data.length)
          assert.equal(page.meta.nextCursor !== null, page.meta.hasMore)
          assert.equal(page.meta.prevCursor !== null, page.meta.hasPrev)
          pages.push(ids(page.data))
          if (page.meta.nextCursor === null) break
          page = await get({ ...params, after: page.meta.nextCursor })
          assert.equal(page.meta.hasPrev, true)
        }
        assert.deepEqual(pages.flat(), whole)
        for (const forward of pages.slice(0, -1).reverse()) {
          assert.ok(page.meta.prevCursor !== null)
          page = await get({ ...params, before: page.meta.prevCursor })
          assert.equal(page.meta.hasMore, true)
          assert.deepEqual(ids(page.data), forward)
        }
        assert.equal(page.meta.hasPrev, false)
      }),
      { numRuns: runs(engine === 'sqlite' ? 8 : 3, engine === 'sqlite' ? 80 : 50) },
    )
  })

  test('entries inserted during a walk never repeat or skip one that was already due', async () => {
    let batch = 0
    for (const sort of SORTS) {
      for (const one of [
        undefined,
        { params: { language: 'en' }, matches: (entry: NewEntry) => entry.language === 'en' },
      ]) {
        const given = one === undefined ? [] : [one]
        const params = { ...one?.params, sortBy: sort, limit: 60 }
        const due = expected(world, given, sort)
        const seen: string[] = []
        let page = await get(params)
        for (;;) {
          seen.push(...ids(page.data))
          if (page.meta.nextCursor === null) break
          batch += 1
          const fresh = entriesOf(5, `more ${batch}`, TO + batch * 1_000, TO + (batch + 1) * 1_000).map(
            (entry, index) => ({
              ...entry,
              publishedAt: FROM + ((batch * 7 + index * 13) % 31) * 86_400_000,
            }),
          )
          await service.mintick.store.entries.insert(fresh)
          world.push(...fresh)
          page = await get({ ...params, after: page.meta.nextCursor })
          assert.equal(page.meta.totalCount, expected(world, given, sort).length)
        }
        assert.equal(new Set(seen).size, seen.length)
        const dueIds = new Set(due)
        assert.deepEqual(
          seen.filter((id) => dueIds.has(id)),
          due,
        )
      }
    }
  })

  test('entries removed during a walk leave the rest in place and the total exact', async () => {
    const { store } = service.mintick
    const params = { sortBy: 'createdAt:desc', limit: 50 }
    const first = await get(params)
    const gone = new Set([...ids(first.data).slice(-5), ...expected(world, [], 'createdAt:desc').slice(60, 70)])
    assert.equal(await store.entries.remove([...gone], service.clock.now()), gone.size)
    world = world.filter(({ id }) => !gone.has(id))
    const second = await get({ ...params, after: first.meta.nextCursor ?? '' })
    const whole = expected(world, [], 'createdAt:desc')
    assert.deepEqual(ids(second.data), whole.slice(45, 95))
    assert.equal(second.meta.totalCount, whole.length)
    const back = await get({ ...params, before: second.meta.prevCursor ?? '' })
    assert.deepEqual(ids(back.data), whole.slice(0, 45))
  })

  test('a cursor whose rows are all gone gives an empty page that leads back', async () => {
    const { store } = service.mintick
    const params = { sortBy: 'createdAt:asc', limit: 20, language: 'en' }
    const english = (entry: NewEntry) => entry.language === 'en'
    const whole = () => expected(world, [{ params: {}, matches: english }], 'createdAt:asc')
    let page = await get(params)
    while (page.meta.count === 20 && whole().length - 20 > whole().indexOf(ids(page.data).at(-1) ?? '')) {
      page = await get({ ...params, after: page.meta.nextCursor ?? '' })
      if (page.meta.nextCursor === null) break
    }
    const before = await get({ ...params, before: page.meta.prevCursor ?? '' })
    const doomed = whole().slice(whole().indexOf(ids(before.data).at(-1) ?? '') + 1)
    await store.entries.remove(doomed, service.clock.now())
    world = world.filter(({ id }) => !doomed.includes(id))
    const empty = await get({ ...params, after: before.meta.nextCursor ?? '' })
    assert.deepEqual([empty.data, empty.meta.hasMore, empty.meta.hasPrev], [[], false, true])
    const back = await get({ ...params, before: empty.meta.prevCursor ?? '' })
    assert.deepEqual(ids(back.data), whole().slice(-20))
  })
})
