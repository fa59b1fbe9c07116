import assert from 'node:assert/strict'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import { cpuTimer } from '../../../test/cpu-time.ts'
import type { FeedItem } from './feed.ts'
import { parseFeed } from './parse-feed.ts'

const AT = Date.parse('2026-03-01T08:30:00Z')

const NOTHING: FeedItem = {
  guid: null,
  title: null,
  url: null,
  content: null,
  excerpt: null,
  author: null,
  publisher: null,
  publishedAt: null,
  language: null,
  imageUrl: null,
}

const parse = (document: string, options?: { contentType?: string; url?: string }) =>
  parseFeed(Buffer.from(document), options)

const rss = (fields: string, attributes = '') =>
  `<rss version="2.0" ${attributes}><channel><item>${fields}</item></channel></rss>`
const atom = (fields: string, attributes = '') =>
  `<feed xmlns="http://www.w3.org/2005/Atom" ${attributes}><entry>${fields}</entry></feed>`

const itemOf = (document: string, url?: string) => parse(document, url === undefined ? {} : { url }).items[0] ?? NOTHING

test('RSS 2.0 with its usual modules', () => {
  const feed = parse(`<?xml version="1.0"?>
    <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/">
      <channel>
        <title>Markets</title><link>https://news.example/</link><description>All &amp;amp; more</description>
        <language>en-gb</language><ttl>15</ttl>
        <item>
          <guid isPermaLink="false">a1</guid>
          <title><![CDATA[Oil & gas <b>slip</b>]]></title>
          <link>https://news.example/a?utm_source=rss</link>
          <description>Brent fell.</description>
          <content:encoded><![CDATA[<p>Brent fell <a href="/b" onclick="x()">again</a>.</p><script>x()</script>]]></content:encoded>
          <author>ann@news.example (Ann Lee)</author>
          <source url="https://wire.example/rss">The Wire</source>
          <pubDate>Mon, 01 Mar 2026 10:30:00 +02:00</pubDate>
          <media:content url="https://news.example/oil.jpg" medium="image"/>
        </item>
        <item/>
      </channel>
    </rss>`)
  assert.deepEqual(feed, {
    format: 'rss',
    title: 'Markets',
    description: 'All & more',
    siteUrl: 'https://news.example/',
    language: 'en-gb',
    updateMinutes: 15,
    items: [
      {
        guid: 'a1',
        title: 'Oil & gas slip',
        url: 'https://news.example/a?utm_source=rss',
        content: '<p>Brent fell <a href="https://news.example/b">again</a>.</p>',
        excerpt: 'Brent fell.',
        author: 'Ann Lee',
        publisher: 'The Wire',
        publishedAt: AT,
        language: 'en-gb',
        imageUrl: 'https://news.example/oil.jpg',
      },
      { ...NOTHING, language: 'en-gb' },
    ],
  })
})

test('Atom 1.0 with inherited base, language and author', () => {
  const feed = parse(`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://news.example/blog/" xml:lang="de">
      <title type="html">M&amp;auml;rkte</title><link rel="self" href="feed"/><link href="."/>
      <author><name>Ann</name><email>ann@news.example</email></author>
      <entry>
        <id>tag:1</id><title>Öl</title>
        <link rel="enclosure" href="a.mp3"/><link rel="alternate" type="text/html" href="a"/>
        <published>2026-03-01T08:30:00Z</published><updated>2026-03-02T08:30:00Z</updated>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">1 &lt; 2 <img src="i.png"/></div></content>
      </entry>
    </feed>`)
  assert.deepEqual([feed.format, feed.title, feed.siteUrl], ['atom', 'Märkte', 'https://news.example/blog/'])
  assert.deepEqual(feed.items, [
    {
      ...NOTHING,
      guid: 'tag:1',
      title: 'Öl',
      url: 'https://news.example/blog/a',
      content: '<div>1 &lt; 2 <img src="https://news.example/blog/i.png"></div>',
      author: 'Ann',
      publishedAt: AT,
      language: 'de',
      imageUrl: 'https://news.example/blog/i.png',
    },
  ])
})

