import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { createPlace, onEveryEngine, onPostgres, openTestDb } from '../../../test/harness.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { builtInTopics } from '../../catalogue/built-in/topics.ts'
import type { NewEntry } from '../../model/entries.ts'
import { DAY, HOUR } from '../../model/time.ts'
import { samplePublishers } from '../../sample/world/publishers.ts'
import type { Db } from '../db.ts'
import { migrate } from '../engines/migrate.ts'
import { openPostgres } from '../engines/postgres.ts'
import { createStore, type Store } from '../store.ts'
import { meanSentiment } from './mean-sentiment.ts'

const START = Date.parse('2026-03-02T10:20:30.400Z')
const WEEK = 7 * DAY

const publishers = samplePublishers.slice(0, 2)
const assets = builtInAssets.slice(0, 3)
const [parent = assert.fail(), other = assert.fail()] = builtInTopics.filter((topic) => topic.parentId === null)
const child = builtInTopics.find((topic) => topic.parentId === parent.id) ?? assert.fail()
const topics = [parent, other, child]
/** The topic above `child`, which tests move. */
let parentOfChild: string | null

onEveryEngine('counts', (engine) => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  let db: Db
  let store: Store
  before(async () => {
    opened = await openTestDb(engine)
    db = opened.db
    store = createStore(db)
    await insertNouns(store)
  })
  after(() => opened.close())

  /** Compares every count with the stored entries. */
  async function check(there: Map<string, NewEntry>, now: number, by: Store = store): Promise<void> {
    await by.counts.settle(now)
    assert.deepEqual(await readCounts(db), naiveCounts([...there.values()], now))
  }

  async function emptied(): Promise<Map<string, NewEntry>> {
    const rows = await db.query<{ id: string }>('select id from entries')
    await store.entries.remove(
      rows.map((row) => row.id),
      START,
    )
    return new Map()
  }

  test('counts are exact after any inserts, edits, removals and steps of time, including backwards', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someStep, { minLength: 1, maxLength: 14 }), async (steps) => {
        const there = await emptied()
        let now = START
        for (const step of steps) {
          if (step.kind === 'insert') {
            const entries = step.entries.map((ages) => newEntry(ages, now))
            await store.entries.insert(entries)
            for (const entry of entries) there.set(entry.id, entry)
          } else if (step.kind === 'update') {
            const ids = [...there.keys()].filter((_, index) => index % step.every === 0)
            const edits = ids.map((id) => ({ ...newEntry(step.ages, now), id }))
            await store.entries.update(edits, now)
            for (const edit of edits) there.set(edit.id, edit)
          } else if (step.kind === 'remove') {
            const ids = [...there.keys()].filter((_, index) => index % step.every === 0)
            await store.entries.remove(ids, now)
            for (const id of ids) there.delete(id)
          } else if (step.kind === 'move') {
            parentOfChild = step.to
            await store.topics.upsert([{ slug: child.slug, parentSlug: step.to }], now)
          } else {
            now += step.by
          }
          if (step.isRead) await check(there, now)
        }
        await check(there, now)
      }),
      { numRuns: runs(engine === 'sqlite' ? 8 : 3, engine === 'sqlite' ? 150 : 40) },
    )
  })

  test('thousands of entries leave at once after an idle week, hundreds in one millisecond, and enter again', async () => {
    const there = await emptied()
    await store.counts.settle(START)
    const ages = Array.from({ length: 3_500 }, (_, index) => (index < 1_500 ? HOUR : (index * DAY) / 3_500))
    const entries = ages.map((age, index) => newEntry({ age, pick: index, score: (index % 200) / 100 - 1 }, START))
    await store.entries.insert(entries)
    for (const entry of entries) there.set(entry.id, entry)
    for (const now of [START, START + 12 * HOUR, START + 8 * DAY, START - WEEK, START + HOUR]) await check(there, now)
  })

  test('an archive of old entries inserted after settling changes no window', async () => {
    await emptied()
    await store.counts.settle(START)
    const left = await db.query('select name, left_until from count_windows order by name')
    await store.entries.insert([30, 300, 3_000].map((days) => newEntry({ age: days * DAY, pick: 7, score: 1 }, START)))
    const [row] = await db.query<{ total: number; week: number }>(
      'select max(total) as total, max(week) as week from asset_counts',
    )
    assert.deepEqual({ ...row }, { total: 3, week: 0 })
    await store.counts.settle(START + 1)
    assert.deepEqual(await db.query('select name, left_until from count_windows order by name'), left)
  })

  test('settling writes nothing while no entry leaves', async () => {
    const there = await emptied()
    await store.counts.settle(START)
    await store.entries.insert([newEntry({ age: 0, pick: 3, score: null }, START)])
    const before = await db.query('select * from count_windows order by name')
    for (const step of [1, 1_000, HOUR - 1_000]) await store.counts.settle(START + step)
    assert.deepEqual(await db.query('select * from count_windows order by name'), before)
    there.clear()
  })

  test('the migration fills the counts of a store that already has entries', async () => {
    const there = await emptied()
    const entries = [0, 1, 20, 30, 100, 200, 400].map((hours, pick) =>
      newEntry({ age: hours * HOUR, pick, score: pick / 10 }, START),
    )
    await store.entries.insert(entries)
    for (const entry of entries) there.set(entry.id, entry)
    await undoCounts(db)
    await migrate(db, START)
    await check(there, START)
    await check(there, START + 10 * HOUR)
  })

  test('assets keep their external identifiers', async () => {
    const asset = {
      ...builtInAssets[0],
      id: randomUUID(),
      key: 'TEST',
      name: 'Änderung',
      figi: 'BBG000B9XRY4',
      lei: 'L1',
    }
    const formerSymbols = [{ symbol: 'OLD', from: null, to: '2020-01-31' }]
    await store.assets.insert([{ ...(builtInAssets[0] ?? assert.fail()), ...asset, formerSymbols }], START)
    const rows = await db.query("select figi, lei, former_symbols, sort_name from assets where key = 'TEST'")
    assert.deepEqual(
      rows.map((row) => ({ ...(row as object) })),
      [{ figi: 'BBG000B9XRY4', lei: 'L1', former_symbols: JSON.stringify(formerSymbols), sort_name: 'änderung' }],
    )
  })
})

