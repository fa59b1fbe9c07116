import { LRUCache } from 'lru-cache'
import { embeddedText } from '../enrich/embed/embedded-text.ts'
import { dot, type Embedder } from '../enrich/embed/embedder.ts'
import { fewAtOnce } from '../few-at-once.ts'
import type { Entry } from '../model/entries.ts'
import { ApiError } from '../model/errors.ts'
import { Json } from '../model/json.ts'
import type { CursorPage, EmptyBefore, Position, SearchMode } from '../model/paging.ts'
import { HOUR } from '../model/time.ts'
import type { EntryFilters } from '../store/entries/entry-filters.ts'
import type { EntrySort } from '../store/entries/entry-list.ts'
import type { AsOf } from '../store/lists/past-query.ts'
import type { Store } from '../store/store.ts'
import { fusedScore } from './fusion.ts'
import { LexicalScores, lexicalCandidates } from './lexical.ts'
import { mayBeIn } from './query-language.ts'
import { queryTerms } from './query-terms.ts'
import { sharedWords } from './shared-words.ts'
import { type TimedQuestion, timedQuestion } from './time-words.ts'
import type { VectorIndex } from './vector-index.ts'

export type SemanticSort = 'relevance:desc' | EntrySort

export interface SemanticRequest {
  query: string
  filters: EntryFilters & AsOf
  sort: SemanticSort
  limit: number
  from: Position | undefined
  /** Whether to return the best entry of each cluster only. */
  isGrouped?: boolean
}

/** A matching entry with its sort keys. */
interface Match {
  seq: number
  publishedAt: number
  score: number
}

interface Found {
  matches: Match[]
  mode: SearchMode
}

/** A page of matches, with the score of each. */
export interface ScoredPage extends CursorPage<Entry> {
  scores: number[]
}

/** Matches with a smaller share of the best score are left out … */
const MIN_OF_BEST = 0.15
/** … or of this one if the best is better: a query in the words of a headline finds others about it as well. */
const GOOD_SCORE = 0.6
/** What a time that the question prefers adds to a score. */
const TIME_BONUS = 0.1

/** Maximum number of matches per query. */
const MAX_MATCHES = 200
/** Up to this many filtered entries are all scored; with more, only the nearest are. */
const MAX_EXACT = 1_500
/** Maximum number of neighbours to request from the vector index when filters will drop many of them. */
const MAX_NEAREST = 2_000
/** Filtered entries are not spread evenly, so request more neighbours than their share suggests. */
const MARGIN = 1.5
/** Below this similarity, two texts are unrelated, … */
const MIN_SIMILARITY = 0.36
/** … or below this one if no entry has any word of the query, as with nonsense, … */
const MIN_SIMILARITY_WITHOUT_WORDS = 0.45
/** … unless the entry covers this share of the term weight that the best one covers, … */
const MIN_COVERAGE_OF_BEST = 0.25
/** … of which some entry has at least this in the words of the question itself: those that none has are nonsense, or not answered. */
const MIN_BEST_COVERAGE = 0.2

/** The number of best matches whose shared words are looked for, … */
const FEEDBACK = 5
/** … if they have a text of this length, … */
const MIN_ARTICLE = 300
/** … and what all of these words add to a score. */
const SHARED_WORDS_BONUS = 0.25

/** Texts per read; other requests run between the reads. */
const PORTION = 30
const MAX_QUERY_LENGTH = 300
/** Question words at the start of a query; headlines have none, so "who is cutting jobs" becomes "cutting jobs". */
const QUESTION_WORDS =
  /^\s*(?:who|what|which|where|when|why|how)\s+(?:(?:is|are|was|were|did|does|do|has|have|had|will)\s+)?(?=\S+\s+\S)/i
const CACHED_QUERIES = 200
/** Maximum wait for the model; after a timeout it is not asked again for a while. */
const MODEL_TIMEOUT_MS = 3_000
const RETRY_AFTER_MS = 5_000

/** Finds entries by meaning: combines the nearest vectors with the best lexical matches. */
export class SemanticSearch {
  readonly #store: Store
  readonly #embedder: Embedder | undefined
  readonly #index: VectorIndex | undefined
  readonly #now: () => number
  readonly #cache = new LRUCache<string, Promise<Found>>({ max: CACHED_QUERIES })
  readonly #onError: (error: unknown) => void
  /** Number of failed calls to the model or the index. */
  #failures = 0
  #retryAt = 0

  constructor(parts: {
    store: Store
    embedder: Embedder | undefined
    index: VectorIndex | undefined
    now: () => number
    onError: (error: unknown) => void
  }) {
    this.#now = parts.now
    this.#store = parts.store
    this.#embedder = parts.embedder
    this.#index = parts.index
    this.#onError = parts.onError
  }

