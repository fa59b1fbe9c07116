import { parseDate } from '../../model/dates.ts'
import { type Feed, FeedError, type FeedItem } from './feed.ts'
import { cleanContent, cleanName, cleanPerson, cleanUrl } from './fields.ts'
import { parseXml, type XmlElement } from './xml.ts'
import { htmlOf, textOf } from './xml-text.ts'

/**
 * The elements of each field in all formats, in order of preference. Names without a prefix are those of RSS, and of Atom
 * without its namespace.
 */
const DESCRIPTION = [
  'atom:subtitle',
  'atom:tagline',
  'subtitle',
  'tagline',
  'description',
  'abstract',
  'dc:description',
]
const TITLE = ['title', 'atom:title', 'dc:title', 'media:title', 'itunes:title']
const SUMMARY = [
  'description',
  'atom:summary',
  'summary',
  'dc:description',
  'abstract',
  'itunes:summary',
  'media:description',
]
const CONTENT = ['content:encoded', 'atom:content', 'content', 'fullitem', 'xhtml:body', 'body', 'encoded']
const AUTHOR = ['author', 'atom:author', 'dc:creator', 'dc:author', 'itunes:author', 'media:credit']
const DATE = [
  ...[
    'pubdate',
    'atom:published',
    'published',
    'atom:issued',
    'issued',
    'dcterms:issued',
    'dc:date',
    'prism:publicationdate',
  ],
  ...['atom:created', 'created', 'dcterms:created', 'atom:updated', 'updated', 'atom:modified', 'modified'],
  ...['dcterms:modified', 'date', 'lastbuilddate'],
]
const GUID = ['guid', 'atom:id', 'id', 'dc:identifier']
const LANGUAGE = ['language', 'dc:language']
const ITEM = ['item', 'atom:entry', 'entry']
/** Elements that contain items. */
const CONTAINER = ['channel', 'items']

const FORMATS: Record<string, Feed['format']> = {
  rss: 'rss',
  'rdf:rdf': 'rdf',
  'atom:feed': 'atom',
  'atom:entry': 'atom',
  feed: 'atom',
  entry: 'atom',
  channel: 'cdf',
}

/** Reads RSS, RDF, Atom and CDF. */
export function readXmlFeed(text: string, url: string | undefined): Feed {
  const root = parseXml(text, url)
  const format = FORMATS[root.name]
  if (format === undefined) throw new FeedError(`<${root.name}> is not the root of a feed`)
  const channel = find(root, ['channel']) ?? root
  const siteUrl = linkOf(channel) ?? urlAttribute(channel, 'href')
  const language = languageOf(channel)
  const isEntry = ITEM.includes(root.name)
  const context = { siteUrl: siteUrl ?? undefined, language, author: isEntry ? null : atomAuthorOf(root) }
  return {
    format,
    title: cleanName(fieldHtml(channel, TITLE)),
    description: cleanName(fieldHtml(channel, DESCRIPTION)),
    siteUrl,
    language,
    updateMinutes: updateMinutesOf(channel),
    items: (isEntry ? [root] : listItems(root)).map((item) => readItem(item, context)),
  }
}

/** Values of the feed that its items inherit. */
interface Context {
  siteUrl: string | undefined
  language: string | null
  author: string | null
}

function readItem(item: XmlElement, feed: Context): FeedItem {
  const base = item.base ?? feed.siteUrl
  const content = findContent(item, CONTENT, base)
  const summary = findContent(item, SUMMARY, base)
  const source = find(item, ['source', 'atom:source'])
  return {
    guid: guidOf(item),
    title: cleanName(fieldHtml(item, TITLE)),
    url: itemUrl(item, feed.siteUrl),
    content: content?.html ?? summary?.html ?? null,
    excerpt: content === undefined ? null : (summary?.html ?? null),
    author: authorOf(item) ?? (source && authorOf(source)) ?? feed.author,
    publisher: cleanName(fieldHtml(item, ['dc:publisher'])) ?? (source === undefined ? null : sourceName(source)),
    publishedAt: dateOf(item),
    language: languageOf(item) ?? feed.language,
    imageUrl: imageOf(item, base) ?? content?.imageUrl ?? summary?.imageUrl ?? null,
  }
}

function listItems(element: XmlElement): XmlElement[] {
  return element.elements.flatMap((child) => {
    if (ITEM.includes(child.name)) return [child]
    return CONTAINER.includes(child.name) ? listItems(child) : []
  })
}

/** Returns the first element of the first name that has one with content or attributes. */
function find(element: XmlElement, names: readonly string[]): XmlElement | undefined {
  for (const name of names) {
    const found = element.list(name).find((child) => !isEmpty(child))
    if (found !== undefined) return found
  }
  return undefined
}

function isEmpty(element: XmlElement): boolean {
  return (
    element.children.every((child) => typeof child === 'string' && child.trim() === '') &&
    Object.keys(element.attributes).length === 0
  )
}

function fieldHtml(element: XmlElement, names: readonly string[]): string {
  for (const name of names) {
    for (const child of element.list(name)) {
      const html = htmlOf(child)
      if (html.trim() !== '') return html
    }
  }
  return ''
}

function findContent(item: XmlElement, names: readonly string[], base: string | undefined) {
  for (const name of names) {
    for (const child of item.list(name)) {
      const content = cleanContent(htmlOf(child), child.base ?? base)
      if (content !== undefined) return content
    }
  }
  return undefined
}

