import { COMMON_NAMES, COMMON_WORDS } from './common-words.ts'
import { clusterStem } from './tokens.ts'

/** Terms are hashes of stems, so that memory is bounded whatever the texts contain. */
export const TERM_COUNT = 2 ** 18

export function hashTerm(stem: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < stem.length; index++) {
    hash = Math.imul(hash ^ stem.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) & (TERM_COUNT - 1)
}

/** The number of entries that the table of common words counts as. */
const BACKGROUND_ENTRIES = 1000

/** At this total all counts are halved, so that they follow changes in the news. */
const MAX_TOTAL = 200_000

/** No term counts as rarer than this: one rare word in common is no proof, however rare it is. */
const MIN_SHARE = 1 / 2000
/** Entries with a term that are assumed besides those counted. */
const UNCOUNTED = 0.3

/** The number of entries that contain each term. */
export class DocumentFrequencies {
  readonly #counts = new Float32Array(TERM_COUNT)
  #total = BACKGROUND_ENTRIES

  constructor() {
    for (const [word, share] of [...COMMON_WORDS, ...COMMON_NAMES]) {
      const term = hashTerm(clusterStem(word, 'en'))
      this.#counts[term] = Math.max(this.#counts[term] ?? 0, share * BACKGROUND_ENTRIES)
    }
  }

  count(terms: Iterable<number>): void {
    for (const term of terms) this.#counts[term] = (this.#counts[term] ?? 0) + 1
    this.#total++
    if (this.#total > MAX_TOTAL) this.#halve()
  }

  /** Returns the inverse document frequency: large for a rare term, near 0 for one in nearly every entry. */
  idf(term: number): number {
    return Math.log(1 + this.#total / (1 + (this.#counts[term] ?? 0)))
  }

  /**
   * Returns the share of entries outside a cluster that contain a term. A name that is all over the news counts as rare
   * for the cluster that all of this news is in.
   */
  shareOutside(term: number, withTerm: number, size: number): number {
    const others = Math.max(0, (this.#counts[term] ?? 0) - withTerm)
    return Math.max(MIN_SHARE, (others + UNCOUNTED) / Math.max(BACKGROUND_ENTRIES, this.#total - size))
  }

  #halve(): void {
    for (let term = 0; term < TERM_COUNT; term++) this.#counts[term] = (this.#counts[term] ?? 0) / 2
    this.#total /= 2
  }
}
