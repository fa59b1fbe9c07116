import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Clusterer } from '../../src/enrich/clusters/clusterer.ts'
import { type FixtureEntry, fixtureEntries } from './fixture.ts'
import { heldOutThemes } from './held-out.ts'
import { type ClusterScores, measureClusters } from './measure.ts'
import { vectorsOf } from './vectors.ts'

const tuned = fixtureEntries()
const later = fixtureEntries(heldOutThemes)
const vectors = await vectorsOf([...tuned, ...later])
const tunedVectors = vectors.slice(0, tuned.length)
const laterVectors = vectors.slice(tuned.length)

function score(entries: readonly FixtureEntry[], entryVectors: readonly Float32Array[]): ClusterScores {
  const stories = new Clusterer()
  return measureClusters(
    entries.map(({ story }) => story),
    entries.map((entry, index) => stories.add({ ...entry, vector: entryVectors[index] ?? null }).story),
  )
}

for (const [name, entries, entryVectors, least] of [
  ['tuned on, with vectors', tuned, tunedVectors, 0.9],
  ['tuned on, without vectors', tuned, [], 0.9],
  ['held out, with vectors', later, laterVectors, 0.8],
  ['held out, without vectors', later, [], 0.75],
] as const) {
  test(`stories of the fixture are found: ${name}`, (context) => {
    const scores = score(entries, entryVectors)
    context.diagnostic(`${name}: ${JSON.stringify(scores)}`)
    assert.ok(scores.b3F1 >= least)
  })
}
