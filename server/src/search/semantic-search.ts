import { setImmediate } from 'node:timers/promises'
import { embeddedText } from '../enrich/embed/embedded-text.ts'
import { dot, type Embedder } from '../enrich/embed/embedder.ts'
import type { Entry } from '../model/entries.ts'
import { ApiError } from '../model/errors.ts'
import { Json } from '../model/json.ts'
import { Lru } from '../model/lru.ts'
import type { CursorPage, Position } from '../model/paging.ts'
import type { EntryFilters } from '../store/entries/entry-filters.ts'
import type { EntrySort } from '../store/entries/entry-list.ts'
import type { Store } from '../store/store.ts'
import { type Candidate, FUSIONS, type Fusion } from './fusion.ts'
import { LexicalScores, lexicalCandidates } from './lexical.ts'
import { mayBeIn } from './query-language.ts'
import { queryTerms } from './query-terms.ts'
import type { VectorIndex } from './vector-index.ts'

export type SemanticSort = 'relevance:desc' | EntrySort

export interface SemanticRequest {
  query: string
  filters: EntryFilters
  sort: SemanticSort
  limit: number
  from: Position | undefined
}

/** An entry that answers a question, as far as orders need it. */
interface Match {
  seq: number
  publishedAt: number
}

/** The most entries that answer one question. */
const MAX_MATCHES = 200
/** Up to so many entries that pass the filters are all looked at; of more, the nearest are found first. */
const MAX_EXACT = 1_500
/** The most that are asked of the index of vectors, when filters will drop many of them. */
const MAX_NEAREST = 2_000
/** What passes the filters is not spread evenly: more is asked for than its share says. */
const MARGIN = 1.5
/** Less alike than this, two texts have nothing to do with each other … */
const LEAST_SIMILARITY = 0.36
/** … or than this, if no entry has any word of the question, as of nonsense … */
const SURE_SIMILARITY = 0.4
/** … unless they share this much of the weight of the words. */
const LEAST_COVERAGE = 0.34

/** Texts that are looked at in one go: callers get their turn between. */
const PORTION = 60
const LONGEST_QUESTION = 300
/** A headline answers without asking: "who is cutting jobs" is like "cutting jobs". */
const ASKING =
  /^\s*(?:who|what|which|where|when|why|how)\s+(?:(?:is|are|was|were|did|does|do|has|have|had|will)\s+)?(?=\S+\s+\S)/i
const REMEMBERED_QUESTIONS = 200
/** No caller waits longer for the model; after that nobody asks it for a while. */
const LONGEST_WAIT_MS = 3_000
const REST_MS = 5_000

/** Finds entries by what is meant: the nearest vectors and the best shared words, joined. */
export class SemanticSearch {
  readonly #store: Store
  readonly #embedder: Embedder | undefined
  readonly #index: VectorIndex | undefined
  readonly #fusion: Fusion
  readonly #remembered = new Lru<Promise<Match[]>>(REMEMBERED_QUESTIONS)
  readonly #onError: (error: unknown) => void
  /** How often the model or the index could not be asked. */
  #failures = 0
  #restUntil = 0

  constructor(parts: {
    store: Store
    embedder: Embedder | undefined
    index: VectorIndex | undefined
    fusion: Fusion
    onError: (error: unknown) => void
  }) {
    this.#store = parts.store
    this.#embedder = parts.embedder
    this.#index = parts.index
    this.#fusion = parts.fusion
    this.#onError = parts.onError
  }

