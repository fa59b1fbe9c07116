import type { Entry, NewEntry } from '../../model/entries.ts'
import { isoTime } from '../../model/time.ts'
import { joinedWords } from '../lists/search.ts'

/**
 * New entries with everything written that needs no look into the store, so that another thread can prepare them.
 * One list per column: these travel between threads several times faster than an object for each entry.
 */
export interface EntryBatch {
  id: string[]
  publisherId: string[]
  language: (string | null)[]
  sentimentScore: (number | null)[]
  assetKeys: string[][]
  topicSlugs: string[][]
  publishedAt: number[]
  createdAt: number[]
  content: (string | null)[]
  /** The words that a search finds, with spaces between. */
  words: string[]
  /** The entry as it is answered. createdAt stands last, because the store may have to put a later one there. */
  doc: string[]
}

export function prepareEntries(entries: Iterable<NewEntry>): EntryBatch {
  const batch: EntryBatch = {
    id: [],
    publisherId: [],
    language: [],
    sentimentScore: [],
    assetKeys: [],
    topicSlugs: [],
    publishedAt: [],
    createdAt: [],
    content: [],
    words: [],
    doc: [],
  }
  for (const entry of entries) {
    batch.id.push(entry.id)
    batch.publisherId.push(entry.publisherId)
    batch.language.push(entry.language)
    batch.sentimentScore.push(entry.sentimentScore)
    batch.assetKeys.push(entry.assetKeys)
    batch.topicSlugs.push(entry.topicSlugs)
    batch.publishedAt.push(entry.publishedAt)
    batch.createdAt.push(entry.createdAt)
    batch.content.push(entry.content)
    batch.words.push(joinedWords(`${entry.title}\n${entry.content ?? entry.excerpt ?? ''}`))
    batch.doc.push(docOf(entry))
  }
  return batch
}

/** The fields in the order in which they are answered. */
function docOf(entry: NewEntry): string {
  const answered: Entry = {
    id: entry.id,
    title: entry.title,
    excerpt: entry.excerpt,
    url: entry.url,
    urlDomain: entry.urlDomain,
    author: entry.author,
    imageUrl: entry.imageUrl,
    language: entry.language,
    sentimentScore: entry.sentimentScore,
    assetKeys: entry.assetKeys,
    topicSlugs: entry.topicSlugs,
    publishedAt: isoTime(entry.publishedAt),
    createdAt: isoTime(entry.createdAt),
  }
  return JSON.stringify(answered)
}

const CREATED_AT = /"createdAt":"[^"]*"}$/

export function withCreatedAt(doc: string, createdAt: number): string {
  return doc.replace(CREATED_AT, `"createdAt":"${isoTime(createdAt)}"}`)
}
