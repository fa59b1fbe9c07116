import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { onEveryEngine, storeForSuite } from '../../../test/harness.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { builtInTopics } from '../../catalogue/built-in/topics.ts'
import type { NewEntry } from '../../model/entries.ts'
import { DAY } from '../../model/time.ts'
import { sampleEntries } from '../../sample/world/entries.ts'
import { samplePublishers } from '../../sample/world/publishers.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')

onEveryEngine('entries by language', (engine) => {
  const store = storeForSuite(engine)
  before(async () => {
    await store().publishers.insert(samplePublishers, NOW)
    await store().assets.insert(builtInAssets, NOW)
    await store().topics.insert(builtInTopics, NOW)
  })
  const samples = [...sampleEntries({ count: 40, from: NOW - DAY, to: NOW, seed: 'languages' })]
  const inLanguages = (languages: (string | null)[], from: number): NewEntry[] =>
    samples.slice(from, from + languages.length).map((entry, index) => ({
      ...entry,
      language: languages[index] ?? null,
    }))
  const counts = async () =>
    (await store().entries.countByLanguage()).map(({ language, entries }) => [language, entries])
  const total = async () => (await store().entries.countByLanguage()).reduce((sum, { entries }) => sum + entries, 0)

  test('an empty store has none', async () => assert.deepEqual(await counts(), []))

  test('most come first, also after inserts, revisions and removals', async () => {
    const first = inLanguages(['de', 'en', 'fr', 'en', null, 'de', 'en'], 0)
    await store().entries.insert(first)
    assert.deepEqual(await counts(), [
      ['en', 3],
      ['de', 2],
      ['fr', 1],
      [null, 1],
    ])

    await store().entries.insert(inLanguages([null, null, null, 'ja'], 7))
    assert.deepEqual(await counts(), [
      [null, 4],
      ['en', 3],
      ['de', 2],
      ['fr', 1],
      ['ja', 1],
    ])

    await store().entries.update([{ id: first[2]?.id ?? '', language: 'de' }], NOW)
    assert.deepEqual(await counts(), [
      [null, 4],
      ['de', 3],
      ['en', 3],
      ['ja', 1],
    ])

    await store().entries.remove(
      first.map(({ id }) => id),
      NOW,
    )
    assert.deepEqual(await counts(), [
      [null, 3],
      ['ja', 1],
    ])
  })

  test('a count that begins after a write has it, whatever was counted meanwhile', async () => {
    const before = await total()
    for (const [index, entry] of samples.slice(12).entries()) {
      const writing = store().entries.insert([entry])
      const meanwhile = Array.from({ length: index % 4 }, total)
      await writing
      assert.equal(await total(), before + index + 1)
      await Promise.all(meanwhile)
    }
  })

  test('a count between the commit of a write and its acknowledgement is not kept', async () => {
    const more = [...sampleEntries({ count: 40, from: NOW - DAY, to: NOW, seed: 'races' })]
    for (const [index, [one, other]] of pairs(more).entries()) {
      const before = await total()
      let isDone = false
      const first = store().entries.insert([one])
      const writing = store()
        .entries.insert([other])
        .then(() => {
          isDone = true
        })
      await first
      await store().entries.head()
      const meanwhile: Promise<number>[] = []
      for (let turn = 0; !isDone; turn += 1) {
        // The writer commits while this thread is busy.
        const until = performance.now() + 0.5 + (index % 16) / 4
        while (performance.now() < until);
        if (turn === index % 4) meanwhile.push(total())
        await setImmediate()
      }
      await writing
      await Promise.all(meanwhile)
      assert.equal(await total(), before + 2)
    }
  })
})

const pairs = <T>(items: readonly T[]) =>
  items.flatMap((item, index) => (index % 2 === 0 ? [[item, items[index + 1] ?? item] as const] : []))
