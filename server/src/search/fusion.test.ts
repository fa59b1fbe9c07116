import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FUSIONS, type SearchCandidate } from './fusion.ts'

const candidate = fc.record({
  seq: fc.nat(),
  publishedAt: fc.nat(),
  similarity: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
  lexical: fc.double({ min: 0, max: 1, noNaN: true }),
  textLength: fc.constantFrom(0, 700, 5_000),
})

for (const [name, fuse] of Object.entries(FUSIONS)) {
  test(`${name}: a candidate that is better in both scores never ranks lower than one with a text of its length`, () => {
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 30 }), (candidates: SearchCandidate[]) => {
        const scores = fuse(candidates)
        assert.equal(scores.length, candidates.length)
        for (const [at, one] of candidates.entries()) {
          for (const [place, other] of candidates.entries()) {
            if (one.similarity === null || other.similarity === null) continue
            if (one.textLength !== other.textLength) continue
            if (one.similarity < other.similarity || one.lexical < other.lexical) continue
            assert.ok((scores[at] ?? 0) >= (scores[place] ?? 0) - 1e-9)
          }
        }
      }),
    )
  })
}

test('blend: words count more in a long text, and as ever in a headline', () => {
  const both = { seq: 1, publishedAt: 0, similarity: 0.5, lexical: 1 }
  const [headline, long] = FUSIONS.blend([
    { ...both, textLength: 0 },
    { ...both, textLength: 10_000 },
  ])
  assert.deepEqual([headline, long], [0.65, 0.8])
})
