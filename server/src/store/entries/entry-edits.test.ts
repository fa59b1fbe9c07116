import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { createPlace, onEveryEngine, openPlace, type Place } from '../../../test/harness.ts'
import { newSignal } from '../../../test/signals.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { builtInTopics } from '../../catalogue/built-in/topics.ts'
import type { Cluster } from '../../model/clusters.ts'
import type { Entry, EntryEdit, NewEntry } from '../../model/entries.ts'
import { DAY, HOUR, isoTime } from '../../model/time.ts'
import { samplePublishers } from '../../sample/world/publishers.ts'
import type { Db } from '../db.ts'
import { Feed } from '../lists/feeds.ts'
import { createStore, type Store } from '../store.ts'
import { moveEntries, moveEntriesAhead } from './entry-countries.ts'
import type { EntryFilters } from './entry-filters.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')
const WORDS = ['zebra', 'giraffe', 'okapi', 'walrus']
const AUTHORS = ['Ann', 'Bob', null]
const LANGUAGES = ['en', 'de', null]
const publishers = samplePublishers.slice(0, 2).map((publisher, index) => ({
  ...publisher,
  countryCode: ['US', 'DE'][index] ?? null,
}))
const assets = builtInAssets.filter(({ key }) => ['AAPL', 'MSFT'].includes(key))
const topics = builtInTopics.filter(({ parentId }) => parentId === null).slice(0, 2)

