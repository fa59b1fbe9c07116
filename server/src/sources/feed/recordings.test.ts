import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cleanText } from '../../model/clean-text.ts'
import { parseDate } from '../../model/dates.ts'
import { type Feed, FeedError, type FeedItem } from './feed.ts'
import { cleanPerson } from './fields.ts'
import { parseFeed } from './parse-feed.ts'

/** Recorded feeds of other projects, with the values that their parsers read. */
const RECORDINGS = join(import.meta.dirname, '../../../../../shared/data/feeds')
const skip = existsSync(RECORDINGS) ? false : 'no recorded feeds in ../shared/data/feeds'

type Expected = Record<string, unknown>
type Field = 'title' | 'url' | 'publishedAt' | 'author' | 'content'

/** Counts of a field: how many values are expected, and the ones that differ. */
class Score {
  #expected = 0
  readonly misses: string[] = []

  add(name: string, actual: unknown, expected: unknown): void {
    this.#expected += 1
    if (actual !== expected)
      this.misses.push(`${name}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`)
  }

  get text(): string {
    return `${this.#expected - this.misses.length} of ${this.#expected}`
  }

  get ratio(): number {
    return 1 - this.misses.length / this.#expected
  }
}

const bytesOf = (path: string) => readFileSync(join(RECORDINGS, path))
const jsonOf = (path: string): Expected => JSON.parse(bytesOf(path).toString())

/** Reads HTML as far as titles are: escaped twice at most. */
const plain = (text: string) => cleanText(cleanText(text))

describe('recorded feeds', { skip }, () => {
  test('gofeed: at least 95 % of the values of items', (t) => {
    const scores: Record<Field, Score> = {
      title: new Score(),
      url: new Score(),
      publishedAt: new Score(),
      author: new Score(),
      content: new Score(),
    }
    let feeds = 0
    for (const path of globSync('gofeed/**/*.{xml,json}', { cwd: RECORDINGS })) {
      const expectedPath = path
        .replace(/\.xml$/, '.json')
        .replace(/(?<!_expected)\.json$/, path.endsWith('.json') ? '_expected.json' : '.json')
      if (path === expectedPath || !existsSync(join(RECORDINGS, expectedPath))) continue
      feeds += 1
      const expected = jsonOf(expectedPath)
      const items = (expected.items ?? expected.entries ?? []) as Expected[]
      const feed = parseFeed(bytesOf(path))
      for (const [index, item] of items.entries()) addGofeedItem(scores, `${path} ${index}`, feed.items[index], item)
    }
    for (const [field, score] of Object.entries(scores)) {
      t.diagnostic(`gofeed, ${feeds} feeds, ${field}: ${score.text}`)
      for (const miss of score.misses) t.diagnostic(miss)
      assert.ok(score.ratio >= 0.95, field)
    }
  })

  test('feedparser: every title, link and date of an item', (t) => {
    const scores = { title: new Score(), link: new Score(), date: new Score() }
    const exceptions = new Set(Object.keys(FEEDPARSER_EXCEPTIONS))
    for (const line of bytesOf('feedparser/expected.jsonl').toString().trim().split('\n')) {
      const { file, headers, checks } = JSON.parse(line) as FeedparserCase
      let feed: Feed | undefined
      for (const { path, op, value } of checks) {
        const [first, index, ...rest] = path
        const field = FEEDPARSER_FIELDS[rest.filter((part) => typeof part === 'string').join('.')]
        if (first !== 'entries' || typeof index !== 'number' || field === undefined || op !== '==') continue
        feed ??= parseFeed(bytesOf(`feedparser/${file}`), optionsOf(file, headers))
        const [actual, expected] = comparable(field, feed.items[index], value)
        if (actual !== expected && exceptions.delete(file)) continue
        scores[field].add(file, actual, expected)
      }
    }
    for (const [field, score] of Object.entries(scores)) {
      t.diagnostic(`feedparser, ${field}: ${score.text}`)
      assert.deepEqual(score.misses, [], field)
    }
    assert.deepEqual([...exceptions], [], 'exceptions that are not needed')
  })

  test('miniflux, feedsmith and all others: a feed, or a FeedError', (t) => {
    let read = 0
    const failures: string[] = []
    for (const path of globSync('**/*.*', { cwd: RECORDINGS, withFileTypes: true })) {
      if (!path.isFile()) continue
      try {
        parseFeed(readFileSync(join(path.parentPath, path.name)))
        read += 1
      } catch (error) {
        if (!(error instanceof FeedError)) throw error
        failures.push(`${path.name}: ${error.message}`)
      }
    }
    t.diagnostic(`${read} feeds read, ${failures.length} files refused`)
    const feeds = failures.filter((failure) => /\.(?:xml|rss|atom):/.test(failure.slice(0, failure.indexOf(' '))))
    for (const failure of feeds) t.diagnostic(failure)
  })
})

