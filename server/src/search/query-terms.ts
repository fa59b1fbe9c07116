import { stem } from '../enrich/stem.ts'
import { searchWords } from '../store/lists/search.ts'
import { mayBeIn } from './query-language.ts'
import { relatedWords } from './related-words.ts'

/** A query word with its inflected forms, any of which matches. */
export interface QueryTerm {
  stem: string
  forms: readonly string[]
  /** English words of a similar meaning, which are weaker evidence. */
  related: readonly string[]
}

const MAX_TERMS = 16

/** Returns the distinct words of a query without stop words, or all words if there are no others. */
export function queryTerms(query: string): QueryTerm[] {
  const words = searchWords(query)
  const keywords = words.filter((word) => !isStopWord(word) && (word.length > 1 || word > '\x7f'))
  const byStem = [...Map.groupBy(keywords.length > 0 ? keywords : words, queryStem)].slice(0, MAX_TERMS)
  const terms = byStem.map(([stem, asked]) => ({ stem, forms: [...new Set([...asked, ...formsOf(stem)])] }))
  // The word of one term is no evidence for another.
  const asked = new Set(terms.flatMap(({ forms }) => forms))
  const isEnglish = mayBeIn(['en'], query)
  return terms.map((term) => {
    const stems = isEnglish ? new Set(term.forms.map(queryStem)) : []
    return { ...term, related: [...new Set([...stems].flatMap(relatedWords)).difference(asked)] }
  })
}

export const isStopWord = (word: string) => STOP_WORDS.has(word)

/** Returns the stem of a word; "rose" and "rising" have the same one. */
export function queryStem(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const found = stem(BASE_FORMS.get(word) ?? word)
  if (stems.size >= MAX_CACHED) stems.clear()
  stems.set(word, found)
  return found
}

const stems = new Map<string, string>()
const MAX_CACHED = 50_000

/**
 * Returns candidate words with this stem; some are not real words, which does no harm. The stem itself need not be
 * among them: the stem of "iase" is "ias", but that of "ias" is "ia".
 */
function formsOf(one: string): string[] {
  const last = one.at(-1) ?? ''
  const roots = last === 'i' ? [one, `${one.slice(0, -1)}y`] : [one, one + last]
  const candidates = roots.flatMap((root) => ENDINGS.map((ending) => root + ending))
  const irregular = [...BASE_FORMS].flatMap(([form, base]) => (stem(base) === one ? [form] : []))
  return [...candidates.filter((word) => stem(word) === one), ...irregular, ...agentsOf(one)]
}

/** Returns the words for those who do it, which have other stems: "hack" finds "hackers". */
function agentsOf(one: string): string[] {
  if (one.length < MIN_VERB) return []
  const doubled = /[^aeiou][aeiou][bdgmnprt]$/.test(one) ? [one + one.at(-1)] : []
  return [one, ...doubled].flatMap((root) => [`${root}er`, `${root}ers`])
}

const MIN_VERB = 4

const ENDINGS = [
  ...[
    '',
    'e',
    's',
    'es',
    'd',
    'ed',
    'ing',
    'er',
    'ers',
    'or',
    'ors',
    'ion',
    'ions',
    'ation',
    'ations',
    'ment',
    'ments',
  ],
  ...[
    'y',
    'ies',
    'ied',
    'ly',
    'al',
    'ally',
    'able',
    'ive',
    'ness',
    'ful',
    'ity',
    'ance',
    'ence',
    'ize',
    'ized',
    'izing',
  ],
]

/** Irregular forms of verbs that are common in news. */
const BASE_FORMS = new Map(
  Object.entries({
    rise: 'rose risen',
    fall: 'fell fallen',
    buy: 'bought',
    sell: 'sold',
    grow: 'grew grown',
    lose: 'lost',
    win: 'won',
    shrink: 'shrank shrunk',
    sink: 'sank sunk',
    slide: 'slid',
    take: 'took taken',
    make: 'made',
    see: 'saw seen',
    hold: 'held',
    pay: 'paid',
    lay: 'laid',
    build: 'built',
    leave: 'left',
    lead: 'led',
    meet: 'met',
    seek: 'sought',
    strike: 'struck',
    speak: 'spoke spoken',
    swing: 'swung',
    spend: 'spent',
    break: 'broke broken',
    choose: 'chose chosen',
    begin: 'began begun',
    bring: 'brought',
    give: 'gave given',
    keep: 'kept',
    know: 'knew known',
    send: 'sent',
    steal: 'stole stolen',
    withdraw: 'withdrew withdrawn',
    fight: 'fought',
    think: 'thought',
  }).flatMap(([base, forms]) => forms.split(' ').map((form): [string, string] => [form, base])),
)

const STOP_WORDS = new Set(
  `a about after again against all also am an and any are as at be because been before being between both but by can
  could did do does doing down during each few for from further had has have having he her here hers him his how i if
  in into is it its itself just me more most my no nor not now of off on once only or other our ours out over own s
  same she should so some such t than that the their theirs them then there these they this those through to too
  under until up very was we were what when where which while who whom why will with would you your yours`.split(/\s+/),
)