onEveryEngine('edits and removals of entries', (engine) => {
  let place: Place
  let dbs: Db[]
  let stores: Store[]
  before(async () => {
    place = await createPlace(engine)
    // Several processes share a store on PostgreSQL only.
    dbs = engine === 'sqlite' ? [await openPlace(place)] : [await openPlace(place), await openPlace(place)]
    stores = dbs.map(createStore)
    await some().publishers.insert(publishers, NOW)
    await some().assets.insert(assets, NOW)
    await some().topics.insert(topics, NOW)
  })
  after(async () => {
    for (const db of dbs) await db.close()
    await place.remove()
  })

  const some = (instance = 0): Store => stores[instance % stores.length] ?? assert.fail()
  const db = (): Db => dbs[0] ?? assert.fail()

  async function emptied(): Promise<void> {
    const rows = await db().query<{ id: string }>('select id from entries')
    const ids = rows.map(({ id }) => id)
    await some().entries.remove(ids, NOW)
  }

  async function listIds(store: Store, filters: EntryFilters): Promise<string[]> {
    const page = await store.entries.page({ filters, sort: 'publishedAt:asc', limit: 200, from: undefined })
    assert.equal(page.totalCount, page.count)
    return page.data.parse().map(({ id }) => id)
  }

  test('lists, totals, search, texts and clusters are those of a plain model after any inserts, edits and removals', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someStep, { minLength: 1, maxLength: 12 }), async (steps) => {
        await emptied()
        const model = new Map<string, NewEntry>()
        /** Ids of entries by cluster. */
        const clusters = new Map<string, Set<string>>()
        for (const { kind, instance, pick, fields } of steps) {
          const store = some(instance)
          const id = [...model.keys()][pick % Math.max(1, model.size)]
          if (kind === 'insert' || id === undefined) {
            const entry = newEntry(fields)
            await store.entries.insert([entry])
            model.set(entry.id, entry)
          } else if (kind === 'cluster') {
            const taken = new Set([...clusters.values()].flatMap((ids) => [...ids]))
            const free = [...model.values()].filter((entry) => !taken.has(entry.id))
            const told = free[pick % Math.max(1, free.length)]
            if (told === undefined || free.length < 2) continue
            clusters.set(await addCluster(store, free, told), new Set(free.map((entry) => entry.id)))
          } else if (kind === 'remove') {
            assert.equal(await store.entries.remove([id], NOW), 1)
            assert.equal(await store.entries.remove([id], NOW), 0)
            assert.equal(await some(instance + 1).entries.find(id), undefined)
            model.delete(id)
            for (const ids of clusters.values()) ids.delete(id)
          } else {
            const next = { ...(model.get(id) ?? assert.fail()), ...fields }
            const isSame = JSON.stringify(next) === JSON.stringify(model.get(id))
            assert.deepEqual(await store.entries.update([{ id, ...fields }], NOW), isSame ? [] : [id])
            model.set(id, next)
          }
          await check(some(instance + 1), [...model.values()])
          await checkClusters(some(instance + 1), model, clusters)
        }
      }),
      { numRuns: runs(engine === 'sqlite' ? 12 : 5, engine === 'sqlite' ? 200 : 60) },
    )
  })

  async function check(store: Store, model: NewEntry[]): Promise<void> {
    const all = await store.entries.page({ filters: {}, sort: 'createdAt:asc', limit: 200, from: undefined })
    assert.deepEqual(all.data.parse(), model.map(docOf))
    const cases: [EntryFilters, (entry: NewEntry) => boolean][] = [
      [{ publisherId: [publishers[0]?.id ?? ''] }, (entry) => entry.publisherId === publishers[0]?.id],
      [{ countryCode: ['DE'] }, (entry) => entry.publisherId === publishers[1]?.id],
      [{ assetKey: ['AAPL'] }, (entry) => entry.assetKeys.includes('AAPL')],
      [{ topicSlug: [topics[1]?.slug ?? ''] }, (entry) => entry.topicSlugs.includes(topics[1]?.slug ?? '')],
      [{ author: ['Ann'] }, (entry) => entry.author === 'Ann'],
      [{ language: ['de'] }, (entry) => entry.language === 'de'],
      [{ hasAssets: true }, (entry) => entry.assetKeys.length > 0],
      [{ sentimentScoreMin: 0 }, ({ sentimentScore }) => sentimentScore !== null && sentimentScore >= 0],
      [{ publishedAfter: NOW - DAY }, (entry) => entry.publishedAt >= NOW - DAY],
      [{ publishedBefore: NOW - DAY }, (entry) => entry.publishedAt <= NOW - DAY],
      ...WORDS.map((search): (typeof cases)[number] => [
        { search },
        ({ title, content, excerpt }) => `${title} ${content ?? excerpt}`.includes(search),
      ]),
    ]
    const byTime = model
      .map((entry, index) => ({ entry, index }))
      .sort((a, b) => a.entry.publishedAt - b.entry.publishedAt || a.index - b.index)
      .map(({ entry }) => entry)
    for (const [filters, matches] of cases) {
      const expected = byTime.filter(matches).map(({ id }) => id)
      assert.deepEqual(await listIds(store, filters), expected, JSON.stringify(filters))
    }
    for (const entry of model) {
      assert.equal(await store.entries.findContent(entry.id), entry.content)
      assert.deepEqual((await store.entries.find(entry.id))?.parse(), docOf(entry))
    }
  }

  async function checkClusters(
    store: Store,
    model: ReadonlyMap<string, NewEntry>,
    clusters: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<void> {
    for (const [id, ids] of clusters) {
      const cluster = await store.clusters.find(id, NOW)
      assert.equal(cluster !== undefined, ids.size >= 2)
      if (cluster === undefined) continue
      const members = [...ids].map((entryId) => model.get(entryId) ?? assert.fail())
      const told = members.find((entry) => entry.id === cluster.representativeEntryId) ?? assert.fail()
      assertTold(cluster, members, told)
    }
    assert.equal(await store.clusters.total(), [...clusters.values()].filter((ids) => ids.size >= 2).length)
  }

  test('an edit keeps seq and createdAt, drops the vector of another text, and an edit of nothing is none', async () => {
    const store = some()
    const entry = newEntry({ ...plainFields, title: 'zebra', content: 'okapi' })
    await store.entries.insert([entry])
    const source = async () => (await store.entries.listSourcesBy('id', [entry.id], 100))[0] ?? assert.fail()
    const { seq, lastChange } = await source()
    const vector = new Float32Array([1, 0])
    const vectors = async () => (await store.vectors.listBySeq('model', [seq])).length
    await store.vectors.upsert('model', [{ seq, lastChange, vector }])
    assert.equal(await vectors(), 1)

    const head = await store.changes.head()
    assert.deepEqual(await store.entries.update([{ id: entry.id, title: 'zebra', content: 'okapi' }], NOW), [])
    assert.deepEqual(await store.entries.update([{ id: randomUUID(), title: 'zebra' }], NOW), [])
    assert.equal(await store.changes.head(), head)
    await store.entries.update([{ id: entry.id, author: 'Cem', language: 'fr' }], NOW + HOUR)
    assert.equal(await vectors(), 1, 'the text is the same')
    await store.entries.update([{ id: entry.id, title: 'walrus' }], NOW + HOUR)
    assert.equal(await vectors(), 0)
    const edited = await source()
    assert.deepEqual([edited.seq, edited.entry.createdAt], [seq, isoTime(NOW)])
    assert.deepEqual([edited.entry.author, edited.entry.title, edited.content], ['Cem', 'walrus', 'okapi'])

    await store.vectors.upsert('model', [{ seq, lastChange, vector }])
    assert.equal(await vectors(), 0, 'a vector of the old text comes too late')
    await store.vectors.upsert('model', [{ ...edited, vector }])
    assert.equal(await vectors(), 1)
    assert.deepEqual(
      await store.entries.update([{ id: entry.id, title: 'okapi', basedOn: lastChange }], NOW),
      [],
      'an edit of an old text comes too late',
    )
    await store.entries.remove([entry.id], NOW)
    await store.vectors.upsert('model', [{ ...edited, vector }])
    assert.equal(await vectors(), 0)
  })

  test('a removed entry is never added again, nor under a later address of it', async () => {
    const store = some()
    const [entry, other] = [newEntry(plainFields), newEntry(plainFields)]
    const [alias, own] = [randomUUID(), randomUUID()]
    await store.entries.insert([entry, other])
    const move = (id: string, url: string, as: string) =>
      store.entries.update([{ id, url, urlDomain: 'b.example', alias: as }], NOW)
    assert.equal((await move(entry.id, 'https://b.example/1', alias)).length, 1)
    assert.deepEqual(await move(other.id, 'https://b.example/1', alias), [], 'another entry has the address')
    assert.equal((await move(other.id, 'https://b.example/2', own)).length, 1)
    await store.entries.remove([entry.id], NOW)
    assert.equal(await store.entries.insert([entry, { ...entry, id: alias }, { ...entry, id: own }]), 0)
    const known = await store.entries.listKnown([entry.id, alias, own, randomUUID()])
    assert.deepEqual(
      known,
      new Map([
        [entry.id, entry.id],
        [alias, entry.id],
        [own, other.id],
      ]),
    )
  })

  test('clusters follow edits and removals, and disappear with their last entry but one', async () => {
    const store = some()
    const told = [0, 1, 2].map((index) => newEntry({ ...plainFields, title: `Title ${index}`, author: null }))
    const [first = assert.fail(), second = assert.fail(), third = assert.fail()] = told
    await store.entries.insert(told)
    const id = await addCluster(store, told, first)
    const cluster = async () => (await some(1).clusters.find(id, NOW)) ?? assert.fail('the cluster is gone')
    assertTold(await cluster(), told, first)

    const edits: EntryEdit = { id: first.id, title: 'Corrected', excerpt: 'walrus', sentimentScore: -1 }
    const published: EntryEdit = { id: second.id, publishedAt: NOW - 5 * DAY, publisherId: publishers[1]?.id ?? '' }
    await store.entries.update([edits, published], NOW + 1)
    const edited = [{ ...first, ...edits }, { ...second, ...published }, third]
    assertTold(await cluster(), edited, edited[0] ?? first)
    assert.equal(await totalOfClusters(store, 'Corrected'), 1)
    assert.equal(await totalOfClusters(store, 'Title'), 0)

    await store.entries.remove([first.id], NOW)
    assertTold(await cluster(), edited.slice(1), edited[1] ?? second)
    assert.equal(await totalOfClusters(store, 'Corrected'), 0)
    const total = await store.clusters.total()
    await store.entries.remove([second.id], NOW)
    assert.equal(await store.clusters.find(id, NOW), undefined)
    assert.equal(await some(1).clusters.total(), total - 1)
    assert.equal((await store.entries.listRelations([third.id])).get(third.id)?.clusterId, null)
    assert.deepEqual(await db().query('select 1 from cluster_entries'), [])
  })

  test('a cluster put together before an entry was removed is stored without it', async () => {
    const store = some()
    const told = [0, 1, 2].map((index) => newEntry({ ...plainFields, title: `Late ${index}` }))
    await store.entries.insert(told)
    const [first = assert.fail(), ...rest] = told
    await store.entries.remove([first.id], NOW)
    const id = await addCluster(store, told, first)
    const cluster = (await store.clusters.find(id, NOW)) ?? assert.fail()
    assertTold(cluster, rest, rest[0] ?? first)
    const gone = await addCluster(store, [first, rest[0] ?? first], first)
    assert.equal(await store.clusters.find(gone, NOW), undefined)
  })

  test('signals lose removed evidence, and are withdrawn with the last of it or with their cluster', async () => {
    const store = some()
    const told = [0, 1, 2].map((index) => newEntry({ ...plainFields, title: `Story ${index}` }))
    const [first = assert.fail(), second = assert.fail(), third = assert.fail()] = told
    await store.entries.insert(told)
    const clusterId = await addCluster(store, told, first)
    const outcome = { evaluatedAt: isoTime(NOW), returnPercent: 1, isHit: true }
    const both = newSignal(NOW, { entryIds: [first.id, second.id] })
    const only = newSignal(NOW, { entryIds: [first.id], outcome })
    const filed = newSignal(NOW, { entryIds: [first.id], predictionMarketIds: [randomUUID()] })
    const breaking = newSignal(NOW, { clusterId, title: 'Breaking: Story 0', entryIds: [third.id] })
    const signals = [both, only, filed, breaking]
    const hits = async () => (await store.signals.listOutcomes()).reduce((sum, { evaluated }) => sum + evaluated, 0)
    const evaluated = await hits()
    const head = await store.signalLog.head()
    await store.signals.apply(
      signals.map((signal) => ({ type: 'new', signal, supersedes: [] })),
      [],
      NOW,
    )
    assert.equal(await hits(), evaluated + 1)

    await store.entries.remove([first.id], NOW)
    const find = async ({ id }: { id: string }) => (await some(1).signals.find(id, NOW))?.parse()
    const entryIds = async () => (await Promise.all(signals.map(find))).map((signal) => signal?.entryIds)
    assert.deepEqual(await entryIds(), [[second.id], undefined, [], [third.id]])
    assert.equal((await find(breaking))?.title, 'Breaking: Story 1')
    assert.deepEqual((await store.signals.listByEntry(first.id, NOW)).parse(), [])
    assert.deepEqual(
      (await store.signals.listByEntry(second.id, NOW)).parse().map(({ id }) => id),
      [both.id],
    )
    assert.equal(await hits(), evaluated)
    const logged = (await store.signalLog.listAfter(head, head + 10, 10)).map(({ id, doc }) => [id, JSON.parse(doc)])
    assert.deepEqual(logged, [
      [head + 1, await find(both)],
      [head + 3, await find(filed)],
      [head + 4, await find(breaking)],
    ])
    const search = await store.signals.page(
      { filters: { search: '"story 0"' }, sort: 'generatedAt:desc', limit: 5, from: undefined },
      NOW,
    )
    assert.equal(search.totalCount, 0)

    // Detectors that have not noticed the removal name the entry again.
    await store.signals.apply(
      [
        { type: 'update', signal: { ...both, strength: 0.9 } },
        { type: 'new', signal: only, supersedes: [] },
      ],
      [],
      NOW,
    )
    assert.deepEqual(await entryIds(), [[second.id], undefined, [], [third.id]])
    await store.entries.remove([second.id], NOW)
    assert.deepEqual(await entryIds(), [undefined, undefined, [], undefined], 'the cluster is gone')
  })

  test('an entry that changes to a publisher while the publisher moves gets the new country', async () => {
    const [store, feed] = [some(), new Feed(db(), 'entries')]
    const [from = assert.fail(), to = assert.fail()] = publishers
    const [entry, later] = [from, to].map(({ id }) => newEntry({ ...plainFields, publisherId: id }))
    await store.entries.insert([entry ?? assert.fail(), later ?? assert.fail()])
    const moves = [{ publisherId: to.id, from: to.countryCode, to: 'FR' }]
    const ahead = await moveEntriesAhead(db(), feed, moves)
    await store.entries.update([{ id: entry?.id ?? '', publisherId: to.id }], NOW)
    await db().transaction((tx) => moveEntries(tx, feed, moves, ahead))
    const french = await listIds(createStore(db()), { countryCode: ['FR'] })
    assert.deepEqual([french.includes(entry?.id ?? ''), french.includes(later?.id ?? '')], [true, true])
    const back = [{ publisherId: to.id, from: 'FR', to: to.countryCode }]
    await db().transaction((tx) => moveEntries(tx, feed, back, new Map()))
  })

  test('what fails leaves everything as it was', async () => {
    const store = some()
    const entry = newEntry(plainFields)
    await store.entries.insert([entry])
    const head = await store.changes.head()
    const edits = [{ id: entry.id, title: 'walrus', assetKeys: ['NONE'], publisherId: 'unknown' }]
    await assert.rejects(store.entries.update(edits, NOW), /does not have the publisher/)
    assert.deepEqual((await store.entries.find(entry.id))?.parse(), docOf(entry))
    assert.equal(await store.changes.head(), head)
  })
})

