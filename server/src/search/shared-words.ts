import { fewAtOnce } from '../few-at-once.ts'
import { joinedWords } from '../store/lists/search.ts'
import type { Store } from '../store/store.ts'
import { HITS_PER_TERM, weightOf } from './lexical.ts'
import { isStopWord, queryStem } from './query-terms.ts'

/** Words to look up: those that make up most of the articles. */
const LOOKED_UP = 24
/** Words to count: of those, the ones that few entries have. */
const COUNTED = 10
const MIN_LENGTH = 3

/**
 * Returns, by entry seq, how many of the words that the articles share an entry has, from 0 to 1 by weight. Articles that
 * answer a question use the same words for it, of which the question may have none (pseudo-relevance feedback).
 */
export async function sharedWords(
  store: Store,
  articles: readonly { seq: number; score: number }[],
  stemsOfQuery: ReadonlySet<string>,
  headSeq: number,
): Promise<Map<number, number>> {
  const words = await commonWords(store, articles, stemsOfQuery)
  const found = await fewAtOnce(words, async ({ forms, share }) => {
    const seqs = await store.entries.hits([...forms], headSeq, HITS_PER_TERM)
    return { seqs, weight: share * weightOf(seqs, headSeq) }
  })
  const counted = found
    // Of a common word, only the newest entries are known.
    .filter(({ seqs }) => seqs.length > 1 && seqs.length < HITS_PER_TERM)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, COUNTED)
  const whole = counted.reduce((sum, { weight }) => sum + weight, 0)
  const shares = new Map<number, number>()
  for (const { seqs, weight } of counted) {
    for (const seq of seqs) shares.set(seq, (shares.get(seq) ?? 0) + weight / whole)
  }
  return shares
}

interface CommonWord {
  /** The forms that occur. */
  forms: Set<string>
  /** The share of the articles' words, weighted by the articles' scores. */
  share: number
}

async function commonWords(
  store: Store,
  articles: readonly { seq: number; score: number }[],
  stemsOfQuery: ReadonlySet<string>,
): Promise<CommonWord[]> {
  const scores = new Map(articles.map(({ seq, score }) => [seq, score]))
  const byStem = new Map<string, CommonWord>()
  for (const { seq, title, text } of await store.entries.listTexts([...scores.keys()])) {
    const words = joinedWords(`${title} ${text}`).split(' ')
    const share = (scores.get(seq) ?? 0) / words.length
    for (const word of words) {
      if (word.length < MIN_LENGTH || isStopWord(word)) continue
      const stem = queryStem(word)
      if (stemsOfQuery.has(stem)) continue
      const known = byStem.get(stem)
      if (known === undefined) byStem.set(stem, { forms: new Set([word]), share })
      else {
        known.forms.add(word)
        known.share += share
      }
    }
  }
  const sorted = [...byStem].sort(([a, one], [b, other]) => other.share - one.share || (a < b ? -1 : 1))
  return sorted.slice(0, LOOKED_UP).map(([, word]) => word)
}
