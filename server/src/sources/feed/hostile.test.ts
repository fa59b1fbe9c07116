import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuTimer } from '../../../test/cpu-time.ts'
import { discoverFeeds } from './discover.ts'
import { type Feed, FeedError } from './feed.ts'
import { parseFeed } from './parse-feed.ts'

const item = (fields: string) => `<rss version="2.0"><channel><item><title>Oil</title>${fields}</item></channel></rss>`

/** Returns the feed, or undefined for a FeedError. */
function tryParse(document: string | Uint8Array): Feed | undefined {
  try {
    return parseFeed(typeof document === 'string' ? Buffer.from(document) : document)
  } catch (error) {
    if (error instanceof FeedError) return undefined
    throw error
  }
}

test('declared entities are neither expanded nor fetched', () => {
  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('\n')
  const doctype = `<!DOCTYPE rss [<!ENTITY l0 "lol"> ${laughs} <!ENTITY file SYSTEM "file:///etc/passwd">]>`
  const feed = tryParse(`<?xml version="1.0"?>${doctype}${item('<description>&l9; &file; end</description>')}`)
  assert.deepEqual(
    feed?.items.map(({ title, content }) => ({ title, content })),
    [{ title: 'Oil', content: '&amp;l9; &amp;file; end' }],
  )
})

test('large repetitions take linear time and give a feed or a FeedError', () => {
  const size = 1_000_000
  const of = (text: string) => text.repeat(size / text.length)
  const documents = [
    ...['<', '&', '{', '[', '\0', ' ', '<!--', '<?', '<![CDATA[', '<!DOCTYPE a [', ']', '<rss ', '{"items":['].map(of),
    ...['<', '&', '&lt;', '<a>', '<a/>', '</a>', '<a b="', '<!--', '<![CDATA[', '<item>', '<title/>'].map((text) =>
      item(of(text)),
    ),
    item(`${'<b>'.repeat(200)}${of('</a>')}`),
    ...['<b>', '</p>', '<form>', '<p', '&#', '<script>', '<svg>'].map((text) =>
      item(`<description><![CDATA[${of(text)}]]></description>`),
    ),
    ...['(', '<a@', '\u0301', '1 '].map((text) => item(`<author>${of(text)}</author><pubDate>${of(text)}</pubDate>`)),
    `<rss ${Array.from({ length: 100_000 }, (_, n) => `a${n}=""`).join(' ')}>`,
    `{"items":[${of('{},')}{}]}`,
    item(`<author>&lt;${of('@')}</author><description mode="base64">a${of(' ')}!</description>`),
    item(`<description>${'<b>'.repeat(200)}${of('a')}${'</b>'.repeat(200)}</description>`),
  ]
  const isFast = (work: () => unknown) => {
    const cpuMs = cpuTimer()
    work()
    return cpuMs() < 2_000
  }
  // Twice, because the garbage of earlier documents may be collected during the first one.
  const isTwiceSlow = (work: () => unknown) => !isFast(work) && !isFast(work)
  const slow = documents.filter((document) => isTwiceSlow(() => tryParse(document)))
  assert.deepEqual(
    slow.map((document) => document.slice(0, 80)),
    [],
  )
  assert.ok(!isTwiceSlow(() => discoverFeeds(of('<a>'), 'https://news.example/')))
})

test('too large and too deep documents are refused with the reason', () => {
  assert.throws(() => parseFeed(Buffer.alloc(32_000_001, '<')), /more than 32000000 bytes/)
  assert.throws(() => parseFeed(Buffer.from(item('<a>'.repeat(1_000)))), /nested more than 250 deep/)
  assert.throws(() => parseFeed(Buffer.from('<html><body>Not found</body></html>')), /<html> is not the root of a feed/)
  assert.throws(() => parseFeed(Buffer.from('Not found')), /neither XML nor JSON/)
  assert.throws(() => parseFeed(new Uint8Array()), /is empty/)
  assert.throws(() => parseFeed(Buffer.from('{"title": ')), /not valid JSON/)
})

const FIXTURES = [
  '<?xml version="1.0" encoding="windows-1251"?><!DOCTYPE rss><rss xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><link>https://news.example</link><item><title>A &amp;amp; B</title><link>/a</link><pubDate>Thu, 01 Jan 2004 19:48:21 GMT</pubDate><description><![CDATA[<p onclick="x()">Oil<script>alert(1)</script></p>]]></description><dc:creator>Ann (a@b.example)</dc:creator></item></channel></rss>',
  '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://news.example/" xml:lang="en"><entry><title type="html">&lt;b&gt;Oil&lt;/b&gt;</title><link rel="alternate" href="a"/><updated>2004-01-01T19:48:21Z</updated><author><name>Ann</name></author><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Oil</p><style>p {}</style></div></content></entry></feed>',
  '{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","url":"https://news.example/a","content_html":"<p>Oil</p>","date_published":"2004-01-01T19:48:21Z","authors":[{"name":"Ann"}]}]}',
].map((text) => Buffer.from(text))

test('any mutation of a feed gives a feed without scripts, or a FeedError', () => {
  const mutation = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat(30),
    added: fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc
        .constantFrom('<', '>', '&', '"', ']]>', '<!--', '<script>', '</', '<item>', '\\u0000')
        .map((text) => Buffer.from(text)),
    ),
  })
  fc.assert(
    fc.property(fc.constantFrom(...FIXTURES), fc.array(mutation, { maxLength: 5 }), (fixture, mutations) => {
      let bytes: Uint8Array = fixture
      for (const { at, removed, added } of mutations) {
        const start = Math.floor(at * bytes.length)
        bytes = Buffer.concat([bytes.subarray(0, start), added, bytes.subarray(start + removed)])
      }
      for (const { content, title } of tryParse(bytes)?.items ?? []) {
        assert.doesNotMatch(content ?? '', /<(?:script|style)|onclick=/i)
        assert.notEqual(title, '')
      }
    }),
    { numRuns: 300 },
  )
})

test('any bytes give a feed or a FeedError', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void tryParse(bytes)))
  fc.assert(
    fc.property(
      fc.jsonValue(),
      (value) => void tryParse(JSON.stringify({ items: [value, { url: value, title: value }] })),
    ),
  )
})

test('a cut document gives the items before the cut, and no half of an address', () => {
  const [rss = Buffer.of()] = FIXTURES
  for (let length = 0; length < rss.length; length += 1) {
    const url = tryParse(rss.subarray(0, length))?.items[0]?.url
    assert.ok(url === undefined || url === null || url === 'https://news.example/a', `${length}: ${url}`)
  }
})
