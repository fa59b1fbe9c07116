import { decodeText } from './decode.ts'
import { type Feed, FeedError } from './feed.ts'
import { readJsonFeed } from './json-feed.ts'
import { readXmlFeed } from './xml-feed.ts'

/** A larger document would take too much time and memory. */
const MAX_BYTES = 32_000_000

/**
 * Reads RSS, RDF, Atom, CDF and JSON Feed. `contentType` is the HTTP header, `url` the address that relative links refer
 * to. Throws FeedError for a document that is not a feed; a broken or incomplete feed is read as far as possible.
 */
export function parseFeed(bytes: Uint8Array, options: { contentType?: string; url?: string } = {}): Feed {
  if (bytes.length > MAX_BYTES) throw new FeedError(`the document has more than ${MAX_BYTES} bytes`)
  const text = decodeText(bytes, options.contentType)
  const start = text.search(/\S/)
  if (start < 0) throw new FeedError('the document is empty')
  return text[start] === '{' ? readJsonFeed(text, options.url) : readXmlFeed(text, options.url)
}