function addGofeedItem(
  scores: Record<Field, Score>,
  name: string,
  item: FeedItem | undefined,
  expected: Expected,
): void {
  const text = (value: unknown) => (typeof value === 'string' ? plain(value) : undefined)
  const add = (field: Field, actual: unknown, value: unknown) => {
    if (value !== undefined && value !== '') scores[field].add(name, actual, value)
  }
  const links = (expected.links ?? []) as (string | { href?: string; rel?: string })[]
  const page = links.find((link) => typeof link !== 'string' && link.rel === 'alternate')
  const content = expected.content ?? expected.content_html ?? expected.description ?? expected.summary
  const [person] = (expected.authors ?? [expected.author]) as (string | Record<string, string> | undefined)[]
  const author = typeof person === 'object' ? (person.name ?? person.email) : person
  const date = expected.publishedParsed ?? expected.pubDateParsed ?? expected.date_published ?? expected.updatedParsed
  add('title', item?.title, text(expected.title))
  add('url', item?.url, expected.link ?? expected.url ?? (typeof page === 'object' ? page.href : undefined))
  add('publishedAt', item?.publishedAt, typeof date === 'string' ? parseDate(date) : undefined)
  add('author', item?.author?.split(', ')[0], author === undefined ? undefined : cleanPerson(author))
  add('content', plain(item?.content ?? ''), text(typeof content === 'object' ? (content as Expected).value : content))
}

interface FeedparserCase {
  file: string
  headers: Record<string, string>
  checks: { path: (string | number)[]; op: string; value: unknown }[]
}

const FEEDPARSER_FIELDS: Record<string, 'title' | 'link' | 'date'> = {
  title: 'title',
  'title_detail.value': 'title',
  link: 'link',
  published: 'date',
  published_parsed: 'date',
  updated: 'date',
  updated_parsed: 'date',
  created: 'date',
  created_parsed: 'date',
  expired: 'date',
  expired_parsed: 'date',
}

const EXPIRY = 'the end of validity is not a time of publication'
const FEEDPARSER_EXCEPTIONS: Record<string, string> = {
  'wellformed/rss/item_expirationDate.xml': EXPIRY,
  'wellformed/rss/item_expirationDate_multiple_values.xml': EXPIRY,
  'wellformed/rss/item_expirationDate_parsed.xml': EXPIRY,
}

/** feedparser serves its tests from this address. */
function optionsOf(file: string, headers: Record<string, string>): { contentType?: string; url: string } {
  const url = new URL(headers['content-location'] ?? '', `http://127.0.0.1:8097/tests/${file}`).href
  const contentType = headers['content-type']
  return contentType === undefined ? { url } : { url, contentType }
}

function comparable(field: 'title' | 'link' | 'date', item: FeedItem | undefined, value: unknown): [unknown, unknown] {
  if (field === 'title') return [plain(item?.title ?? ''), plain(String(value))]
  if (field === 'link') return [item?.url, value]
  const [year = 0, month = 1, ...rest] = Array.isArray(value) ? value : []
  return [
    item?.publishedAt,
    typeof value === 'string' ? parseDate(value) : Date.UTC(year, month - 1, ...rest.slice(0, 4)),
  ]
}
