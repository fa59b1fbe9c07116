import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixtureEntries } from './fixture/fixture.ts'
import { vectorsOf } from './fixture/vectors.ts'
import { measureClusters } from './measure.ts'
import { Stories } from './stories.ts'

const entries = fixtureEntries()
const vectors = await vectorsOf(entries)

/** Limits were chosen on the themes of even number; those of odd number show what they are worth elsewhere. */
for (const [name, hasVectors, leastTuned, leastHeldOut] of [
  ['with vectors', true, 0.89, 0.93],
  ['without vectors', false, 0.88, 0.88],
] as const) {
  test(`stories of the fixture are found ${name}`, (context) => {
    const stories = new Stories()
    const found = entries.map((entry, index) => {
      const vector = hasVectors ? (vectors[index] ?? null) : null
      return { ...entry, found: stories.add({ ...entry, vector }).story }
    })
    const [tuned, heldOut] = [0, 1].map((half) => {
      const themes = found.filter(({ theme }) => theme % 2 === half)
      const gold = themes.map(({ story }) => story)
      return measureClusters(
        gold,
        themes.map((entry) => entry.found),
      )
    })
    context.diagnostic(`tuned ${JSON.stringify(tuned)} held out ${JSON.stringify(heldOut)}`)
    assert.ok((tuned?.b3F1 ?? 0) >= leastTuned)
    assert.ok((heldOut?.b3F1 ?? 0) >= leastHeldOut)
  })
}
