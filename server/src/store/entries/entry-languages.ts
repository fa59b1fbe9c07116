import type { Db } from '../db.ts'
import type { Feed } from '../lists/feeds.ts'
import { ListQuery } from '../lists/list-query.ts'
import type { EntryFilters } from './entry-filters.ts'
import { ENTRY_LIST } from './entry-list.ts'

/** The number of entries in a language; null is for entries without a detected language. */
export interface LanguageCount {
  language: string | null
  entries: number
}

/** Returns the number of entries per language, most first. The totals are cached like those of pages. */
export async function countByLanguage(db: Db, feed: Feed): Promise<LanguageCount[]> {
  // Read before the languages: otherwise a language that is new at this head would be missing.
  const head = await feed.head()
  const total = async (filters: EntryFilters) => {
    const query = await ListQuery.for(db, ENTRY_LIST, filters, 'createdAt:desc')
    return query === undefined ? 0 : feed.total(JSON.stringify(filters), head, (from, to) => query.count(from, to))
  }
  const all = await total({})
  const counts: LanguageCount[] = []
  for (const { language } of await db.query<{ language: string }>(LANGUAGES_SQL)) {
    counts.push({ language, entries: await total({ language: [language] }) })
  }
  const known = counts.reduce((sum, { entries }) => sum + entries, 0)
  return [...counts, { language: null, entries: all - known }].filter(({ entries }) => entries > 0).sort(mostFirst)
}

/** Languages with the same number of entries are in the order of their codes, null last. */
function mostFirst(a: LanguageCount, b: LanguageCount): number {
  if (a.entries !== b.entries) return b.entries - a.entries
  return b.language === null || (a.language !== null && a.language < b.language) ? -1 : 1
}

/** Finds each language with one step in the index by language, instead of reading all of it. */
const LANGUAGES_SQL = `with recursive found (language) as (
    select min(language) from entries
    union all
    select (select min(e.language) from entries e where e.language > found.language)
    from found where found.language is not null
  )
  select language from found where language is not null`
