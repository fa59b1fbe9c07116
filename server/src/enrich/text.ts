/** The cleaned texts of an entry. Offsets of mentions refer to these. */
export interface EntryText {
  title: string
  content: string
}

/** The number of characters read of a field; the rest of a longer text is stored but not read. */
export const LONGEST_READ = 20_000

/** Returns the start and end of each sentence of a clean text. */
export function sentencesOf(text: string): { start: number; end: number }[] {
  const sentences: { start: number; end: number }[] = []
  let start = 0
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].trimEnd().length
    const word = /[\p{L}.]*$/u.exec(text.slice(Math.max(start, match.index - 12), match.index))?.[0] ?? ''
    if (ABBREVIATIONS.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word) || /^(?:\p{L}\.)+\p{L}$/u.test(word)) continue
    sentences.push({ start, end })
    start = match.index + match[0].length
  }
  if (start < text.length) sentences.push({ start, end: text.length })
  return sentences
}

/** A full stop ends a sentence if the start of another may follow: not in "3.5" and "example.com". */
const SENTENCE_END =
  /(?<![.!?…])[.!?…]{1,10}["'”’)\]]{0,4}\s+(?=["'“‘([]?[\p{Lu}\p{N}$€£])|[。！？]|(?<![!?])[!?]{1,10}["'”’)\]]{0,4}$|\s[|•]\s/gu

const ABBREVIATIONS = new Set(
  'inc corp co ltd plc llc cos bros mr mrs ms dr prof st jr sr vs no nos approx est dept gov sen rep gen jan feb mar apr jun jul aug sep sept oct nov dec fig u.s u.k e.g i.e a.m p.m mn bn'.split(
    ' ',
  ),
)
