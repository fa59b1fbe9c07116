import { hasOtherPeriod } from './routine.ts'
import type { Reading } from './reading.ts'
import { mentions, type Story } from './story.ts'

// TUNING
export const P = { threshold: 0.28, termsOnly: 0.2, linkage: 1, names: 0.1, period: 0.15, perDay: 0.02, wT: 0.5, routine: 0.2, neutral: 1, damp: 0.5, disjoint: 0.1, centre: 0 }

/** How much an entry is told like a story, the reach of the threshold included: it belongs there from 0 on. */
export function likenessTo(story: Story, reading: Reading, vector: Float32Array | null, dense: Float32Array, at: number): number {
  const n = story.keys.length
  const termCosine = termDot(story, dense) / n ** P.linkage / lengthOf(story.weights) ** (1 - P.linkage)
  const gapDays = Math.max(0, at - story.lastAt, story.firstAt - at) / 86_400_000
  let penalty = P.perDay * gapDays
  const agreement = nameAgreement(story, reading)
  penalty += P.names * (1 - agreement) + (agreement === 0 ? P.disjoint : 0)
  if (hasOtherPeriod(story.periods, reading.periods)) penalty += P.period
  if (vector === null || story.vectorSum === null) return termCosine - P.termsOnly - penalty
  const cosine = dot(vector, story.vectorSum) / story.vectorCount ** P.linkage / lengthOf(story.vectorSum) ** (1 - P.linkage)
  return (1 - P.wT) * cosine + P.wT * termCosine - P.threshold - penalty
}

function termDot(story: Story, dense: Float32Array): number {
  const { terms, weights } = story
  let sum = 0
  let most = 0
  for (let index = 0; index < terms.length; index++) {
    const product = (weights[index] ?? 0) * (dense[terms[index] ?? 0] ?? 0)
    sum += product
    if (product > most) most = product
  }
  return sum - P.damp * most
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0)
  return sum
}

/** The share of names of one that the other mentions, the better of both directions; 1 when one of them has no names. */
function nameAgreement(story: Story, reading: Reading): number {
  if (story.titleNames.size === 0 || reading.titleNames.size === 0) return P.neutral
  let all = 0
  let found = 0
  for (const [name, weight] of reading.titleNames) {
    all += weight
    if (mentions(story, name)) found += weight
  }
  let storyAll = 0
  let storyFound = 0
  for (const [name, weight] of story.titleNames) {
    storyAll += weight
    if (reading.met.has(name)) storyFound += weight
  }
  return Math.max(found / all, storyFound / storyAll)
}

function lengthOf(v: Float32Array): number {
  return Math.sqrt(dot(v, v))
}
