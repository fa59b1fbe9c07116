import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { dot } from '../../src/enrich/embed/embedder.ts'
import { createMintick, type Mintick } from '../../src/main.ts'
import { runs } from '../depth.ts'
import { startEmbeddingsServer } from '../embeddings-server.ts'
import { createPlace, FakeClock, onEveryEngine, type Place } from '../harness.ts'

const NEWS = [
  ['Automaker withdraws thousands of cars', 'en'],
  ['Carmaker opens a plant in Ohio', 'en'],
  ['Brent slides as stocks build', 'en'],
  ['Crude drops for a third day', 'en'],
  ['Retailer plans redundancies', 'en'],
  ['Bank reports higher income', 'en'],
  ['Gold holds steady before the meeting', 'en'],
  ['Ölpreis fällt weiter', 'de'],
] as const

/** Binary data comes first: as a query it is refused. */
const HOSTILE = [
  '\u0000\u0001\u001f',
  '\u202e\u2066שלום',
  '👩‍👩‍👧‍👦'.repeat(40),
  'e\u0301\u0323'.repeat(200),
  '\u0301'.repeat(400),
  'x'.repeat(20_000),
  'zq '.repeat(5_000),
  '漢'.repeat(400),
  '<div>'.repeat(3_000),
  '&#x26;&lt;b&gt;'.repeat(300),
  "'; delete from qqz; --",
  'NEAR(qqa qqb) AND NOT qqc* OR "qqd',
  'qqa:qqb & !qqc | (qqd <-> qqe)',
  '\u{10ffff}\ufffe\ufeff',
]

