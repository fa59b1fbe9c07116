/** `mintick import entries`, `mintick reindex` and `mintick enrich`, run as separate processes. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { createIngest, openDb } from '../../src/drivers.ts'
import { ENRICHMENT_VERSION } from '../../src/enrich/version.ts'
import type { Ingest } from '../../src/ingest/ingest.ts'
import type { Entry } from '../../src/model/entries.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { assertCountsHold } from '../counts.ts'
import { runs } from '../depth.ts'
import { createPlace, onEveryEngine, type Place } from '../harness.ts'
import { finished, firstLine, killHard, spawnCommand, spawnService } from '../spawn.ts'

const HOUR = 3_600_000
const START = Date.now() - 48 * HOUR

/** Two clusters of three entries each, and entries without a cluster. */
const NEWS = [
  ['Apple shares jump after record quarter', 'Apple Inc. posted record revenue on Thursday, lifted by iPhone sales.'],
  ['Apple stock jumps after record quarterly results', 'Record iPhone sales lifted Apple to its best quarter.'],
  ['Apple shares jump after record quarter', null],
  ['Toyota recalls 500,000 cars over faulty airbags', 'Toyota Motor is recalling half a million cars.'],
  ['Toyota recalls half a million cars over airbag fault', 'The recall concerns airbags that may not inflate.'],
  ['Toyota to recall 500,000 cars over airbags', null],
  ['Rain delays wheat harvest in France', 'Farmers wait for drier weather.'],
].map(([title, content], index) => ({
  title,
  content,
  url: `https://outlet${index % 3}.example/${index}`,
  publisher: `Outlet ${index % 3}`,
  publishedAt: new Date(START + index * 60_000).toISOString(),
}))

const BAD_LINES = ['not json', '{"title":"","titel":"x"}', '{"title":"x","url":"ftp://x.example"}', '[]', '"x"', '']

onEveryEngine('mintick import entries', (engine) => {
  let place: Place
  let file: string
  before(async () => {
    place = await createPlace(engine)
    file = fileOf(place, 'news.ndjson', [...NEWS.map((entry) => JSON.stringify(entry)), ...BAD_LINES])
  })
  after(() => place.remove())

  test('takes what is an entry through the pipeline, and says what it refused and why', async () => {
    const { code, stdout } = await finished(spawnCommand(place.env, 'import', 'entries', file))
    assert.equal(code, 0)
    assert.equal(
      stdout,
      `Added 7 entries; 0 changed, 0 already there, 4 rejected
  1 because it is not JSON: line 8
  1 because title is missing, such as "": line 9
  1 because url is not an http address, such as "ftp://x.example": line 10
  1 because it is not a JSON object: line 12
All rejected rows are in ${file}.rejects.ndjson
The field "titel" is not known and was ignored in 1 row; did you mean "title"?\n`,
    )
    const [first] = readFileSync(`${file}.rejects.ndjson`, 'utf8').split('\n')
    assert.deepEqual(JSON.parse(first ?? ''), {
      line: 8,
      reason: 'it is not JSON',
      field: null,
      value: null,
      row: 'not json',
    })
    await withStore(place, async (store) => {
      const entries = await allEntries(store)
      const [apple] = entries
      assert.deepEqual(
        [apple?.language, apple?.assetKeys, apple?.urlDomain, apple?.publishedAt],
        ['en', ['AAPL'], 'outlet0.example', new Date(START).toISOString()],
      )
      assert.ok((apple?.sentimentScore ?? 0) > 0.2)
      const clusters = await Promise.all(entries.map(({ id }: Entry) => clusterOf(store, id)))
      assert.deepEqual(
        clusters.map((cluster) => (cluster === null ? '-' : clusters.indexOf(cluster))),
        [0, 0, 0, 3, 3, 3, '-'],
      )
      const cluster = await store.clusters.find(clusters[3] ?? '', Date.now())
      assert.deepEqual([cluster?.entryCount, cluster?.publisherCount, cluster?.languages], [3, 3, ['en']])
    })
  })

  test('the same file again adds nothing', async () => {
    const { code, stdout } = await finished(spawnCommand(place.env, 'import', 'entries', file))
    assert.deepEqual([code, stdout.split('\n')[0]], [0, 'Added 0 entries; 0 changed, 7 already there, 4 rejected'])
  })

  test('works while the service runs, which then answers with the entries', async () => {
    const { child, url } = await spawnService(place.env)
    const more = {
      ...NEWS[3],
      title: 'Toyota recalls 500,000 cars over faulty airbags worldwide',
      url: 'https://late.example/1',
    }
    const late = fileOf(place, 'late.ndjson', [JSON.stringify(more), JSON.stringify(NEWS[0])])
    const env = { ...place.env, PORT: new URL(url).port }
    const { code, stdout } = await finished(spawnCommand(env, 'import', 'entries', late))
    await killHard(child)
    assert.deepEqual([code, stdout.split('\n')[0]], [0, 'Added 1 entries; 0 changed, 1 already there, 0 rejected'])
    await withStore(place, async (store, { indexing }) => {
      await indexing.catchUp()
      const entry = (await allEntries(store)).at(-1)
      const clusterId = await clusterOf(store, entry?.id ?? '')
      assert.equal((await store.clusters.find(clusterId ?? '', Date.now()))?.entryCount, 4)
    })
  })

  test('killed in the middle and run again, every entry is there once and nothing is lost', async () => {
    const count = runs(300, 3_000)
    const many = Array.from({ length: count }, (_, index) => ({
      title: `Company ${index} reports results for its branch in city ${index % 50}`,
      url: `https://many.example/${index}`,
      publishedAt: new Date(START + index * 1_000).toISOString(),
    }))
    const long = fileOf(
      place,
      'many.ndjson',
      many.map((entry) => JSON.stringify(entry)),
    )
    const child = spawnCommand(place.env, 'import', 'entries', long)
    await firstLine(child)
    await killHard(child)
    const { code, stdout } = await finished(spawnCommand(place.env, 'import', 'entries', long))
    assert.equal(code, 0)
    const [, added, known] = /^Added (\d+) entries; 0 changed, (\d+) already/.exec(stdout) ?? []
    assert.equal(Number(added) + Number(known), count)
    await withStore(place, async (store) => {
      assert.equal(await store.entries.total(), 8 + count)
      assert.equal((await store.progress.find('stories'))?.high, (await store.entries.head()).seq)
    })
  })

  test('names of publishers that look alike are told apart, and the first of two at one address is taken', async () => {
    await withStore(place, async (store, { intake }) => {
      const named = [
        { publisher: 'Acme News' },
        { publisher: { slug: 'acme-news' } },
        { publisher: 'ACME news' },
        { publisher: { slug: 'a,b/../c d', domain: 'not a domain/<script>' } },
        { publisher: { slug: 'z'.repeat(20_000) } },
      ].map((entry, index) => ({
        title: `Name ${index}`,
        url: `https://${index < 3 ? 'names' : 'other'}.example/${index}`,
        ...entry,
      }))
      const same = ['first', 'second'].map((title) => ({ title, url: 'https://other.example/same' }))
      const { ids, ...counts } = await intake.take([...named, ...same])
      assert.deepEqual(counts, { added: 6, changed: 0, known: 1, refused: [] })
      assert.deepEqual([new Set(ids).size, ids[5]], [6, ids[6]])
      const publishers = await store.publishers.listNames()
      const fresh = publishers.filter(({ domain }) => /^(names|other)\.example$/.test(domain)).map(({ slug }) => slug)
      assert.deepEqual(fresh.toSorted(), ['acme-news', 'acme-news-2', 'other-example'])
      const titles = (await store.entries.page({ ...PAGE, filters: { publisherSlug: ['other-example'] } })).data.parse()
      assert.deepEqual(
        titles.map(({ title }) => title),
        ['Name 3', 'Name 4', 'first'],
      )
    })
  })
})

