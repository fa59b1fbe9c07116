import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { onEveryEngine, storeForSuite } from '../../test/harness.ts'
import { idOf } from '../model/ids.ts'
import type { PublisherChange } from '../model/publishers.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')

onEveryEngine('upserting publishers', (engine) => {
  const store = storeForSuite(engine)

  const upsert = (...changes: PublisherChange[]) => store().publishers.upsert(changes, NOW)
  const addEntries = (slug: string, count: number) =>
    store().entries.insert(
      Array.from({ length: count }, () => {
        const id = randomUUID()
        return {
          id,
          title: 'News',
          excerpt: null,
          content: null,
          url: `https://news.example/${id}`,
          urlDomain: 'news.example',
          author: null,
          imageUrl: null,
          language: 'en',
          sentimentScore: null,
          assetKeys: [],
          topicSlugs: [],
          publisherId: idOf(`mintick:publisher:${slug}`),
          publishedAt: NOW,
          createdAt: NOW,
        }
      }),
    )
  const totalIn = async (country: string) => {
    const filters = { countryCode: [country] }
    return (await store().entries.page({ filters, sort: 'createdAt:desc', limit: 5, from: undefined })).totalCount
  }

  test('a new publisher needs name and domain; the rest has the same defaults as in an import of entries', async () => {
    const outcome = await upsert(
      { slug: 'gull', name: 'The Gull', domain: 'gull.example' },
      { slug: 'owl', name: 'Owl' },
    )
    assert.deepEqual(outcome, {
      added: 1,
      changed: 0,
      unchanged: 0,
      refused: [{ index: 1, reason: 'a new publisher needs name and domain' }],
    })
    const gull = await store().publishers.find('gull', NOW)
    assert.deepEqual(
      [gull?.type, gull?.isActive, gull?.isPaywalled, gull?.homepageUrl, gull?.countryCode, gull?.entryCount],
      ['newspaper', true, null, 'https://gull.example/', null, 0],
    )
  })

  test('changes only the given fields', async () => {
    const before = await store().publishers.find('gull', NOW)
    assert.equal((await upsert({ slug: 'gull', isPaywalled: true, isActive: false, type: 'blog' })).changed, 1)
    const after = await store().publishers.find('gull', NOW)
    assert.deepEqual(
      { ...after, updatedAt: '' },
      { ...before, isPaywalled: true, isActive: false, type: 'blog', updatedAt: '' },
    )
    assert.equal((await upsert({ slug: 'gull', isPaywalled: true })).unchanged, 1)
  })

  test('entries follow the country of their publisher; other entries do not change', async () => {
    await upsert({ slug: 'tern', name: 'Tern', domain: 'tern.example', countryCode: 'NO' })
    await addEntries('tern', 3)
    await addEntries('gull', 1_201)
    assert.deepEqual([await totalIn('NO'), await totalIn('IE'), await totalIn('GB')], [3, 0, 0])
    await upsert({ slug: 'gull', countryCode: 'IE' })
    assert.deepEqual([await totalIn('NO'), await totalIn('IE'), await totalIn('GB')], [3, 1_201, 0])
    await upsert({ slug: 'gull', countryCode: 'FR' }, { slug: 'gull', countryCode: 'GB' })
    assert.deepEqual([await totalIn('NO'), await totalIn('IE'), await totalIn('GB')], [3, 0, 1_201])
    await upsert({ slug: 'gull', countryCode: 'FR' }, { slug: 'gull', countryCode: 'GB' })
    assert.equal(await totalIn('GB'), 1_201)
    await upsert({ slug: 'gull', countryCode: null })
    assert.deepEqual([await totalIn('NO'), await totalIn('GB')], [3, 0])
  })

  test('entries and publisher agree after concurrent changes of the country during inserts', async () => {
    const countries = ['US', 'CA', 'MX']
    await Promise.all([
      ...countries.map((countryCode) => upsert({ slug: 'gull', countryCode })),
      addEntries('gull', 5),
      addEntries('gull', 5),
    ])
    const { countryCode } = (await store().publishers.find('gull', NOW)) ?? {}
    const totals = await Promise.all(countries.map(totalIn))
    assert.deepEqual(
      totals,
      countries.map((country) => (country === countryCode ? 1_211 : 0)),
    )
  })
})
