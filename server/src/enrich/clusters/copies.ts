/** By what a copy of an entry is known. */
export interface CopyMarks {
  /** Normalised title; empty when there is nothing to compare. */
  title: string
  /** A title that could stand over other news as well, such as "Stocks close higher". */
  isPlain: boolean
  /** Terms of the title. */
  titleTerms: ReadonlySet<number>
  /** Hashes of runs of words at the beginning of the content. */
  shingles: ReadonlySet<number>
}

const PLAIN_TERMS = 5
const SHINGLE_TERMS = 4
const MOST_SHINGLES = 60

export function copyMarksOf(
  title: string,
  titleTerms: readonly number[],
  contentTerms: readonly number[],
  hasNames: boolean,
): CopyMarks {
  const terms = new Set(titleTerms)
  const shingles = new Set<number>()
  const end = Math.min(contentTerms.length - SHINGLE_TERMS + 1, MOST_SHINGLES)
  for (let start = 0; start < end; start++) {
    let hash = 17
    for (let offset = 0; offset < SHINGLE_TERMS; offset++) {
      hash = (Math.imul(hash, 31) + (contentTerms[start + offset] ?? 0)) | 0
    }
    shingles.add(hash)
  }
  return {
    title: normaliseTitle(title),
    isPlain: terms.size < (hasNames ? 3 : PLAIN_TERMS),
    titleTerms: terms,
    shingles,
  }
}

/** Without case, punctuation, the publisher's name at the end and the marks of a wire at the beginning. */
export function normaliseTitle(title: string): string {
  const read = title.slice(0, 400).normalize('NFKC')
  const bare = read.replace(WIRE_MARK, '').replace(PUBLISHER, '')
  const words = bare.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu)
  return words === null ? '' : words.join(' ')
}

const WIRE_MARK =
  /^(?:(?:update|refile|corrected|wrapup|rpt|brief|exclusive|breaking|breaking news|just in|live|alert|watch|video)(?: ?\d{1,2})? ?[-:–—|] ?)+/i

/** " - Reuters", " | CNBC", " — The Wall Street Journal": at most five words, each of them capitalised. */
const PUBLISHER = / [-|–—] (?:[\p{Lu}\p{N}][\p{L}\p{N}.&'’]{0,20} ?){1,5}$/u

const NEAR_SHINGLES = 0.6
const FEWEST_SHINGLES = 10
const NEAR_TITLE = 0.75

/** Told in nearly the same words: a wire story under another headline, or a headline with a word changed. */
export function isNearCopy(a: CopyMarks, b: CopyMarks): boolean {
  const fewest = Math.min(a.shingles.size, b.shingles.size)
  if (fewest >= FEWEST_SHINGLES && sharedOf(a.shingles, b.shingles) >= NEAR_SHINGLES * fewest) return true
  const shared = sharedOf(a.titleTerms, b.titleTerms)
  return shared >= PLAIN_TERMS && shared >= NEAR_TITLE * (a.titleTerms.size + b.titleTerms.size - shared)
}

function sharedOf(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let shared = 0
  for (const value of small) if (large.has(value)) shared++
  return shared
}
