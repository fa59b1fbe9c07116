import { setImmediate } from 'node:timers/promises'
import type { EntryIntake } from '../ingest/entries/entry-intake.ts'
import type { NewEntry } from '../model/entries.ts'
import { DAY, MINUTE, SECOND } from '../model/time.ts'
import type { Store } from '../store/store.ts'
import { type SampleReport, sampleReports } from './world/entries.ts'
import { sampleMarkets } from './world/markets.ts'
import { newsOf } from './world/news.ts'
import { nextOdds } from './world/prediction-markets/live-odds.ts'
import { nextMinutes } from './world/prices/live-candles.ts'
import { samplePublishers } from './world/publishers.ts'

/** On average; fewer at night and on weekends. */
const ENTRY_EVERY = 5 * SECOND
const ODDS_PER_MINUTE = 6
/** After a longer pause the candles leave a gap. */
const LONGEST_GAP = DAY
/** Entries per write. After a pause there are many; requests run between the portions. */
const PORTION = 100

/**
 * Continues the sample world from `start`. Call `step` repeatedly: it adds everything that is new by then. Entry ids
 * differ for each start.
 */
export function sampleLive({ store, intake }: { store: Store; intake: EntryIntake }, start: number) {
  const seed = `live:${start}`
  const reports = liveReports(start)
  const recent: SampleReport[] = []
  /** Published but not stored yet: kept for the next step if a write fails. */
  const fresh: SampleReport[] = []
  let upcoming = reports.next().value
  let ticked = start - (start % MINUTE)

  /** Adds the entries published by `now` as raw items, so that they are enriched like any other source. */
  async function addEntries(now: number): Promise<void> {
    for (;;) {
      while (upcoming !== undefined && upcoming.entry.createdAt <= now && fresh.length < PORTION) {
        fresh.push(upcoming)
        upcoming = reports.next().value
      }
      const last = fresh.at(-1)
      if (last === undefined) return
      await intake.take(fresh.map(({ entry }) => rawOf(entry)))
      recent.push(...fresh.splice(0))
      while (recent[0] !== undefined && recent[0].entry.createdAt < last.entry.createdAt - DAY) recent.shift()
      await setImmediate()
    }
  }

  async function addCandles(now: number): Promise<void> {
    const news = newsOf(recent)
    for (const { id, assetKey } of sampleMarkets) {
      const series = await store.markets.findSeries(id)
      if (series === undefined) continue
      const [last] = await store.candles.list(series, { interval: '1m', sort: 'openedAt:desc', maxPoints: 1 }, now)
      if (last === undefined) continue
      const openedAt = Math.max(Date.parse(last.openedAt), now - (now % MINUTE) - LONGEST_GAP)
      await store.candles.insert(id, '1m', nextMinutes(assetKey, { openedAt, close: last.close }, now, news, seed), now)
      await setImmediate()
    }
  }

  /** Moves a few markets each minute, in turn. */
  async function addOdds(now: number): Promise<void> {
    const request = { filters: { status: ['open'] }, sort: 'createdAt:asc', limit: ODDS_PER_MINUTE }
    const { totalCount } = await store.predictionMarkets.page({ ...request, limit: 1, offset: 0 }, now)
    const turns = Math.max(1, Math.ceil(totalCount / ODDS_PER_MINUTE))
    const offset = (Math.floor(now / MINUTE) % turns) * ODDS_PER_MINUTE
    const page = await store.predictionMarkets.page({ ...request, offset }, now)
    for (const market of page.data.parse()) {
      const last = await store.predictionMarkets.lastOdds(market.id)
      const odds = last && nextOdds(market, last, now, seed)
      if (odds !== undefined) await store.predictionMarkets.recordOdds(market.id, odds, now)
    }
  }

  return {
    async step(now: number): Promise<void> {
      await addEntries(now)
      if (now < ticked + MINUTE) return
      ticked = now - (now % MINUTE)
      await addCandles(now)
      await addOdds(now)
    },
  }
}

function rawOf(entry: NewEntry) {
  const { title, content, excerpt, url, author, imageUrl, language } = entry
  const publisher = samplePublishers.find(({ id }) => id === entry.publisherId)
  const publishedAt = entry.publishedAt
  return { title, content, excerpt, url, author, imageUrl, language, publisher: { slug: publisher?.slug }, publishedAt }
}

/** Yields reports day after day, without end. */
function* liveReports(start: number): Generator<SampleReport, undefined> {
  for (let from = start; ; from += DAY) {
    yield* sampleReports({ count: DAY / ENTRY_EVERY, from, to: from + DAY, seed: `live:${from}` })
  }
}
