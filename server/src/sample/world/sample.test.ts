import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowReader } from '../../import/row-reader.ts'
import { stableId } from '../../model/ids.ts'
import { PublisherChange } from '../../model/publishers.ts'

import { sampleEntries, sampleReports } from './entries.ts'
import { sampleEvents } from './events/catalogue.ts'
import { createRandom, createSeriesId } from './random.ts'
import { languages } from './wording.ts'
import { SAMPLE_SEED, sampleWorld } from './world.ts'

const NOW = Date.UTC(2026, 2, 14, 15, 9, 26)
const DAY = 86_400_000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[58][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const world = sampleWorld(NOW)
const reports = [...sampleReports({ count: 6000, from: NOW - 90 * DAY, to: NOW, seed: SAMPLE_SEED })]

test('the same seed and time range produce the same entries, another seed different ones', () => {
  assert.deepEqual(sampleWorld(NOW).entries, world.entries)
  const options = { count: 20, from: NOW - DAY, to: NOW }
  const ids = new Set([...sampleEntries({ ...options, seed: 1 })].map((entry) => entry.id))
  assert.ok([...sampleEntries({ ...options, seed: 2 })].every((entry) => !ids.has(entry.id)))
})

test('ids do not depend on the clock', () => {
  const later = sampleWorld(NOW + 7 * DAY)
  assert.deepEqual(
    later.entries.map((entry) => entry.id),
    world.entries.map((entry) => entry.id),
  )
})

test('ids are the same on every machine', () => {
  assert.equal(stableId('asset', 'AAPL'), 'e5c1c4bd-3be1-5b9b-bc65-d4a517880a2e')
  assert.equal(world.entries[0]?.id, '2e71a2a2-59ca-89b0-8275-24f66438d5da')
})

test('the world is as large as promised: 5,000 entries, 40 publishers, 200 assets, 60 topics', () => {
  assert.ok(world.entries.length >= 5000)
  assert.ok(world.publishers.length >= 40)
  assert.ok(new Set(world.publishers.map((publisher) => publisher.countryCode)).size >= 12)
  assert.ok(new Set(world.publishers.map((publisher) => publisher.language)).size >= 8)
  assert.ok(world.assets.length >= 200)
  assert.ok(world.topics.length >= 60)
  const first = world.entries[0]?.createdAt ?? 0
  assert.ok(first < NOW - 89 * DAY)
})

test('ids, keys, slugs, domains and urls are unique', () => {
  assertUnique(
    [world.publishers, world.assets, world.topics, world.entries].flat().map((row) => row.id),
    'id',
  )
  for (const row of [world.publishers, world.assets, world.topics, world.entries].flat()) assert.match(row.id, UUID)
  assertUnique(
    world.assets.map((asset) => asset.key),
    'key',
  )
  assertUnique(
    world.publishers.map((publisher) => publisher.slug),
    'publisher slug',
  )
  assertUnique(
    world.publishers.map((publisher) => publisher.domain),
    'domain',
  )
  assertUnique(
    world.topics.map((topic) => topic.slug),
    'topic slug',
  )
  assertUnique(
    world.entries.map((entry) => entry.url),
    'url',
  )
})

test('publishers are on .example domains and every one of them publishes', () => {
  const active = new Set(world.entries.map((entry) => entry.publisherId))
  for (const publisher of world.publishers) {
    assert.ok(publisher.domain.endsWith('.example'), publisher.domain)
    assert.ok(active.has(publisher.id), publisher.name)
  }
})

test('publishers pass the checks of an import', () => {
  const readPublisher = rowReader(PublisherChange)
  for (const { id: _, ...publisher } of world.publishers) assert.deepEqual(readPublisher(publisher), publisher)
})

test('asset keys are upper case, CIKs have ten digits and ISINs a right check digit', () => {
  for (const asset of world.assets) {
    assert.equal(asset.key, asset.key.toUpperCase())
    if (asset.cik !== null) assert.match(asset.cik, /^\d{10}$/)
    if (asset.isin !== null) assert.ok(hasCheckDigit(asset.isin), `${asset.key} ${asset.isin}`)
  }
  const ciks = world.assets.flatMap((asset) => asset.cik ?? [])
  assertUnique(ciks, 'CIK')
})

test('topics form a tree of three levels with parents first', () => {
  const depths = new Map<string, number>()
  for (const topic of world.topics) {
    const depth = topic.parentId === null ? 1 : 1 + (depths.get(topic.parentId) ?? Number.NaN)
    assert.ok(depth <= 3, topic.slug)
    depths.set(topic.id, depth)
  }
  assert.deepEqual(new Set(depths.values()), new Set([1, 2, 3]))
})

test('every reference of an entry resolves, and its language and domain are those of its publisher', () => {
  const publishers = new Map(world.publishers.map((publisher) => [publisher.id, publisher]))
  const keys = new Set(world.assets.map((asset) => asset.key))
  const slugs = new Set(world.topics.map((topic) => topic.slug))
  for (const entry of world.entries) {
    const publisher = publishers.get(entry.publisherId)
    assert.equal(entry.language, publisher?.language)
    assert.equal(entry.urlDomain, publisher?.domain)
    assert.equal(new URL(entry.url).hostname, entry.urlDomain)
    assert.ok(entry.assetKeys.length <= 3)
    assertUnique(entry.assetKeys, `asset of ${entry.title}`)
    for (const key of entry.assetKeys) assert.ok(keys.has(key), key)
    assert.ok(entry.topicSlugs.length >= 1 && entry.topicSlugs.length <= 3, entry.title)
    assertUnique(entry.topicSlugs, `topic of ${entry.title}`)
    for (const slug of entry.topicSlugs) assert.ok(slugs.has(slug), slug)
  }
  for (const event of sampleEvents) for (const slug of event.topics) assert.ok(slugs.has(slug), slug)
})

test('createdAt ascends within the span and publishedAt comes before it, in another order', () => {
  let last = NOW - 90 * DAY
  let lastPublished = 0
  let swaps = 0
  for (const entry of world.entries) {
    assert.ok(entry.createdAt >= last && entry.createdAt < NOW)
    assert.ok(Number.isInteger(entry.createdAt) && Number.isInteger(entry.publishedAt))
    assert.ok(entry.publishedAt <= entry.createdAt)
    if (entry.publishedAt < lastPublished) swaps++
    last = entry.createdAt
    lastPublished = entry.publishedAt
  }
  assert.ok(swaps > 100)
})

test('a range of a few seconds works, too', () => {
  const entries = [...sampleEntries({ count: 3, from: NOW - 5000, to: NOW, seed: 'live' })]
  assert.equal(entries.length, 3)
  for (const entry of entries) assert.ok(entry.createdAt >= NOW - 5000 && entry.createdAt < NOW)
})

test('the sign of the sentiment agrees with the direction of the event', () => {
  for (const { entry, occurrence } of reports) {
    const score = entry.sentimentScore
    if (score === null) continue
    if (occurrence.event.direction === 'positive') assert.ok(score >= 0.15 && score <= 1, entry.title)
    else if (occurrence.event.direction === 'negative') assert.ok(score <= -0.15 && score >= -1, entry.title)
    else assert.ok(Math.abs(score) < 0.15, entry.title)
  }
})

test('about a fifth of the entries has no asset and about a twentieth no sentiment', () => {
  const share = (count: number) => count / world.entries.length
  const withoutAsset = share(world.entries.filter((entry) => entry.assetKeys.length === 0).length)
  const withoutScore = share(world.entries.filter((entry) => entry.sentimentScore === null).length)
  assert.ok(withoutAsset > 0.15 && withoutAsset < 0.25, String(withoutAsset))
  assert.ok(withoutScore > 0.03 && withoutScore < 0.07, String(withoutScore))
})

test('weekdays have more entries than weekends, and Apple, Nvidia, Tesla and Bitcoin are among the top assets', () => {
  const byDay = [0, 0, 0, 0, 0, 0, 0]
  const byKey = new Map<string, number>()
  for (const entry of world.entries) {
    const day = new Date(entry.createdAt).getUTCDay()
    byDay[day] = (byDay[day] ?? 0) + 1
    for (const key of entry.assetKeys) byKey.set(key, (byKey.get(key) ?? 0) + 1)
  }
  assert.ok((byDay[3] ?? 0) > 2 * (byDay[0] ?? 0))
  const top = [...byKey].sort((a, b) => b[1] - a[1]).slice(0, 6)
  const topKeys = new Set(top.map(([key]) => key))
  for (const key of ['AAPL', 'NVDA', 'TSLA', 'BTC']) assert.ok(topKeys.has(key), key)
})

test('texts are complete: no slot is left open, and contents have 30 to 70 words', () => {
  for (const { title, excerpt, content, language } of world.entries) {
    const text = `${title} ${excerpt} ${content}`
    assert.doesNotMatch(text, /[{}]|undefined|NaN/)
    if (content === null) continue
    if (language === 'ja' || language === 'zh') {
      assert.ok(content.length >= 60 && content.length <= 220, `${content.length}: ${content}`)
      assert.match(content, language === 'ja' ? /[ぁ-ん]/ : /[一-鿿]/)
    } else {
      const words = content.split(/\s+/).length
      assert.ok(words >= 30 && words <= 70, `${words}: ${content}`)
    }
  }
})

test('several publishers report an occurrence, each once, about the same assets', () => {
  const byOccurrence = Map.groupBy(reports, ({ occurrence }) => occurrence.number)
  const shared = [...byOccurrence.values()].filter((group) => group.length >= 2)
  assert.ok(shared.length >= 300)
  for (const group of shared) {
    assertUnique(
      group.map(({ entry }) => entry.publisherId),
      'publisher of an occurrence',
    )
    assert.equal(new Set(group.map(({ entry }) => entry.assetKeys.join())).size, 1)
  }
})

test('kinds of events are unique, and languages have templates only for kinds that exist', () => {
  const kinds = sampleEvents.map((event) => event.kind)
  assertUnique(kinds, 'kind')
  for (const language of languages) {
    for (const kind of Object.keys(language.eventTemplates)) assert.ok(kinds.includes(kind), `${language.code} ${kind}`)
  }
})

test('random numbers stay in their ranges and series ids never repeat', () => {
  const random = createRandom(7)
  let sum = 0
  for (let i = 0; i < 10_000; i++) {
    const value = random.int(1, 6)
    assert.ok(value >= 1 && value <= 6)
    sum += random.normal()
  }
  assert.ok(Math.abs(sum / 10_000) < 0.05)
  const idOf = createSeriesId('test')
  assertUnique(
    Array.from({ length: 10_000 }, (_, i) => idOf(i).slice(0, 8)),
    'start of an id',
  )
})

function assertUnique(values: readonly string[], what: string): void {
  const seen = new Set<string>()
  for (const value of values) {
    assert.ok(!seen.has(value), `${what} twice: ${value}`)
    seen.add(value)
  }
}

function hasCheckDigit(isin: string): boolean {
  const digits = [...isin].map((character) => Number.parseInt(character, 36)).join('')
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits.charAt(digits.length - 1 - i))
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return isin.length === 12 && sum % 10 === 0
}
