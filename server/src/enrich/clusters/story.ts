import type { CopyMarks } from './copies.ts'
import type { Reading } from './reading.ts'
import type { Periods } from './routine.ts'

/** A story as far as it is needed to find what else belongs to it. */
export interface Story {
  number: number
  /** Its place in the indexes. */
  row: number
  language: string
  keys: number[]
  firstAt: number
  lastAt: number
  /** Sum of the terms of its entries, ascending by term. */
  terms: Int32Array
  weights: Float32Array
  vectorSum: Float32Array | null
  vectorCount: number
  titleNames: Map<number, number>
  periods: Periods
  isRoutine: boolean
  /** Of the first and of the newest entries. */
  copyMarks: CopyMarks[]
}

const MOST_TERMS = 250
const MOST_NAMES = 60
const MOST_COPY_MARKS = 8

/** Adds an entry to a story; the terms that the story did not have before are returned, as are those it gave up. */
export function growStory(
  story: Story,
  key: number,
  publishedAt: number,
  reading: Reading,
  vector: Float32Array | null,
): { gained: number[]; lost: number[] } {
  story.keys.push(key)
  story.firstAt = Math.min(story.firstAt, publishedAt)
  story.lastAt = Math.max(story.lastAt, publishedAt)
  story.periods = {
    quarters: story.periods.quarters | reading.periods.quarters,
    months: story.periods.months | reading.periods.months,
  }
  story.isRoutine &&= reading.isRoutine
  for (const [name, weight] of reading.titleNames) {
    if (story.titleNames.size < MOST_NAMES || story.titleNames.has(name)) {
      story.titleNames.set(name, (story.titleNames.get(name) ?? 0) + weight)
    }
  }
  if (story.copyMarks.length === MOST_COPY_MARKS) story.copyMarks.splice(1, 1)
  story.copyMarks.push(reading.copyMarks)
  addVector(story, vector)
  return addTerms(story, reading)
}

function addVector(story: Story, vector: Float32Array | null): void {
  if (vector === null) return
  if (story.vectorSum === null) story.vectorSum = vector.slice()
  else for (let index = 0; index < vector.length; index++) story.vectorSum[index] = (story.vectorSum[index] ?? 0) + (vector[index] ?? 0)
  story.vectorCount++
}

function addTerms(story: Story, { terms, weights }: Reading): { gained: number[]; lost: number[] } {
  const gained: number[] = []
  const sums = new Map<number, number>()
  for (const [index, term] of story.terms.entries()) sums.set(term, story.weights[index] ?? 0)
  for (const [index, term] of terms.entries()) {
    if (!sums.has(term)) gained.push(term)
    sums.set(term, (sums.get(term) ?? 0) + (weights[index] ?? 0))
  }
  let kept = [...sums]
  const lost: number[] = []
  if (kept.length > MOST_TERMS) {
    kept.sort(([termA, a], [termB, b]) => b - a || termA - termB)
    for (const [term] of kept.slice(MOST_TERMS)) lost.push(term)
    kept = kept.slice(0, MOST_TERMS)
  }
  kept.sort(([a], [b]) => a - b)
  story.terms = Int32Array.from(kept, ([term]) => term)
  story.weights = Float32Array.from(kept, ([, weight]) => weight)
  return { gained, lost }
}

export function mentions(story: Story, term: number): boolean {
  const { terms } = story
  let low = 0
  let high = terms.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const at = terms[middle] ?? 0
    if (at === term) return true
    if (at < term) low = middle + 1
    else high = middle - 1
  }
  return false
}
