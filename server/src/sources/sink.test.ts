import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FakeClock, onEveryEngine, storeForSuite } from '../../test/harness.ts'
import { Ingest } from '../ingest/ingest.ts'
import type { Entry } from '../model/entries.ts'
import { HOUR, isoTime, MINUTE } from '../model/time.ts'
import { parseFeed } from './feed/parse-feed.ts'
import { SourceSink } from './sink.ts'

interface Item {
  guid?: string
  url?: string
  title?: string
  text?: string
  date?: string
}

const clock = new FakeClock()
const PUBLISHED = new Date(clock.now() - HOUR).toUTCString()

const itemXml = ({ guid, url, title, text = 'Text.', date = PUBLISHED }: Item) =>
  `<item>${guid === undefined ? '' : `<guid isPermaLink="false">${guid}</guid>`}
   ${url === undefined ? '' : `<link>${url}</link>`}${title === undefined ? '' : `<title>${title}</title>`}
   <description>${text}</description><pubDate>${date}</pubDate></item>`

const feedOf = (items: readonly Item[]) =>
  parseFeed(
    Buffer.from(`<rss version="2.0"><channel><title>Desk</title><link>https://desk.example/</link>
      ${items.map(itemXml).join('')}</channel></rss>`),
  )

onEveryEngine('items of feeds', (engine) => {
  const store = storeForSuite(engine)
  let ingest: Ingest
  let sink: SourceSink
  before(() => {
    const onError = (error: unknown) => assert.fail(String(error))
    ingest = new Ingest({ store: store(), clock, embedder: undefined, index: undefined, onError })
    const { intake, enrichment } = ingest
    sink = new SourceSink({ store: store(), intake, enrichment, clock })
  })
  after(() => ingest.stop())

  const take = (source: string, ...items: Item[]) => takeInto(sink, source, ...items)

  const takeInto = (into: SourceSink, source: string, ...items: Item[]) =>
    into.take(`https://${source}.example/feed`, {
      kind: 'entries',
      feed: feedOf(items),
      publisher: { name: source, domain: undefined, countryCode: undefined, language: undefined, type: undefined },
    })

  /** Lists the entries that contain a word. */
  const entriesWith = async (search: string): Promise<Entry[]> => {
    const page = await store().entries.page({ filters: {}, sort: 'createdAt:desc', limit: 1_000, from: undefined })
    return page.data.parse().filter(({ title }) => title.includes(search))
  }

  const onlyEntryWith = async (search: string): Promise<Entry> => {
    const [entry, ...others] = await entriesWith(search)
    assert.ok(entry, search)
    assert.deepEqual(others, [])
    return entry
  }

  test('the same items again change nothing', async () => {
    const items = [1, 2, 3].map((n) => ({ guid: `s${n}`, url: `https://a.example/s${n}`, title: `Same ${n}` }))
    assert.equal((await take('same', ...items)).added, 3)
    assert.deepEqual(await take('same', ...items), { added: 0, changed: 0, rejections: {}, lagMs: null })
    assert.equal((await entriesWith('Same')).length, 3)
  })

  test('a changed item changes its entry in place', async () => {
    await take('change', { guid: 'c', url: 'https://a.example/c', title: 'Changing draft' })
    const before = await onlyEntryWith('Changing')
    const brought = await take('change', { guid: 'c', url: 'https://a.example/c', title: 'Changing final' })
    assert.deepEqual([brought.added, brought.changed], [0, 1])
    const entry = await onlyEntryWith('Changing')
    assert.deepEqual([entry.id, entry.createdAt, entry.title], [before.id, before.createdAt, 'Changing final'])
  })

  test('an item that moves after a crash keeps its entry', async () => {
    const crash = async () => {
      throw new Error('killed')
    }
    const { intake, enrichment } = ingest
    const killed = { ...store(), sources: { ...store().sources, rememberItems: crash } }
    const dying = new SourceSink({ store: killed, intake, enrichment, clock })
    await assert.rejects(
      takeInto(dying, 'crash', { guid: 'k', url: 'https://a.example/k', title: 'Killed early' }),
      /killed/,
    )
    const before = await onlyEntryWith('Killed')
    await take('crash', { guid: 'k', url: 'https://a.example/k-moved', title: 'Killed early' })
    assert.equal((await onlyEntryWith('Killed')).id, before.id)
  })

  test('an item that moves keeps its entry, also for a source that reads it at its old address', async () => {
    await take('move', { guid: 'm', url: 'https://a.example/old', title: 'Moving' })
    const { id } = await onlyEntryWith('Moving')
    await take('move', { guid: 'm', url: 'https://a.example/new', title: 'Moving' })
    assert.equal((await onlyEntryWith('Moving')).url, 'https://a.example/new')
    assert.equal((await onlyEntryWith('Moving')).id, id)
    for (const url of ['https://a.example/old', 'https://a.example/new']) {
      assert.equal((await take('other', { url, title: 'Moving' })).added, 0, url)
    }
  })

  test('an article in two feeds is one entry, which only the first feed changes', async () => {
    const url = 'https://a.example/shared'
    await take('first', { guid: '1', url, title: 'Shared' })
    await take('second', { guid: '9', url: `${url}?utm_source=second`, title: 'Shared, in other words' })
    await take('second', { guid: '9', url: `${url}?utm_source=second`, title: 'Shared, in yet other words' })
    assert.equal((await onlyEntryWith('Shared')).title, 'Shared')
    await take('first', { guid: '1', url, title: 'Shared and corrected' })
    assert.equal((await onlyEntryWith('Shared')).title, 'Shared and corrected')
  })

  test('an item without an address is known by its title and date', async () => {
    const item = { title: 'Nowhere', text: 'A rumour.' }
    assert.equal((await take('nowhere', item)).added, 1)
    assert.equal((await take('nowhere', item)).added, 0)
    const later = { ...item, date: new Date(clock.now() - MINUTE).toUTCString() }
    assert.equal((await take('nowhere', item, later)).added, 1)
    assert.equal((await entriesWith('Nowhere')).length, 2)
  })

  test('an item whose guid is an address is known by it', async () => {
    await take('guid', { guid: 'https://a.example/guid', title: 'By guid' })
    assert.equal((await onlyEntryWith('By guid')).url, 'https://a.example/guid')
  })

  test('items that share a guid stay apart', async () => {
    const items = [1, 2, 3].map((n) => ({ guid: '0', url: `https://a.example/g${n}`, title: `Apart ${n}` }))
    await take('apart', ...items.slice(0, 2))
    await take('apart', ...items)
    const titles = (await entriesWith('Apart')).map(({ title }) => title)
    assert.deepEqual(titles.sort(), ['Apart 1', 'Apart 2', 'Apart 3'])
  })

  test('an entry that was removed does not come back, not even when its item changes or moves', async () => {
    await take('removed', { guid: 'r', url: 'https://a.example/r', title: 'Unwanted' })
    const { id } = await onlyEntryWith('Unwanted')
    await store().entries.remove([id], clock.now())
    await take('removed', { guid: 'r', url: 'https://a.example/r', title: 'Unwanted' })
    await take('removed', { guid: 'r', url: 'https://a.example/r', title: 'Unwanted again' })
    await take('removed', { guid: 'r', url: 'https://a.example/r2', title: 'Unwanted elsewhere' })
    await take('elsewhere', { guid: 'x', url: 'https://a.example/r', title: 'Unwanted' })
    assert.deepEqual(await entriesWith('Unwanted'), [])
  })

  test('bad items are counted by reason and lose no others', async () => {
    const future = new Date(clock.now() + 72 * HOUR).toUTCString()
    const { added, rejections } = await take(
      'bad',
      { guid: 'b1', url: 'https://a.example/b1', title: 'Kept 1' },
      { guid: 'b2', url: 'https://a.example/b2' },
      { guid: 'b3', url: 'https://a.example/b3', title: 'Kept 2', date: 'the day before' },
      { guid: 'b4', url: 'https://a.example/b4', title: 'Lost', date: future },
      { guid: 'b5', url: 'https://a.example/b5' },
      { guid: 'b6', url: 'https://a.example/b6', title: 'Kept 3' },
    )
    assert.equal(added, 3)
    assert.deepEqual(rejections, { 'title is missing': 2, 'publishedAt lies in the future': 1 })
    assert.equal((await entriesWith('Kept')).length, 3)
  })

  test('the lag is the age of the newest item', async () => {
    const { lagMs } = await take('lag', { url: 'https://a.example/lag', title: 'Late' })
    assert.equal(lagMs, clock.now() - Date.parse(PUBLISHED))
    assert.equal((await onlyEntryWith('Late')).publishedAt, isoTime(Date.parse(PUBLISHED)))
  })
})
