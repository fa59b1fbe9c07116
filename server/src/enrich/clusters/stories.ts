import { isNearCopy } from './copies.ts'
import { Frequencies, TERM_COUNT } from './frequencies.ts'
import { likenessTo, P } from './likeness.ts'
import { type Reading, readEntry } from './reading.ts'
import { growStory, type Story } from './story.ts'
import { TermIndex } from './term-index.ts'
import { VectorIndex } from './vector-index.ts'

export interface StoryEntry {
  key: number
  title: string
  content: string
  language: string
  publishedAt: number
  vector: Float32Array | null
}

export interface Placement {
  story: number
  isNew: boolean
}

const HOUR = 3_600_000
const WINDOW = 72 * HOUR
const PLAIN_COPY_WINDOW = 6 * HOUR
const ROUTINE_WINDOW = 12 * HOUR
const TERM_CANDIDATES = 32
const VECTOR_CANDIDATES = 16

export class Stories {
  readonly #frequencies = new Frequencies()
  readonly #rows: (Story | undefined)[] = []
  readonly #freeRows: number[] = []
  readonly #byTitle = new Map<string, Story>()
  readonly #termIndex = new TermIndex()
  readonly #vectorIndex = new VectorIndex()
  readonly #dense = new Float32Array(TERM_COUNT)
  #nextNumber = 1
  add(entry: StoryEntry): Placement {
    const reading = readEntry(entry, this.#frequencies)
    const found = this.#find(entry, reading)
    const story = found ?? this.#begin(entry)
    this.#place(entry, reading, story)
    return { story: story.number, isNew: found === undefined }
  }
  #begin(entry: StoryEntry): Story {
    const row = this.#freeRows.pop() ?? this.#rows.length
    const story: Story = { number: this.#nextNumber++, row, language: entry.language, keys: [], firstAt: entry.publishedAt, lastAt: entry.publishedAt, terms: new Int32Array(), weights: new Float32Array(), vectorSum: null, vectorCount: 0, titleNames: new Map(), periods: { quarters: 0, months: 0 }, isRoutine: true, copyMarks: [] }
    this.#rows[row] = story
    return story
  }
  #place(entry: StoryEntry, reading: Reading, story: Story) {
    const { gained, lost } = growStory(story, entry.key, entry.publishedAt, reading, entry.vector)
    this.#termIndex.add(story.row, gained)
    this.#termIndex.remove(story.row, lost)
    if (story.vectorSum !== null) this.#vectorIndex.set(story.row, story.vectorSum)
    if (reading.copyMarks.title !== '') this.#byTitle.set(`${entry.language} ${reading.copyMarks.title}`, story)
    this.#frequencies.count(reading.met)
  }
  #find(entry: StoryEntry, reading: Reading): Story | undefined {
    const at = entry.publishedAt
    const gap = (s: Story) => Math.max(0, at - s.lastAt, s.firstAt - at)
    const same = this.#byTitle.get(`${entry.language} ${reading.copyMarks.title}`)
    if (same !== undefined && gap(same) <= (reading.isRoutine ? ROUTINE_WINDOW : reading.copyMarks.isPlain ? PLAIN_COPY_WINDOW : WINDOW)) return same
    if (reading.isRoutine) return undefined
    const rows = new Set(this.#termIndex.nearest(reading, TERM_CANDIDATES, this.#rows.length))
    if (entry.vector !== null) for (const row of this.#vectorIndex.nearest(entry.vector, VECTOR_CANDIDATES, this.#rows.length)) rows.add(row)
    const { terms, weights } = reading
    for (let i = 0; i < terms.length; i++) this.#dense[terms[i] ?? 0] = weights[i] ?? 0
    let best: Story | undefined
    let bestLikeness = 0
    for (const row of rows) {
      const story = this.#rows[row]
      if (story === undefined || story.language !== entry.language || gap(story) > WINDOW || story.isRoutine) continue
      const likeness = likenessTo(story, reading, entry.vector, this.#dense, at)
      if (likeness > bestLikeness || (likeness === bestLikeness && best !== undefined && story.number < best.number)) { best = story; bestLikeness = likeness }
    }
    for (let i = 0; i < terms.length; i++) this.#dense[terms[i] ?? 0] = 0
    return best
  }
}