type Fields = Pick<
  NewEntry,
  | 'title'
  | 'excerpt'
  | 'content'
  | 'author'
  | 'language'
  | 'sentimentScore'
  | 'assetKeys'
  | 'topicSlugs'
  | 'publishedAt'
  | 'publisherId'
>

const plainFields: Fields = {
  title: 'zebra',
  excerpt: 'okapi',
  content: null,
  author: 'Ann',
  language: 'en',
  sentimentScore: 0.5,
  assetKeys: ['AAPL'],
  topicSlugs: [],
  publishedAt: NOW - HOUR,
  publisherId: publishers[0]?.id ?? '',
}

const someText = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }).map((words) => words.join(' '))
const someFields: fc.Arbitrary<Fields> = fc.record({
  title: someText,
  excerpt: fc.option(someText),
  content: fc.option(someText),
  author: fc.constantFrom(...AUTHORS),
  language: fc.constantFrom(...LANGUAGES),
  sentimentScore: fc.constantFrom(-0.5, 0, 0.25, null),
  assetKeys: fc.subarray(assets.map(({ key }) => key)),
  topicSlugs: fc.subarray(topics.map(({ slug }) => slug)),
  publishedAt: fc.constantFrom(NOW, NOW - HOUR, NOW - DAY, NOW - 3 * DAY, NOW - 30 * DAY),
  publisherId: fc.constantFrom(...publishers.map(({ id }) => id)),
})
const someStep = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'update', 'update', 'remove', 'cluster'),
  instance: fc.nat(1),
  pick: fc.nat(20),
  fields: someFields,
})

