import type { RawText } from '../../enrich/enrich.ts'
import { sentencesOf } from '../../enrich/text.ts'
import { cleanText } from '../../model/clean-text.ts'
import { normalizeField } from '../../model/field-formats.ts'
import { readTime, TIME_FORMS } from '../../model/given-time.ts'
import { type NewPublisher, PUBLISHER_TYPES } from '../../model/publishers.ts'
import { Refused } from '../../model/refused.ts'
import { DAY } from '../../model/time.ts'
import { webUrl } from '../../model/web-url.ts'

/** A cleaned item from a source, before enrichment. */
export interface RawEntry {
  title: string
  content: string | null
  excerpt: string | null
  url: string
  urlDomain: string
  author: string | null
  imageUrl: string | null
  /** As declared by the source. */
  language: string | null
  publisher: PublisherName
  /** Null if it is unknown or in the future; a new entry then has the time of arrival. */
  publishedAt: number | null
}

/** Returns the text to enrich; the excerpt replaces an unknown full text. */
export function textOf(entry: Pick<RawEntry, 'title' | 'content' | 'excerpt' | 'language'>): RawText {
  const { title, content, excerpt, language } = entry
  return { title, content: content ?? excerpt, language }
}

/** The publisher as named by a source; the domain defaults to that of the entry. */
export interface PublisherName {
  name: string | null
  slug: string | null
  domain: string
  /** For a publisher that is new. */
  countryCode?: string | null
  language?: string | null
  type?: NewPublisher['type'] | null
}

const LONGEST_TITLE = 500
export const LONGEST_CONTENT = 100_000
const LONGEST_EXCERPT = 400
const LONGEST_NAME = 200

/** Reads an entry from untrusted JSON; throws Refused with the reason. */
export function readRawEntry(value: unknown, now: number): RawEntry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refused('it is not a JSON object')
  const given = value as Record<string, unknown>
  const title = cleanText(text(given, 'title') ?? '', LONGEST_TITLE)
  if (title === '') throw new Refused('title is missing')
  const address = text(given, 'url')?.trim() ?? ''
  if (address === '') throw new Refused('url is missing')
  const url = webUrl(address)
  if (url === undefined) throw new Refused('url is not an http address')
  const content = cleanText(text(given, 'content') ?? '', LONGEST_CONTENT) || null
  const urlDomain = domainOf(url)
  return {
    title,
    content,
    excerpt: cleanText(text(given, 'excerpt') ?? '', LONGEST_EXCERPT) || (content && leadOf(content)),
    url: url.href,
    urlDomain,
    author: cleanText(text(given, 'author') ?? '', LONGEST_NAME) || null,
    imageUrl: optionalUrl(text(given, 'imageUrl')),
    language: text(given, 'language') ?? null,
    publisher: publisherOf(given.publisher, urlDomain),
    publishedAt: timeOf(given.publishedAt ?? given.time, now),
  }
}

/** Returns the text of a field; null counts as absent. */
function text(given: Record<string, unknown>, field: string): string | undefined {
  const value = given[field] ?? undefined
  if (value !== undefined && typeof value !== 'string') throw new Refused(`${field} is not a text`)
  return value
}

/** Returns null for an invalid URL: an image is no reason to refuse an entry. */
const optionalUrl = (value: string | undefined) => webUrl(value ?? '')?.href ?? null

const domainOf = (url: URL) => url.hostname.replace(/^www\./, '')

/** A later time is a wrong date; a few hours ahead are a matter of time zones. */
const LATEST_AHEAD = DAY

function timeOf(value: unknown, now: number): number | null {
  if (value === undefined || value === null || value === '') return null
  const time = readTime(value)
  if (time === undefined) throw new Refused(`publishedAt is not a time; ${TIME_FORMS}`)
  if (time < 0) throw new Refused('publishedAt is before 1970')
  if (time > now + LATEST_AHEAD) throw new Refused('publishedAt lies in the future')
  return time > now ? null : time
}

function publisherOf(value: unknown, domain: string): PublisherName {
  if (value === undefined || value === null) return { name: null, slug: null, domain }
  if (typeof value === 'string') return { name: cleanText(value, LONGEST_NAME) || null, slug: null, domain }
  if (typeof value !== 'object') throw new Refused('publisher is neither a text nor an object')
  const given = value as Record<string, unknown>
  return {
    name: cleanText(text(given, 'name') ?? '', LONGEST_NAME) || null,
    slug: formOrNull('slug', text(given, 'slug')),
    domain: formOrNull('domain', text(given, 'domain')) ?? domain,
    countryCode: formOrNull('countryCode', text(given, 'countryCode')),
    language: formOrNull('language', text(given, 'language')),
    type: PUBLISHER_TYPES.find((type) => type === given.type) ?? null,
  }
}

/** Returns null for an invalid value: the entry is taken without it. */
function formOrNull(field: 'slug' | 'domain' | 'countryCode' | 'language', given: string | undefined): string | null {
  try {
    return given === undefined || given.trim() === '' ? null : normalizeField(field, given.trim())
  } catch {
    return null
  }
}

/** Returns as many first sentences of a text as fit into an excerpt. */
function leadOf(content: string): string {
  if (content.length <= LONGEST_EXCERPT) return content
  const start = content.slice(0, LONGEST_EXCERPT)
  const whole = sentencesOf(content.slice(0, LONGEST_EXCERPT * 2)).findLast(({ end }) => end <= LONGEST_EXCERPT)
  if (whole !== undefined) return content.slice(0, whole.end)
  return `${start.slice(0, Math.max(start.lastIndexOf(' '), LONGEST_EXCERPT / 2)).toWellFormed()}…`
}
