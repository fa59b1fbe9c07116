import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryEngine, storeForSuite } from '../../test/harness.ts'
import type { TopicChange } from '../model/topics.ts'
import { samplePublishers } from '../sample/world/publishers.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')

onEveryEngine('upserting topics', (engine) => {
  const store = storeForSuite(engine)

  const upsert = (...changes: TopicChange[]) => store().topics.upsert(changes, NOW)
  const placeOf = async (slug: string) => {
    const topic = await store().topics.find(slug, NOW)
    return topic && [topic.path.join('>'), topic.depth, topic.parentSlug, topic.isLeaf]
  }

  test('a parent may come earlier in the same batch; an unknown parent is refused', async () => {
    const outcome = await upsert(
      { slug: 'sport', name: 'Sport' },
      { slug: 'ball-games', name: 'Ball games', parentSlug: 'sport' },
      { slug: 'football', name: 'Football', parentSlug: 'ball-games' },
      { slug: 'chess', name: 'Chess', parentSlug: 'games' },
      { slug: 'games', name: 'Games' },
      { slug: 'nameless' },
    )
    assert.deepEqual(outcome, {
      added: 4,
      changed: 0,
      unchanged: 0,
      refused: [
        { index: 3, reason: 'no topic has the parentSlug "games"; parents come first' },
        { index: 5, reason: 'a new topic needs name' },
      ],
    })
    assert.deepEqual(await placeOf('football'), ['sport>ball-games>football', 2, 'ball-games', true])
  })

  test('a topic that moves takes its branch along, even under a new parent of the same batch', async () => {
    await upsert({ slug: 'ball-games', parentSlug: 'new-root' }, { slug: 'new-root', name: 'Later' })
    assert.deepEqual(await placeOf('ball-games'), ['sport>ball-games', 1, 'sport', false])
    const outcome = await upsert({ slug: 'leisure', name: 'Leisure' }, { slug: 'ball-games', parentSlug: 'leisure' })
    assert.deepEqual([outcome.added, outcome.changed, outcome.refused], [1, 1, []])
    assert.deepEqual(await placeOf('football'), ['leisure>ball-games>football', 2, 'ball-games', true])
    assert.deepEqual(await placeOf('sport'), ['sport', 0, null, true])
    await upsert({ slug: 'ball-games', parentSlug: null })
    assert.deepEqual(await placeOf('football'), ['ball-games>football', 1, 'ball-games', true])
  })

  test('refuses a cycle, even one built step by step in a batch', async () => {
    const outcome = await upsert(
      { slug: 'ball-games', parentSlug: 'ball-games' },
      { slug: 'ball-games', parentSlug: 'football' },
      { slug: 'ball-games', parentSlug: 'sport' },
      { slug: 'sport', parentSlug: 'football' },
    )
    assert.deepEqual(outcome.refused, [
      { index: 0, reason: 'a topic cannot be its own parent' },
      { index: 1, reason: 'the parentSlug "football" is below the topic itself' },
      { index: 3, reason: 'the parentSlug "football" is below the topic itself' },
    ])
    assert.deepEqual(await placeOf('football'), ['sport>ball-games>football', 2, 'ball-games', true])
  })

  test('refuses more than 20 levels', async () => {
    const chain = Array.from({ length: 30 }, (_, level) => ({
      slug: `level-${level}`,
      name: 'Level',
      parentSlug: level === 0 ? null : `level-${level - 1}`,
    }))
    const { added, refused } = await upsert(...chain)
    assert.deepEqual([added, refused.length, refused[0]?.reason], [20, 10, 'a tree has at most 20 levels'])
  })

  test('terms stay until they are replaced or removed; each time the version changes', async () => {
    const termsOf = async () => (await store().topics.listWords()).find(({ slug }) => slug === 'chess')?.terms
    await upsert({ slug: 'chess', name: 'Chess', terms: '{"sure":"gambit"}' })
    const first = await store().topics.version()
    await upsert({ slug: 'chess', name: 'Chess and checkers', parentSlug: 'games' })
    assert.equal(await termsOf(), '{"sure":"gambit"}')
    await upsert({ slug: 'chess', terms: null })
    assert.equal(await termsOf(), null)
    assert.notEqual(await store().topics.version(), first)
  })

  test('cached lists and counts of a branch follow a topic that moves', async () => {
    const [publisher] = samplePublishers
    assert.ok(publisher)
    await store().publishers.insert([publisher], NOW)
    await store().entries.insert([
      {
        id: '00000000-0000-4000-8000-000000000001',
        title: 'Goal',
        excerpt: null,
        content: null,
        url: 'https://news.example/goal',
        urlDomain: 'news.example',
        author: null,
        imageUrl: null,
        language: 'en',
        sentimentScore: null,
        assetKeys: [],
        topicSlugs: ['football'],
        publisherId: publisher.id,
        publishedAt: NOW,
        createdAt: NOW,
      },
    ])
    const totalBelow = async (slug: string) => {
      const id = (await store().topics.findId(slug)) ?? ''
      const filters = { inTopic: { id, withDescendants: true } }
      return (await store().entries.page({ filters, sort: 'createdAt:desc', limit: 5, from: undefined })).totalCount
    }
    const countOf = async (slug: string) => (await store().topics.find(slug, NOW))?.entryCount
    assert.deepEqual([await totalBelow('sport'), await totalBelow('leisure')], [1, 0])
    assert.deepEqual([await countOf('sport'), await countOf('leisure')], [1, 0])
    await upsert({ slug: 'ball-games', parentSlug: 'leisure' })
    assert.deepEqual([await totalBelow('sport'), await totalBelow('leisure')], [0, 1])
    assert.deepEqual([await countOf('sport'), await countOf('leisure')], [0, 1])
  })
})