onEveryEngine('mintick reindex', (engine) => {
  let place: Place
  before(async () => {
    place = await createPlace(engine)
    const file = fileOf(
      place,
      'news.ndjson',
      NEWS.map((entry) => JSON.stringify(entry)),
    )
    await finished(spawnCommand(place.env, 'import', 'entries', file))
  })
  after(() => place.remove())

  /** Overwrites the enrichment, as if by an older version. */
  const spoil = async (store: Store) => {
    const findings = { language: 'de', sentimentScore: -1, assetKeys: ['MSFT'], topicSlugs: ['banks'] }
    const ids = (await allEntries(store)).map(({ id }) => id)
    return store.entries.update(
      ids.map((id) => ({ id, ...findings })),
      Date.now(),
    )
  }

  test('finds again what was found, and numbers and stories follow', async () => {
    let before: Entry[] = []
    await withStore(place, async (store) => {
      before = await allEntries(store)
      assert.equal((await spoil(store)).length, NEWS.length)
      assert.deepEqual((await store.entries.page({ ...PAGE, filters: { assetKey: ['MSFT'] } })).totalCount, NEWS.length)
    })
    const { code, stdout } = await finished(spawnCommand(place.env, 'reindex'))
    assert.deepEqual([code, stdout], [0, 'Reindexed 7 entries; 7 changed\n'])
    await withStore(place, async (store) => {
      assert.deepEqual(await allEntries(store), before)
      const clusterId = await clusterOf(store, before[0]?.id ?? '')
      const cluster = await store.clusters.find(clusterId ?? '', Date.now())
      assert.deepEqual([cluster?.assetKeys, cluster?.languages], [['AAPL'], ['en']])
      assert.equal((await store.entries.page({ ...PAGE, filters: { assetKey: ['MSFT'] } })).totalCount, 0)
    })
    assert.match((await finished(spawnCommand(place.env, 'reindex'))).stdout, /; 0 changed/)
  })

  test('--status says how many entries were read by older rules', async () => {
    const status = async () => (await finished(spawnCommand(place.env, 'reindex', '--status'))).stdout
    assert.equal(await status(), '0 of 7 entries were read by older rules\n')
    await withStore(place, async (store) => {
      await store.progress.save(`older:${ENRICHMENT_VERSION}`, { low: 3, high: (await store.entries.head()).seq })
    })
    assert.equal(await status(), '4 of 7 entries were read by older rules\n')
    await finished(spawnCommand(place.env, 'reindex'))
    assert.equal(await status(), '0 of 7 entries were read by older rules\n')
  })

  test('goes on where it was stopped, and in the running service', async () => {
    await withStore(place, async (store, { enrichment }) => {
      await spoil(store)
      // As if the first four entries had been reindexed before a crash.
      const task = `reindex:${ENRICHMENT_VERSION}, ${await enrichment.catalogueVersion()}`
      await store.progress.save(task, { low: 0, high: 4 })
    })
    const { child, url } = await spawnService(place.env)
    const env = { ...place.env, PORT: new URL(url).port }
    const { code, stdout } = await finished(spawnCommand(env, 'reindex'))
    await killHard(child)
    assert.deepEqual([code, stdout], [0, 'Reindexed 7 entries; 3 changed\n'])
  })
})

