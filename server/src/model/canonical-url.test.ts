import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalUrl } from './canonical-url.ts'

test('links to the same page become the same URL', () => {
  for (const url of [
    'https://News.example:443/a?id=1',
    ' https://news.example/a?id=1#top ',
    'https://news.example/a?utm_source=rss&id=1&fbclid=x',
    'https://news.example/a?at_medium=RSS&at_campaign=KARANGA&id=1',
    'https://news.example/a?id=1&wt_mc=rss.ho&gclid=y&UTM_Medium=z',
  ]) {
    assert.equal(canonicalUrl(url), 'https://news.example/a?id=1', url)
  }
  assert.equal(canonicalUrl('https://news.example/a?q=a%20b&at=1'), 'https://news.example/a?q=a%20b&at=1')
  assert.throws(() => canonicalUrl('/a'))
})
