/** Random inserts, edits and removals of all records that the log of changes covers, and a mirror that follows the log. */
import { randomUUID } from 'node:crypto'
import { builtInAssets } from '../src/catalogue/built-in/assets.ts'
import { builtInTopics } from '../src/catalogue/built-in/topics.ts'
import { CHANGE_TYPES, type Change, SOURCES_BY_TYPE } from '../src/model/changes.ts'
import type { NewEntry } from '../src/model/entries.ts'
import type { Market } from '../src/model/markets.ts'
import { SEC_DATASETS } from '../src/model/sec/datasets.ts'
import { DAY, HOUR } from '../src/model/time.ts'
import { samplePublishers } from '../src/sample/world/publishers.ts'
import { sampleWorld } from '../src/sample/world/world.ts'
import type { Db } from '../src/store/db.ts'
import { SEC_TABLES } from '../src/store/sec/sec-tables.ts'
import type { Store } from '../src/store/store.ts'
import { newMarket } from './markets.ts'

export const CHANGES_START = Date.parse('2026-03-02T10:20:30.400Z')

const POOL = 12
const world = sampleWorld(CHANGES_START)
const trades = world.sec['insider-trades'].slice(-POOL)
const markets = world.markets.slice(0, POOL)
const questions = world.predictionMarkets.filter(({ status }) => status === 'open').slice(0, POOL)
const [publisher] = samplePublishers

/** Adds the catalogues that the records refer to. */
export async function insertCatalogues(store: Store): Promise<void> {
  await store.publishers.insert(samplePublishers, CHANGES_START)
  await store.assets.insert(builtInAssets, CHANGES_START)
  await store.topics.insert(builtInTopics, CHANGES_START)
}

/** Changes some records of one kind. `roll` returns numbers from 0 to 1; `now` is the time of the change. */
export async function changeSomething(store: Store, db: Db, roll: () => number, now: number): Promise<void> {
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(roll() * items.length)]
  const few = <Item>(items: readonly Item[]): Item[] => items.filter(() => roll() < 0.2)
  const idIn = async (table: string) => pick(await db.query<{ id: string }>(`select id from ${table}`))?.id ?? ''

  const steps: (() => Promise<unknown>)[] = [
    () => store.entries.insert(Array.from({ length: Math.ceil(roll() * 3) }, () => newEntry(roll, now))),
    async () => store.entries.update([{ id: await idIn('entries'), title: `Title ${roll()}` }], now),
    async () => store.entries.remove([await idIn('entries')], now),
    // Fails after its first statements.
    async () => {
      const edit = { id: await idIn('entries'), title: `Title ${roll()}`, publisherId: 'unknown' }
      await store.entries.update([edit], now).catch(() => {})
    },
    () => store.sec.insert('insider-trades', few(trades), now),
    () => {
      const [superseded, filing] = [pick(trades), pick(trades)]
      const supersedesId = superseded?.record.id === filing?.record.id ? null : (superseded?.record.id ?? null)
      const record = { value: Math.round(roll() * 1_000), supersedesId }
      const given = filing === undefined ? [] : [{ ...filing, record: { ...filing.record, ...record } }]
      return store.sec.upsert('insider-trades', given, now)
    },
    async () => store.sec.removeContaining('insider-trades', `"id":"${await idIn('sec_insider_trades')}"`, 1, now),
    () => store.predictionMarkets.insert(few(questions), now),
    async () => {
      const market = pick(questions)
      const odds = { at: now, probabilities: { ...market?.history.at(-1)?.probabilities, yes: roll() } }
      await store.predictionMarkets.recordOdds(market?.id ?? '', odds, now).catch(() => {})
    },
    () => store.predictionMarkets.closeDue(now + Math.floor(roll() * 60) * DAY),
    async () => store.predictionMarkets.removeContaining(`"id":"${await idIn('prediction_markets')}"`, 1, now),
    () => store.markets.insert([...few(markets), newMarket()], now),
    async () => {
      const [market] = await db.query<{ symbol: string }>('select symbol from markets where id = $1', [
        await idIn('markets'),
      ])
      if (market !== undefined) await store.markets.upsert([{ ...market, name: `Market ${roll()}` }], now)
    },
    () => (roll() < 0.2 ? store.markets.removeSample(now) : Promise.resolve()),
  ]
  await pick(steps)?.()
}

function newEntry(roll: () => number, now: number): NewEntry {
  const id = randomUUID()
  return {
    id,
    title: `Title ${roll()}`,
    excerpt: null,
    content: null,
    url: `https://a.example/${id}`,
    urlDomain: 'a.example',
    author: null,
    imageUrl: null,
    language: 'en',
    sentimentScore: 0.5,
    assetKeys: roll() < 0.5 ? ['AAPL'] : [],
    topicSlugs: [],
    publisherId: publisher?.id ?? '',
    publishedAt: now - HOUR,
    createdAt: now,
  }
}

/** A copy of all records that is fed by the log of changes alone. */
export class Mirror {
  readonly records = new Map<string, unknown>()
  /** The last change that the copy includes. */
  last = 0

  apply(changes: readonly Change[]): void {
    for (const { id, type, dataset, recordId, action, record } of changes) {
      if (id <= this.last) throw new Error(`the change ${id} comes after ${this.last}`)
      if ((record === null) !== (action === 'removal')) throw new Error(`the change ${id} has a wrong record`)
      this.last = id
      const key = `${dataset ?? type} ${recordId}`
      if (action === 'removal') this.records.delete(key)
      else this.records.set(key, type === 'market' ? described(record as Market) : record)
    }
  }

  /** Reads the log to its end, `limit` changes at a time. */
  async follow(store: Store, limit: number): Promise<void> {
    for (;;) {
      const from = this.last === 0 ? undefined : ({ direction: 'after', key: [this.last], inclusive: false } as const)
      const page = await store.changes.page({ sources: ALL_SOURCES, sort: 'id:asc', limit, from })
      this.apply(page.data.parse())
      if (!page.hasMore) return
    }
  }
}

const ALL_SOURCES = CHANGE_TYPES.flatMap((type) => SOURCES_BY_TYPE[type])

/** Returns what a mirror should contain. */
export async function sourceRecords(store: Store, db: Db): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>()
  const read = async (type: string, sql: string) => {
    for (const { doc } of await db.query<{ doc: string }>(sql))
      found.set(`${type} ${JSON.parse(doc).id}`, JSON.parse(doc))
  }
  await read('entry', 'select doc from entries')
  await read('prediction-market', 'select doc from prediction_markets_docs')
  for (const dataset of SEC_DATASETS) await read(dataset, `select doc from ${SEC_TABLES[dataset].list.table}_docs`)
  const { data } = await store.markets.page({ filters: {}, sort: 'symbol:asc', limit: 10_000, offset: 0 })
  for (const market of data) found.set(`market ${market.id}`, described(market))
  return found
}

/** Leaves out what changes with prices. */
const described = ({ id, symbol, name, assetKey, type, venue, status }: Market) => ({
  id,
  symbol,
  name,
  assetKey,
  type,
  venue,
  status,
})