test('RDF, Atom 0.3, CDF and JSON Feed', () => {
  const documents = {
    rdf: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:r="http://purl.org/rss/1.0/" xmlns:d="http://purl.org/dc/elements/1.1/">
      <r:channel><r:title>M</r:title></r:channel>
      <r:item><r:title>Oil</r:title><r:link>https://news.example/a</r:link><d:date>2026-03-01T08:30Z</d:date><d:creator>Ann</d:creator></r:item></rdf:RDF>`,
    atom: `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><title mode="base64">T2ls</title>
      <link href="https://news.example/a"/><issued>2026-03-01T08:30:00Z</issued><author><name>Ann</name></author></entry></feed>`,
    cdf: '<CHANNEL><ITEM HREF="https://news.example/a" LASTMOD="2026-03-01T08:30"><TITLE>Oil</TITLE><AUTHOR>Ann</AUTHOR></ITEM></CHANNEL>',
    json: '{"version":"https://jsonfeed.org/version/1","items":[{"title":"Oil","url":"https://news.example/a","date_published":"2026-03-01T08:30:00Z","author":{"name":"Ann"}}]}',
  }
  for (const [format, document] of Object.entries(documents)) {
    const feed = parse(document)
    assert.equal(feed.format, format)
    const { title, url, publishedAt, author } = feed.items[0] ?? NOTHING
    assert.deepEqual([title, url, publishedAt, author], ['Oil', 'https://news.example/a', AT, 'Ann'], format)
  }
})

test('a plain text of JSON Feed is escaped, for contents are HTML', () => {
  const json = { items: [{ id: 7, content_text: 'a <b> & c', summary: 's', external_url: '/x' }] }
  const item = itemOf(JSON.stringify(json), 'https://news.example/feed.json')
  assert.deepEqual([item.guid, item.content, item.url], ['7', 'a &lt;b&gt; &amp; c', 'https://news.example/x'])
})

test('the link is that of the article', () => {
  const links: [string, string | null][] = [
    [rss('<link>/a</link>'), 'https://news.example/a'],
    [rss('<link>a</link>', 'xml:base="https://other.example/x/"'), 'https://other.example/x/a'],
    [rss('<link>https://a.example/?a=1&amp;amp;b=2</link>'), 'https://a.example/?a=1&b=2'],
    [rss('<guid>https://a.example/g</guid>'), 'https://a.example/g'],
    [rss('<guid isPermaLink="false">https://a.example/g</guid>'), null],
    [rss('<guid>g</guid>'), null],
    [rss('<link>https://a.example/l</link><guid>https://a.example/g</guid>'), 'https://a.example/l'],
    [
      rss('<link>https://f.example</link><feedburner:origLink>https://a.example/o</feedburner:origLink>'),
      'https://a.example/o',
    ],
    [rss('<image><link>https://a.example/i</link></image>'), null],
    [
      atom('<link rel="alternate" type="text/html" href="a"/><link rel="alternate" href="b"/>'),
      'https://news.example/a',
    ],
    [
      atom('<link rel="alternate" type="application/pdf" href="p"/><link type="text/html" href="a"/>'),
      'https://news.example/a',
    ],
    [atom('<link rel="self" href="s"/>'), null],
    [atom('<link>https://a.example/t</link>'), 'https://a.example/t'],
  ]
  for (const [document, url] of links) assert.equal(itemOf(document, 'https://news.example/feed').url, url, document)
})

test('titles are plain text, however they are escaped', () => {
  for (const title of [
    'Q&amp;A: oil',
    'Q&amp;amp;A: oil',
    '<![CDATA[Q&amp;A: oil]]>',
    '<![CDATA[Q&A: <i>oil</i>]]>',
    'Q&amp;A: &lt;i&gt;oil&lt;/i&gt;',
    'Q&amp;amp;A: &amp;lt;i&amp;gt;oil&amp;lt;/i&amp;gt;',
    'Q&amp;A: <i>oil</i>',
    'Q&A:\n&nbsp; oil',
  ]) {
    assert.equal(itemOf(rss(`<title>${title}</title>`)).title, 'Q&A: oil', title)
    assert.equal(itemOf(atom(`<title type="html">${title}</title>`)).title, 'Q&A: oil', title)
  }
  assert.equal(itemOf(rss('<title>3 &lt; 5</title>')).title, '3 < 5')
})

test('people are named without their addresses', () => {
  for (const author of ['a@b.example (Ann)', 'Ann (a@b.example)', 'Ann &lt;a@b.example&gt;', '<b>Ann</b>', ' Ann ']) {
    assert.equal(itemOf(rss(`<author>${author}</author>`)).author, 'Ann', author)
  }
  assert.equal(itemOf(rss('<author>a@b.example</author>')).author, 'a@b.example')
  assert.equal(itemOf(rss('<dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator>')).author, 'Ann, Bob')
})

