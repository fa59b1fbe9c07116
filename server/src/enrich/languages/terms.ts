/** A word, a Chinese or Japanese character, a figure or a mark of a text, in lower case. */
export interface Word {
  text: string
  start: number
  isStop: boolean
}

/** A term found in a text: the words from `at` up to, not including, `end`. */
export interface TermMatch<Meaning> {
  at: number
  end: number
  meaning: Meaning
}

/** Splits a text into words. `split` returns the parts of a compound; parts share the position of their word. */
export function wordsOf(text: string, split: (word: string) => readonly string[] = whole): Word[] {
  const words: Word[] = []
  for (const match of text.matchAll(WORD)) {
    const piece = match[0].toLowerCase()
    const isStop = STOP.test(piece)
    for (const part of isStop ? [piece] : split(piece)) words.push({ text: part, start: match.index, isStop })
  }
  return words
}

const whole = (word: string) => [word]
const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー〜`
const WORD = new RegExp(
  String.raw`[${CJK}]|(?:(?![${CJK}])[\p{L}\p{M}])+|\d[\d.,]*|[.!?;:,|—–。！？、，；：「」“”（）()%]`,
  'gu',
)
const STOP = /^[.!?;:|—–。！？；：]$/

/** Finds the terms of one language in texts. */
export class TermFinder<Meaning> {
  readonly #byFirst = new Map<string, { parts: readonly string[]; meaning: Meaning }[]>()
  /** The lengths of the beginnings in `#byFirst`, such as 6 for `augment*`. */
  readonly #beginnings = new Set<number>()
  readonly #singleWords = new Set<string>()

  /** Adds a list of terms with one meaning. */
  add(list: string, meaning: Meaning): void {
    for (const term of list.split(/,\s*/).filter((one) => one.trim() !== '')) {
      const parts = term.trim().split(/\s+/).flatMap(partsOf)
      const first = parts[0] ?? ''
      if (parts.length === 1 && !first.endsWith('*')) this.#singleWords.add(first)
      if (first.endsWith('*')) this.#beginnings.add(first.length - 1)
      const known = this.#byFirst.get(first)
      if (known === undefined) this.#byFirst.set(first, [{ parts, meaning }])
      else known.push({ parts, meaning })
    }
    for (const terms of this.#byFirst.values()) terms.sort((a, b) => b.parts.length - a.parts.length)
  }

  isWord(word: string): boolean {
    return this.#singleWords.has(word)
  }

  /** Returns the terms of a text from left to right, the longest first, without overlaps. */
  find(words: readonly Word[]): TermMatch<Meaning>[] {
    const found: TermMatch<Meaning>[] = []
    for (let at = 0; at < words.length; ) {
      const match = this.#longestAt(words, at)
      if (match === undefined) at++
      else {
        found.push(match.found)
        at = match.next
      }
    }
    return found
  }

  #longestAt(words: readonly Word[], at: number): { found: TermMatch<Meaning>; next: number } | undefined {
    const text = words[at]?.text ?? ''
    let best: { found: TermMatch<Meaning>; next: number; length: number } | undefined
    const consider = (first: string) => {
      for (const { parts, meaning } of this.#byFirst.get(first) ?? []) {
        if (best !== undefined && parts.length <= best.length) return
        const match = endOf(words, at, parts)
        if (match === undefined) continue
        best = { found: { at, end: match.end, meaning }, next: match.next, length: parts.length }
        return
      }
    }
    consider(text)
    for (const length of this.#beginnings) if (length <= text.length) consider(`${text.slice(0, length)}*`)
    return best
  }
}

/** Splits a word of a term into characters if it is Chinese or Japanese. */
function partsOf(word: string): string[] {
  return wordsOf(word).length > 1 ? wordsOf(word).map(({ text }) => text) : [word.toLowerCase()]
}

/** Returns where a term that begins at `at` ends, and where the next may begin: after a gap, inside it. */
function endOf(
  words: readonly Word[],
  at: number,
  parts: readonly string[],
): { end: number; next: number } | undefined {
  let position = at
  let next: number | undefined
  for (const [index, part] of parts.entries()) {
    if (part === GAP) {
      next ??= position
      const wanted = parts[index + 1] ?? ''
      const limit = Math.min(words.length, position + MAX_GAP + 1)
      while (position < limit && !words[position]?.isStop && !isWordOf(words[position], wanted)) position++
      continue
    }
    if (!isWordOf(words[position], part)) return undefined
    position++
  }
  return { end: next ?? position, next: next ?? position }
}

const GAP = '…'
const MAX_GAP = 6

function isWordOf(word: Word | undefined, part: string): boolean {
  if (word === undefined) return false
  return part.endsWith('*') ? word.text.startsWith(part.slice(0, -1)) : word.text === part
}
