/** The parts of an entry that show whether another one is a near duplicate. Arrays are sorted. */
export interface Fingerprint {
  /** Normalised; empty when there is nothing to compare. */
  title: string
  titleTerms: Int32Array
  titleNames: Int32Array
  /** The first name in the title, usually the grammatical subject; null without names. */
  subject: number | null
  /** Hashes of n-grams of terms at the beginning of the content. */
  shingles: Int32Array
  publisher: number | null
}

interface FingerprintedEntry {
  title: string
  titleTerms: readonly number[]
  titleNames: Iterable<number>
  contentTerms: readonly number[]
  publisher: number | null
}

const SHINGLE_TERMS = 4
const MAX_SHINGLES = 60
const MAX_TITLE_TERMS = 40

export function fingerprintOf({
  title,
  titleTerms,
  titleNames,
  contentTerms,
  publisher,
}: FingerprintedEntry): Fingerprint {
  const names = [...titleNames]
  const shingles: number[] = []
  const end = Math.min(contentTerms.length - SHINGLE_TERMS + 1, MAX_SHINGLES)
  for (let start = 0; start < end; start++) {
    let hash = 17
    for (let offset = 0; offset < SHINGLE_TERMS; offset++) {
      hash = (Math.imul(hash, 31) + (contentTerms[start + offset] ?? 0)) | 0
    }
    shingles.push(hash)
  }
  return {
    title: normalizeTitle(title),
    titleTerms: sortedUnique(titleTerms.slice(0, MAX_TITLE_TERMS)),
    titleNames: sortedUnique(names),
    subject: names[0] ?? null,
    shingles: sortedUnique(shingles),
    publisher,
  }
}

/** Removes case, punctuation, a wire prefix and the publisher's name at the end. */
export function normalizeTitle(title: string): string {
  const bare = stripWirePrefix(title.slice(0, 400).normalize('NFKC')).replace(PUBLISHER, '')
  const words = bare.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu)
  return words === null ? '' : words.join(' ')
}

/** Turns "UPDATE 2-Apple tops forecasts" into "Apple tops forecasts". */
export function stripWirePrefix(title: string): string {
  return title.replace(WIRE_PREFIX, '')
}

const WIRE_PREFIX =
  /^(?:(?:update|refile|corrected|wrapup|rpt|brief|exclusive|breaking|breaking news|just in|live|alert|watch|video)(?: ?\d{1,2})?(?:-| ?[:–—|] ?| - ))+/i

/** " - Reuters", " | CNBC", " — The Wall Street Journal": at most five words, all capitalised. */
const PUBLISHER = / [-|–—] [\p{Lu}\p{N}][\p{L}\p{N}.&'’]{0,20}(?: [\p{Lu}\p{N}&][\p{L}\p{N}.&'’]{0,20}){0,4}$/u

/** Reports whether a title would fit other news as well, such as "Stocks close higher". */
export function isGenericTitle({ titleTerms, titleNames }: Fingerprint): boolean {
  return titleTerms.length < (titleNames.length > 0 ? MIN_TERMS_WITH_NAME : MIN_TERMS)
}

const MIN_TERMS = 5
const MIN_TERMS_WITH_NAME = 3
const MIN_SHINGLES = 10
const NEAR_SHINGLES = 0.6
const SURE_SHINGLES = 0.8
const NEAR_TITLE = 0.75

/** Finds wire copy under another headline, and headlines that differ in a word. */
export function isNearDuplicate(a: Fingerprint, b: Fingerprint): boolean {
  return hasSameLead(a, b) || hasSameHeadline(a, b)
}

/**
 * Companies publish the same boilerplate under their own names, and a publisher begins all its entries with the same
 * notice: an inexact match, or one with another entry of the publisher, needs a shared name in the titles.
 */
function hasSameLead(a: Fingerprint, b: Fingerprint): boolean {
  const fewest = Math.min(a.shingles.length, b.shingles.length)
  if (fewest < MIN_SHINGLES) return false
  const share = sharedCount(a.shingles, b.shingles) / fewest
  const isCopied = share >= SURE_SHINGLES && (a.publisher === null || a.publisher !== b.publisher)
  return isCopied || (share >= NEAR_SHINGLES && sharedCount(a.titleNames, b.titleNames) > 0)
}

/**
 * The names must be the same: "Insider at Bexley sells shares" is no duplicate of "Insider at Corvane sells shares".
 */
function hasSameHeadline(a: Fingerprint, b: Fingerprint): boolean {
  const shared = sharedCount(a.titleTerms, b.titleTerms)
  const all = a.titleTerms.length + b.titleTerms.length - shared
  if (shared < MIN_TERMS || shared < NEAR_TITLE * all) return false
  const sharedNames = sharedCount(a.titleNames, b.titleNames)
  return sharedNames === a.titleNames.length && sharedNames === b.titleNames.length
}

/**
 * Returns how much two headlines follow one template with different subjects, from 0 to 1. "Intel beats estimates" and
 * "Apple beats estimates" are about different events, the more so the more of their other words agree.
 */
export function templateShare(a: Fingerprint, b: Fingerprint): number {
  if (a.subject === null || b.subject === null || isSameSubject(a, b)) return 0
  const share = sharedCount(a.titleTerms, b.titleTerms) / Math.min(a.titleTerms.length, b.titleTerms.length)
  return Math.max(0, share - MIN_TEMPLATE_SHARE) / (1 - MIN_TEMPLATE_SHARE)
}

/** Reports whether one of the headlines names the subject of the other. */
export function isSameSubject(a: Fingerprint, b: Fingerprint): boolean {
  return (
    (a.subject !== null && b.titleTerms.includes(a.subject)) || (b.subject !== null && a.titleTerms.includes(b.subject))
  )
}

/** Headlines of one cluster that name different subjects may share this much by chance. */
const MIN_TEMPLATE_SHARE = 0.35

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