  /**
   * Returns a page of matches. All pages show the matches at the time of the first page: its cursors carry the head of
   * the feed, so that new entries do not shift later pages.
   */
  async page({ query, filters: given, sort, limit, from, isGrouped }: SemanticRequest): Promise<ScoredPage> {
    const { asOf, ...filters } = given
    const head = await this.#store.entries.head()
    const last = asOf === undefined ? head.seq : await this.#store.entries.seqAt(asOf)
    const [headSeq = last, rank = 0, seq = 0] = from === undefined ? [] : checkedKey(from, head.seq)
    const timed = timedQuestion(query.slice(0, MAX_QUERY_LENGTH), asOf ?? this.#now())
    const found = await this.#matches(timed, filters, headSeq, head.epoch)
    const matches = ordered(isGrouped ? await this.#bestOfClusters(found.matches) : found.matches, sort)
    const at = matches.findIndex((match) => match.seq === seq)
    const { start, end } = sliceOf(from, at >= 0 ? at : rank, limit, matches.length)
    const shown = matches.slice(start, end)
    const keyAt = (place: number) => {
      const match = matches[place]
      return match === undefined ? (from?.key ?? null) : [headSeq, place, match.seq]
    }
    return {
      data: shown.length === 0 ? Json.text('[]') : await this.#store.entries.listDocs(shown.map((match) => match.seq)),
      scores: shown.map(({ score }) => Math.round(score * 1000) / 1000),
      mode: found.mode,
      count: shown.length,
      totalCount: matches.length,
      first: shown.length > 0 ? keyAt(start) : (from?.key ?? null),
      last: shown.length > 0 ? keyAt(end - 1) : (from?.key ?? null),
      hasPrev: start > 0,
      hasMore: end < matches.length,
      emptyBefore: matches.length === 0 ? await this.#findEmptyBefore(given) : undefined,
    }
  }

  /** Finds an upper bound on a time that no entry passes, whatever the query. */
  async #findEmptyBefore(filters: EntryFilters & AsOf): Promise<EmptyBefore | undefined> {
    const request = { filters, sort: 'createdAt:desc', limit: 1, from: undefined } as const
    return (await this.#store.entries.page(request)).emptyBefore
  }

  /** Keeps the best match of each cluster, and matches that belong to none. */
  async #bestOfClusters(matches: readonly Match[]): Promise<Match[]> {
    const clusters = await this.#store.clusters.listByEntry(matches.map(({ seq }) => seq))
    const seen = new Set<string>()
    return matches.filter(({ seq }) => {
      const id = clusters.get(seq)?.id
      return id === undefined || (!seen.has(id) && seen.add(id))
    })
  }

  #matches(timed: TimedQuestion, filters: EntryFilters, headSeq: number, epoch: number): Promise<Found> {
    const { question, range } = timed
    const hour = range && Math.floor(range.to / HOUR)
    // The index is part of the key: as long as vectors are being added, the same query finds better matches.
    const key = JSON.stringify([
      question,
      range && range.to - range.from,
      hour,
      filters,
      headSeq,
      epoch,
      this.#index?.done,
    ])
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    const failures = this.#failures
    const matches = this.#findMatches(timed, filters, headSeq)
    this.#cache.set(key, matches)
    const forget = () => this.#cache.delete(key)
    // Matches found without the model are not cached.
    matches.then(() => failures !== this.#failures && forget(), forget)
    return matches
  }

  #fail(error: unknown): void {
    this.#failures += 1
    this.#onError(error)
  }

