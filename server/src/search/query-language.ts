import { searchWords } from '../store/lists/search.ts'

/** Frequent function words by language, without accents. */
const FUNCTION_WORDS: Record<string, string> = {
  en: 'the of and to is are was were for with by on at from that this who what which how why when their its has have will would can could not be been as after before over into about between than more',
  de: 'der die das und ist sind den dem ein eine einen mit von zu auf fur nicht sich wird bei nach aus werden im am vom zum zur wie was wer lasst',
  fr: 'le les des du et est une dans pour sur au aux avec par qui que ses son sa leur ce cette pas plus',
  es: 'el los las y es una por para con del al su sus que se como mas pero',
  it: 'il gli di che per con del della dei delle nel nella sono si alla al dopo piu',
  pt: 'o os um uma e em no na nos nas do da dos das para com por que ao mais nao',
  nl: 'het een en van voor met op aan niet zijn naar bij wordt worden',
  sv: 'och att det som pa av for med ett den till inte har',
}

const languagesOf = new Map<string, string[]>()
for (const [language, words] of Object.entries(FUNCTION_WORDS)) {
  for (const word of words.split(' ')) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language])
}

const OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}]/u

/**
 * Returns whether a query may be in one of the languages; undefined means any. A query is too short for the language
 * detector, so only clear cases of other languages are excluded.
 */
export function mayBeIn(languages: readonly string[] | undefined, question: string): boolean {
  if (languages === undefined) return true
  if (OTHER_SCRIPT.test(question)) return false
  const counts = new Map<string, number>()
  for (const word of searchWords(question)) {
    for (const language of languagesOf.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  const countOf = (language: string) => counts.get(language) ?? 0
  const own = Math.max(0, ...languages.map(countOf))
  const others = Math.max(0, ...[...counts.keys()].filter((language) => !languages.includes(language)).map(countOf))
  return own >= others
}
