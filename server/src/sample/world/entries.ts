import type { NewEntry } from '../../model/entries.ts'
import { HOUR } from '../../model/time.ts'
import { arrivalTimes } from './arrival-times.ts'
import { writeEntryText } from './entry-text.ts'
import type { SampleEvent } from './events/event.ts'
import { type Newsroom, newsrooms, pickEvent } from './newsrooms.ts'
import { createOccurrence, type Occurrence } from './occurrence.ts'
import { createRandom, createSeriesId, createTimedId, type Random } from './random.ts'

export interface SampleEntriesOptions {
  count: number
  /** Epoch milliseconds; createdAt lies in [from, to). */
  from: number
  to: number
  /** Ids and URLs derive from it: two sets of entries in one store need different seeds. */
  seed: string | number
  /** Starts ids with createdAt, which keeps index writes local in large loads. Other ids are random. */
  hasTimedIds?: boolean
}

export function* sampleEntries(options: SampleEntriesOptions): Generator<NewEntry> {
  for (const { entry } of sampleReports(options)) yield entry
}

export interface SampleReport {
  entry: NewEntry
  occurrence: Occurrence
}

/** Yields the same entries, each with the occurrence it reports. Entries about one occurrence form a cluster. */
export function* sampleReports(options: SampleEntriesOptions): Generator<SampleReport> {
  const { count, from, to, seed, hasTimedIds = false } = options
  const random = createRandom(seed)
  const idOf = hasTimedIds ? createTimedId(String(seed)) : createSeriesId(String(seed))
  const occurrences = createOccurrencePicker(random)
  // A separate generator: the content does not depend on the arrival times.
  const jitter = createRandom(`rhythm:${seed}`)
  let index = 0
  for (const createdAt of arrivalTimes(count, from, to, jitter.next)) {
    const newsroom = random.weighted(newsrooms)
    const occurrence = occurrences.pick(newsroom, createdAt)
    yield { entry: writeEntry(random, newsroom, occurrence, idOf(index, createdAt), createdAt), occurrence }
    index++
  }
}

const REPEATED_SHARE = 0.4
const RECENT_COUNT = 48
const MAX_REPORTS = 8

/** Now and then every newsroom reports the same occurrence for some hours. */
const BIG_SHARE = 0.04
const BIG_STRENGTH = 0.5
const BIG_DURATION = 4 * HOUR
const BIG_PULL = 0.6
const MAX_BIG_REPORTS = 16

/** Picks what a newsroom reports: often a recent occurrence that others have reported, else a new one. */
function createOccurrencePicker(random: Random) {
  const recent: Coverage[] = []
  let created = 0
  let big: (Coverage & { at: number }) | undefined

  function pick(newsroom: Newsroom, at: number): Occurrence {
    if (big !== undefined && at < big.at + BIG_DURATION && random.chance(BIG_PULL)) {
      if (mayReport(newsroom, big, MAX_BIG_REPORTS)) return report(newsroom, big)
    }
    if (recent.length === RECENT_COUNT && random.chance(REPEATED_SHARE)) {
      for (let attempt = 0; attempt < 3; attempt++) {
        const known = random.pick(recent)
        if (mayReport(newsroom, known, MAX_REPORTS)) return report(newsroom, known)
      }
    }
    const occurrence = createOccurrence(random, created, pickEvent(random, newsroom), newsroom.home, at)
    const fresh = { occurrence, reporters: [newsroom] }
    recent[created % RECENT_COUNT] = fresh
    created++
    if (random.chance(BIG_SHARE) && occurrence.assets.length > 0 && occurrence.event.strength >= BIG_STRENGTH) {
      big = { ...fresh, at }
    }
    return occurrence
  }

  return { pick }
}

interface Coverage {
  occurrence: Occurrence
  reporters: Newsroom[]
}

function mayReport(newsroom: Newsroom, { occurrence, reporters }: Coverage, maxReports: number): boolean {
  return reporters.length < maxReports && !reporters.includes(newsroom) && newsroom.covers(occurrence.event)
}

function report(newsroom: Newsroom, { occurrence, reporters }: Coverage): Occurrence {
  reporters.push(newsroom)
  return occurrence
}

function writeEntry(
  random: Random,
  newsroom: Newsroom,
  occurrence: Occurrence,
  id: string,
  createdAt: number,
): NewEntry {
  const { publisher, wording } = newsroom
  const text = writeEntryText(random, wording, occurrence)
  const name = `${occurrence.event.kind}-${id.slice(0, 8)}${id.slice(9, 13)}`
  const publishedAt = createdAt - pickDelay(random)
  return {
    id,
    title: text.title,
    excerpt: random.chance(0.1) ? null : text.lead,
    content: text.content,
    url: `https://${publisher.domain}/${occurrence.year}/${name}`,
    urlDomain: publisher.domain,
    author: newsroom.hasAuthors && random.chance(0.8) ? pickAuthor(random, newsroom) : null,
    imageUrl: random.chance(0.7) ? `https://images.${publisher.domain}/${name}.jpg` : null,
    language: wording.language.code,
    sentimentScore: random.chance(0.05) ? null : pickSentiment(random, occurrence.event),
    publisherId: publisher.id,
    assetKeys: occurrence.assets.map((asset) => asset.key),
    topicSlugs: [...occurrence.topicSlugs],
    publishedAt,
    createdAt,
  }
}

/** Returns mostly minutes, from seconds to six hours, so the order of publication differs from the order of arrival. */
function pickDelay(random: Random): number {
  const delay = 240_000 * Math.exp(1.4 * random.normal())
  return Math.round(Math.min(Math.max(delay, 2000), 21_600_000))
}

/** Returns a score with the sign of the event's direction; neutral events stay within 0.14 of zero. */
function pickSentiment(random: Random, event: SampleEvent): number {
  if (event.direction === 'neutral') return round3(clamp(random.normal() * 0.05, -0.14, 0.14))
  const size = round3(clamp(event.strength + random.normal() * 0.13, 0.15, 0.98))
  return event.direction === 'positive' ? size : -size
}

function pickAuthor(random: Random, newsroom: Newsroom): string {
  const { authors, joiner } = newsroom.wording.language
  const given = random.pick(authors.given)
  const family = random.pick(authors.family)
  return authors.familyFirst === true ? `${family}${joiner}${given}` : `${given} ${family}`
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}

/** Adding zero turns -0 into 0. */
function round3(value: number): number {
  return Math.round(value * 1000) / 1000 + 0
}
