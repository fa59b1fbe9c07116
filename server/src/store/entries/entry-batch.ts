import { deserialize, serialize } from 'node:v8'
import type { Entry, NewEntry } from '../../model/entries.ts'
import { isoTime } from '../../model/time.ts'
import { joinedWords } from '../lists/search.ts'
import { ENTRY_COLUMNS } from './entry-columns.ts'

const LISTS = {
  ...ENTRY_COLUMNS,
  publisherId: ({ publisherId }) => publisherId,
  assetKeys: ({ assetKeys }) => assetKeys,
  topicSlugs: ({ topicSlugs }) => topicSlugs,
  publishedAt: ({ publishedAt }) => publishedAt,
  createdAt: ({ createdAt }) => createdAt,
  content: ({ content }) => content,
  assetScores: ({ assetScores }) => assetScores ?? null,
  words: wordsOf,
  /** The document. `createdAt` is its last field, because the store may have to replace it. */
  doc: docOf,
} satisfies Record<string, (entry: NewEntry) => unknown>

/**
 * New entries, prepared as far as possible without reading the store, so that another thread can do it. One list per
 * value: lists travel between threads several times faster than an object per entry.
 */
export type EntryBatch = { [Name in keyof typeof LISTS]: ReturnType<(typeof LISTS)[Name]>[] }

export function prepareEntries(entries: Iterable<NewEntry>): EntryBatch {
  const lists = Object.values<(entry: NewEntry) => unknown>(LISTS).map((derive) => ({
    derive,
    values: [] as unknown[],
  }))
  for (const entry of entries) {
    for (const { derive, values } of lists) values.push(derive(entry))
  }
  const names = Object.keys(LISTS)
  return Object.fromEntries(lists.map(({ values }, index) => [names[index], values])) as EntryBatch
}

/** Encodes a batch for another thread, which can be given the bytes without a copy. */
export const encodeBatch = (batch: EntryBatch): Uint8Array<ArrayBuffer> => serialize(batch)

export const decodeBatch = (bytes: Uint8Array): EntryBatch => deserialize(bytes)

/** Returns the words to index, joined by spaces. */
export function wordsOf({ title, content, excerpt }: Pick<NewEntry, 'title' | 'content' | 'excerpt'>): string {
  return joinedWords(`${title}\n${content ?? excerpt ?? ''}`)
}

/** Returns the document, with its fields in the order of the response. */
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