onPostgres('counts of two instances', () => {
  test('are exact after concurrent inserts, removals and settlements with different clocks', async () => {
    const place = await createPlace('postgres')
    const dbs = [await openPostgres(place.env.DATABASE_URL ?? ''), await openPostgres(place.env.DATABASE_URL ?? '')]
    const [db = assert.fail()] = dbs
    await migrate(db, START)
    const stores = dbs.map(createStore)
    await insertNouns(stores[0] ?? assert.fail())
    const there = new Map<string, NewEntry>()
    await Promise.all(
      stores.map(async (store, which) => {
        for (let round = 0; round < 30; round += 1) {
          const now = START + round * 2 * HOUR + which * 500
          const entries = [0, 1, 24, 26, 170].map((hours, pick) =>
            newEntry({ age: hours * HOUR - pick, pick: pick + round, score: 0.25 }, now),
          )
          await Promise.all([store.entries.insert(entries), store.counts.settle(now), store.counts.settle(now - 90)])
          for (const entry of entries.slice(1)) there.set(entry.id, entry)
          await Promise.all([
            store.entries.remove(
              entries.slice(0, 1).map(({ id }) => id),
              now,
            ),
            store.counts.settle(now),
          ])
        }
      }),
    )
    for (const now of [START + 60 * HOUR, START + 100 * HOUR]) {
      await stores[1]?.counts.settle(now)
      assert.deepEqual(await readCounts(db), naiveCounts([...there.values()], now))
    }
    for (const each of dbs) await each.close()
    await place.remove()
  })
})

interface Ages {
  age: number
  pick: number
  score: number | null
}

/** Ages near the edges of the windows are frequent; negative ones are in the future. */
const someTime = fc.oneof(
  fc.constantFrom(0, DAY, WEEK, HOUR).chain((base) => fc.integer({ min: -2, max: 2 }).map((near) => base + near)),
  fc.integer({ min: -2 * DAY, max: 9 * DAY }),
)
const someEntry: fc.Arbitrary<Ages> = fc.record({
  age: someTime,
  pick: fc.nat(47),
  score: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
})
const isRead = fc.boolean()
const someStep = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), entries: fc.array(someEntry, { maxLength: 4 }), isRead }),
  fc.record({
    kind: fc.constant('update' as const),
    every: fc.integer({ min: 1, max: 3 }),
    ages: someEntry,
    isRead,
  }),
  fc.record({ kind: fc.constant('move' as const), to: fc.constantFrom(parent.slug, other.slug, null), isRead }),
  fc.record({ kind: fc.constant('remove' as const), every: fc.integer({ min: 1, max: 4 }), isRead }),
  fc.record({
    kind: fc.constant('time' as const),
    by: fc.tuple(someTime, fc.constantFrom(1, 1, -1)).map(([by, sign]) => sign * by),
    isRead,
  }),
)

