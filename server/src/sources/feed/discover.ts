import { Parser } from 'htmlparser2'

const FEED_TYPES = /^(?:application|text)\/(?:(?:rss|atom|rdf|x\.atom)\+xml|feed\+json|rss|atom)$/

/** Returns the addresses of the feeds that a page links to, in its order. */
export function discoverFeeds(html: string, url: string): string[] {
  let base = url
  let depth = 0
  const addresses = new Set<string>()
  const parser = new Parser({
    onopentag(name, { href = '', rel = '', type = '' }) {
      depth += 1
      if (depth > MAX_DEPTH) parser.pause()
      if (name === 'base') base = URL.parse(href.trim(), url)?.href ?? url
      const isFeed = /(?:^|\s)(?:alternate|feed)(?:\s|$)/i.test(rel) && FEED_TYPES.test(typeOf(type))
      const address = name === 'link' && isFeed && href !== '' ? URL.parse(href.trim(), base) : null
      if (address !== null && /^https?:$/.test(address.protocol)) addresses.add(address.href)
    },
    onclosetag() {
      depth -= 1
    },
  })
  parser.end(html.slice(0, LONGEST_HEAD))
  return [...addresses]
}

/** The links are near the beginning of a page. */
const LONGEST_HEAD = 500_000
/** The parser's time per tag grows with the depth. */
const MAX_DEPTH = 1_000

const typeOf = (type: string) => (type.split(';')[0] ?? '').trim().toLowerCase()