/** Returns the link to the article. */
function itemUrl(item: XmlElement, siteUrl: string | undefined): string | null {
  const original = find(item, ['feedburner:origlink'])
  if (original !== undefined) return cleanUrl(textOf(original), original.base)
  return linkOf(item, siteUrl) ?? permaLinkOf(item) ?? urlAttribute(item, 'href') ?? urlAttribute(item, 'rdf:about')
}

/** Returns the last link of RSS, or the first one of Atom that leads to a page. */
function linkOf(element: XmlElement, siteUrl?: string): string | null {
  const plain = element.list('link').filter(isPageLink)
  const atom = element.list('atom:link').filter(isPageLink)
  const page = atom.find(({ attributes }) => /^$|html/.test(attributes.type ?? ''))
  const chosen = plain.findLast((link) => addressOf(link) !== '') ?? page ?? atom[0]
  return chosen === undefined ? null : cleanUrl(addressOf(chosen), chosen.base ?? siteUrl)
}

const isPageLink = ({ attributes }: XmlElement) => /^(?:|alternate)$/i.test(attributes.rel?.trim() ?? '')

const addressOf = (link: XmlElement) => link.attributes.href?.trim() || textOf(link).trim()

/** Returns the guid of RSS or the id of Atom, if it is the address of the item. */
function permaLinkOf(item: XmlElement): string | null {
  const guid = find(item, GUID)
  if (guid === undefined || /^false$/i.test(guid.attributes.ispermalink?.trim() ?? '')) return null
  const address = textOf(guid).trim()
  return /^https?:/i.test(address) ? cleanUrl(address, undefined) : null
}

function urlAttribute(element: XmlElement, name: string): string | null {
  return cleanUrl(element.attributes[name] ?? '', element.base)
}

function guidOf(item: XmlElement): string | null {
  const guid = find(item, GUID)
  return (guid === undefined ? item.attributes['rdf:about'] : textOf(guid))?.trim() || null
}

/** Returns the first kind of date that is valid; of several of a kind, the last one. */
function dateOf(item: XmlElement): number | null {
  for (const name of DATE) {
    for (const child of item.list(name).toReversed()) {
      const date = parseDate(textOf(child))
      if (date !== undefined) return date
    }
  }
  return parseDate(item.attributes.lastmod ?? '') ?? null
}

/** Returns the names of all authors. */
function authorOf(element: XmlElement): string | null {
  for (const name of AUTHOR) {
    const people = element.list(name).flatMap((person) => personOf(person) ?? [])
    if (people.length > 0) return [...new Set(people)].join(', ')
  }
  return null
}

function personOf(person: XmlElement): string | null {
  const name = fieldHtml(person, ['atom:name', 'name']) || fieldHtml(person, ['atom:email', 'email'])
  const hasParts = person.elements.some((child) => /^(?:atom:)?(?:name|email|ur[il]|homepage)$/.test(child.name))
  return cleanPerson(hasParts ? name : htmlOf(person))
}

/** Returns the author of an Atom feed, who is that of all entries without one (RFC 4287). */
function atomAuthorOf(root: XmlElement): string | null {
  const people = [...root.list('atom:author'), ...(root.name === 'feed' ? root.list('author') : [])]
  return people.flatMap((person) => personOf(person) ?? []).join(', ') || null
}

const sourceName = (source: XmlElement) =>
  cleanName(fieldHtml(source, TITLE)) ?? (source.name === 'source' ? cleanName(htmlOf(source)) : null)

function languageOf(element: XmlElement): string | null {
  return cleanName(fieldHtml(element, LANGUAGE)) ?? (element.language?.trim() || null)
}

function imageOf(item: XmlElement, base: string | undefined): string | undefined {
  const parents = [item, ...item.list('media:group')]
  const all = (name: string) => parents.flatMap((parent) => parent.list(name))
  const own = [
    ...all('media:content').filter(isImage),
    ...all('media:thumbnail'),
    ...all('enclosure').filter(isImage),
    ...all('atom:link').filter((link) => link.attributes.rel === 'enclosure' && isImage(link)),
    ...all('itunes:image'),
    ...all('image'),
    ...all('media:content').flatMap((content) => content.list('media:thumbnail')),
  ]
  for (const image of own) {
    const given = image.attributes.url ?? image.attributes.href ?? fieldHtml(image, ['url'])
    const url = cleanUrl(given, image.base ?? base)
    if (url !== null) return url
  }
  return undefined
}

function isImage({ attributes: { medium, type, url = '' } }: XmlElement): boolean {
  if (medium !== undefined || type !== undefined) return medium === 'image' || /^image\//.test(type ?? '')
  return /\.(?:jpe?g|png|gif|webp|avif)(?:\?|$)/i.test(url)
}

const PERIOD_MINUTES = new Map([
  ['hourly', 60],
  ['daily', 1_440],
  ['weekly', 10_080],
  ['monthly', 43_200],
  ['yearly', 525_600],
])

function updateMinutesOf(channel: XmlElement): number | null {
  const ttl = Number(textOf(find(channel, ['ttl'])))
  if (ttl > 0 && Number.isFinite(ttl)) return ttl
  const period = textOf(find(channel, ['sy:updateperiod']))
    .trim()
    .toLowerCase()
  const minutes = PERIOD_MINUTES.get(period)
  const frequency = Number(textOf(find(channel, ['sy:updatefrequency'])) || 1)
  return minutes === undefined || !(frequency > 0) ? null : minutes / frequency
}
