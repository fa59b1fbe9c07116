import { HOUR } from '../../model/time.ts'
import { Centroid, unitOrNull } from './centroid.ts'
import { DocumentFrequencies, TERM_COUNT } from './document-frequencies.ts'
import { type EntryFeatures, extractFeatures } from './features.ts'
import { InvertedIndex } from './inverted-index.ts'
import { isGenericTitle, isNearDuplicate } from './near-duplicates.ts'
import { addToCluster, createCluster, type OpenCluster, timeDistance } from './open-cluster.ts'
import { ReportedDays } from './reported-days.ts'
import { considerHeadline } from './representative-headline.ts'
import { differsInQuarter } from './routine-titles.ts'
import { SignBitIndex } from './sign-bit-index.ts'
import { type Comparison, crossLanguageMargin, similarityMargin } from './similarity.ts'

/** Title and content are clean text. */
export interface ClusterInput {
  key: number
  title: string
  content: string
  language: string
  /** Epoch milliseconds. */
  publishedAt: number
  /** Of one model for all entries; null where it does not know the language. */
  vector: Float32Array | null
}

export interface Placement {
  /** The key of the first entry of the story. */
  story: number
  isNew: boolean
}

export interface ClustererOptions {
  /** Vectors of different languages can be compared, so a story may be told in several. */
  isMultilingual?: boolean
  /** The longest untouched are forgotten beyond it. */
  mostStories?: number
}

/** A story takes in what was published within this time of one of its entries, before or after. */
const STORY_WINDOW = 72 * HOUR
/** The same for a copied headline that would fit on other news: tomorrow it stands over something else. */
const ROUTINE_WINDOW = 12 * HOUR

/** Few of all stories are looked at: those that share rare terms, and those whose vectors point the same way. */
const TERM_CANDIDATES = 24
const VECTOR_CANDIDATES = 12
/** A copy shares nearly all terms, so it is among the first. */
const COPY_CANDIDATES = 8
const STALE_CHECKS = 2

/**
 * Finds the story that an entry tells, in one pass and for good: copies first, else the story that it is most like. What
 * it decides depends on the entries alone and on their order.
 */
export class Clusterer {
  readonly #isMultilingual: boolean
  readonly #mostStories: number
  readonly #frequencies = new DocumentFrequencies()
  readonly #centre = new Centroid()
  readonly #activity = new ReportedDays()
  readonly #termIndex = new InvertedIndex()
  readonly #sideIndex = new SignBitIndex()
  /** By number, the longest untouched first. */
  readonly #stories = new Map<number, OpenCluster>()
  readonly #storyByKey = new Map<number, OpenCluster>()
  readonly #storyByTitle = new Map<string, OpenCluster>()
  readonly #rows: (OpenCluster | undefined)[] = []
  readonly #freeRows: number[] = []
  /** All zero between two comparisons. */
  readonly #weights = new Float32Array(TERM_COUNT)
  #dimensions = 0
  #checkedRow = 0

  constructor({ isMultilingual = false, mostStories = 50_000 }: ClustererOptions = {}) {
    this.#isMultilingual = isMultilingual
    this.#mostStories = Math.max(1, mostStories)
  }

  get size(): number {
    return this.#stories.size
  }