  /**
   * A page of the answers. They are those of the moment of the first page: its cursors carry the head of the feed, so
   * that what comes in meanwhile shifts nothing.
   */
  async page({ query, filters, sort, limit, from }: SemanticRequest): Promise<CursorPage<Entry>> {
    const head = await this.#store.entries.head()
    const [headSeq = head.seq, rank = 0, seq = 0] = from === undefined ? [] : checkedKey(from, head.seq)
    const matches = ordered(await this.#matches(query, filters, headSeq, head.epoch), sort)
    const at = matches.findIndex((match) => match.seq === seq)
    const { start, end } = spanOf(from, at >= 0 ? at : rank, limit, matches.length)
    const shown = matches.slice(start, end)
    const keyAt = (place: number) => {
      const match = matches[place]
      return match === undefined ? (from?.key ?? null) : [headSeq, place, match.seq]
    }
    return {
      data: shown.length === 0 ? Json.text('[]') : await this.#store.entries.listDocs(shown.map((match) => match.seq)),
      count: shown.length,
      totalCount: matches.length,
      first: shown.length > 0 ? keyAt(start) : (from?.key ?? null),
      last: shown.length > 0 ? keyAt(end - 1) : (from?.key ?? null),
      hasPrev: start > 0,
      hasMore: end < matches.length,
    }
  }

  #matches(query: string, filters: EntryFilters, headSeq: number, epoch: number): Promise<Match[]> {
    // While vectors are still being made, the same question is answered better each time.
    const key = JSON.stringify([query, filters, headSeq, epoch, this.#index?.done])
    const known = this.#remembered.get(key)
    if (known !== undefined) return known
    const failures = this.#failures
    const matches = this.#findMatches(query, filters, headSeq)
    this.#remembered.set(key, matches)
    const forget = () => this.#remembered.delete(key)
    // What was answered without the model is not the answer to remember.
    matches.then(() => failures !== this.#failures && forget(), forget)
    return matches
  }

  #fail(error: unknown): void {
    this.#failures += 1
    this.#onError(error)
  }

  async #findMatches(query: string, filters: EntryFilters, headSeq: number): Promise<Match[]> {
    const question = query.slice(0, LONGEST_QUESTION)
    // The model works in its thread while the words are looked up here.
    const asked = this.#vectorOf(question)
    const mayBeFew = hasAny(filters) || headSeq <= MAX_EXACT
    const part = mayBeFew ? await this.#store.entries.findPart(filters, headSeq, MAX_EXACT) : undefined
    const lexical = await lexicalCandidates(this.#store, queryTerms(question), headSeq, MAX_MATCHES)
    const seen = new Map<number, number>()
    const words = new LexicalScores(lexical.weighed)
    const look = async (seqs: readonly number[]) => {
      const fresh = seqs.filter((seq) => !seen.has(seq))
      for (let start = 0; start < fresh.length; start += PORTION) {
        const texts = await this.#store.entries.listTexts(fresh.slice(start, start + PORTION))
        words.add(texts)
        for (const { seq, publishedAt } of texts) seen.set(seq, publishedAt)
        await setImmediate()
      }
    }
    await look(part?.few ?? (await this.#passing(filters, lexical.seqs)))
    const vector = await asked
    const near = vector && part?.few === undefined ? await this.#nearest(vector, headSeq, part?.share ?? 1) : new Map()
    await look((await this.#passing(filters, [...near.keys()])).slice(0, MAX_MATCHES))

    const similarities = await this.#similarities(vector, [...seen.keys()], near)
    const scores = words.scores()
    const leastSimilarity = lexical.isKnown ? LEAST_SIMILARITY : SURE_SIMILARITY
    const candidates: Candidate[] = []
    for (const [seq, publishedAt] of seen) {
      const { score = 0, coverage = 0 } = scores.get(seq) ?? {}
      const similarity = similarities.get(seq) ?? null
      const isClose = similarity !== null && similarity >= leastSimilarity
      if (isClose || coverage >= LEAST_COVERAGE) candidates.push({ seq, publishedAt, similarity, lexical: score })
    }
    const fused = FUSIONS[this.#fusion](candidates)
    return candidates
      .map(({ seq, publishedAt }, place) => ({ seq, publishedAt, score: fused[place] ?? 0 }))
      .sort((one, other) => other.score - one.score || other.seq - one.seq)
      .slice(0, MAX_MATCHES)
  }

  /** Those that pass the filters, in the same order. */
  async #passing(filters: EntryFilters, seqs: readonly number[]): Promise<readonly number[]> {
    if (!hasAny(filters) || seqs.length === 0) return seqs
    const passing = new Set(await this.#store.entries.among(filters, seqs))
    return seqs.filter((seq) => passing.has(seq))
  }

  /** The nearest of all entries, by how alike they are; more of them when filters let only a share pass. */
  async #nearest(vector: Float32Array, headSeq: number, share: number): Promise<Map<number, number>> {
    const count = Math.min(MAX_NEAREST, Math.ceil((share < 1 ? MARGIN : 1) * (MAX_MATCHES / share)))
    try {
      // Those that came later than the head are near too, and take the place of none.
      const later = (await this.#store.entries.head()).seq - headSeq
      const near = await this.#index?.nearest(vector, Math.min(count + later, MAX_NEAREST))
      const pairs = near?.seqs.map((seq, place) => [seq, near.similarities[place] ?? 0] as const)
      return new Map(pairs?.filter(([seq]) => seq <= headSeq).slice(0, count))
    } catch (error) {
      this.#fail(error)
      return new Map()
    }
  }

  async #similarities(
    vector: Float32Array | undefined,
    seqs: readonly number[],
    known: ReadonlyMap<number, number>,
  ): Promise<ReadonlyMap<number, number>> {
    if (vector === undefined || this.#embedder === undefined) return known
    const others = await this.#store.vectors.listBySeq(
      this.#embedder.model,
      seqs.filter((seq) => !known.has(seq)),
    )
    return new Map([...known, ...others.map((one) => [one.seq, dot(vector, one.vector)] as const)])
  }

  /** Undefined when no model understands the question, or it cannot be asked now: then words alone must do. */
  async #vectorOf(question: string): Promise<Float32Array | undefined> {
    const embedder = this.#embedder
    if (embedder === undefined || performance.now() < this.#restUntil || !mayBeIn(embedder.languages, question)) {
      return undefined
    }
    try {
      return (await inTime(embedder.embed([embeddedText(question.replace(ASKING, ''), null)])))[0]
    } catch (error) {
      this.#restUntil = performance.now() + REST_MS
      this.#fail(error)
      return undefined
    }
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the model is late')), LONGEST_WAIT_MS)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

const hasAny = (filters: EntryFilters) => Object.values(filters).some((value) => value !== undefined)

function ordered(matches: readonly Match[], sort: SemanticSort): readonly Match[] {
  if (sort === 'relevance:desc') return matches
  const sign = sort.endsWith(':desc') ? -1 : 1
  const isByPublished = sort.startsWith('publishedAt')
  return matches.toSorted(
    (one, other) => sign * ((isByPublished ? one.publishedAt - other.publishedAt : 0) || one.seq - other.seq),
  )
}

function checkedKey({ key, direction }: Position, headSeq: number): readonly number[] {
  const [at = -1] = key
  const isOurs = key.length === 3 && key.every((part) => Number.isSafeInteger(part) && part >= 0) && at <= headSeq
  if (!isOurs) throw ApiError.invalid([{ field: direction, message: 'is not a cursor of this list' }])
  return key
}

function spanOf(from: Position | undefined, at: number, limit: number, length: number): { start: number; end: number } {
  if (from?.direction === 'before') {
    const end = Math.min(length, from.inclusive ? at + 1 : at)
    return { start: Math.max(0, end - limit), end }
  }
  const start = from === undefined ? 0 : Math.min(length, from.inclusive ? at : at + 1)
  return { start, end: Math.min(length, start + limit) }
}
