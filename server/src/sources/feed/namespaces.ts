/** The usual prefixes of namespaces. Elements of RSS have none in any of its versions. */
const PREFIXES: Record<string, readonly string[]> = {
  '': [
    'http://purl.org/rss/1.0/',
    'http://purl.org/net/rss1.1#',
    'http://my.netscape.com/rdf/simple/0.9/',
    'http://my.netscape.com/publish/formats/rss-0.91.dtd',
    'http://channel.netscape.com/rdf/simple/0.9/',
    'http://backend.userland.com/rss',
    'http://backend.userland.com/rss2',
    'http://backend.userland.com/rss091',
    'http://blogs.law.harvard.edu/tech/rss',
    'http://cyber.law.harvard.edu/rss/rss.html',
  ],
  'atom:': [
    'http://www.w3.org/2005/atom',
    'http://purl.org/atom/ns#',
    'http://example.com/newformat#',
    'http://example.com/necho',
    'http://purl.org/echo/',
    'uri/of/echo/namespace#',
    'http://purl.org/pie/',
  ],
  'rdf:': ['http://www.w3.org/1999/02/22-rdf-syntax-ns#'],
  'content:': ['http://purl.org/rss/1.0/modules/content/'],
  'dc:': [
    'http://purl.org/dc/elements/1.1/',
    'http://purl.org/dc/elements/1.0/',
    'http://purl.org/rss/1.0/modules/dc/',
  ],
  'dcterms:': ['http://purl.org/dc/terms/', 'http://purl.org/rss/1.0/modules/dcterms/'],
  'sy:': ['http://purl.org/rss/1.0/modules/syndication/'],
  'media:': ['http://search.yahoo.com/mrss/', 'http://search.yahoo.com/mrss', 'http://video.search.yahoo.com/mrss/'],
  'itunes:': ['http://www.itunes.com/dtds/podcast-1.0.dtd', 'http://example.com/dtds/podcast-1.0.dtd'],
  'feedburner:': ['http://rssnamespace.org/feedburner/ext/1.0'],
  'prism:': ['http://prismstandard.org/namespaces/1.2/basic/', 'http://prismstandard.org/namespaces/basic/2.0/'],
  'xhtml:': ['http://www.w3.org/1999/xhtml'],
  'svg:': ['http://www.w3.org/2000/svg'],
  'math:': ['http://www.w3.org/1998/math/mathml'],
}

const PREFIX_OF = new Map(Object.entries(PREFIXES).flatMap(([prefix, uris]) => uris.map((uri) => [uri, prefix])))

/** Returns the usual prefix of a namespace; of an unknown or undeclared namespace, the prefix that the document uses. */
export function namespacePrefix(prefix: string, uri: string | undefined): string {
  const known = uri === undefined ? undefined : PREFIX_OF.get(uri.trim().toLowerCase())
  return known ?? (prefix === '' ? '' : `${prefix}:`)
}
