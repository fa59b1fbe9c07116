import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { onEveryEngine, storeForSuite } from '../../test/harness.ts'
import { dot } from '../enrich/embed/embedder.ts'
import { sampleEntries } from '../sample/world/entries.ts'
import { samplePublishers } from '../sample/world/publishers.ts'
import { changedVectorTask, VectorIndex, vectorTask } from './vector-index.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')
const MODEL = 'test'
const DIMENSIONS = 16

onEveryEngine('vector index', (engine) => {
  const store = storeForSuite(engine)
  let folder: string
  let index: VectorIndex
  const open = () => {
    index = new VectorIndex(store(), MODEL, { folder, storeId: 'one' })
  }
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vectors-'))
    await store().publishers.insert(samplePublishers, NOW)
    open()
  })
  after(async () => {
    await index.close()
    rmSync(folder, { recursive: true })
  })

  let seed = 0
  const someVector = () => {
    seed += 1
    const values = Array.from({ length: DIMENSIONS }, (_, place) => Math.sin(seed * 12.9898 + place * 78.233))
    const length = Math.hypot(...values)
    return new Float32Array(values.map((value) => value / length))
  }
  /** Stores a vector for each entry that has none, as the vector task does. */
  async function embed(vectors: Map<number, Float32Array>): Promise<void> {
    const { seq: to } = await store().entries.head()
    const changes = await store().changes.head()
    const sources = await store().entries.listSources({ from: 0, to, limit: 1_000, order: 'asc', contentLength: 0 })
    const known = new Set((await listVectors(to)).map(({ seq }) => seq))
    const missing = sources.filter(({ seq }) => !known.has(seq))
    const fresh = missing.map(({ seq, lastChange }) => ({ seq, lastChange, vector: someVector() }))
    await store().vectors.upsert(MODEL, fresh)
    await store().progress.save(vectorTask(MODEL), { low: 0, high: to })
    await store().progress.save(changedVectorTask(MODEL), { low: 0, high: changes })
    for (const { seq, vector } of fresh) vectors.set(seq, vector)
  }
  const listVectors = (to: number) => store().vectors.list(MODEL, { from: 0, to, limit: 1_000, order: 'asc' })

  const someStep = fc.record({
    kind: fc.constantFrom('insert', 'insert', 'update', 'update', 'remove', 'embed', 'follow', 'reopen'),
    pick: fc.nat(50),
  })

  test('has the current vectors after any inserts, edits, removals and restarts', async () => {
    const entries = new Map<string, number>()
    const vectors = new Map<number, Float32Array>()
    await fc.assert(
      fc.asyncProperty(fc.array(someStep, { maxLength: 20 }), async (steps) => {
        for (const { kind, pick } of steps) {
          const [id, seq] = [...entries][pick % Math.max(1, entries.size)] ?? []
          if (kind === 'insert') {
            const [sample] = sampleEntries({ count: 1, from: NOW - 1, to: NOW, seed: String(pick) })
            const entry = { ...(sample ?? assert.fail()), id: randomUUID(), assetKeys: [], topicSlugs: [] }
            await store().entries.insert([entry])
            entries.set(entry.id, (await store().entries.head()).seq)
          } else if (kind === 'embed') {
            await embed(vectors)
          } else if (kind === 'follow') {
            await index.follow()
          } else if (kind === 'reopen') {
            await index.close()
            open()
          } else if (id !== undefined && seq !== undefined) {
            if (kind === 'update') await store().entries.update([{ id, title: randomUUID() }], NOW)
            else if (await store().entries.remove([id], NOW)) entries.delete(id)
            vectors.delete(seq)
          }
        }
        await embed(vectors)
        await index.follow()
        assert.deepEqual([...vectors.keys()].toSorted(), [...entries.values()].toSorted())
        let found = 0
        for (const vector of vectors.values()) {
          const { seqs, similarities } = await index.nearest(vector, 1_000)
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
})
