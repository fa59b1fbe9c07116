/** Clusters and signals: consistency with their entries and records, and changes over time. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import fc from 'fast-check'
import type { Cluster } from '../../src/model/clusters.ts'
import type { Entry } from '../../src/model/entries.ts'
import type { Signal } from '../../src/model/signals.ts'
import { HOUR, MINUTE } from '../../src/model/time.ts'
import { sampleEntries } from '../../src/sample/world/entries.ts'
import { cpuTimer } from '../cpu-time.ts'
import { runs } from '../depth.ts'
import { assertError } from '../envelope.ts'
import { onEveryEngine, sampleForSuite } from '../harness.ts'

onEveryEngine('stories', (engine) => {
  const { call, get, service } = sampleForSuite(engine)
  // These tests write clusters themselves; the background job would find others in their entries at any time.
  before(() => Promise.all(service.instances.map(({ ingest }) => ingest.indexing.stop())))
  const listAll = async <T>(path: string, query = ''): Promise<T[]> => {
    const items: T[] = []
    for (let after = ''; ; ) {
      const { data, meta } = await get(`${path}?limit=100${query}${after}`)
      items.push(...data)
      if (meta.nextCursor === null) {
        assert.equal(meta.totalCount, items.length)
        return items
      }
      after = `&after=${meta.nextCursor}`
    }
  }
  const totalOf = async (path: string): Promise<number> => (await get(path)).meta.totalCount
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)

  /** Asserts that each filter, and combinations of filters, return the items that match the naive predicates. */
  const checkFilters = async <T extends { id: string }>(path: string, filters: Filter<T>[]) => {
    const all = await listAll<T>(path)
    const check = async (given: readonly Filter<T>[]) => {
      const query = given.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join('')
      const expected = all.filter((item) => given.every(([, , matches]) => matches(item)))
      assert.deepEqual(ids(await listAll<T>(path, query)), ids(expected), query)
    }
    for (const filter of filters) await check([filter])
    const several = fc.uniqueArray(fc.constantFrom(...filters), {
      minLength: 2,
      maxLength: 4,
      selector: ([name]) => name,
    })
    await fc.assert(fc.asyncProperty(several, check), { numRuns: runs(3, 25) })
  }

  test('clusters: any filters give what all of them say', async () => {
    const { data: btc } = await get('/assets/btc')
    const { data: earnings } = await get('/topics/earnings')
    await checkFilters<Cluster>('/clusters', [
      ['assetKey', 'aapl,BTC', ({ assetKeys }) => assetKeys.includes('AAPL') || assetKeys.includes('BTC')],
      ['assetId', btc.id, ({ assetKeys }) => assetKeys.includes('BTC')],
      ['topicSlug', 'bitcoin,Gold', ({ topicSlugs }) => topicSlugs.includes('bitcoin') || topicSlugs.includes('gold')],
      ['topicId', earnings.id, ({ topicSlugs }) => topicSlugs.includes('earnings')],
      ['language', 'de,JA', ({ languages }) => languages.includes('de') || languages.includes('ja')],
      ['status', 'active', ({ status }) => status === 'active'],
      ['status', 'active,closed', () => true],
      ['entryCountMin', '3', ({ entryCount }) => entryCount >= 3],
      ['publisherCountMin', '4', ({ publisherCount }) => publisherCount >= 4],
      ['sentimentScoreMin', '0.1', ({ sentimentScore }) => sentimentScore !== null && sentimentScore >= 0.1],
      ['sentimentScoreMax', '0.4', ({ sentimentScore }) => sentimentScore !== null && sentimentScore <= 0.4],
      ['lastPublishedAfter', '2026-02-01', ({ lastPublishedAt }) => lastPublishedAt >= '2026-02-01'],
      ['lastPublishedBefore', '2026-02-15', ({ lastPublishedAt }) => lastPublishedAt <= '2026-02-15'],
      ['search', 'bitcoin', ({ title, summary }) => /\bbitcoin\b/i.test(`${title} ${summary}`)],
    ])
  })

  test('a cluster by id has its entries, newest first, and a timeline that adds up to them', async () => {
    const clusters = await listAll<Cluster>('/clusters')
    for (const cluster of clusters.filter((_, index) => index % runs(160, 40) === 0)) {
      const { entries, timeline, ...rest } = (await get(`/clusters/${cluster.id.toUpperCase()}`)).data
      assert.deepEqual(rest, cluster)
      assertTold(cluster, entries)
      assertTimeline(cluster, timeline)
      for (const entry of entries) assert.deepEqual((await get(`/entries/${entry.id}`)).data, entry)
    }
  })

  test('signals: any filters give what all of them say', async () => {
    const { data: btc } = await get('/assets/btc')
    await checkFilters<Signal>('/signals', [
      [
        'kind',
        'material_event,breaking_cluster',
        ({ kind }) => kind === 'material_event' || kind === 'breaking_cluster',
      ],
      ['direction', 'bullish', ({ direction }) => direction === 'bullish'],
      ['assetKey', 'aapl,btc', ({ assetKey }) => assetKey === 'AAPL' || assetKey === 'BTC'],
      ['assetId', btc.id, ({ assetKey }) => assetKey === 'BTC'],
      ['horizon', '1d,1w', ({ horizon }) => horizon === '1d' || horizon === '1w'],
      ['status', 'active', ({ status }) => status === 'active'],
      ['status', 'expired,superseded', ({ status }) => status !== 'active'],
      ['strengthMin', '0.6', ({ strength }) => strength >= 0.6],
      ['confidenceMin', '0.5', ({ confidence }) => confidence >= 0.5],
      ['updatedAfter', '2026-01-15', ({ updatedAt }) => updatedAt >= '2026-01-15'],
      ['generatedAfter', '2026-01-15', ({ generatedAt }) => generatedAt >= '2026-01-15'],
      ['generatedBefore', '2026-02-15', ({ generatedAt }) => generatedAt <= '2026-02-15'],
      ['search', '"shares"', ({ title, summary }) => /\bshares\b/i.test(`${title} ${summary}`)],
      ['search', 'shares', ({ title, summary }) => /\bshar(e|es|ed|ing)\b/i.test(`${title} ${summary}`)],
    ])
  })

  test('whatever a signal names as evidence is there, and an entry leads back to it', async () => {
    const signals = await listAll<Signal>('/signals')
    const step = Math.floor(signals.length / runs(25, 100))
    for (const signal of signals.filter((_, index) => index % step === 0)) {
      assert.deepEqual((await get(`/signals/${signal.id}`)).data, signal)
      assert.equal((await get(`/assets/${signal.assetKey}`)).data.id, signal.assetId)
      const evidence = [
        ...signal.entryIds.map((id) => `/entries/${id}`),
        ...(signal.clusterId === null ? [] : [`/clusters/${signal.clusterId}`]),
        ...signal.secRecords.map(({ dataset, id }) => `/sec/${dataset}/${id}`),
        ...signal.predictionMarketIds.map((id) => `/prediction-markets/${id}`),
      ]
      assert.ok(evidence.length > 0)
      for (const path of evidence) assert.equal((await get(path)).data.id, path.split('/').at(-1))
      for (const entryId of signal.entryIds.slice(0, 2)) {
        const naming = signals.filter(({ entryIds }) => entryIds.includes(entryId))
        assert.deepEqual((await get(`/signals/by-entry/${entryId.toUpperCase()}`)).data, naming)
      }
    }
  })

  test('the signals of an entry that none names are none; those of an unknown entry answer 404', async () => {
    const named = new Set((await listAll<Signal>('/signals')).flatMap(({ entryIds }) => entryIds))
    const silent: Entry | undefined = (await get('/entries?limit=100')).data.find(({ id }: Entry) => !named.has(id))
    assert.deepEqual((await get(`/signals/by-entry/${silent?.id}`)).data, [])
    assertError(await call(`/signals/by-entry/${randomUUID()}`), 404, 'NOT_FOUND')
  })

  test('a story that grows moves its counts, its place in lists and what it is found by', async () => {
    const { store, clock } = service.mintick
    const before = await listAll<Cluster>('/clusters', '&language=en')
    const story = before.find(({ languages, assetKeys }) => languages.length === 1 && assetKeys.length === 1)
    assert.ok(story)
    const known: Entry[] = (await get(`/clusters/${story.id}`)).data.entries
    service.clock.advance(HOUR)
    const now = clock.now()
    const pool = [...sampleEntries({ count: 400, from: now - 5 * MINUTE, to: now, seed: 'stories' })]
    const news = pool.find(
      ({ language, assetKeys }) => language === 'de' && !assetKeys.includes(story.assetKeys[0] ?? ''),
    )
    const other = news?.assetKeys[0] ?? pool.flatMap(({ assetKeys }) => assetKeys)[0]
    assert.ok(news && other)
    const added = { ...news, assetKeys: [other], topicSlugs: ['strikes'], title: 'Quizzaciously', publishedAt: now }
    await store.entries.insert([added])
    const counts = () =>
      Promise.all(
        [
          'language=de',
          `assetKey=${other}`,
          'topicSlug=strikes',
          'search=quizzaciously',
          `entryCountMin=${known.length + 1}`,
        ].map((query) => totalOf(`/clusters?${query}`)),
      )
    const [total, countsBefore] = [await totalOf('/clusters'), await counts()]
    const entryIds = [...ids(known), added.id]
    const given = { ...story, title: added.title, representativeEntryId: added.id, importanceScore: 1 }
    await store.clusters.upsert([{ ...given, entryIds }], now)

    const { entries, timeline, ...grown } = (await get(`/clusters/${story.id}`)).data
    assert.equal(grown.entryCount, known.length + 1)
    assert.deepEqual([grown.createdAt, grown.updatedAt], [story.createdAt, new Date(now).toISOString()])
    assertTold(grown, entries)
    assertTimeline(grown, timeline)
    assert.equal(entries[0].id, added.id)
    assert.equal(await totalOf('/clusters'), total)
    assert.deepEqual(
      await counts(),
      countsBefore.map((count) => count + 1),
    )
    assert.deepEqual((await get('/clusters?limit=1')).data, [grown])
    assert.deepEqual((await get('/clusters?limit=1&sortBy=importanceScore')).data, [grown])

    // Restoring the cluster removes it from the filters that matched only the added entry.
    await store.clusters.upsert([{ ...story, entryIds: ids(known) }], now)
    assert.deepEqual(await counts(), countsBefore)
    assert.deepEqual(ids(await listAll('/clusters', '&language=en')), ids(before))
  })

  test('an entry that another story takes leaves the one it was in, which is gone when it was the last', async () => {
    const { store, clock } = service.mintick
    const now = clock.now()
    const [one, two, three] = [...sampleEntries({ count: 3, from: now - HOUR, to: now, seed: 'taken' })]
    assert.ok(one && two && three)
    await store.entries.insert([one, two, three])
    const given = (title: string, ...told: { id: string }[]) => ({
      id: randomUUID(),
      title,
      summary: null,
      importanceScore: 0.5,
      representativeEntryId: told.at(-1)?.id ?? '',
      entryIds: ids(told),
    })
    const first = given('First', one, two)
    await store.clusters.upsert([first], now)
    const total = await totalOf('/clusters')
    await store.clusters.upsert([given('Second', two, three)], now)
    const { entries, timeline, ...left } = (await get(`/clusters/${first.id}`)).data
    assertTold(left, entries)
    assertTimeline(left, timeline)
    assert.deepEqual([left.entryCount, left.representativeEntryId], [1, one.id])
    assert.equal(await totalOf('/clusters'), total + 1)
    const third = given('Third', one)
    await store.clusters.upsert([third], now)
    assert.equal((await get(`/clusters/${first.id}`)).data.id, third.id)
    assert.equal(await totalOf('/clusters'), total + 1)
    await assert.rejects(store.clusters.upsert([given('A', one), given('B', one)], now), /one cluster only/)
  })

  test('stories that grow, shrink and merge equal those written at once', async () => {
    const { store, clock } = service.mintick
    const now = clock.now()
    const half = () => 0.5
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.array(fc.nat(19), { minLength: 2, maxLength: 6 }))),
        async (steps) => {
          const told = [...sampleEntries({ count: 20, from: now - 50 * HOUR, to: now, seed: randomUUID() })]
          await store.entries.insert(told)
          const growing = Array.from({ length: 3 }, () => randomUUID())
          const clusterOf = new Map<string, string>()
          for (const [cluster, places] of steps) {
            const id = growing[cluster] ?? ''
            const entryIds = places.map((place) => told[place]?.id ?? '')
            const words = { title: 'Grown', summary: null, representativeEntryId: entryIds[0] ?? '' }
            await store.clusters.grow([{ id, ...words, entryIds }], half, now)
            for (const entryId of entryIds) clusterOf.set(entryId, id)
          }
          for (const [id, entryIds] of Map.groupBy(clusterOf.keys(), (entryId) => clusterOf.get(entryId) ?? '')) {
            const { entries, timeline, ...grown } = (await get(`/clusters/${id}`)).data
            assert.deepEqual(new Set(ids(entries)), new Set(entryIds))
            assertTold(grown, entries)
            assertTimeline(grown, timeline)
            const { title, summary, representativeEntryId, importanceScore } = grown
            const copy = { id: randomUUID(), title, summary, representativeEntryId, importanceScore, entryIds }
            await store.clusters.upsert([copy], now)
            const { entries: _entries, timeline: _timeline, ...whole } = (await get(`/clusters/${id}`)).data
            assert.deepEqual(whole, { ...grown, id: copy.id })
          }
        },
      ),
      {
        numRuns: runs(4, 40),
        // A story comes back after it was merged into another, and is merged again.
        examples: [[[0, 1, 0, 1].map((cluster): [number, number[]] => [cluster, [0, 0]])]],
      },
    )
  })

  test('stories that grow in one write equal those that grow one after the other', async () => {
    const { store, clock } = service.mintick
    const assertListed = async (id: string, { assetKeys, topicSlugs, languages }: Cluster) => {
      const filters = [
        ...assetKeys.map((key) => `assetKey=${key}`),
        ...topicSlugs.map((slug) => `topicSlug=${slug}`),
        ...languages.map((language) => `language=${language}`),
      ]
      for (const filter of filters) {
        const { data } = await get(`/clusters?limit=100&search=grown&${filter}`)
        assert.ok(ids(data).includes(id), filter)
      }
    }
    const now = clock.now()
    const half = () => 0.5
    const places = fc.array(fc.integer({ min: 6, max: 19 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(places, places, places), { minLength: 1, maxLength: 4 }), async (writes) => {
        const worlds = [true, false].map((isTogether) => {
          const told = [...sampleEntries({ count: 20, from: now - 50 * HOUR, to: now, seed: 'growth' })].map(
            (entry) => ({
              ...entry,
              id: randomUUID(),
              url: `https://x.example/${randomUUID()}`,
            }),
          )
          return { isTogether, told, clusters: [randomUUID(), randomUUID(), randomUUID()] }
        })
        for (const { told } of worlds) await store.entries.insert(told)
        for (const write of writes) {
          const taken = new Set<number>()
          const grown = write.map((joining, cluster) => {
            // The first two entries of each story stay in it.
            const own = [2 * cluster, 2 * cluster + 1, ...new Set(joining)].filter((place) => !taken.has(place))
            for (const place of own) taken.add(place)
            return own
          })
          for (const { isTogether, told, clusters } of worlds) {
            const growths = grown.map((own, cluster) => {
              const entryIds = own.map((place) => told[place]?.id ?? '')
              const words = { title: 'Grown', summary: null, representativeEntryId: entryIds[0] ?? '' }
              return { id: clusters[cluster] ?? '', ...words, entryIds }
            })
            if (isTogether) await store.clusters.grow(growths, half, now)
            else for (const growth of growths) await store.clusters.grow([growth], half, now)
          }
        }
        const [together, apart] = await Promise.all(
          worlds.map(({ told, clusters }) =>
            Promise.all(
              clusters.map(async (id) => {
                const { entries, timeline, ...rest } = (await get(`/clusters/${id}`)).data
                const members = entries.map((entry: Entry) => told.findIndex(({ id: own }) => own === entry.id))
                await assertListed(id, rest)
                return { ...rest, id: '', representativeEntryId: '', members: members.sort(), timeline }
              }),
            ),
          ),
        )
        assert.deepEqual(together, apart)
      }),
      { numRuns: runs(4, 40) },
    )
  })

  test('an entry joins a story of a thousand at the cost of a small one', async () => {
    const { store, clock } = service.mintick
    const now = clock.now()
    const half = () => 0.5
    const cpuMsOf = async (size: number) => {
      const told = [...sampleEntries({ count: size + 20, from: now - 50 * HOUR, to: now, seed: `of ${size}` })]
      await store.entries.insert(told)
      const words = { id: randomUUID(), title: 'Large', summary: null, representativeEntryId: told[0]?.id ?? '' }
      await store.clusters.grow([{ ...words, entryIds: ids(told.slice(0, size)) }], half, now)
      const cpuMs = cpuTimer()
      for (const { id } of told.slice(size)) await store.clusters.grow([{ ...words, entryIds: [id] }], half, now)
      return cpuMs()
    }
    await cpuMsOf(10)
    const small = await cpuMsOf(10)
    const large = await cpuMsOf(1000)
    assert.ok(large < 4 * small + 100, `${small} ms in a small story, ${large} ms in a large one`)
  })

  test('a story of 150 entries shows the newest hundred, and counts all; one named twice counts once', async () => {
    const { store, clock } = service.mintick
    const now = clock.now()
    for (const [seed, span] of Object.entries({ 'within a day': 24 * HOUR, 'within a week': 160 * HOUR })) {
      const told = [...sampleEntries({ count: 150, from: now - span, to: now, seed })]
      await store.entries.insert(told)
      const id = randomUUID()
      const [first] = told
      assert.ok(first)
      const given = { id, title: 'Big', summary: null, importanceScore: 0.5, representativeEntryId: first.id }
      await store.clusters.upsert([{ ...given, entryIds: [...ids(told), first.id] }], now)
      const { entries, timeline, ...cluster } = (await get(`/clusters/${id}`)).data
      assert.deepEqual([cluster.entryCount, entries.length], [150, 100])
      const newest = told.toSorted((a, b) => b.publishedAt - a.publishedAt).slice(0, 100)
      assert.deepEqual(new Set(ids(entries)), new Set(ids(newest)))
      assertTimeline(cluster, timeline)
    }
  })

  test('an entry that goes over to another story leaves the first', async () => {
    const { store, clock } = service.mintick
    const [one, other] = (await listAll<Cluster>('/clusters')).filter(({ entryCount }) => entryCount === 4)
    assert.ok(one && other)
    const membersOf = async ({ id }: Cluster) => ids((await get(`/clusters/${id}`)).data.entries)
    const [stay, moved] = [(await membersOf(one)).slice(1), (await membersOf(one))[0] ?? '']
    const joined = [...(await membersOf(other)), moved]
    const changed = [
      { ...other, entryIds: joined },
      { ...one, entryIds: stay },
    ]
    for (const clusters of [changed, changed.toReversed()]) {
      await store.clusters.upsert(clusters, clock.now())
      assert.deepEqual((await membersOf(one)).toSorted(), stay.toSorted())
      assert.deepEqual((await membersOf(other)).toSorted(), joined.toSorted())
    }
  })

  test('a signal expires at expiresAt, to the millisecond, and totals follow', async () => {
    const statuses = ['active', 'expired', 'superseded']
    const totals = () => Promise.all(statuses.map((status) => totalOf(`/signals?status=${status}`)))
    for (let turn = 0; turn < runs(2, 4); turn += 1) {
      const all = await listAll<Signal>('/signals')
      const active = all
        .filter(({ status }) => status === 'active')
        .sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1))
      const [next] = active
      assert.ok(next)
      const expired = all.filter(({ status }) => status === 'expired')
      assert.ok(expired.every(({ expiresAt }) => Date.parse(expiresAt) <= service.clock.now()))
      const superseded = all.length - active.length - expired.length
      const due = active.filter(({ expiresAt }) => expiresAt === next.expiresAt).length
      service.clock.advance(Date.parse(next.expiresAt) - service.clock.now() - 1)
      assert.deepEqual(await totals(), [active.length, expired.length, superseded])
      assert.equal((await get(`/signals/${next.id}`)).data.status, 'active')
      service.clock.advance(1)
      assert.deepEqual(await totals(), [active.length - due, expired.length + due, superseded])
      assert.equal(await totalOf('/signals'), all.length)
      assert.deepEqual((await get(`/signals/${next.id}`)).data, { ...next, status: 'expired' })
    }
  })

  test('a story closes 72 hours after its last entry, to the millisecond, and totals follow', async () => {
    for (let turn = 0; turn < runs(2, 4); turn += 1) {
      const active = await listAll<Cluster>('/clusters', '&status=active')
      const closed = await totalOf('/clusters?status=closed')
      const last = active.at(-1)
      assert.ok(last)
      const due = active.filter(({ lastPublishedAt }) => lastPublishedAt === last.lastPublishedAt).length
      service.clock.advance(Date.parse(last.lastPublishedAt) + 72 * HOUR - service.clock.now() - 1)
      assert.equal((await get(`/clusters/${last.id}`)).data.status, 'active')
      assert.equal(await totalOf('/clusters?status=active'), active.length)
      service.clock.advance(1)
      assert.equal(await totalOf('/clusters?status=active'), active.length - due)
      assert.equal(await totalOf('/clusters?status=closed'), closed + due)
      assert.equal((await get(`/clusters/${last.id}`)).data.status, 'closed')
    }
  })
})

