import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cpuTimer } from '../../../test/cpu-time.ts'
import { FakeClock, onEveryEngine, storeForSuite } from '../../../test/harness.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { builtInTopics } from '../../catalogue/built-in/topics.ts'
import type { Entry } from '../../model/entries.ts'
import { HOUR, isoTime } from '../../model/time.ts'
import { Enrichment } from './enrichment.ts'
import { entryIdOf } from './entry-id.ts'
import { EntryIntake } from './entry-intake.ts'

onEveryEngine('intake of entries', (engine) => {
  const store = storeForSuite(engine)
  const clock = new FakeClock()
  let enrichment: Enrichment
  let intake: EntryIntake
  before(async () => {
    await store().assets.insert(builtInAssets, clock.now())
    await store().topics.insert(builtInTopics, clock.now())
    enrichment = new Enrichment(store())
    intake = new EntryIntake({ store: store(), enrichment, clock })
  })
  after(() => enrichment.close())

  let last = 0
  const newItem = (fields: object = {}) => {
    last += 1
    return { title: `Apple shares rise ${last}`, url: `https://news.example/${last}`, language: 'en', ...fields }
  }
  const counts = async (values: readonly unknown[], update = true) => {
    const { added, changed, known, refused } = await intake.take(values, { update })
    return [added, changed, known, refused.length]
  }
  const entryAt = async (url: string): Promise<Entry> =>
    (await store().entries.find(entryIdOf(url)))?.parse() ?? assert.fail(`no entry for ${url}`)

  test('without update an item that the store has changes nothing', async () => {
    const item = newItem()
    assert.deepEqual(await counts([item, 'bad', item], false), [1, 0, 1, 1])
    assert.deepEqual(await counts([{ ...item, title: 'Other' }], false), [0, 0, 1, 0])
    assert.equal((await entryAt(item.url)).title, item.title)
  })

  test('opposite news about two assets counts for each in its own way, also after an edit', async () => {
    const scoreOf = async (key: string) => (await store().assets.find(key, clock.now()))?.sentimentScore24h ?? 0
    const item = newItem({ title: 'Netflix shares surge as Disney plunges', publishedAt: isoTime(clock.now() - HOUR) })
    await intake.take([item])
    assert.ok((await scoreOf('NFLX')) > 0.2 && (await scoreOf('DIS')) < -0.2)
    await intake.take([{ ...item, title: 'Disney shares surge as Netflix plunges' }], { update: true })
    assert.ok((await scoreOf('NFLX')) < -0.2 && (await scoreOf('DIS')) > 0.2)
    await store().entries.remove([entryIdOf(item.url)], clock.now())
    assert.deepEqual([await scoreOf('NFLX'), await scoreOf('DIS')], [0, 0])
  })

  test('an item that differs in any field changes its entry, which is enriched again', async () => {
    const item = newItem({ publishedAt: isoTime(clock.now() - HOUR) })
    await intake.take([item])
    const first = await entryAt(item.url)
    assert.deepEqual(await counts([item]), [0, 0, 1, 0])
    let current: object = item
    for (const field of [
      { title: 'Microsoft shares plunge after profit warning' },
      { excerpt: 'A summary' },
      { content: 'The full text about Microsoft.' },
      { author: 'Ann' },
      { imageUrl: 'https://news.example/a.png' },
      { publishedAt: isoTime(clock.now() - 2 * HOUR) },
    ]) {
      current = { ...current, ...field }
      assert.deepEqual(await counts([current]), [0, 1, 0, 0], JSON.stringify(field))
      assert.deepEqual(await counts([current]), [0, 0, 1, 0])
    }
    const entry = await entryAt(item.url)
    const { id, createdAt } = first
    const { title, author, publishedAt } = current as Entry
    assert.partialDeepStrictEqual(entry, { id, createdAt, title, author, publishedAt, assetKeys: ['MSFT'] })
    assert.ok((entry.sentimentScore ?? 0) < (first.sentimentScore ?? 0))
    assert.equal(await store().entries.findContent(id), 'The full text about Microsoft.')
  })

  test('an item without a time, or with one in the future, never moves its entry', async () => {
    const item = newItem({ publishedAt: isoTime(clock.now() - HOUR) })
    await intake.take([item])
    const { publishedAt: _, ...undated } = item as typeof item & { publishedAt: string }
    for (const same of [undated, { ...item, publishedAt: isoTime(clock.now() + HOUR) }]) {
      assert.deepEqual(await counts([same]), [0, 0, 1, 0])
    }
    assert.deepEqual(await counts([{ ...undated, author: 'Ann' }]), [0, 1, 0, 0])
    assert.equal((await entryAt(item.url)).publishedAt, isoTime(clock.now() - HOUR))
  })

  test('of several items with one address the first counts, and tracking parameters are no change', async () => {
    const item = newItem()
    const tracked = { ...item, url: `${item.url}?utm_source=x` }
    const { ids } = await intake.take([{ ...item, title: 'First' }, tracked, null], { update: true })
    assert.deepEqual(ids, [entryIdOf(item.url), entryIdOf(item.url), null])
    assert.deepEqual(await counts([{ ...tracked, title: 'First' }, item]), [0, 0, 2, 0])
    assert.deepEqual(await counts([{ ...tracked, title: 'Second' }]), [0, 1, 0, 0])
    assert.equal((await entryAt(item.url)).url, item.url)
  })

  test('an item that the source knows keeps its entry at another address', async () => {
    const [item, other] = [newItem(), newItem()]
    const [id = null, otherId = null] = (await intake.take([item, other])).ids
    assert.ok(id !== null)
    const moved = { ...item, url: 'https://moved.example/1' }
    const offer = async (value: object, entryId: string) => {
      const { added, changed, known, ids } = await intake.takeItems([{ value, entryId }], { update: true })
      return [added, changed, known, ids[0]]
    }
    assert.deepEqual(await offer(moved, id), [0, 1, 0, id])
    assert.deepEqual(await offer(moved, id), [0, 0, 1, id])
    assert.partialDeepStrictEqual(await entryAt(item.url), { id, url: moved.url, urlDomain: 'moved.example' })
    // Both addresses lead to the entry; only the source that knows the item moves it.
    for (const value of [moved, item]) {
      assert.deepEqual(await intake.take([value], { update: true }).then(({ known, ids }) => [known, ids]), [1, [id]])
    }
    assert.equal((await entryAt(item.url)).url, moved.url)
    assert.deepEqual(await offer({ ...item, url: other.url }, id), [0, 0, 1, id], 'another entry has the address')
    assert.equal((await entryAt(other.url)).id, otherId)
    assert.deepEqual(await offer(item, id), [0, 1, 0, id], 'it moves back')
    const fresh = newItem()
    assert.deepEqual(await offer(fresh, '00000000-0000-4000-8000-000000000000'), [1, 0, 0, entryIdOf(fresh.url)])
  })

  test('an entry that was taken down is known for good, also at its later address', async () => {
    const item = newItem()
    const id = (await intake.take([item])).ids[0] ?? assert.fail()
    const moved = { ...item, url: 'https://moved.example/2' }
    await intake.takeItems([{ value: moved, entryId: id }], { update: true })
    await store().entries.remove([id], clock.now())
    for (const update of [false, true]) assert.deepEqual(await counts([item, moved], update), [0, 0, 2, 0])
    const again = { value: { ...item, url: 'https://moved.example/3' }, entryId: id }
    assert.deepEqual((await intake.takeItems([again], { update: true })).ids, [id])
    assert.equal(await store().entries.find(id), undefined)
  })

  test('a thousand unchanged items are not enriched and write nothing', async () => {
    const items = Array.from({ length: 1_000 }, () => newItem({ content: 'Shares of Apple rose again. '.repeat(60) }))
    await intake.take(items)
    const before = [await store().entries.head(), await store().changes.head()]
    const cpu = cpuTimer()
    assert.deepEqual(await counts(items), [0, 0, 1_000, 0])
    assert.ok(cpu() < 500, `${cpu()} ms`)
    assert.deepEqual([await store().entries.head(), await store().changes.head()], before)
  })
})
