import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refused } from '../../model/refused.ts'
import { entryIdOf } from './entry-id.ts'
import { readRawEntry } from './raw-entry.ts'

const NOW = Date.parse('2026-03-02T10:00:00Z')
const read = (given: object) => readRawEntry({ title: 'Oil slips', url: 'https://www.news.example/a', ...given }, NOW)

test('missing fields are null, and the publisher is the domain', () => {
  assert.deepEqual(read({}), {
    title: 'Oil slips',
    content: null,
    excerpt: null,
    url: 'https://www.news.example/a',
    urlDomain: 'news.example',
    author: null,
    imageUrl: null,
    language: null,
    publisher: { name: null, slug: null, domain: 'news.example' },
    publishedAt: null,
  })
})

test('texts lose their markup, and the excerpt is the beginning of the content', () => {
  const entry = read({
    title: ' <b>Oil</b>\u0000 slips\u202e ',
    content: `<p>Brent fell &amp; WTI too.</p><script>alert(1)</script><p>${'More of it. '.repeat(80)}</p>`,
    author: '<a href="/x">Ann</a>',
    imageUrl: 'javascript:alert(1)',
    publisher: ' News  <i>Desk</i> ',
  })
  assert.equal(entry.title, 'Oil slips')
  assert.ok(entry.content?.startsWith('Brent fell & WTI too. More of it.'))
  assert.ok((entry.excerpt?.length ?? 0) <= 400 && entry.excerpt?.endsWith('it.'))
  assert.deepEqual([entry.author, entry.imageUrl, entry.publisher.name], ['Ann', null, 'News Desk'])
})

test('reads the time formats of feeds and programs', () => {
  const at = Date.parse('2026-03-01T08:30:00Z')
  for (const time of [
    '2026-03-01T08:30:00Z',
    '2026-03-01 08:30',
    '2026-03-01T09:30+01:00',
    'Sun, 01 Mar 2026 08:30:00 GMT',
    at,
  ]) {
    assert.equal(read({ publishedAt: time }).publishedAt, at, String(time))
    assert.equal(read({ time }).publishedAt, at, String(time))
  }
  // A source's clock may be a little ahead.
  assert.equal(read({ publishedAt: NOW + 60_000 }).publishedAt, null)
})

test('refuses invalid items with the reason', () => {
  const cases: [unknown, RegExp][] = [
    [undefined, /not a JSON object/],
    [[], /not a JSON object/],
    [{ title: ' <p> ', url: 'https://a.example' }, /title is missing/],
    [{ title: 'x' }, /url is missing/],
    [{ title: 'x', url: 'ftp://a.example' }, /url is not an http address/],
    [{ title: 'x', url: `https://a.example/${'x'.repeat(3_000)}` }, /url is not an http address/],
    [{ title: 5, url: 'https://a.example' }, /title is not a text/],
    [{ title: 'x', url: 'https://a.example', publishedAt: 'soon' }, /publishedAt is not a time/],
    [{ title: 'x', url: 'https://a.example', publishedAt: '2027-01-01' }, /future/],
    [{ title: 'x', url: 'https://a.example', publisher: 5 }, /publisher/],
  ]
  for (const [given, reason] of cases) assert.throws(() => readRawEntry(given, NOW), reason)
})

test('every value is read or refused, and the result is clean', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('<p>'.repeat(500)), fc.constant(undefined))
  const given = fc.record({
    title: text,
    content: text,
    excerpt: text,
    publisher: fc.jsonValue(),
    publishedAt: fc.jsonValue(),
  })
  fc.assert(
    fc.property(given, (fields) => {
      try {
        const { title, content, publishedAt } = read(fields)
        for (const one of [title, content ?? '']) assert.ok(one.isWellFormed() && !/[\u0000-\u001f]|<p>/.test(one))
        assert.ok(publishedAt === null || (Number.isSafeInteger(publishedAt) && publishedAt <= NOW))
      } catch (error) {
        assert.ok(error instanceof Refused, String(error))
      }
    }),
  )
})

test('all links to an article have the same id', () => {
  const id = entryIdOf('https://news.example/a?id=1')
  for (const url of [
    'http://news.example/a?id=1',
    'https://www.news.example/a?id=1#top',
    'https://NEWS.example/a?id=1&utm_source=x&fbclid=y',
    'https://news.example/a/?id=1',
  ]) {
    assert.equal(entryIdOf(url), id, url)
  }
  assert.notEqual(entryIdOf('https://news.example/a?id=2'), id)
  assert.notEqual(entryIdOf('https://news.example/A?id=1'), id)
})
