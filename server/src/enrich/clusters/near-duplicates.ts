/** By what a copy of an entry is known. Terms and shingles ascend. */
export interface Fingerprint {
  /** Normalised; empty when there is nothing to compare. */
  title: string
  titleTerms: Int32Array
  titleNames: Int32Array
  /** The first name in the title, mostly the one that does something; null without names. */
  subject: number | null
  /** Hashes of runs of terms at the beginning of the content. */
  shingles: Int32Array
}

const SHINGLE_TERMS = 4
const MOST_SHINGLES = 60
const MOST_TITLE_TERMS = 40

export function fingerprintOf(
  title: string,
  titleTerms: readonly number[],
  titleNames: Iterable<number>,
  contentTerms: readonly number[],
): Fingerprint {
  const names = [...titleNames]
  const shingles: number[] = []
  const end = Math.min(contentTerms.length - SHINGLE_TERMS + 1, MOST_SHINGLES)
  for (let start = 0; start < end; start++) {
    let hash = 17
    for (let offset = 0; offset < SHINGLE_TERMS; offset++) {
      hash = (Math.imul(hash, 31) + (contentTerms[start + offset] ?? 0)) | 0
    }
    shingles.push(hash)
  }
  return {
    title: normaliseTitle(title),
    titleTerms: sortedUnique(titleTerms.slice(0, MOST_TITLE_TERMS)),
    titleNames: sortedUnique(names),
    subject: names[0] ?? null,
    shingles: sortedUnique(shingles),
  }
}

/** Without case, punctuation, the publisher's name at the end and the marks of a wire at the beginning. */
export function normaliseTitle(title: string): string {
  const bare = withoutWireMark(title.slice(0, 400).normalize('NFKC')).replace(PUBLISHER, '')
  const words = bare.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu)
  return words === null ? '' : words.join(' ')
}

/** "UPDATE 2-Apple tops forecasts" is "Apple tops forecasts". */
export function withoutWireMark(title: string): string {
  return title.replace(WIRE_MARK, '')
}

const WIRE_MARK =
  /^(?:(?:update|refile|corrected|wrapup|rpt|brief|exclusive|breaking|breaking news|just in|live|alert|watch|video)(?: ?\d{1,2})?(?:-| ?[:–—|] ?| - ))+/i

/** " - Reuters", " | CNBC", " — The Wall Street Journal": at most five words, each of them capitalised. */
const PUBLISHER = / [-|–—] [\p{Lu}\p{N}][\p{L}\p{N}.&'’]{0,20}(?: [\p{Lu}\p{N}&][\p{L}\p{N}.&'’]{0,20}){0,4}$/u

/** A title that could stand over other news as well, such as "Stocks close higher". */
export function isGenericTitle({ titleTerms, titleNames }: Fingerprint): boolean {
  return titleTerms.length < (titleNames.length > 0 ? FEWEST_TERMS_WITH_NAME : FEWEST_TERMS)
}

const FEWEST_TERMS = 5
const FEWEST_TERMS_WITH_NAME = 3
const FEWEST_SHINGLES = 10
const NEAR_SHINGLES = 0.6
const SURE_SHINGLES = 0.8
const NEAR_TITLE = 0.75

/** Told in nearly the same words: a wire story under another headline, or a headline with a word changed. */
export function isNearDuplicate(a: Fingerprint, b: Fingerprint): boolean {
  return hasSameLead(a, b) || hasSameHeadline(a, b)
}

/** Companies publish the same form of words under their own names: in doubt the headlines must have one in common. */
function hasSameLead(a: Fingerprint, b: Fingerprint): boolean {
  const fewest = Math.min(a.shingles.length, b.shingles.length)
  if (fewest < FEWEST_SHINGLES) return false
  const share = sharedCount(a.shingles, b.shingles) / fewest
  return share >= SURE_SHINGLES || (share >= NEAR_SHINGLES && sharedCount(a.titleNames, b.titleNames) > 0)
}

/** The word that differs must not be the name: "Insider at Bexley sells shares", "Insider at Corvane sells shares". */
function hasSameHeadline(a: Fingerprint, b: Fingerprint): boolean {
  const shared = sharedCount(a.titleTerms, b.titleTerms)
  const all = a.titleTerms.length + b.titleTerms.length - shared
  if (shared < FEWEST_TERMS || shared < NEAR_TITLE * all) return false
  const sharedNames = sharedCount(a.titleNames, b.titleNames)
  return sharedNames === a.titleNames.length && sharedNames === b.titleNames.length
}

/**
 * How much two headlines say the same about different subjects, from 0 to 1: "Intel beats estimates" is no copy of
 * "Apple beats estimates", and the more they agree in the rest the surer it is.
 */
export function templateShare(a: Fingerprint, b: Fingerprint): number {
  if (a.subject === null || b.subject === null || a.subject === b.subject) return 0
  if (a.titleTerms.includes(b.subject) || b.titleTerms.includes(a.subject)) return 0
  const share = sharedCount(a.titleTerms, b.titleTerms) / Math.min(a.titleTerms.length, b.titleTerms.length)
  return Math.max(0, share - LEAST_TEMPLATE) / (1 - LEAST_TEMPLATE)
}

/** So much two headlines of one story may share by chance while they name different subjects. */
const LEAST_TEMPLATE = 0.35

function sortedUnique(values: Iterable<number>): Int32Array {
  return Int32Array.from(new Set(values)).sort()
}

function sharedCount(a: Int32Array, b: Int32Array): number {
  let shared = 0
  for (let atA = 0, atB = 0; atA < a.length && atB < b.length; ) {
    const difference = (a[atA] ?? 0) - (b[atB] ?? 0)
    if (difference === 0) shared++
    if (difference <= 0) atA++
    if (difference >= 0) atB++
  }
  return shared
}
