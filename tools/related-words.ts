/**
 * Writes server/src/search/related-words.txt from word vectors: `node tools/related-words.ts glove.6B.100d.txt`. A line has a
 * stem, its usual forms and the stems closest to it. The vectors are those of GloVe (https://nlp.stanford.edu/projects/glove),
 * which are in the public domain; the most frequent word comes first.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isEnglishWord } from '../server/src/enrich/mentions/dictionary.ts'
import { isStopWord, queryStem } from '../server/src/search/query-terms.ts'

/** The most frequent words have related ones, of which some more may be among these. */
const LISTED = 20_000
const READ = 30_000
const MIN_LENGTH = 3
const MIN_COSINE = 0.45
const MAX_RELATED = 12
/** Frequent forms of a word say more about its meaning than rare ones; this rank is half as important as the first. */
const HALF_RANK = 100

interface Stem {
  stem: string
  forms: string[]
  rank: number
  vector: Float32Array
}

function readStems(lines: readonly string[]): Stem[] {
  const stems = new Map<string, Stem>()
  for (const [rank, line] of lines.entries()) {
    const [word = '', ...values] = line.split(' ')
    if (word.length < MIN_LENGTH || isStopWord(word) || !isEnglishWord(word)) continue
    const stem = queryStem(word)
    const known = stems.get(stem) ?? { stem, forms: [], rank, vector: new Float32Array(values.length) }
    known.forms.push(word)
    const form = unit(Float32Array.from(values, Number))
    for (const [at, value] of form.entries()) {
      known.vector[at] = (known.vector[at] ?? 0) + value / (rank + HALF_RANK)
    }
    stems.set(stem, known)
  }
  return centred([...stems.values()])
}

/** Subtracts the mean, which all words share. */
function centred(stems: readonly Stem[]): Stem[] {
  const units = stems.map((one) => ({ ...one, vector: unit(one.vector) }))
  const mean = new Float32Array(units[0]?.vector.length ?? 0)
  for (const { vector } of units) {
    for (const [at, value] of vector.entries()) mean[at] = (mean[at] ?? 0) + value / units.length
  }
  return units.map((one) => ({ ...one, vector: unit(one.vector.map((value, at) => value - (mean[at] ?? 0))) }))
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector)) || 1
  return vector.map((value) => value / length)
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

const stems = readStems(readFileSync(process.argv[2] ?? '', 'utf8').split('\n', READ))
function relatedTo({ stem, vector }: Stem): string[] {
  const found: { stem: string; cosine: number }[] = []
  for (const other of stems) {
    const cosine = other.stem === stem ? 0 : dot(vector, other.vector)
    if (cosine >= MIN_COSINE) found.push({ stem: other.stem, cosine })
  }
  found.sort((one, other) => other.cosine - one.cosine)
  return found.slice(0, MAX_RELATED).map((other) => other.stem)
}

const related = new Map(stems.filter(({ rank }) => rank < LISTED).map((one) => [one.stem, relatedTo(one)]))
const named = new Set([...related.values()].flat())
const lines = stems
  .map(({ stem, forms }) => ({ stem, forms, others: related.get(stem) ?? [] }))
  .filter(({ stem, others }) => others.length > 0 || named.has(stem))
  .map(({ stem, forms, others }) => [stem, forms.join(), ...others].join(' '))
writeFileSync(
  join(import.meta.dirname, '../server/src/search/related-words.txt'),
  `${lines.sort((one, other) => (one < other ? -1 : 1)).join('\n')}\n`,
)
