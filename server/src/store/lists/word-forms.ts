import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { LRUCache } from 'lru-cache'
import english from 'wink-porter2-stemmer'

interface Inflection {
  stem: (word: string) => string
  /** Endings of nouns, adjectives and verbs, without accents. */
  endings: readonly string[]
  /** Whether a beginning takes an ending. */
  takes?: (beginning: string, ending: string) => boolean
}

const endings = (list: string) => ['', ...list.split(' ')]

const INFLECTIONS: Record<string, Inflection> = {
  en: {
    stem: english,
    endings: endings('s es ed d ing y ies ied e'),
    takes: (beginning, ending) =>
      !(/e$/.test(beginning) && /^[eiy]/.test(ending)) &&
      !(/[^aeiou]y$/.test(beginning) && ending !== '' && ending !== 'ing') &&
      !(/i$/.test(beginning) && /^i/.test(ending)) &&
      !(ending === 'd' && !/e$/.test(beginning)) &&
      !(ending === 'es' && /[aeiuy]$/.test(beginning)),
  },
  de: { stem: german, endings: endings('e en er ern em es n s st t te ten ter tes') },
  fr: { stem: french, endings: endings('s e es x al ale ales aux er ez ent ait ant ee ees') },
  es: { stem: spanish, endings: endings('s es o os a as ar an en on ando') },
  it: { stem: italian, endings: endings('o a i e he hi are ano ato ata ati ate') },
  pt: { stem: portuguese, endings: endings('s es o os a as m ns ar am ao oes') },
}

/** The languages with forms, and the one of a search that names none of them. */
export const INFLECTED_LANGUAGES = Object.keys(INFLECTIONS)
const USUAL_LANGUAGE = 'en'

const WITH_FORMS = /^[a-zß]{3,}$/
const SHORTEST_BEGINNING = 2
const known = new LRUCache<string, string[]>({ maxSize: 5_000, sizeCalculation: () => 1 })

/**
 * Returns a word and its other forms, such as the plural: words that a stemmer reduces to the same stem. They are
 * searched for instead of stems, so that the index has the words as they are written.
 */
export function formsOf(word: string, languages: readonly string[] = []): string[] {
  if (!WITH_FORMS.test(word)) return [word]
  const chosen = languages.filter((language) => language in INFLECTIONS)
  const key = `${chosen.join()} ${word}`
  const cached = known.get(key)
  if (cached !== undefined) return cached
  const forms = new Set([word])
  for (const language of chosen.length > 0 ? chosen : [USUAL_LANGUAGE]) {
    const inflection = INFLECTIONS[language]
    if (inflection !== undefined) for (const form of inflected(word, inflection)) forms.add(form)
  }
  const found = [...forms]
  known.set(key, found)
  return found
}

/** Replaces the ending of a word by all others, and keeps what has the same stem. */
function* inflected(word: string, { stem, endings, takes = () => true }: Inflection): Generator<string> {
  const stemOfWord = stem(word)
  for (const beginning of beginningsOf(word, endings)) {
    for (const ending of endings) {
      const form = beginning + ending
      if (takes(beginning, ending) && stem(form) === stemOfWord) yield form
    }
  }
}

/** Returns what is left of a word without each ending that it may have, also with its last consonant once or twice. */
function beginningsOf(word: string, endings: readonly string[]): Set<string> {
  const beginnings = new Set<string>()
  for (const ending of endings) {
    if (!word.endsWith(ending) || word.length - ending.length < SHORTEST_BEGINNING) continue
    const beginning = word.slice(0, word.length - ending.length)
    beginnings.add(beginning)
    if (/([bdgklmnprt])\1$/.test(beginning)) beginnings.add(beginning.slice(0, -1))
    else if (/[^aeiou][aeiou][bdgklmnprt]$/.test(beginning)) beginnings.add(beginning + beginning.at(-1))
  }
  return beginnings
}
