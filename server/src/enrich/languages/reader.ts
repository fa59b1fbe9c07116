import { type Evidence, sumEvidence, toScore } from '../sentiment/score.ts'
import { combineFields } from '../sentiment/sentiment.ts'
import { type EntryText, sentencesOf } from '../text.ts'
import { splitCompound } from './compounds.ts'
import type { LanguageWords } from './language-words.ts'
import { TermFinder, type TermMatch, type Word, wordsOf } from './terms.ts'

/** Reads the tone and the topics of texts in one language. */
export class LanguageReader {
  readonly #tone = new TermFinder<Tone>()
  readonly #topics = new TermFinder<string>()
  readonly #clauses = new TermFinder<true>()
  readonly #hasCompounds: boolean
  readonly #reach: number
  #last: Statements = { text: '', words: [], clauses: [], evidence: [] }

  constructor(words: LanguageWords, kind: 'words' | 'compounds' | 'characters') {
    for (const [role, meaning] of Object.entries(TONES)) this.#tone.add(words[role as keyof typeof TONES], meaning)
    for (const [slug, terms] of Object.entries(words.topics)) this.#topics.add(terms, slug)
    this.#clauses.add(words.clauses, true)
    this.#hasCompounds = kind === 'compounds'
    // A word has about two characters.
    this.#reach = kind === 'characters' ? 2 : 1
  }