  async #findMatches({ question, range }: TimedQuestion, filters: EntryFilters, headSeq: number): Promise<Found> {
    // The model works in its thread while this one looks up the words.
    const embedding = this.#vectorOf(question)
    const mayBeFew = hasAny(filters) || headSeq <= MAX_EXACT
    const part = mayBeFew ? await this.#store.entries.findPart(filters, headSeq, MAX_EXACT) : undefined
    const lexical = await lexicalCandidates(this.#store, queryTerms(question), headSeq, MAX_MATCHES)
    const read = new Map<number, { publishedAt: number; textLength: number }>()
    const words = new LexicalScores(lexical.weighted)
    const readTexts = async (seqs: readonly number[]) => {
      const fresh = seqs.filter((seq) => !read.has(seq))
      const portions = Array.from({ length: Math.ceil(fresh.length / PORTION) }, (_, index) =>
        fresh.slice(index * PORTION, (index + 1) * PORTION),
      )
      const readPortion = async (portion: readonly number[]) => {
        const texts = await this.#store.entries.listTexts(portion)
        words.add(texts)
        for (const { seq, publishedAt, text } of texts) read.set(seq, { publishedAt, textLength: text.length })
      }
      await fewAtOnce(portions, readPortion)
    }
    await readTexts(part?.few ?? (await this.#passing(filters, lexical.seqs)))
    const vector = await embedding
    const nearest =
      vector && part?.few === undefined ? await this.#nearest(vector, headSeq, part?.share ?? 1) : new Map()
    await readTexts((await this.#passing(filters, [...nearest.keys()])).slice(0, MAX_MATCHES))

    const similarities = await this.#similarities(vector, [...read.keys()], nearest)
    const scores = words.scores()
    const best = (kind: 'coverage' | 'ownCoverage') => Math.max(0, ...scores.values().map((score) => score[kind]))
    const isAnswered = best('ownCoverage') >= MIN_BEST_COVERAGE
    const minCoverage = MIN_COVERAGE_OF_BEST * best('coverage')
    const minSimilarity = lexical.isKnown ? MIN_SIMILARITY : MIN_SIMILARITY_WITHOUT_WORDS
    const candidates: (Match & { textLength: number })[] = []
    for (const [seq, { publishedAt, textLength }] of read) {
      const { score: lexicalScore = 0, coverage = 0 } = scores.get(seq) ?? {}
      const similarity = similarities.get(seq) ?? null
      const isClose = similarity !== null && similarity >= minSimilarity
      if (!isClose && !(isAnswered && coverage >= minCoverage)) continue
      const score = fusedScore({ similarity, lexical: lexicalScore, textLength })
      candidates.push({ seq, publishedAt, score, textLength })
    }
    candidates.sort(byScore)
    const minScore = MIN_OF_BEST * Math.min(GOOD_SCORE, candidates[0]?.score ?? 0)
    const good = candidates.filter(({ score }) => score > 0 && score >= minScore)
    const articles = good.slice(0, FEEDBACK).filter(({ textLength }) => textLength >= MIN_ARTICLE)
    const shares =
      articles.length < 2
        ? new Map<number, number>()
        : await sharedWords(this.#store, articles, new Set(lexical.weighted.map(({ stem }) => stem)), headSeq)
    const isPreferred = (at: number) => range !== undefined && at >= range.from && at <= range.to
    const matches = good
      .map(({ seq, publishedAt, score, textLength }): Match => {
        const shared = textLength >= MIN_ARTICLE ? SHARED_WORDS_BONUS * (shares.get(seq) ?? 0) : 0
        return { seq, publishedAt, score: score + shared + (isPreferred(publishedAt) ? TIME_BONUS : 0) }
      })
      .sort(byScore)
      .slice(0, MAX_MATCHES)
    return { matches, mode: vector === undefined ? 'words' : 'semantic' }
  }

  /** Keeps the entries that pass the filters, in the same order. */
  async #passing(filters: EntryFilters, seqs: readonly number[]): Promise<readonly number[]> {
    if (!hasAny(filters) || seqs.length === 0) return seqs
    const passing = new Set(await this.#store.entries.among(filters, seqs))
    return seqs.filter((seq) => passing.has(seq))
  }

  /** Returns the similarities of the nearest entries by seq; requests more of them if filters pass only a share. */
  async #nearest(vector: Float32Array, headSeq: number, share: number): Promise<Map<number, number>> {
    const count = Math.min(MAX_NEAREST, Math.ceil((share < 1 ? MARGIN : 1) * (MAX_MATCHES / share)))
    try {
      // Entries after the head may be among the nearest: request that many more.
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

  /** Returns undefined if no model knows the language or the model fails: the search then uses words only. */
  async #vectorOf(question: string): Promise<Float32Array | undefined> {
    const embedder = this.#embedder
    if (embedder === undefined || performance.now() < this.#retryAt || !mayBeIn(embedder.languages, question)) {
      return undefined
    }
    try {
      return (await withTimeout(embedder.embed([embeddedText(question.replace(QUESTION_WORDS, ''), null)])))[0]
    } catch (error) {
      this.#retryAt = performance.now() + RETRY_AFTER_MS
      this.#fail(error)
      return undefined
    }
  }
}

const byScore = (one: Match, other: Match) => other.score - one.score || other.seq - one.seq

function withTimeout<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`no answer from the model within ${MODEL_TIMEOUT_MS} ms`)),
    MODEL_TIMEOUT_MS,
  )
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

function sliceOf(
  from: Position | undefined,
  at: number,
  limit: number,
  length: number,
): { start: number; end: number } {
  if (from?.direction === 'before') {
    const end = Math.min(length, from.inclusive ? at + 1 : at)
    return { start: Math.max(0, end - limit), end }
  }
  const start = from === undefined ? 0 : Math.min(length, from.inclusive ? at : at + 1)
  return { start, end: Math.min(length, start + limit) }
}