  /** An entry that was added before stays where it is. */
  add(entry: ClusterInput): Placement {
    const known = this.#storyByKey.get(entry.key)
    if (known !== undefined) return { story: known.number, isNew: false }
    const reading = extractFeatures(entry, this.#frequencies)
    const vector = this.#usableVector(entry.vector)
    const found = this.#findCopied(entry, reading) ?? this.#findAlike(entry, reading, vector)
    const story = found ?? this.#begin(entry.key, entry.language)
    this.#place(story, entry, reading, vector)
    return { story: story.number, isNew: found === undefined }
  }

  /**
   * Takes in what was decided earlier, in the order in which it was decided. Entries of stories that have ended may be
   * among them: they teach which words are common, and their stories are forgotten again.
   */
  restore(entries: Iterable<ClusterInput & { story: number }>): void {
    for (const entry of entries) {
      if (this.#storyByKey.has(entry.key)) continue
      const reading = extractFeatures(entry, this.#frequencies)
      const story = this.#stories.get(entry.story) ?? this.#begin(entry.story, entry.language)
      this.#place(story, entry, reading, this.#usableVector(entry.vector))
    }
  }

  /** Keys of its entries in the order of arrival; none when it is not remembered. */
  membersOf(story: number): readonly number[] {
    return this.#stories.get(story)?.keys ?? []
  }

  /** The entry whose title says best what the story is about. */
  representativeOf(story: number): { key: number; title: string } | null {
    const headline = this.#stories.get(story)?.headlines[0]
    return headline === undefined ? null : { key: headline.key, title: headline.title }
  }

  #findCopied(
    { language, publishedAt }: ClusterInput,
    { copyMarks, isRoutine }: EntryFeatures,
  ): OpenCluster | undefined {
    const story = this.#storyByTitle.get(titleKey(language, copyMarks.title))
    if (story === undefined) return undefined
    const window = isRoutine || isGenericTitle(copyMarks) ? ROUTINE_WINDOW : STORY_WINDOW
    return timeDistance(story, publishedAt) <= window ? story : undefined
  }

  #findAlike(entry: ClusterInput, reading: EntryFeatures, vector: Float32Array | null): OpenCluster | undefined {
    if (reading.terms.length === 0) return undefined
    const window = reading.isRoutine ? ROUTINE_WINDOW : STORY_WINDOW
    const isNear = (story: OpenCluster) => timeDistance(story, entry.publishedAt) <= window
    const byTerms = this.#storiesAt(this.#termIndex.nearest(reading, TERM_CANDIDATES, this.#rows.length)).filter(isNear)
    const copied = byTerms
      .slice(0, COPY_CANDIDATES)
      .find(
        ({ language, periods, copyMarks }) =>
          language === entry.language &&
          !differsInQuarter(periods, reading.periods) &&
          copyMarks.some((marks) => isNearDuplicate(marks, reading.copyMarks)),
      )
    if (copied !== undefined || reading.isRoutine) return copied
    const byVector = vector === null ? [] : this.#storiesAt(this.#rowsNear(vector)).filter(isNear)
    return this.#mostAlike(new Set([...byTerms, ...byVector]), entry, reading, vector)
  }

  #mostAlike(
    candidates: Iterable<OpenCluster>,
    { language, publishedAt }: ClusterInput,
    reading: EntryFeatures,
    vector: Float32Array | null,
  ): OpenCluster | undefined {
    const weights = this.#weights
    for (const [index, term] of reading.terms.entries()) weights[term] = reading.weights[index] ?? 0
    const common = vector === null ? 0 : this.#centre.commonOf(vector)
    const comparison: Comparison = { reading, publishedAt, vector, common, centre: this.#centre, weights }
    let best: OpenCluster | undefined
    let most = 0
    for (const story of candidates) {
      if (story.isRoutine) continue
      const isSameLanguage = story.language === language
      if (!isSameLanguage && !this.#isMultilingual) continue
      const likeness = isSameLanguage ? similarityMargin(story, comparison) : crossLanguageMargin(story, comparison)
      if (likeness !== null && likeness > most) {
        best = story
        most = likeness
      }
    }
    for (const term of reading.terms) weights[term] = 0
    return best
  }

  #rowsNear(vector: Float32Array): number[] {
    return this.#sideIndex.nearest(this.#centre.sidesOf(vector, 1), VECTOR_CANDIDATES, this.#rows.length)
  }

  #storiesAt(rows: readonly number[]): OpenCluster[] {
    return rows.map((row) => this.#rows[row]).filter((story) => story !== undefined)
  }

  #begin(number: number, language: string): OpenCluster {
    const row = this.#freeRows.pop() ?? this.#rows.length
    const story = createCluster(number, row, language)
    this.#rows[row] = story
    return story
  }

  #place(story: OpenCluster, entry: ClusterInput, reading: EntryFeatures, vector: Float32Array | null): void {
    if (vector !== null && story.keys.length === 0) this.#centre.include(vector)
    const { gained, lost } = addToCluster(story, entry, reading, vector)
    this.#termIndex.add(story.row, gained)
    this.#termIndex.remove(story.row, lost)
    if (story.vectors !== null && vector !== null) {
      this.#sideIndex.set(story.row, this.#centre.sidesOf(story.vectors.sum, story.vectors.count))
    }
    considerHeadline(story, entry, reading.copyMarks.titleTerms)
    this.#frequencies.count(reading.allTerms)

    // Deleted first, so that it becomes the last.
    this.#stories.delete(story.number)
    this.#stories.set(story.number, story)
    this.#storyByKey.set(entry.key, story)
    if (reading.copyMarks.title !== '') {
      const title = titleKey(entry.language, reading.copyMarks.title)
      story.titles.add(title)
      this.#storyByTitle.set(title, story)
    }
    this.#activity.note(entry.publishedAt)
    this.#forgetStale()
  }

  /** A few of the stories each time: none of the calls takes long. */
  #forgetStale(): void {
    for (let check = 0; check < STALE_CHECKS; check++) {
      this.#checkedRow = (this.#checkedRow + 1) % this.#rows.length
      const story = this.#rows[this.#checkedRow]
      if (story === undefined) continue
      if (!this.#activity.isReported(story.firstAt - STORY_WINDOW, story.lastAt + STORY_WINDOW)) this.#forget(story)
    }
    const [oldest] = this.#stories.values()
    if (oldest !== undefined && this.#stories.size > this.#mostStories) this.#forget(oldest)
  }

  #forget(story: OpenCluster): void {
    this.#termIndex.remove(story.row, story.terms)
    this.#sideIndex.remove(story.row)
    this.#rows[story.row] = undefined
    this.#freeRows.push(story.row)
    this.#stories.delete(story.number)
    for (const key of story.keys) this.#storyByKey.delete(key)
    for (const title of story.titles) if (this.#storyByTitle.get(title) === story) this.#storyByTitle.delete(title)
  }

  /** A vector of another model than the first cannot be compared. */
  #usableVector(vector: Float32Array | null): Float32Array | null {
    const unit = vector === null ? null : unitOrNull(vector)
    if (unit === null) return null
    if (this.#dimensions === 0) this.#dimensions = unit.length
    return unit.length === this.#dimensions ? unit : null
  }
}

function titleKey(language: string, title: string): string {
  return `${language} ${title}`
}
