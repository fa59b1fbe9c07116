import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { DEMO_KEY } from '../../src/admission/key.ts'
import { builtInTopics } from '../../src/catalogue/built-in/topics.ts'
import { HOUR } from '../../src/model/time.ts'
import type { Topic, TopicNode } from '../../src/model/topics.ts'
import { sampleEntries } from '../../src/sample/world/entries.ts'
import { some } from '../depth.ts'
import { assertError, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

onEveryEngine('topics', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })
  let key: string
  before(async () => {
    key = (await service.openUnlimited()).key
  })

  const get = (path: string, as = key) => service.get(path, as)
  const listAll = async (query = ''): Promise<Topic[]> => {
    const first = await get(`/topics?limit=100${query}`)
    const rest = first.meta.nextPage === null ? [] : (await get(`/topics?limit=100&page=2${query}`)).data
    assert.equal(first.meta.totalCount, first.data.length + rest.length)
    return [...first.data, ...rest]
  }
  const slugs = (topics: readonly { slug: string }[]) => topics.map(({ slug }) => slug).sort()
  const flat = (nodes: readonly TopicNode[]): TopicNode[] => nodes.flatMap((node) => [node, ...flat(node.children)])

  test('every topic knows its place in the tree', async () => {
    const topics = await listAll()
    assert.deepEqual(slugs(topics), slugs(builtInTopics))
    const byId = new Map(topics.map((topic) => [topic.id, topic]))
    for (const topic of topics) {
      const parent = byId.get(topic.parentId ?? '')
      assert.equal(topic.parentSlug, parent?.slug ?? null)
      assert.deepEqual(topic.path, [...(parent?.path ?? []), topic.slug])
      assert.equal(topic.depth, topic.path.length - 1)
      assert.equal(topic.isLeaf, !topics.some(({ parentId }) => parentId === topic.id))
    }
  })

  test('the tree holds every topic once, below its parent, in the order of names', async () => {
    const topics = new Map((await listAll()).map((topic) => [topic.slug, topic]))
    const check = (nodes: readonly TopicNode[], parentId: string | null) => {
      assert.deepEqual(
        nodes.map(({ name }) => name.toLowerCase()),
        nodes.map(({ name }) => name.toLowerCase()).sort(),
      )
      for (const { children, entryCount: _, ...node } of nodes) {
        const topic = topics.get(node.slug)
        assert.ok(topic)
        assert.equal(topic.parentId, parentId)
        assert.deepEqual(node, { id: topic.id, slug: topic.slug, name: topic.name, depth: topic.depth })
        check(children, node.id)
      }
    }
    const tree: TopicNode[] = (await get('/topics/tree')).data
    check(tree, null)
    assert.deepEqual(slugs(flat(tree)), slugs(builtInTopics))
  })

  test('counts, tree and filters agree: a topic stands for itself and the topics below it, each entry counts once', async () => {
    const counts = new Map((await listAll()).map((topic) => [topic.slug, topic]))
    const tree: TopicNode[] = (await get('/topics/tree')).data
    assert.ok(tree.every(({ entryCount }) => entryCount > 0))
    for (const node of flat(tree)) assert.equal(node.entryCount, counts.get(node.slug)?.entryCount, node.slug)
    const totalOf = async (path: string) => (await get(path)).meta.totalCount
    const since = new Date(service.clock.now() - 24 * HOUR + 1).toISOString()
    for (const { id, slug, entryCount, children } of some(flat(tree), 30)) {
      assert.equal(await totalOf(`/topics/${slug}/entries?limit=1`), entryCount, slug)
      assert.equal(await totalOf(`/entries?limit=1&topicSlug=${slug}`), entryCount, slug)
      assert.equal(await totalOf(`/entries?limit=1&topicId=${id}`), entryCount, slug)
      const recent = await totalOf(`/entries?limit=1&topicSlug=${slug}&publishedAfter=${since}`)
      assert.equal(counts.get(slug)?.entryCount24h, recent, slug)
      const alone = await totalOf(`/topics/${slug}/entries?limit=1&includeDescendants=false`)
      assert.ok(children.length === 0 ? alone === entryCount : alone <= entryCount, slug)
    }
  })

  test('lists of clusters and prediction markets include those about topics below', async () => {
    const tree: TopicNode[] = (await get('/topics/tree')).data
    for (const list of ['/clusters', '/prediction-markets']) {
      const all: { topicSlugs: string[] }[] = []
      for (let next: string | undefined = ''; next !== undefined; ) {
        const { data, meta } = await get(`${list}?limit=100${next}`)
        all.push(...data)
        const { nextCursor, nextPage } = meta
        next = nextCursor ? `&after=${nextCursor}` : nextPage ? `&page=${nextPage}` : undefined
      }
      for (const node of some(flat(tree), 20)) {
        const branch = new Set(slugs(flat([node])))
        const expected = all.filter(({ topicSlugs }) => topicSlugs.some((slug) => branch.has(slug))).length
        const { meta } = await get(`${list}?limit=1&topicSlug=${node.slug}`)
        assert.equal(meta.totalCount, expected, `${list} ${node.slug}`)
      }
    }
  })

  test('the entries of a topic are those that name it or one below it, each once, however they are paged', async () => {
    const tree: TopicNode[] = (await get('/topics/tree?rootSlug=crypto')).data
    const wanted = new Set(slugs(flat(tree)))
    const seen: { id: string; topicSlugs: string[]; createdAt: string }[] = []
    let query = 'limit=100'
    for (;;) {
      const { data, meta } = await get(`/topics/crypto/entries?${query}`)
      seen.push(...data)
      if (meta.nextCursor === null) break
      query = `limit=100&after=${meta.nextCursor}`
    }
    assert.equal(seen.length, tree[0]?.entryCount)
    assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length)
    assert.ok(seen.every(({ topicSlugs }) => topicSlugs.some((slug) => wanted.has(slug))))
    assert.ok(seen.every(({ createdAt }, index) => index === 0 || createdAt <= (seen[index - 1]?.createdAt ?? '')))
  })

  test('cursors lead on under the name of the topic that was used, and are refused for another topic', async () => {
    const { id } = (await get('/topics/markets')).data
    for (const name of ['markets', id, 'MARKETS', 'markets']) {
      const { meta } = await get(`/topics/${name}/entries?limit=2`)
      assert.equal((await get(`/topics/${name}/entries?limit=2&after=${meta.nextCursor}`)).data.length, 2)
      assertError(await service.api(`/topics/gold/entries?after=${meta.nextCursor}`, key), 400, 'BAD_REQUEST')
      assertError(await service.api(`/entries?after=${meta.nextCursor}`, key), 400, 'BAD_REQUEST')
    }
  })

  test('rootSlug, maxDepth and the demo key cut the tree but not its counts', async () => {
    const whole: TopicNode[] = (await get('/topics/tree')).data
    const counts = new Map(flat(whole).map(({ slug, entryCount }) => [slug, entryCount]))
    const cut = async (query: string, as = key): Promise<TopicNode[]> => {
      const { data } = await get(`/topics/tree${query}`, as)
      for (const { slug, entryCount } of flat(data)) assert.equal(entryCount, counts.get(slug))
      return data
    }
    assert.deepEqual(await cut('?rootSlug=MARKETS'), [whole.find(({ slug }) => slug === 'markets')])
    assert.deepEqual(slugs(await cut('?maxDepth=0')), slugs(whole))
    assert.deepEqual(flat(await cut('?maxDepth=0')).length, whole.length)
    assert.deepEqual(new Set(flat(await cut('?maxDepth=1')).map(({ depth }) => depth)), new Set([0, 1]))
    assert.deepEqual(await cut('?maxDepth=100'), whole)
    const [deals] = await cut('?rootSlug=deals&maxDepth=0')
    assert.deepEqual([deals?.slug, deals?.depth, deals?.children], ['deals', 1, []])
    assert.deepEqual(fieldsOf(await service.api('/topics/tree?rootSlug=none', key)), ['rootSlug'])

    const seen = await cut('?rootSlug=none&maxDepth=0', DEMO_KEY)
    assert.deepEqual(slugs(seen), slugs(whole.slice(0, 3)), 'filters are dropped')
    const levels = [seen, ...flat(seen).map(({ children }) => children)]
    assert.ok(levels.every(({ length }) => length <= 3))
    assert.ok(levels.some(({ length }) => length === 3) && flat(seen).some(({ depth }) => depth === 2))
  })

  test('the filters give what they say, alone and together', async () => {
    const all = await listAll()
    const expect = async (query: string, matches: (topic: Topic) => boolean) => {
      const found = await listAll(`&${query}`)
      assert.deepEqual(slugs(found), slugs(all.filter(matches)), query)
    }
    const markets = all.find(({ slug }) => slug === 'markets')
    await expect('parentSlug=markets', ({ parentSlug }) => parentSlug === 'markets')
    await expect('parentSlug=Markets,POLICY,none', ({ parentSlug }) => ['markets', 'policy'].includes(parentSlug ?? ''))
    await expect(`parentId=${markets?.id.toUpperCase()}`, ({ parentId }) => parentId === markets?.id)
    await expect('parentSlug=none', () => false)
    await expect('depth=0', ({ parentId }) => parentId === null)
    await expect('depth=0,2', ({ depth }) => depth !== 1)
    await expect('depth=9', () => false)
    await expect('isLeaf=true', ({ isLeaf }) => isLeaf)
    await expect('isLeaf=false&depth=1', ({ isLeaf, depth }) => !isLeaf && depth === 1)
    await expect('search=crypto', ({ slug }) => slug.includes('crypto'))
    await expect('search=crypto -flows&isLeaf=false', ({ slug, isLeaf }) => /^crypto(?!-flows)/.test(slug) && !isLeaf)
  })

  test('sorts are by count in either direction, and ties in one order', async () => {
    for (const field of ['entryCount', 'entryCount24h'] as const) {
      for (const [direction, sign] of [['asc', 1] as const, ['desc', -1] as const]) {
        const counts = (await listAll(`&sortBy=${field}:${direction}`)).map((topic) => topic[field])
        assert.deepEqual(
          counts,
          counts.toSorted((a, b) => sign * (a - b)),
        )
      }
      assert.deepEqual(await listAll(`&sortBy=${field}`), await listAll(`&sortBy=${field}:desc`))
    }
  })

  test('new entries and the passing of a day move the counts', async () => {
    const { store, clock } = service.mintick
    const day = async () => (await listAll()).reduce((sum, topic) => sum + topic.entryCount24h, 0)
    const total = async () => (await listAll()).reduce((sum, topic) => sum + topic.entryCount, 0)
    const [dayBefore, totalBefore] = [await day(), await total()]
    assert.ok(dayBefore > 0)
    service.clock.advance(HOUR)
    const now = clock.now()
    const more = [...sampleEntries({ count: 50, from: now - 60_000, to: now, seed: 'topics' })]
    const paths = new Map((await listAll()).map(({ slug, path }) => [slug, path]))
    const pathsOf = (topicSlugs: readonly string[]) => new Set(topicSlugs.flatMap((slug) => paths.get(slug) ?? []))
    const named = more.reduce((sum, { topicSlugs }) => sum + pathsOf(topicSlugs).size, 0)
    await store.entries.insert(more)
    assert.equal(await total(), totalBefore + named)
    service.clock.advance(25 * HOUR)
    assert.equal(await day(), 0)
    assert.equal(await total(), totalBefore + named)
  })

  test('a topic may have any number of topics below it', async () => {
    const { store, clock } = service.mintick
    const parentId = randomUUID()
    const topic = (slug: string) => ({ id: randomUUID(), slug, name: slug, description: null, parentId })
    await store.topics.insert([{ ...topic('wide'), id: parentId, parentId: null }], clock.now())
    await store.topics.insert(
      Array.from({ length: 600 }, (_, index) => topic(`wide-${index}`)),
      clock.now(),
    )
    const [first, second] = [...sampleEntries({ count: 2, from: clock.now() - HOUR, to: clock.now(), seed: 'wide' })]
    assert.ok(first && second)
    await store.entries.insert([
      { ...first, topicSlugs: ['wide-7', 'wide-599'] },
      { ...second, topicSlugs: ['wide-300'] },
    ])
    for (const sort of ['createdAt:desc', 'publishedAt:asc']) {
      const { data, meta } = await get(`/topics/wide/entries?sortBy=${sort}`)
      assert.deepEqual([data.length, meta.totalCount], [2, 2])
    }
  })
})
