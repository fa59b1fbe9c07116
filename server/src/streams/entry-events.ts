import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { Frame } from '../http/wire.ts'
import { LOG_KEPT_MS } from '../model/streams.ts'
import type { EntryEvent } from '../store/entries/entry-events.ts'
import type { EntryFilters } from '../store/entries/entry-filters.ts'
import { termsOf } from '../store/lists/filters.ts'
import { matchesWords } from '../store/lists/search.ts'
import type { Store } from '../store/store.ts'
import type { StreamSource } from './stream-source.ts'

const PAGE = 100

/** The filters of the list of entries. */
export type EntryStreamFilters = Omit<EntryFilters, 'inTopic'>

/** Filters whose search is parsed. Undefined terms have no words, and match nothing. */
export type EntryFilter = Omit<EntryStreamFilters, 'search'> & { terms?: ReturnType<typeof termsOf> }

/** Parses the search of a stream once, since every entry is compared with it. */
export function entryFilter({ search, ...filters }: EntryStreamFilters): EntryFilter {
  return search === undefined ? filters : { ...filters, terms: termsOf(search, filters.language) }
}

/** New and changed entries. */
export function entryEvents({ entries, changes }: Pick<Store, 'entries' | 'changes'>, clock: Clock) {
  const source: StreamSource<EntryEvent, EntryFilter> = {
    topic: 'changes',
    // The log has changes of other records, too, and only the last revision of an entry.
    isDense: false,
    head: () => changes.head(),
    oldest: () => entries.findChangeAt(clock.now() - LOG_KEPT_MS),

    async list(after, upTo) {
      const events = await entries.listEvents(after, upTo, PAGE)
      const last = events.length < PAGE ? undefined : events.at(-1)
      return { events, reached: last?.id ?? upTo }
    },

    async countPassing(filter, after, upTo, mayGoOn) {
      let count = 0
      for (let from = after; from < upTo && mayGoOn(); ) {
        const { events, reached } = await source.list(from, upTo)
        count += events.filter((event) => passes(filter, event)).length
        from = reached
        await setImmediate()
      }
      return count
    },

    passes,

    frameOf: ({ id, change, doc }) => new Frame(id, 'entry', `{"entry":${doc},"change":"${change}"}`),
  }
  return source
}

type Tests = { [Name in keyof EntryFilter]-?: (given: NonNullable<EntryFilter[Name]>, event: EntryEvent) => boolean }

/** What each filter of the list means for one entry. */
const TESTS: Tests = {
  terms: (terms, { words }) => matchesWords(terms, words),
  hasAssets: (hasAssets, { entry }) => entry.assetKeys.length > 0 === hasAssets,
  assetKey: (keys, { assets }) => assets.some(({ key }) => keys.includes(key)),
  ticker: (symbols, { assets }) => assets.some(({ symbol }) => symbols.includes(symbol)),
  symbol: (symbols, { assets }) => assets.some(({ symbol }) => symbols.includes(symbol)),
  assetId: (ids, { assets }) => assets.some(({ id }) => ids.includes(id)),
  topicSlug: (slugs, { topics }) => topics.some(({ slug }) => slugs.includes(slug)),
  topicId: (ids, { topics }) => topics.some(({ id }) => ids.includes(id)),
  author: (authors, { entry }) => authors.some((author) => author === entry.author),
  publisherSlug: (slugs, { publisher }) => slugs.includes(publisher.slug),
  publisherId: (ids, { publisher }) => ids.includes(publisher.id),
  countryCode: (codes, { countryCode }) => codes.some((code) => code === countryCode),
  language: (languages, { entry }) => languages.some((language) => language === entry.language),
  sentimentScoreMin: (least, { entry }) => entry.sentimentScore !== null && entry.sentimentScore >= least,
  sentimentScoreMax: (most, { entry }) => entry.sentimentScore !== null && entry.sentimentScore <= most,
  publishedAfter: (least, { entry }) => Date.parse(entry.publishedAt) >= least,
  publishedBefore: (most, { entry }) => Date.parse(entry.publishedAt) <= most,
}

function passes(filter: EntryFilter, event: EntryEvent): boolean {
  for (const name in filter) {
    const given = filter[name as keyof EntryFilter]
    if (given === undefined) {
      if (name === 'terms') return false
      continue
    }
    // The name selects a test that takes the value.
    const test = TESTS[name as keyof EntryFilter] as (given: unknown, event: EntryEvent) => boolean
    if (!test(given, event)) return false
  }
  return true
}