  /** Returns how good an entry is for holders of the assets it is about, from -1 to 1; 0 without evidence. */
  sentimentOf({ title, content }: EntryText): number {
    const inTitle = sumEvidence(this.#evidence(this.#read(title.slice(0, TITLE_LENGTH), this.#tone)))
    const inContent = sentencesOf(content.slice(0, CONTENT_LENGTH)).reduce((sum, { start, end }, index) => {
      const value = sumEvidence(this.#evidence(this.#read(content.slice(start, end), this.#tone)))
      return sum + Math.tanh(value) * SENTENCE_DECAY ** index
    }, 0)
    return combineFields(inTitle, inContent)
  }

  /** Returns the score of an asset from the clauses of a text that mention it; null if they contain no evidence. */
  assetSentiment(text: string, spans: readonly { start: number }[]): number | null {
    const { words, clauses, evidence } = this.#statements(text.slice(0, CONTENT_LENGTH))
    const named = new Set<number | undefined>()
    for (const { start } of spans) named.add(clauses[wordAt(words, start)])
    const own = evidence.filter((one) => one.value !== 0 && named.has(clauses[one.at]))
    return own.length === 0 ? null : toScore(sumEvidence(own))
  }

  /** Reads a text, or returns what was read last: a text is scored once for each asset that it mentions. */
  #statements(text: string): Statements {
    if (this.#last.text === text) return this.#last
    const words = this.#read(text, this.#tone)
    const starts = new Set(this.#clauses.find(words).map(({ at }) => at))
    let clause = 0
    const clauses = words.map(({ isStop }, index) => (isStop || starts.has(index) ? ++clause : clause))
    this.#last = { text, words, clauses, evidence: this.#evidence(words) }
    return this.#last
  }

  /** Returns the slugs of the topics that a text names. */
  topicsOf(text: string): string[] {
    return [...new Set(this.#topics.find(this.#read(text, this.#topics)).map(({ meaning }) => meaning))]
  }

  /** Splits a text into words, and compounds into the parts that a list of terms knows. */
  #read(text: string, terms: TermFinder<unknown>): Word[] {
    if (!this.#hasCompounds) return wordsOf(text)
    return wordsOf(text, (word) => splitCompound(word, (part) => terms.isWord(part)))
  }

  #evidence(words: readonly Word[]): Evidence[] {
    const terms = this.#tone.find(words)
    const values = terms.map(({ meaning }, index) =>
      meaning.move === undefined ? (meaning.polarity ?? 0) : meaning.move * this.#subjectOf(words, terms, index),
    )
    for (const [index, { at, end, meaning }] of terms.entries()) {
      if (meaning.reverses === 'before') this.#fallShort(terms, values, index)
      // German negates after the verb: "steigt nicht".
      const previous = terms[index - 1]
      if (
        meaning.reverses === 'after' &&
        this.#hasCompounds &&
        previous?.end === at &&
        previous.meaning.move !== undefined
      ) {
        values[index - 1] = (values[index - 1] ?? 0) * NEGATION
        continue
      }
      const reach = (meaning.reverses === 'after' ? NEAR : meaning.isConcession ? FAR : -1) * this.#reach
      for (let next = index + 1; next < terms.length; next++) {
        const start = terms[next]?.at ?? 0
        if (start - end > reach || hasStop(words, end, start)) break
        values[next] = (values[next] ?? 0) * (meaning.isConcession ? CONCESSION : NEGATION)
      }
    }
    return terms.map(({ at, end }, index) => ({ at, end, value: values[index] ?? 0 }))
  }

  /** Returns 1, -1 or 0 by the nearest noun; without one the company itself moves. */
  #subjectOf(words: readonly Word[], terms: readonly TermMatch<Tone>[], move: number): number {
    let best = WITHOUT_SUBJECT
    let nearest = Number.POSITIVE_INFINITY
    const own = terms[move]
    for (const step of [-1, 1]) {
      for (let index = move + step; own !== undefined; index += step) {
        const term = terms[index]
        if (term === undefined) break
        const [from, to] = step > 0 ? [own.end, term.at] : [term.end, own.at]
        if (to - from > MAX_DISTANCE * this.#reach || hasStop(words, from, to)) break
        if (term.meaning.subject === undefined) continue
        const distance = to - from + COMMA * countCommas(words, from, to)
        if (distance >= nearest || distance > MAX_DISTANCE * this.#reach) continue
        nearest = distance
        best = term.meaning.subject
      }
    }
    return best
  }

  /** "falls less than expected" is good; "earns less than expected" is bad. */
  #fallShort(terms: readonly TermMatch<Tone>[], values: number[], short: number): void {
    const at = terms[short]?.at ?? 0
    let subject = 1
    for (let index = short - 1; index >= 0 && at - (terms[index]?.end ?? 0) <= MAX_DISTANCE * this.#reach; index--) {
      const value = values[index] ?? 0
      if (value !== 0) {
        values[index] = -Math.sign(value) * SHORTFALL
        return
      }
      subject = terms[index]?.meaning.subject ?? subject
    }
    values[short] = subject < 0 ? 1 : -1
  }
}

/** A text that was read: its words, the number of the clause of each, and its evidence. */
interface Statements {
  text: string
  words: readonly Word[]
  clauses: readonly number[]
  evidence: readonly Evidence[]
}

/** The role of a term in a statement. */
interface Tone {
  move?: number
  subject?: number
  polarity?: number
  reverses?: 'before' | 'after'
  isConcession?: boolean
}

const TONES = {
  rises: { move: 1 },
  falls: { move: -1 },
  soars: { move: 1.5 },
  plunges: { move: -1.5 },
  good: { subject: 1 },
  bad: { subject: -1 },
  neutral: { subject: 0 },
  plus: { polarity: 1 },
  minus: { polarity: -1 },
  triumph: { polarity: 1.6 },
  disaster: { polarity: -1.8 },
  not: { reverses: 'after' },
  less: { reverses: 'before' },
  despite: { isConcession: true },
  mask: {},
} as const satisfies Partial<Record<keyof LanguageWords, Tone>>

const TITLE_LENGTH = 1000
const CONTENT_LENGTH = 3000
const SENTENCE_DECAY = 0.7
const NEGATION = -0.8
const CONCESSION = 0.3
const SHORTFALL = 0.9
const WITHOUT_SUBJECT = 0.9
/** Distances in words. */
const NEAR = 3
const FAR = 6
const MAX_DISTANCE = 7
const COMMA = 3
const COMMAS = new Set([',', '、', '，'])

function hasStop(words: readonly Word[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (words[at]?.isStop) return true
  return false
}

function countCommas(words: readonly Word[], from: number, to: number): number {
  let commas = 0
  for (let at = from; at < to; at++) if (COMMAS.has(words[at]?.text ?? '')) commas++
  return commas
}

/** Returns the index of the word that begins at or last before a position. */
function wordAt(words: readonly Word[], position: number): number {
  let low = 0
  let high = words.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((words[middle]?.start ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}
