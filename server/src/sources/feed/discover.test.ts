import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discoverFeeds } from './discover.ts'

test('finds the feeds of a page in its order, once each', () => {
  const page = `<!doctype html><html><head>
    <base href="/news/">
    <link rel="stylesheet" href="style.css">
    <link rel="alternate" hreflang="de" href="/de/">
    <LINK REL="Alternate" TYPE="application/rss+xml; charset=utf-8" HREF="rss.xml">
    <link rel="alternate" type="application/atom+xml" href="https://feeds.example/atom?a=1&amp;b=2">
    <link rel="alternate" type="application/feed+json" href="//other.example/feed.json">
    <link rel="alternate" type="application/json" href="/wp-json/posts/1">
    <link rel="alternate" type="application/rss+xml" href="rss.xml">
    <link rel="alternate" type="application/rss+xml" href="javascript:x()">
    </head></html>`
  assert.deepEqual(discoverFeeds(page, 'https://www.example.com/start'), [
    'https://www.example.com/news/rss.xml',
    'https://feeds.example/atom?a=1&b=2',
    'https://other.example/feed.json',
  ])
  assert.deepEqual(discoverFeeds('', 'https://www.example.com/'), [])
})
