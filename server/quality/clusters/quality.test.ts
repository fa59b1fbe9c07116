import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Clusterer } from '../../src/enrich/clusters/clusterer.ts'
import { embedEntries, fixtureEntries } from './fixture.ts'
import { heldOutThemes } from './held-out.ts'
import { measureClusterer, measureClusters } from './measure.ts'
import { readStories } from './stories.ts'
import { templateThemes } from './templates.ts'

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

test('announcements of one template by many companies stay apart', () => {
  const entries = templateThemes.flatMap((theme, company) =>
    fixtureEntries([theme]).map((entry) => ({ ...entry, cluster: company })),
  )
  entries.sort((a, b) => a.publishedAt - b.publishedAt)
  const clusterer = new Clusterer()
  for (const [key, entry] of entries.entries()) clusterer.add({ ...entry, key, vector: null })
  const found = entries.map((_, key) => clusterer.clusterOf(key) ?? -1)
  const { b3Precision } = measureClusters(
    entries.map(({ cluster }) => cluster),
    found,
  )
  assert.equal(b3Precision, 1)
})

const stories = readStories()

test('B-cubed F1 of recorded headlines, without vectors', {
  skip: stories === undefined && 'no recording',
}, (context) => {
  for (const [part, least] of [
    ['tuned', 0.75],
    ['heldBack', 0.8],
  ] as const) {
    const scores = measureClusterer(stories?.[part] ?? [], [])
    context.diagnostic(`${part}: ${JSON.stringify(scores)}`)
    assert.ok(scores.b3F1 >= least)
  }
})