type Filter<T> = [name: string, value: string, matches: (item: T) => boolean]

/** Asserts that a cluster's fields follow from its entries, which must be complete. */
function assertTold(cluster: Cluster, entries: readonly Entry[]): void {
  assert.equal(entries.length, cluster.entryCount)
  const times = entries.map(({ publishedAt }) => publishedAt)
  assert.deepEqual(times, times.toSorted().reverse())
  assert.deepEqual([times.at(-1), times[0]], [cluster.firstPublishedAt, cluster.lastPublishedAt])
  assert.equal(new Set(entries.map(({ urlDomain }) => urlDomain)).size, cluster.publisherCount)
  for (const field of ['assetKeys', 'topicSlugs'] as const) {
    assert.deepEqual(new Set(cluster[field]), new Set(entries.flatMap((entry) => entry[field])))
  }
  assert.deepEqual(new Set(cluster.languages), new Set(entries.flatMap(({ language }) => language ?? [])))
  assert.ok(entries.some(({ id }) => id === cluster.representativeEntryId))
  const scores = entries.flatMap(({ sentimentScore }) => sentimentScore ?? [])
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  if (scores.length === 0) assert.equal(cluster.sentimentScore, null)
  else assert.ok(Math.abs((cluster.sentimentScore ?? NaN) - mean) < 0.0001)
}

function assertTimeline(cluster: Cluster, timeline: readonly { at: string; count: number }[]): void {
  assert.equal(
    timeline.reduce((sum, { count }) => sum + count, 0),
    cluster.entryCount,
  )
  const times = timeline.map(({ at }) => at)
  assert.deepEqual(times, [...new Set(times)].sort())
  assert.ok((times[0] ?? '') <= cluster.firstPublishedAt && (times.at(-1) ?? '') <= cluster.lastPublishedAt)
  assert.ok(timeline.every(({ at, count }) => count > 0 && at.endsWith(':00:00.000Z')))
}
