import { DAY, HOUR } from '../../model/time.ts'
import { meanOf } from './numbers.ts'
import type { EntryObservation } from './observation.ts'

/** Days that the last 24 hours are compared with: four weeks, so that every day of the week has the same weight. */
export const BASELINE_DAYS = 28
const DAY_HOURS = 24
const KEPT_HOURS = (BASELINE_DAYS + 1) * DAY_HOURS
const FORGET_HOURS = 24

/** Lookback for single entries and for hourly sums. */
export const ENTRIES_MS = DAY
export const HOURS_MS = KEPT_HOURS * HOUR

export interface KnownEntry extends Pick<EntryObservation, 'id' | 'publisherId' | 'assetKeys' | 'sentimentScore'> {
  /** Hours since the epoch. */
  hour: number
}

/** Asset at a time, with its entries of the last 24 hours. */
export interface AssetMoment {
  assetKey: string
  name: string
  at: number
  recent: readonly KnownEntry[]
}

/** Sums of 24 hours. Sentiment is in integer millionths, so that the sum does not depend on the order. */
export interface NewsDay {
  entries: number
  scored: number
  microSentiment: number
}

interface NewsHour extends NewsDay {
  hour: number
}

interface AssetNews {
  /** In the order of arrival. */
  recent: KnownEntry[]
  /** In ascending order, without empty hours. */
  hours: NewsHour[]
}

/**
 * News about each asset: entries of the last 24 hours, and hourly sums of the four weeks before. An entry counts in the hour of
 * its publication. The last 24 hours are the current hour and the 23 before it; earlier days end at the same time of day, so
 * that daily rhythms cancel out.
 */
export class News {
  readonly #assets = new Map<string, AssetNews>()
  readonly #entries = new Map<string, KnownEntry>()
  readonly #all: NewsHour[] = []
  #forgottenAt = 0

  add({ id, at, publishedAt, publisherId, assetKeys: mentioned, sentimentScore }: EntryObservation): void {
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

  /** Adds entries that are too old to be kept one by one. */
  addHour(assetKey: string, time: number, counted: { entries: number; scored: number; sentimentSum: number }): void {
    const { entries, scored, sentimentSum } = counted
    this.#count(assetKey, { hour: hourOf(time), entries, scored, microSentiment: Math.round(sentimentSum * 1e6) })
  }

  /** Returns an entry of the last 24 hours that mentions an asset. */
  find(id: string): KnownEntry | undefined {
    return this.#entries.get(id)
  }

  /** Returns the entries of the last 24 hours in the order of arrival. */
  recent(assetKey: string, at: number): KnownEntry[] {
    const from = hourOf(at) - DAY_HOURS
    return this.#assets.get(assetKey)?.recent.filter(({ hour }) => hour > from) ?? []
  }

  /** Returns the last 24 hours and the days before, newest first. */
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

  /** Returns the entries about all assets per day, newest first. If there are few, a day says little about a single asset. */
  entriesByDay(at: number): number[] {
    const days = Array.from({ length: BASELINE_DAYS + 1 }, () => 0)
    const last = hourOf(at)
    for (const { hour, entries } of this.#all) {
      const day = Math.floor((last - hour) / DAY_HOURS)
      if (days[day] !== undefined) days[day] += entries
    }
    return days
  }

  /** Number of entries and hours in memory. */
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

  /** Limits memory. Readers select by time, so it does not matter when old items are dropped. */
  #forget(at: number): void {
    const now = hourOf(at)
    if (now < this.#forgottenAt + FORGET_HOURS) return
    this.#forgottenAt = now
    for (const [assetKey, news] of this.#assets) {
      dropOld(news.hours, now - KEPT_HOURS)
      news.recent = news.recent.filter(({ hour }) => hour > now - DAY_HOURS)
      if (news.hours.length === 0) this.#assets.delete(assetKey)
    }
    for (const [id, { hour }] of this.#entries) if (hour <= now - DAY_HOURS) this.#entries.delete(id)
    dropOld(this.#all, now - KEPT_HOURS)
  }
}

/** Returns null if no entry has a sentiment. */
export function meanTone({ scored, microSentiment }: NewsDay): number | null {
  return scored === 0 ? null : microSentiment / scored / 1e6
}

/** Returns null if no entry has a sentiment. */
export function newsSentiment(entries: readonly Pick<KnownEntry, 'sentimentScore'>[]): number | null {
  return meanOf(entries.flatMap(({ sentimentScore }) => sentimentScore ?? []))
}

export function publishersOf(entries: readonly Pick<KnownEntry, 'publisherId'>[]): number {
  return new Set(entries.map(({ publisherId }) => publisherId)).size
}

const hourOf = (time: number) => Math.floor(time / HOUR)

const emptyDay = (): NewsDay => ({ entries: 0, scored: 0, microSentiment: 0 })

/** Searches from the end, because most entries belong to the last hours. */
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
