/**
 * Splits a German compound into the parts that are known words: "quartalsgewinn" into "quartal" and "gewinn". The last
 * part must be known, for it says what the word means; the first need not.
 */
export function splitCompound(word: string, isKnown: (word: string) => boolean): readonly string[] {
  if (word.length < MIN_COMPOUND || word.length > MAX_COMPOUND || isKnown(word)) return [word]
  for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
    const last = word.slice(at)
    if (!isKnown(last)) continue
    const first = word.slice(0, at)
    const stem = LINKS.map((link) => (first.endsWith(link) ? first.slice(0, first.length - link.length) : first)).find(
      (one) => isKnown(one),
    )
    return [...splitCompound(stem ?? first, isKnown), last]
  }
  return [word]
}

const MIN_COMPOUND = 7
const MAX_COMPOUND = 40
const MIN_PART = 3
/** The letters between two parts. */
const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e']
