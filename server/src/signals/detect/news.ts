import { DAY, HOUR } from '../../model/time.ts'
import { meanOf } from './figures.ts'
import type { EntryHappening } from './happening.ts'

/** Earlier days that the last 24 hours are compared with: four weeks, so that every day of the week counts alike. */
export const BASELINE_DAYS = 28
const DAY_HOURS = 24
const KEPT_HOURS = (BASELINE_DAYS + 1) * DAY_HOURS
const FORGET_HOURS = 24

/** How far back news is looked at: entries one by one, and their numbers by the hour. */
export const ENTRIES_MS = DAY
export const HOURS_MS = KEPT_HOURS * HOUR

export interface KnownEntry extends Pick<EntryHappening, 'id' | 'publisherId' | 'assetKeys' | 'sentimentScore'> {
  /** The hour that it counts in, from the epoch. */
  hour: number
}

/** An asset at a time, with its entries of the last 24 hours. */
export interface AssetMoment {
  assetKey: string
  name: string
  at: number
  recent: readonly KnownEntry[]
}

/** Of 24 hours. Sums of sentiment are whole millionths: added up in any order they are the same. */
export interface NewsDay {
  entries: number
  scored: number
  microSentiment: number
}

interface NewsHour extends NewsDay {
  hour: number
}

interface AssetNews {
  /** In the order in which they came. */
  recent: KnownEntry[]
  /** In the order of time, without those that have no entries. */
  hours: NewsHour[]
}

/**
 * The news about each asset: the entries of the last 24 hours, and how many there were in each hour of the weeks before.
 * An entry counts in the hour in which it was published. The last 24 hours are the hour that is running and 23 before it;
 * the days before them end at the same time of day, so that no rhythm of the day shows.
 */
export class News {
  readonly #assets = new Map<string, AssetNews>()
  readonly #entries = new Map<string, KnownEntry>()
  readonly #all: NewsHour[] = []
  #forgotten = 0

  add({ id, at, publishedAt, publisherId, assetKeys: mentioned, sentimentScore }: EntryHappening): void {
    this.#forget(at)
    const assetKeys = [...new Set(mentioned)]
    const entry = { id, publisherId, assetKeys, sentimentScore, hour: hourOf(Math.min(publishedAt, at)) }
    if (this.#entries.has(id) || entry.hour <= hourOf(at) - KEPT_HOURS) return
    const micro = Math.round((sentimentScore ?? 0) * 1e6)
    const counted = { entries: 1, scored: sentimentScore === null ? 0 : 1, microSentiment: micro }
    const isRecent = entry.hour > hourOf(at) - DAY_HOURS
    if (isRecent && assetKeys.length > 0) this.#entries.set(id, entry)
    for (const assetKey of assetKeys) {
      this.#count(assetKey, { hour: entry.hour, ...counted })
      if (isRecent) this.#newsOf(assetKey).recent.push(entry)
    }
  }

  /** Entries that came too long ago to be looked at one by one. */
  addHour(assetKey: string, time: number, counted: { entries: number; scored: number; sentimentSum: number }): void {
    const { entries, scored, sentimentSum } = counted
    this.#count(assetKey, { hour: hourOf(time), entries, scored, microSentiment: Math.round(sentimentSum * 1e6) })
  }

  /** One of the last 24 hours that mentions an asset. */
  find(id: string): KnownEntry | undefined {
    return this.#entries.get(id)
  }

  /** Of the last 24 hours, in the order in which they came. */
  recent(assetKey: string, at: number): KnownEntry[] {
    const from = hourOf(at) - DAY_HOURS
    return this.#assets.get(assetKey)?.recent.filter(({ hour }) => hour > from) ?? []
  }

  /** The last 24 hours, and the days before them, newest first. */
  days(assetKey: string, at: number): { today: NewsDay; before: NewsDay[] } {
    const today = emptyDay()
    const before = Array.from({ length: BASELINE_DAYS }, emptyDay)
    const days = [today, ...before]
    const last = hourOf(at)
    for (const { hour, entries, scored, microSentiment } of this.#assets.get(assetKey)?.hours ?? []) {
      const day = days[Math.floor((last - hour) / DAY_HOURS)]
      if (day === undefined) continue
      day.entries += entries
      day.scored += scored
      day.microSentiment += microSentiment
    }
    return { today, before }
  }

  /** Of all assets, the last 24 hours and the days before: where there are few, to know of none about an asset says little. */
  entriesByDay(at: number): number[] {
    const days = Array.from({ length: BASELINE_DAYS + 1 }, () => 0)
    const last = hourOf(at)
    for (const { hour, entries } of this.#all) {
      const day = Math.floor((last - hour) / DAY_HOURS)
      if (days[day] !== undefined) days[day] += entries
    }
    return days
  }

  /** How much is kept: entries and hours. */
  get size(): number {
    const kept = [...this.#assets.values()].map(({ recent, hours }) => 1 + recent.length + hours.length)
    return kept.reduce((sum, count) => sum + count, this.#entries.size + this.#all.length)
  }

  #count(assetKey: string, counted: NewsHour): void {
    addTo(this.#newsOf(assetKey).hours, counted)
    addTo(this.#all, counted)
  }

  #newsOf(assetKey: string): AssetNews {
    let news = this.#assets.get(assetKey)
    if (news === undefined) {
      news = { recent: [], hours: [] }
      this.#assets.set(assetKey, news)
    }
    return news
  }

  /** Now and then. What is looked at is chosen by its time; this only keeps memory small. */
  #forget(at: number): void {
    const now = hourOf(at)
    if (now < this.#forgotten + FORGET_HOURS) return
    this.#forgotten = now
    for (const [assetKey, news] of this.#assets) {
      dropOld(news.hours, now - KEPT_HOURS)
      news.recent = news.recent.filter(({ hour }) => hour > now - DAY_HOURS)
      if (news.hours.length === 0) this.#assets.delete(assetKey)
    }
    for (const [id, { hour }] of this.#entries) if (hour <= now - DAY_HOURS) this.#entries.delete(id)
    dropOld(this.#all, now - KEPT_HOURS)
  }
}

/** Null when no entry has a sentiment. */
export function meanTone({ scored, microSentiment }: NewsDay): number | null {
  return scored === 0 ? null : microSentiment / scored / 1e6
}

/** Of single entries; null when none has a sentiment. */
export function hourSentiment(entries: readonly Pick<KnownEntry, 'sentimentScore'>[]): number | null {
  return meanOf(entries.flatMap(({ sentimentScore }) => sentimentScore ?? []))
}

export function publishersOf(entries: readonly Pick<KnownEntry, 'publisherId'>[]): number {
  return new Set(entries.map(({ publisherId }) => publisherId)).size
}

const hourOf = (time: number) => Math.floor(time / HOUR)

const emptyDay = (): NewsDay => ({ entries: 0, scored: 0, microSentiment: 0 })

/** Most are of the last hour there is, or of one soon before it. */
function addTo(hours: NewsHour[], counted: NewsHour): void {
  let index = hours.length
  while (index > 0 && (hours[index - 1]?.hour ?? 0) > counted.hour) index -= 1
  const same = hours[index - 1]
  if (same?.hour !== counted.hour) {
    hours.splice(index, 0, { ...counted })
    return
  }
  same.entries += counted.entries
  same.scored += counted.scored
  same.microSentiment += counted.microSentiment
}

function dropOld(hours: NewsHour[], last: number): void {
  const first = hours.findIndex(({ hour }) => hour > last)
  hours.splice(0, first < 0 ? hours.length : first)
}
