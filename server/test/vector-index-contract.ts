import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { dot } from '../src/enrich/embed/embedder.ts'
import { sampleEntries } from '../src/sample/world/entries.ts'
import { samplePublishers } from '../src/sample/world/publishers.ts'
import { changedVectorTask, type VectorIndex, vectorTask } from '../src/search/vector-index.ts'
import type { Store } from '../src/store/store.ts'
import { runs } from './depth.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')
const MODEL = 'test'
const DIMENSIONS = 16

let seed = 0

/** Returns another vector of length 1 at each call. */
export function someVector(dimensions: number): Float32Array {
  seed += 1
  const values = Array.from({ length: dimensions }, (_, place) =>
    Math.sin(seed * 12.9898 + (place + 1) * 78.233 * seed),
  )
  const length = Math.hypot(...values)
  return new Float32Array(values.map((value) => value / length))
}

/** Adds entries and returns their ids. */
export async function addEntries(store: Store, count: number, seedOfTexts = 0): Promise<string[]> {
  const samples = [...sampleEntries({ count, from: NOW - count, to: NOW, seed: String(seedOfTexts) })]
  const entries = samples.map((sample) => ({ ...sample, id: randomUUID(), assetKeys: [], topicSlugs: [] }))
  await store.entries.insert(entries)
  return entries.map(({ id }) => id)
}

/** Stores a vector for each entry that has none of this model, as the vector task does; returns these vectors by seq. */
export async function embedAll(store: Store, model: string, dimensions: number): Promise<Map<number, Float32Array>> {
  const { seq: to } = await store.entries.head()
  const changes = await store.changes.head()
  const all = { from: 0, to, limit: 10_000, order: 'asc' } as const
  const known = new Set((await store.vectors.list(model, all)).map(({ seq }) => seq))
  const sources = await store.entries.listSources({ ...all, contentLength: 0 })
  const fresh = sources
    .filter(({ seq }) => !known.has(seq))
    .map(({ seq, lastChange }) => ({ seq, lastChange, vector: someVector(dimensions) }))
  await store.vectors.upsert(model, fresh)
  await store.progress.save(vectorTask(model), { low: 0, high: to })
  await store.progress.save(changedVectorTask(model), { low: 0, high: changes })
  return new Map(fresh.map(({ seq, vector }) => [seq, vector]))
}

const someStep = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'update', 'update', 'remove', 'embed', 'follow', 'reopen'),
  pick: fc.nat(50),
})

/** Declares the tests that an index of vectors passes wherever it is held. `skip` returns a reason not to run them. */
export function testVectorIndex(parts: {
  store: () => Store
  open: (model: string) => Promise<VectorIndex>
  skip?: () => string | undefined
}): void {
  const { store, open, skip = () => undefined } = parts
  let index: VectorIndex | undefined
  const reopen = async () => {
    await index?.close()
    index = await open(MODEL)
    return index
  }
  before(async () => {
    if (skip() === undefined) await store().publishers.insert(samplePublishers, NOW)
  })
  after(() => index?.close())

  test('has the current vectors after any inserts, edits, removals and restarts', async (context: TestContext) => {
    const reason = skip()
    if (reason !== undefined) return context.skip(reason)
    let current = await reopen()
    const entries = new Map<string, number>()
    const vectors = new Map<number, Float32Array>()
    const embed = async () => {
      for (const [seq, vector] of await embedAll(store(), MODEL, DIMENSIONS)) vectors.set(seq, vector)
    }
    await fc.assert(
      fc.asyncProperty(fc.array(someStep, { maxLength: 20 }), async (steps) => {
        for (const { kind, pick } of steps) {
          const [id, seq] = [...entries][pick % Math.max(1, entries.size)] ?? []
          if (kind === 'insert') {
            const [added = assert.fail()] = await addEntries(store(), 1, pick)
            entries.set(added, (await store().entries.head()).seq)
          } else if (kind === 'embed') {
            await embed()
          } else if (kind === 'follow') {
            await current.follow()
          } else if (kind === 'reopen') {
            current = await reopen()
          } else if (id !== undefined && seq !== undefined) {
            if (kind === 'update') await store().entries.update([{ id, title: randomUUID() }], NOW)
            else if (await store().entries.remove([id], NOW)) entries.delete(id)
            vectors.delete(seq)
          }
        }
        await embed()
        await current.follow()
        assert.deepEqual([...vectors.keys()].toSorted(), [...entries.values()].toSorted())
        let found = 0
        for (const vector of vectors.values()) {
          const { seqs, similarities } = await current.nearest(vector, 1_000)
          for (const [place, seq] of seqs.entries()) {
            const expected = dot(vector, vectors.get(seq) ?? assert.fail(`${seq} was removed`))
            assert.ok(Math.abs((similarities[place] ?? 0) - expected) < 0.01, `${seq} has an old vector`)
          }
          found += seqs.length
        }
        // The index is approximate, most of all when few vectors are left of many.
        assert.ok(found >= 0.75 * vectors.size ** 2, `${found} of ${vectors.size ** 2}`)
      }),
      { numRuns: runs(10, 100) },
    )
  })

  test('finds the nearest of many vectors', async (context: TestContext) => {
    const reason = skip()
    if (reason !== undefined) return context.skip(reason)
    const model = 'many'
    await addEntries(store(), 300)
    const vectors = await embedAll(store(), model, 64)
    const many = await open(model)
    await many.follow()
    let found = 0
    const questions = 20
    for (let asked = 0; asked < questions; asked += 1) {
      const question = someVector(64)
      const exact = [...vectors]
        .map(([seq, vector]) => ({ seq, similarity: dot(question, vector) }))
        .sort((one, other) => other.similarity - one.similarity)
      const { seqs, similarities } = await many.nearest(question, 10)
      assert.equal(seqs.length, 10)
      const isOrdered = similarities.every((one, place) => one < (similarities[place - 1] ?? 1) + 0.001)
      assert.ok(isOrdered, similarities.join())
      found += new Set(seqs).intersection(new Set(exact.slice(0, 10).map(({ seq }) => seq))).size
    }
    assert.ok(found >= 0.95 * 10 * questions, `${found} of ${10 * questions}`)
    assert.deepEqual(
      (await many.nearest(someVector(DIMENSIONS), 10)).seqs,
      [],
      'vectors of another length are not compared',
    )
    await many.close()
  })
}
