import { parseDate } from '../../model/dates.ts'
import { escapeHtml } from './clean-html.ts'
import { type Feed, FeedError, type FeedItem } from './feed.ts'
import { cleanContent, cleanName, cleanPerson, cleanUrl } from './fields.ts'

type Json = Record<string, unknown>

const MAX_BRACKETS = 1_000_000

/** Reads JSON Feed 1.0 and 1.1. */
export function readJsonFeed(text: string, url: string | undefined): Feed {
  const feed = parseObject(text)
  if (!Array.isArray(feed.items)) throw new FeedError('the JSON document has no items')
  const siteUrl = cleanUrl(textOf(feed.home_page_url), url)
  const language = cleanName(textOf(feed.language))
  const inherited = { base: url ?? siteUrl ?? undefined, language, author: authorOf(feed) }
  return {
    format: 'json',
    title: cleanName(textOf(feed.title)),
    description: cleanName(textOf(feed.description)),
    siteUrl,
    language,
    updateMinutes: null,
    items: feed.items.filter(isObject).map((item) => readItem(item, inherited)),
  }
}

function parseObject(text: string): Json {
  // Millions of empty objects would take seconds and a gigabyte to parse.
  if (countBrackets(text) > MAX_BRACKETS) throw new FeedError(`the document has more than ${MAX_BRACKETS} brackets`)
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new FeedError(`the document is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
  if (!isObject(value)) throw new FeedError('the JSON document is not an object')
  return value
}

function countBrackets(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index]
    if (sign === '{' || sign === '[') count += 1
  }
  return count
}

function readItem(
  item: Json,
  feed: { base: string | undefined; language: string | null; author: string | null },
): FeedItem {
  const full =
    cleanContent(textOf(item.content_html), feed.base) ?? cleanContent(escapeHtml(textOf(item.content_text)), feed.base)
  const summary = cleanContent(escapeHtml(textOf(item.summary)), feed.base)
  const attachments = Array.isArray(item.attachments) ? item.attachments.filter(isObject) : []
  const image = attachments.find(({ mime_type }) => textOf(mime_type).startsWith('image/'))
  const imageUrl = textOf(item.image) || textOf(item.banner_image) || textOf(image?.url)
  return {
    guid: textOf(item.id).trim() || null,
    title: cleanName(textOf(item.title)),
    url: cleanUrl(textOf(item.url) || textOf(item.external_url), feed.base) ?? permaLink(textOf(item.id)),
    content: full?.html ?? summary?.html ?? null,
    excerpt: full === undefined ? null : (summary?.html ?? null),
    author: authorOf(item) ?? feed.author,
    publisher: null,
    publishedAt: parseDate(textOf(item.date_published)) ?? parseDate(textOf(item.date_modified)) ?? null,
    language: cleanName(textOf(item.language)) ?? feed.language,
    imageUrl: cleanUrl(imageUrl, feed.base) ?? full?.imageUrl ?? null,
  }
}

/** Version 1.1 has `authors`, version 1.0 `author`. */
function authorOf(json: Json): string | null {
  const people = Array.isArray(json.authors) ? json.authors : [json.author]
  return (
    people
      .filter(isObject)
      .flatMap(({ name }) => cleanPerson(textOf(name)) ?? [])
      .join(', ') || null
  )
}

const permaLink = (id: string) => (/^https?:/i.test(id) ? id : null)

/** Numbers are accepted, for example as ids. */
const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