function newEntry({ age, pick, score }: Ages, now: number): NewEntry {
  const assetKeys = assets.filter((_, bit) => pick & (1 << bit)).map((asset) => asset.key)
  return {
    id: randomUUID(),
    title: 'A title',
    excerpt: null,
    url: 'https://a.example/1',
    urlDomain: 'a.example',
    author: null,
    imageUrl: null,
    language: 'en',
    sentimentScore: score,
    publisherId: publishers[pick % 2]?.id ?? '',
    assetKeys,
    // Of every other entry, each asset has its own score, and the first has none.
    assetScores: pick % 2 === 0 ? null : assetKeys.map((_, index) => (index === 0 ? null : index / -10)),
    topicSlugs: topics.filter((_, bit) => pick & (2 << bit)).map((topic) => topic.slug),
    content: null,
    publishedAt: Math.trunc(now - age),
    createdAt: now,
  }
}

async function insertNouns(store: Store): Promise<void> {
  await store.publishers.insert(publishers, START)
  await store.assets.insert(assets, START)
  await store.topics.insert(topics, START)
  parentOfChild = parent.slug
}

interface Row {
  key: string
  total: number
  day: number
  week: number
  daySentiment: number | null
  weekSentiment: number | null
  first: number | null
  last: number | null
}

async function readCounts(db: Db): Promise<Row[]> {
  const rows: Row[] = []
  for (const [table, column, counts] of [
    ['publishers', 'id', 'publisher_counts'],
    ['assets', 'key', 'asset_counts'],
    ['topics', 'slug', 'topic_counts'],
  ]) {
    const found = await db.query<Record<string, number> & { key: string }>(
      `select c.*, n.${column} as key from ${table} n join ${counts} c on c.ref = n.ref where n.${column} <> 'TEST' order by n.ref`,
    )
    for (const row of found) {
      rows.push({
        key: row.key,
        total: row.total ?? 0,
        day: row.day ?? 0,
        week: row.week ?? 0,
        daySentiment: meanSentiment(row.day_sentiment ?? 0, row.day_scored ?? 0),
        weekSentiment: meanSentiment(row.week_sentiment ?? 0, row.week_scored ?? 0),
        first: row.first_at ?? null,
        last: row.last_at ?? null,
      })
    }
  }
  return rows
}

function naiveCounts(entries: NewEntry[], now: number): Row[] {
  const rowOf = (key: string, named: NewEntry[]): Row => {
    const day = named.filter(({ publishedAt }) => publishedAt > now - DAY)
    const week = named.filter(({ publishedAt }) => publishedAt > now - WEEK)
    const times = named.map(({ publishedAt }) => publishedAt)
    return {
      key,
      total: named.length,
      day: day.length,
      week: week.length,
      daySentiment: naiveMean(day),
      weekSentiment: naiveMean(week),
      first: times.length === 0 ? null : Math.min(...times),
      last: times.length === 0 ? null : Math.max(...times),
    }
  }
  return [
    ...publishers.map(({ id }) =>
      rowOf(
        id,
        entries.filter((entry) => entry.publisherId === id),
      ),
    ),
    ...assets.map(({ key }) =>
      rowOf(
        key,
        entries.filter((entry) => entry.assetKeys.includes(key)).map((entry) => scoredFor(entry, key)),
      ),
    ),
    ...topics.map(({ slug }) =>
      rowOf(
        slug,
        entries.filter(
          ({ topicSlugs }) => topicSlugs.includes(slug) || (slug === parentOfChild && topicSlugs.includes(child.slug)),
        ),
      ),
    ),
  ]
}

/** Returns the entry with the score of one of its assets. */
function scoredFor(entry: NewEntry, key: string): NewEntry {
  const { assetKeys, assetScores = null, sentimentScore } = entry
  return {
    ...entry,
    sentimentScore: assetScores === null ? sentimentScore : (assetScores[assetKeys.indexOf(key)] ?? null),
  }
}

function naiveMean(entries: NewEntry[]): number | null {
  const scores = entries.flatMap(({ sentimentScore }) => sentimentScore ?? [])
  const sum = scores.reduce((total, score) => total + Math.round(score * 1_000_000), 0)
  return scores.length === 0 ? null : Math.round(sum / scores.length / 100) / 10_000 + 0
}

/** The state of the store before the migration of the counts. */
async function undoCounts(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    for (const table of ['asset_counts', 'topic_counts', 'publisher_counts', 'count_windows']) {
      await tx.query(`drop table ${table}`)
    }
    await tx.query("delete from migrations where name in ('004-counts.sql', '030-topic-branches.ts')")
  })
}
