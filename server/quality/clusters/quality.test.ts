import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embedEntries, fixtureEntries } from './fixture.ts'
import { heldOutThemes } from './held-out.ts'
import { measureClusterer } from './measure.ts'

const tuned = fixtureEntries()
const heldOut = fixtureEntries(heldOutThemes)
const vectors = await embedEntries([...tuned, ...heldOut])
const tunedVectors = vectors.slice(0, tuned.length)
const heldOutVectors = vectors.slice(tuned.length)

for (const [name, entries, entryVectors, minF1] of [
  ['tuned on, with vectors', tuned, tunedVectors, 0.9],
  ['tuned on, without vectors', tuned, [], 0.9],
  ['held out, with vectors', heldOut, heldOutVectors, 0.8],
  ['held out, without vectors', heldOut, [], 0.75],
] as const) {
  test(`B-cubed F1 of labelled clusters is at least ${minF1}: ${name}`, (context) => {
    const scores = measureClusterer(entries, entryVectors)
    context.diagnostic(`${name}: ${JSON.stringify(scores)}`)
    assert.ok(scores.b3F1 >= minF1)
  })
}
