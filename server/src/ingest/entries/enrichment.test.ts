import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FakeClock, onEveryEngine, storeForSuite } from '../../../test/harness.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { Thread } from '../../thread.ts'
import { Enrichment } from './enrichment.ts'

onEveryEngine('entities of texts', (engine) => {
  const store = storeForSuite(engine)
  const clock = new FakeClock()
  let enrichment: Enrichment
  before(async () => {
    await store().assets.insert(builtInAssets, clock.now())
    enrichment = new Enrichment(store())
  })
  after(() => enrichment.close())

  const textOf = (title: string) => ({ title, content: null, language: 'en' })
  const keysIn = async (...titles: string[]) =>
    (await enrichment.entitiesOf(titles.map(textOf))).map((entities) => entities.map(({ assetKey }) => assetKey))

  test('a text is read once, and answers keep the order of the texts', async (t) => {
    assert.deepEqual(await keysIn('Tesla rises', 'Nothing happens'), [['TSLA'], []])
    const ask = t.mock.method(Thread.prototype, 'ask')
    // The store has threads of its own.
    const read = () =>
      ask.mock.calls
        .map(({ arguments: [request] }) => request as { kind?: string; texts: unknown[] })
        .filter(({ kind }) => kind === 'entities')
        .map(({ texts }) => texts.length)
    assert.deepEqual(await keysIn('Nothing happens', 'Netflix falls', 'Tesla rises'), [[], ['NFLX'], ['TSLA']])
    assert.deepEqual(read(), [1])
    assert.deepEqual(await keysIn('Netflix falls', 'Tesla rises'), [['NFLX'], ['TSLA']])
    assert.deepEqual(read(), [1])
  })

  test('a new asset is found in a text that was read before', async () => {
    assert.deepEqual(await keysIn('Quuxcorp shares jump'), [[]])
    const [like] = builtInAssets
    assert.ok(like !== undefined)
    const asset = { ...like, id: '00000000-0000-4000-8000-00000000000a', key: 'QUUX', symbol: 'QUUX', name: 'Quuxcorp' }
    await store().assets.insert([{ ...asset, aliases: [], formerSymbols: [] }], clock.now())
    assert.deepEqual(await keysIn('Quuxcorp shares jump'), [['QUUX']])
  })
})
