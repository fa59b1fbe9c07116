import type { NewEntry } from '../../model/entries.ts'
import { HOUR } from '../../model/time.ts'
import { type Desk, deskTable, pickEvent } from './desks.ts'
import type { SampleEvent } from './events/event.ts'
import { createOccurrence, type Occurrence } from './occurrence.ts'
import { createRandom, createSeriesId, createTimedId, type Random } from './random.ts'
import { moments } from './rhythm.ts'
import { writeText } from './text.ts'

export interface SampleEntriesOptions {
  count: number
  /** Epoch milliseconds; createdAt lies in [from, to). */
  from: number
  to: number
  /** Ids and urls follow from it: entries that are to live beside others need a seed of their own. */
  seed: string | number
  /** Ids that begin with createdAt, for very many entries; else they are spread all over. */
  hasTimedIds?: boolean
}

export function* sampleEntries(options: SampleEntriesOptions): Generator<NewEntry> {
  for (const { entry } of sampleReports(options)) yield entry
}

export interface SampleReport {
  entry: NewEntry
  story: Occurrence
}

/** The same entries, each with the story it tells: reports of one story are what a cluster is made of. */
export function* sampleReports(options: SampleEntriesOptions): Generator<SampleReport> {
  const { count, from, to, seed, hasTimedIds = false } = options
  const random = createRandom(seed)
  const idOf = hasTimedIds ? createTimedId(String(seed)) : createSeriesId(String(seed))
  const newsroom = createNewsroom(random)
  // A stream of its own, so that what is told does not depend on when.
  const jitter = createRandom(`rhythm:${seed}`)
  let index = 0
  for (const createdAt of moments(count, from, to, jitter.next)) {
    const desk = random.weighted(deskTable)
    const story = newsroom.storyFor(desk, createdAt)
    yield { entry: writeEntry(random, desk, story, idOf(index, createdAt), createdAt), story }
    index++
  }
}

const RETOLD_SHARE = 0.4
const MEMORY = 48
const MOST_REPORTS = 8

/** Now and then something happens that everybody writes about for some hours. */
const BIG_SHARE = 0.04
const BIG_STRENGTH = 0.5
const BIG_SPAN = 4 * HOUR
const BIG_PULL = 0.6
const MOST_BIG_REPORTS = 16

/** Gives a desk something to report: often a recent story that others have had, else a new one. */
function createNewsroom(random: Random) {
  const recent: ToldStory[] = []
  let told = 0
  let big: (ToldStory & { at: number }) | undefined

  function storyFor(desk: Desk, at: number): Occurrence {
    if (big !== undefined && at < big.at + BIG_SPAN && random.chance(BIG_PULL)) {
      if (isFor(desk, big, MOST_BIG_REPORTS)) return retell(desk, big)
    }
    if (recent.length === MEMORY && random.chance(RETOLD_SHARE)) {
      for (let attempt = 0; attempt < 3; attempt++) {
        const known = random.pick(recent)
        if (isFor(desk, known, MOST_REPORTS)) return retell(desk, known)
      }
    }
    const story = createOccurrence(random, told, pickEvent(random, desk), desk.home, at)
    const fresh = { story, tellers: [desk] }
    recent[told % MEMORY] = fresh
    told++
    if (random.chance(BIG_SHARE) && story.assets.length > 0 && story.event.strength >= BIG_STRENGTH) {
      big = { ...fresh, at }
    }
    return story
  }

  return { storyFor }
}

interface ToldStory {
  story: Occurrence
  tellers: Desk[]
}

function isFor(desk: Desk, { story, tellers }: ToldStory, mostReports: number): boolean {
  return tellers.length < mostReports && !tellers.includes(desk) && desk.covers(story.event)
}

function retell(desk: Desk, { story, tellers }: ToldStory): Occurrence {
  tellers.push(desk)
  return story
}

function writeEntry(random: Random, desk: Desk, story: Occurrence, id: string, createdAt: number): NewEntry {
  const { publisher, wording } = desk
  const text = writeText(random, wording, story)
  const name = `${story.event.kind}-${id.slice(0, 8)}${id.slice(9, 13)}`
  const publishedAt = createdAt - pickDelay(random)
  return {
    id,
    title: text.title,
    excerpt: random.chance(0.1) ? null : text.lead,
    content: text.content,
    url: `https://${publisher.domain}/${story.year}/${name}`,
    urlDomain: publisher.domain,
    author: desk.hasAuthors && random.chance(0.8) ? pickAuthor(random, desk) : null,
    imageUrl: random.chance(0.7) ? `https://images.${publisher.domain}/${name}.jpg` : null,
    language: wording.language.code,
    sentimentScore: random.chance(0.05) ? null : pickSentiment(random, story.event),
    publisherId: publisher.id,
    assetKeys: story.assets.map((asset) => asset.key),
    topicSlugs: [...story.topicSlugs],
    publishedAt,
    createdAt,
  }
}

/** Mostly minutes, from seconds to six hours: the order of publication is not the order of arrival. */
function pickDelay(random: Random): number {
  const delay = 240_000 * Math.exp(1.4 * random.normal())
  return Math.round(Math.min(Math.max(delay, 2000), 21_600_000))
}

/** Its sign is the direction of the event; neutral stays within 0.14 of zero. */
function pickSentiment(random: Random, event: SampleEvent): number {
  if (event.direction === 'neutral') return round3(clamp(random.normal() * 0.05, -0.14, 0.14))
  const size = round3(clamp(event.strength + random.normal() * 0.13, 0.15, 0.98))
  return event.direction === 'positive' ? size : -size
}

function pickAuthor(random: Random, desk: Desk): string {
  const { authors, joiner } = desk.wording.language
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
