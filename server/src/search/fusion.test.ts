import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FUSIONS, type SearchCandidate } from './fusion.ts'

const candidate = fc.record({
  seq: fc.nat(),
  publishedAt: fc.nat(),
  similarity: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
  lexical: fc.double({ min: 0, max: 1, noNaN: true }),
})

for (const [name, fuse] of Object.entries(FUSIONS)) {
  test(`${name}: a candidate that is better in both scores never ranks lower`, () => {
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 30 }), (candidates: SearchCandidate[]) => {
        const scores = fuse(candidates)
        assert.equal(scores.length, candidates.length)
        for (const [at, one] of candidates.entries()) {
          for (const [place, other] of candidates.entries()) {
            if (one.similarity === null || other.similarity === null) continue
            if (one.similarity < other.similarity || one.lexical < other.lexical) continue
            assert.ok((scores[at] ?? 0) >= (scores[place] ?? 0) - 1e-9)
          }
        }
      }),
    )
  })
}
