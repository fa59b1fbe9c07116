import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fusedScore } from './fusion.ts'

const scores = fc.record({
  similarity: fc.double({ min: -1, max: 1, noNaN: true }),
  lexical: fc.double({ min: 0, max: 1.5, noNaN: true }),
})

test('an entry that is better in both scores never scores lower than one with a text of its length', () => {
  fc.assert(
    fc.property(scores, scores, fc.nat(10_000), (one, other, textLength) => {
      const better = {
        similarity: Math.max(one.similarity, other.similarity),
        lexical: Math.max(one.lexical, other.lexical),
        textLength,
      }
      assert.ok(fusedScore(better) >= fusedScore({ ...one, textLength }) - 1e-9)
    }),
  )
})

test('words count more in a long text than beside a headline, and alone without a vector', () => {
  const words = { similarity: 0, lexical: 1 }
  const meaning = { similarity: 1, lexical: 0 }
  assert.ok(fusedScore({ ...meaning, textLength: 0 }) > fusedScore({ ...words, textLength: 0 }))
  assert.ok(fusedScore({ ...meaning, textLength: 5_000 }) < fusedScore({ ...words, textLength: 5_000 }))
  for (const textLength of [0, 300, 5_000]) assert.equal(fusedScore({ similarity: 1, lexical: 1, textLength }), 1)
  assert.equal(fusedScore({ similarity: null, lexical: 0.4, textLength: 0 }), 0.4)
})