test('contents lose what is not text', () => {
  const content = (html: string) => itemOf(rss(`<description><![CDATA[${html}]]></description>`)).content
  assert.equal(
    content('<p style="x" onclick="y">a<script>b</script><style>c</style><iframe src="d"></iframe></p>'),
    '<p>a</p>',
  )
  assert.equal(content('<a href="javascript:alert(1)">a</a><img src="data:x">'), '<a>a</a><img>')
  assert.equal(content('<custom>a</custom><svg><title>b</title></svg>'), 'a')
  assert.equal(content('a<img src="https://count.example/p" width="1" height="1">'), 'a')
  assert.equal(content('<script>a</script>'), null)
})

test('the bytes decide about the encoding where they can', () => {
  const text = 'Рубль укрепился к доллару на открытии торгов'
  const document = (encoding: string) =>
    `\n<?xml version="1.0" encoding="${encoding}"?><rss><channel><item><title>${text}</title></item></channel></rss>`
  const cases: [actual: string, declared: string, contentType?: string][] = [
    ['utf-8', 'utf-8'],
    ['utf-8', 'windows-1251'],
    ['utf-8', 'windows-1251', 'text/xml; charset=koi8-r'],
    ['windows-1251', 'windows-1251'],
    ['windows-1251', 'utf-8'],
    ['windows-1251', 'unknown-1'],
    ['windows-1251', 'utf-8', 'text/xml; charset="windows-1251"'],
    ['windows-1251', 'windows-1251', 'text/xml; charset=iso-8859-1'],
    ['koi8-r', 'utf-8', 'text/xml; charset=utf-8'],
    ['koi8-r', 'koi8-r', 'text/xml'],
    ['iso-8859-5', 'iso-8859-5'],
    ['utf-16le', 'utf-16'],
    ['utf-16be', 'utf-8'],
    ['utf-32le', 'utf-32'],
    ['utf-32be', 'utf-32'],
  ]
  for (const [actual, declared, contentType = ''] of cases) {
    for (const addBOM of [false, true]) {
      if (addBOM && !actual.startsWith('utf')) continue
      // Without a byte order mark, zeros are recognised by the first sign of XML.
      const bytes = iconv.encode(addBOM ? document(declared) : document(declared).trim(), actual, { addBOM })
      assert.equal(
        parseFeed(bytes, { contentType }).items[0]?.title,
        text,
        `${actual} ${declared} ${contentType} ${addBOM}`,
      )
    }
  }
  const japanese =
    '<?xml version="1.0" encoding="ISO-2022-JP"?><rss><channel><title>\u001b$B7P:Q\u001b(B</title></channel></rss>'
  assert.equal(parseFeed(Buffer.from(japanese)).title, '経済')
  const broken = Buffer.concat([Buffer.from(document('utf-8')), Buffer.of(0xff)])
  assert.equal(parseFeed(broken).items[0]?.title, text)
})

test('a document may have junk before the feed and miss its end', () => {
  const feed = '<rss><channel><item><title>Oil</title></item><item><title>Gas</title><link>https://news.exam'
  for (const junk of [
    '',
    '\n\n',
    '\ufeff',
    '<br />\n<b>Warning</b>: mysql\n',
    '<!-- <feed> -->',
    '<!DOCTYPE rss [<!ENTITY a "b">]>',
  ]) {
    assert.deepEqual(
      parse(junk + feed).items.map(({ title, url }) => [title, url]),
      [
        ['Oil', null],
        ['Gas', null],
      ],
      junk,
    )
  }
})

test('reads more than 1,000 items in a second', () => {
  const body =
    '<p>Brent crude fell 2% on Monday &amp;amp; WTI followed, <a href="https://news.example/x">traders said</a>.</p>'.repeat(
      10,
    )
  const entry = `<item><title>Oil &amp;amp; gas slip</title><link>https://news.example/a</link><pubDate>Mon, 01 Mar 2026 10:30:00 +0200</pubDate><description><![CDATA[${body}]]></description></item>`
  const bytes = Buffer.from(`<rss><channel>${entry.repeat(2_000)}</channel></rss>`)
  const cpuMs = cpuTimer()
  assert.equal(parseFeed(bytes).items.length, 2_000)
  assert.ok(cpuMs() < 2_000, `${cpuMs()} ms`)
})