onEveryEngine('search by meaning', (engine) => {
  let place: Place
  let embeddings: Awaited<ReturnType<typeof startEmbeddingsServer>>
  let mintick: Mintick
  const clock = new FakeClock()

  const start = async (env: Record<string, string> = {}) => {
    const own = { EMBEDDINGS: 'on', EMBEDDINGS_URL: embeddings.url, EMBEDDINGS_MODEL: 'one' }
    mintick = await createMintick(readConfig({ ...place.env, ...own, ...env }), {
      clock,
      log: pino({ level: 'silent' }),
    })
  }
  const restart = async (env: Record<string, string> = {}) => {
    await mintick.close()
    await start(env)
    await mintick.ingest.indexing.catchUp()
  }
  before(async () => {
    place = await createPlace(engine)
    embeddings = await startEmbeddingsServer()
    await start()
    ownerKey = mintick.ownerKey
    await add(NEWS.map(([title, language], index) => ({ title, language, url: `https://news.example/${index}` })))
  })
  after(async () => {
    await mintick.close()
    await embeddings.close()
    await place.remove()
  })

  let ownerKey: string | undefined
  const get = async (path: string, params: Record<string, string> = {}, key = ownerKey) => {
    const url = `/api/v1${path}?${new URLSearchParams(params)}`
    const reply = await mintick.app.inject({ url, headers: { authorization: `Bearer ${key}` } })
    return { status: reply.statusCode, headers: reply.headers, ...reply.json() }
  }
  const add = async (entries: object[]) => {
    assert.equal((await mintick.ingest.intake.take(entries)).added, entries.length)
    await mintick.ingest.indexing.catchUp()
  }
  const titles = (reply: { data: { title: string }[] }) => reply.data.map(({ title }) => title)

  test('finds what is meant though no word is shared, the nearest first, for two credits', async () => {
    const reply = await get('/entries', { query: 'auto recall', limit: '2' })
    assert.equal(titles(reply)[0], 'Automaker withdraws thousands of cars')
    assert.equal(reply.headers['x-credits-cost'], '2')
    const { sort, query, totalCount, count } = reply.meta
    assert.deepEqual({ sort, query, count }, { sort: 'relevance:desc', query: 'auto recall', count: 2 })
    assert.ok(totalCount >= 2)
  })

  test('says how it answered, and how relevant each answer is', async () => {
    const { data, meta } = await get('/entries', { query: 'auto recall', include: 'score' })
    assert.equal(meta.mode, 'semantic')
    const scores: number[] = data.map(({ score }: { score: number }) => score)
    assert.ok(scores.length > 0 && scores.every((score) => score > 0))
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    )
    assert.ok((scores.at(-1) ?? 0) >= 0.15 * Math.min(0.6, scores[0] ?? 1) - 0.001)
    for (const params of [{ include: 'score' }, { group: 'cluster' }]) {
      assert.equal((await get('/entries', params)).status, 400)
      assert.equal((await get('/entries', { ...params, query: 'oil' })).status, 200)
    }
    assert.equal('mode' in (await get('/entries')).meta, false)
  })

  test('group=cluster returns one entry of each event', async () => {
    const told = 'Quibblestone mine floods after dam breaks in Valdoria'
    await add(
      [told, `${told} - Reuters`, `UPDATE 1-${told}`].map((title, index) => ({
        title,
        language: 'en',
        url: `https://news.example/mine/${engine}/${index}`,
      })),
    )
    const asked = { query: 'Quibblestone mine floods' }
    assert.equal(titles(await get('/entries', asked)).filter((title) => title.includes('Quibblestone')).length, 3)
    const grouped = await get('/entries', { ...asked, group: 'cluster' })
    assert.equal(titles(grouped).filter((title) => title.includes('Quibblestone')).length, 1)
    assert.equal(grouped.meta.totalCount, grouped.data.length)
    const oneByOne: string[] = []
    let cursor: string | null = null
    do {
      const params = { ...asked, group: 'cluster', limit: '1', ...(cursor !== null && { after: cursor }) }
      const reply = await get('/entries', params)
      assert.equal(reply.meta.totalCount, grouped.data.length)
      oneByOne.push(...titles(reply))
      cursor = reply.meta.nextCursor
    } while (cursor !== null)
    assert.deepEqual(oneByOne, titles(grouped))
    const past = await get('/entries', { ...asked, group: 'cluster', asOf: new Date(clock.now()).toISOString() })
    assert.deepEqual([past.status, past.error?.details?.[0]?.field], [400, 'group'])
  })

  test('finds words deep in a long text, and prefers the time that the question names', async () => {
    const filler = 'Committee members met again; they heard reports prepared over summer. '.repeat(14)
    const long = (index: number, title: string, publishedAt: number, end: string) => ({
      title,
      content: filler + end,
      language: 'en',
      url: `https://news.example/long/${engine}/${index}`,
      publishedAt: new Date(publishedAt).toISOString(),
    })
    const now = clock.now()
    await add([
      long(1, 'Minutes: first meeting', now - 20 * 86_400_000, 'Glimmerfrost tariffs were discussed.'),
      long(2, 'Minutes: second meeting', now - 3_600_000, 'Glimmerfrost tariffs were discussed.'),
      long(3, 'Minutes: third meeting', now - 3_600_000, 'Nothing else was discussed.'),
    ])
    const asked = titles(await get('/entries', { query: 'Glimmerfrost tariffs this week' }))
    assert.deepEqual(asked.slice(0, 2), ['Minutes: second meeting', 'Minutes: first meeting'])
  })

  test('of two articles, the one with the words of the best answers comes first', async () => {
    const filler = 'Committee members met again; they heard reports prepared over summer. '.repeat(6)
    const article = (index: number, title: string, end: string) => ({
      title,
      content: filler + end,
      language: 'en',
      url: `https://news.example/shared/${engine}/${index}`,
    })
    await add([
      article(
        1,
        'Protocol: one',
        'Zanzibellum levies hurt quillfish traders. Zanzibellum levies again; quillfish boats idle.',
      ),
      article(
        2,
        'Protocol: two',
        'Zanzibellum levies hurt quillfish ports. Zanzibellum levies again; quillfish boats idle.',
      ),
      article(3, 'Protocol: three', 'Zanzibellum levies were named once, beside quillfish boats, said all.'),
      article(4, 'Protocol: four', 'Zanzibellum levies were named once, beside lamp makers, said all.'),
    ])
    const asked = titles(await get('/entries', { query: 'Zanzibellum levies' }))
    assert.deepEqual(asked.slice(2, 4), ['Protocol: three', 'Protocol: four'])
  })

  test('filters, search and order apply to the answers', async () => {
    const falling = { query: 'oil declines' }
    const all = new Set(titles(await get('/entries', falling)))
    assert.ok(all.has('Brent slides as stocks build') && all.has('Crude drops for a third day'))
    assert.deepEqual(titles(await get('/entries', { ...falling, search: 'crude' })), ['Crude drops for a third day'])
    assert.deepEqual(titles(await get('/entries', { ...falling, language: 'fr' })), [])
    const newest = await get('/entries', { ...falling, sortBy: 'createdAt:desc' })
    assert.equal(newest.meta.sort, 'createdAt:desc')
    assert.deepEqual(titles(newest).toSorted(), [...all].sort())
    const createdAt = newest.data.map((entry: { createdAt: string }) => entry.createdAt)
    assert.deepEqual(createdAt, createdAt.toSorted().reverse())
  })

  test('pages join without gap or repeat, forward and back, though entries come in between', async () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      title: `Staff cuts at factory number ${index}`,
      language: 'en',
      url: `https://news.example/cuts/${index}`,
    }))
    await add(many)
    const whole = titles(await get('/entries', { query: 'layoffs', limit: '100' }))
    assert.ok(whole.length >= 31)
    const seen: string[] = []
    let cursor: string | null = null
    for (let page = 0; page === 0 || cursor !== null; page += 1) {
      const reply = await get('/entries', { query: 'layoffs', limit: '7', ...(cursor !== null && { after: cursor }) })
      assert.equal(reply.status, 200, JSON.stringify(reply))
      assert.equal(reply.meta.totalCount, whole.length)
      assert.equal(reply.meta.hasPrev, page > 0)
      seen.push(...titles(reply))
      if (page === 1) {
        const back = await get('/entries', { query: 'layoffs', limit: '7', before: reply.meta.prevCursor })
        assert.deepEqual(titles(back), whole.slice(0, 7))
        await add([{ title: 'Layoffs everywhere', language: 'en', url: `https://news.example/late-${engine}` }])
      }
      cursor = reply.meta.nextCursor
    }
    assert.deepEqual(seen, whole)
    assert.ok(titles(await get('/entries', { query: 'layoffs', limit: '100' })).includes('Layoffs everywhere'))
  })

  test('a cursor of another list or order is 400', async () => {
    const { meta } = await get('/entries', { limit: '1', sortBy: 'publishedAt:desc' })
    const asked = { query: 'layoffs', sortBy: 'publishedAt:desc' }
    assert.equal((await get('/entries', { ...asked, after: meta.nextCursor })).status, 400)
    const question = await get('/entries', { ...asked, limit: '1' })
    const after = question.meta.nextCursor
    assert.equal((await get('/entries', { sortBy: 'publishedAt:desc', after })).status, 400)
    assert.equal((await get('/entries', { query: 'layoffs', after })).status, 400)
    assert.equal((await get('/entries', { sortBy: 'relevance:desc' })).status, 400)
  })

  test('nonsense finds nothing or little, and is no error', async () => {
    for (const query of [
      'asdfgh qwertz',
      '🚀🚀',
      '"',
      '-',
      '%',
      '؟؟ مرحبا',
      'the of and',
      ...HOSTILE.slice(1).map((text) => text.slice(0, 1_000)),
    ]) {
      const reply = await get('/entries', { query })
      assert.equal(reply.status, 200, query)
      assert.ok(reply.meta.totalCount <= 2, `${query}: ${reply.meta.totalCount}`)
    }
  })

  test('hostile texts are stored, embedded and found like others', async () => {
    const url = (index: number) => `https://hostile.example/${engine}/${index}`
    await add(
      HOSTILE.map((text, index) => ({ title: `Vexillum ${text}`, content: text, language: 'en', url: url(index) })),
    )
    const { data, meta } = await get('/entries', { query: 'vexillum', include: 'score,entities', limit: '100' })
    assert.equal(meta.mode, 'semantic')
    const found = data.map((entry: { url: string }) => entry.url)
    assert.deepEqual(new Set(found), new Set(HOSTILE.map((_, index) => url(index))))
  })

  test('the demo key may ask, and gets three', async () => {
    const reply = await get('/entries', { query: 'layoffs' }, 'mtk_demo')
    assert.deepEqual([reply.status, reply.data.length, reply.meta.sort], [200, 3, 'relevance:desc'])
  })

  test('while the model cannot be asked, words must do', async () => {
    embeddings.setDown(true)
    const reply = await get('/entries', { query: 'gold steady now' })
    const onlyRelated = await get('/entries', { query: 'platinum bullion' })
    embeddings.setDown(false)
    assert.deepEqual(titles(reply), ['Gold holds steady before the meeting'])
    assert.deepEqual(titles(onlyRelated), [], 'no entry has a word of the question')
    // After a failure, the service pauses requests to the model; a restart ends the pause.
    await restart()
  })

  test('the index on disk is used again, and made anew when it is missing, broken or of another store', async (context) => {
    if ((await mintick.store.pgvector.prepare()).isReady) return context.skip('the index is in PostgreSQL')
    const folder = join(place.env.DATA_DIR ?? '', 'vectors')
    const ask = async () => titles(await get('/entries', { query: 'automaker', limit: '3' }))
    const expected = await ask()
    await restart()
    assert.deepEqual(await ask(), expected)
    const files = () => readdirSync(folder).filter((name) => name.endsWith('.usearch'))
    for (const name of files()) writeFileSync(join(folder, name), 'broken')
    await restart()
    assert.deepEqual(await ask(), expected)
    rmSync(folder, { recursive: true })
    await restart()
    assert.deepEqual(await ask(), expected)
    await mintick.close()
    assert.ok(existsSync(folder))
    await start()
  })

  test('entries that come while others are being indexed get their vector too', async () => {
    const { store, ingest } = mintick
    for (let burst = 0; burst < runs(2, 4); burst += 1) {
      const size = 100 + 37 * burst
      const entries = Array.from({ length: size }, (_, index) => ({
        title: `Burst ${burst} of news about company ${index}`,
        language: 'en',
        url: `https://burst.example/${burst}/${index}`,
      }))
      const working = ingest.indexing.catchUp()
      await ingest.intake.take(entries.slice(0, size - 30))
      for (const entry of entries.slice(size - 30)) await ingest.intake.take([entry])
      await working
    }
    await ingest.indexing.catchUp()
    const { seq } = await store.entries.head()
    const range = { from: 0, to: seq, limit: 10_000, order: 'asc' } as const
    assert.equal((await store.vectors.list('openai:one', range)).length, seq)
  })

  test('a look at all entries again leaves the answers as they are', async () => {
    const ask = async () => titles(await get('/entries', { query: 'automaker', limit: '3' }))
    const expected = await ask()
    const { reindex } = mintick.ingest
    await reindex.start()
    while ((await reindex.status()).isRunning) assert.deepEqual(await ask(), expected)
    await mintick.ingest.indexing.catchUp()
    assert.deepEqual(await ask(), expected)
  })

  test('another model gives every entry a new vector, in the background', async () => {
    const before = embeddings.requests()
    await restart()
    assert.equal(embeddings.requests(), before)
    await restart({ EMBEDDINGS_MODEL: 'another' })
    assert.ok(embeddings.requests() > before)
    assert.equal(titles(await get('/entries', { query: 'auto recall' }))[0], 'Automaker withdraws thousands of cars')
    const { store } = mintick
    const { seq } = await store.entries.head()
    const vectors = await store.vectors.list('openai:another', { from: 0, to: seq, limit: 1_000, order: 'asc' })
    assert.equal(vectors.length, seq)
  })

  test('and so does the first model when it comes back', async () => {
    await restart()
    const { store } = mintick
    const { seq } = await store.entries.head()
    const vectors = await store.vectors.list('openai:one', { from: 0, to: seq, limit: 10_000, order: 'asc' })
    assert.equal(vectors.length, seq)
    assert.equal(titles(await get('/entries', { query: 'auto recall' }))[0], 'Automaker withdraws thousands of cars')
  })

  test('a revised entry gets the vector of its new text, and a removed one is not found', async () => {
    const item = { title: 'Brewery pours its new lager', language: 'en', url: 'https://revised.example/1' }
    const revised = { ...item, title: 'Airline grounds oldest jets' }
    await add([item])
    const { store, ingest } = mintick
    const { seq } = await store.entries.head()
    const vectors = () => store.vectors.listBySeq('openai:one', [seq])
    const find = async (query: string) => titles(await get('/entries', { query, limit: '1' }))[0]
    const [before] = await vectors()
    assert.equal(await find(item.title), item.title)

    const { changed, ids } = await ingest.intake.take([revised], { update: true })
    assert.deepEqual([changed, (await vectors()).length], [1, 0])
    await ingest.indexing.catchUp()
    assert.equal(await ingest.indexing.left(), 0)
    const [after] = await vectors()
    assert.ok(after !== undefined && before !== undefined && dot(after.vector, before.vector) < 0.5)
    assert.notEqual(await find(item.title), revised.title)
    assert.equal(await find(revised.title), revised.title)

    await store.entries.remove([ids[0] ?? ''], clock.now())
    assert.notEqual(await find(revised.title), revised.title)
    await ingest.indexing.catchUp()
    assert.deepEqual([await vectors(), await ingest.indexing.left()], [[], 0])
  })

  test('vectors of another length are refused, and nothing stands still when the model is right again', async () => {
    const before = await mintick.store.entries.head()
    embeddings.setSurplus(32)
    await mintick.ingest.intake.take([
      { title: 'Utility sells its grid', language: 'en', url: 'https://length.example/1' },
    ])
    await assert.rejects(mintick.ingest.indexing.catchUp(), /different lengths/)
    embeddings.setSurplus(0)
    await mintick.ingest.indexing.catchUp()
    const range = { from: before.seq, to: before.seq + 1, limit: 10, order: 'asc' } as const
    const vectors = await mintick.store.vectors.list('openai:one', range)
    assert.deepEqual(
      vectors.map(({ vector }) => vector.length),
      [64],
    )
  })

  test('while the model is down stories are found by words, and vectors later', async () => {
    embeddings.setDown(true)
    await restart().catch(() => {})
    const copies = [0, 1, 2].map((index) => ({
      title: 'Regulator blocks merger of two railways',
      language: 'en',
      url: `https://rail${index}.example/1`,
    }))
    await mintick.ingest.intake.take(copies)
    await mintick.ingest.indexing.catchUp().catch(() => {})
    const { data } = await get('/clusters', { search: 'railways' })
    assert.deepEqual([data.length, data[0]?.entryCount], [1, 3])
    embeddings.setDown(false)
    await mintick.ingest.indexing.catchUp()
    const { store } = mintick
    const { seq } = await store.entries.head()
    const vectors = await store.vectors.list('openai:one', { from: seq - 3, to: seq, limit: 10, order: 'asc' })
    assert.equal(vectors.length, 3)
  })
})