describe('mintick import', () => {
  test('says in one line what is wrong with the command', async () => {
    const place = await createPlace('sqlite')
    const file = fileOf(place, 'news.ndjson', [])
    for (const args of [[], ['entries'], ['nonsense', file], ['entries', join(place.env.DATA_DIR ?? '', 'none')]]) {
      const { code, stderr } = await finished(spawnCommand(place.env, 'import', ...args))
      assert.equal(code, 1)
      assert.match(stderr, /^mintick: .+\n$/)
    }
    await place.remove()
  })
})

describe('mintick enrich', () => {
  test('answers a line for a line, whatever the text is', async () => {
    const texts = [
      { title: 'Apple beats estimates, raises guidance', content: 'Shares of Apple rose 5% after hours.' },
      { title: '' },
      { title: '😀🚀📈' },
      { title: '<p>Tesla &amp; co</p>', content: `<script>${'x'.repeat(1_000_000)}</script>` },
      { title: 'x'.repeat(1_000_000), content: 'word '.repeat(200_000) },
      { title: '\u0000\u0001\ufffd\ud800 bin', content: '\u202eabc\u202c' },
      { title: 'ارتفاع أسعار النفط في الأسواق العالمية', language: 'ar' },
      { title: '日経平均は大幅に反発' },
    ]
    const child = spawnCommand({}, 'enrich')
    const lines = [...texts.map((text) => JSON.stringify(text)), 'not json', '{"title":5}']
    child.stdin?.end(`${lines.join('\n')}\n`)
    const { code, stdout } = await finished(child)
    assert.equal(code, 0)
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(answers.length, lines.length)
    for (const answer of answers.slice(0, texts.length)) {
      assert.deepEqual(Object.keys(answer), ['language', 'sentimentScore', 'assetKeys', 'entities', 'topicSlugs'])
    }
    const [apple, empty, emoji, , , , arabic, japanese] = answers
    assert.deepEqual([apple.language, apple.assetKeys], ['en', ['AAPL']])
    assert.ok(apple.sentimentScore > 0.3 && apple.entities[0].sentimentScore > 0.3)
    for (const { field, start, end, text } of apple.entities[0].mentions) {
      assert.equal((texts[0] as Record<string, string>)[field]?.slice(start, end), text)
    }
    for (const one of [empty, emoji]) assert.deepEqual([one.language, one.assetKeys, one.topicSlugs], [null, [], []])
    assert.deepEqual([arabic.language, japanese.language, arabic.sentimentScore], ['ar', 'ja', null])
    assert.deepEqual(answers.slice(-2), [
      { error: 'must be a JSON object' },
      { error: 'title, content and language must be strings' },
    ])
  })
})

const PAGE = { sort: 'createdAt:asc', limit: 100, from: undefined } as const

const allEntries = async (store: Store) => (await store.entries.page({ ...PAGE, filters: {} })).data.parse()

function fileOf(place: Place, name: string, lines: readonly string[]): string {
  const file = join(place.env.DATA_DIR ?? '', name)
  writeFileSync(file, lines.join('\n'))
  return file
}

/** Runs `work` with the store, then asserts that the counts hold. */
async function withStore(place: Place, work: (store: Store, ingest: Ingest) => Promise<void>) {
  const config = readConfig(place.env)
  const db = await openDb(config, systemClock)
  const store = createStore(db)
  const ingest = await createIngest(config, { store, clock: systemClock })
  try {
    await work(store, ingest)
    await assertCountsHold(db, Date.now())
  } finally {
    await ingest.stop()
    await store.close()
  }
}

const clusterOf = async (store: Store, entryId: string) =>
  (await store.entries.listRelations([entryId])).get(entryId)?.clusterId