function newEntry(fields: Fields): NewEntry {
  const id = randomUUID()
  return { id, url: `https://a.example/${id}`, urlDomain: 'a.example', imageUrl: null, ...fields, createdAt: NOW }
}

function docOf({ publisherId: _, content: _content, publishedAt, createdAt, ...fields }: NewEntry): Entry {
  return { ...fields, publishedAt: isoTime(publishedAt), createdAt: isoTime(createdAt) }
}

/** Adds a cluster whose text comes from `told`, one of its entries. */
async function addCluster(store: Store, entries: readonly NewEntry[], told: NewEntry): Promise<string> {
  const id = randomUUID()
  const { title, excerpt: summary } = told
  const entryIds = entries.map((entry) => entry.id)
  await store.clusters.upsert(
    [{ id, title, summary, importanceScore: 0.5, representativeEntryId: told.id, entryIds }],
    NOW,
  )
  return id
}

function assertTold(cluster: Cluster, entries: readonly NewEntry[], told: NewEntry): void {
  const times = entries.map(({ publishedAt }) => publishedAt)
  const scores = entries.flatMap(({ sentimentScore }) => sentimentScore ?? [])
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  assert.deepEqual(
    {
      title: cluster.title,
      summary: cluster.summary,
      representativeEntryId: cluster.representativeEntryId,
      entryCount: cluster.entryCount,
      publisherCount: cluster.publisherCount,
      firstPublishedAt: cluster.firstPublishedAt,
      lastPublishedAt: cluster.lastPublishedAt,
      sentimentScore: cluster.sentimentScore,
    },
    {
      title: told.title,
      summary: told.excerpt,
      representativeEntryId: told.id,
      entryCount: entries.length,
      publisherCount: new Set(entries.map(({ publisherId }) => publisherId)).size,
      firstPublishedAt: isoTime(Math.min(...times)),
      lastPublishedAt: isoTime(Math.max(...times)),
      sentimentScore: scores.length === 0 ? null : Math.round(mean * 10_000) / 10_000 + 0,
    },
  )
}

async function totalOfClusters(store: Store, search: string): Promise<number> {
  const page = { sort: 'lastPublishedAt:desc', limit: 10, from: undefined }
  return (await store.clusters.page({ filters: { search }, ...page }, NOW)).totalCount
}
