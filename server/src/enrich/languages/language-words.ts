/**
 * The words by which texts of a language are read, as lists separated by commas. A term is one or more words:
 *
 * - `steigt`: exactly this word, in any case
 * - `augment*`: every word that begins so
 * - `legt … zu`: up to six words between
 *
 * In Chinese and Japanese each character is a word, so terms are written without spaces. In German a term also matches
 * the parts of a compound: `gewinn` and `einbruch` in "Gewinneinbruch".
 */
export interface LanguageWords {
  /** More or less of something; `soars` and `plunges` are stronger. */
  rises: string
  falls: string
  soars: string
  plunges: string
  /** What moves: more is good, bad or neither. */
  good: string
  bad: string
  neutral: string
  /** Good and bad news whatever moves; `triumph` and `disaster` are stronger. */
  plus: string
  minus: string
  triumph: string
  disaster: string
  /** Reverse the next statement. */
  not: string
  /** Short of what was expected: reverse the statement before. */
  less: string
  /** Introduce a side remark. */
  despite: string
  /** Hide the words in them. */
  mask: string
  /** Separate statements about different subjects. */
  clauses: string
  /** Terms of topics by slug; one is enough. */
  topics: Readonly<Record<string, string>>
}
