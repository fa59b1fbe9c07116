import type { Enricher } from '../../src/enrich/enrich.ts'
import { NEUTRAL_BAND } from '../../src/enrich/sentiment/sentiment.ts'
import { type ForeignHeadline, foreignHeadlines } from './parse.ts'

/** The scores of one language, or of one part of its headlines. */
export interface LanguageScores {
  language: number
  sentiment: number
  mentions: number
  topics: number
}

/** Scores a reader on the headlines of each language: accuracies, and F1 of mentions and topics. */
export function measureLanguages(
  enricher: Pick<Enricher, 'read'>,
): { language: string; tuned: LanguageScores; heldBack: LanguageScores }[] {
  return foreignHeadlines().map(({ language, tuned, heldBack }) => ({
    language,
    tuned: scoresOf(enricher, language, tuned),
    heldBack: scoresOf(enricher, language, heldBack),
  }))
}

function scoresOf(
  enricher: Pick<Enricher, 'read'>,
  language: string,
  rows: readonly ForeignHeadline[],
): LanguageScores {
  const read = rows.map((row) => ({ row, found: enricher.read({ title: row.title, content: '', language: null }) }))
  const share = (isRight: (one: (typeof read)[number]) => boolean) => read.filter(isRight).length / rows.length
  return {
    language: share(({ found }) => found.language === language),
    sentiment: share(({ row, found }) => toneOf(found.sentimentScore) === row.tone),
    mentions: f1(read.map(({ row, found }) => [found.assetKeys, row.assetKeys, row.optional])),
    // Only topics that the headlines are labelled with: an industry that an asset brings along is neither hit nor miss.
    topics: f1(
      read.map(({ row, found }) => [found.topicSlugs.filter((slug) => LABELS.has(slug)), row.topics, row.optional]),
    ),
  }
}

const LABELS = new Set(
  foreignHeadlines().flatMap(({ tuned, heldBack }) => [...tuned, ...heldBack].flatMap(({ topics }) => topics)),
)

/** A text without a score counts as neutral. */
function toneOf(score: number | null): number {
  return score === null || Math.abs(score) < NEUTRAL_BAND ? 0 : Math.sign(score)
}

function f1(rows: readonly (readonly [found: string[], meant: string[], optional: string[]])[]): number {
  let right = 0
  let found = 0
  let meant = 0
  for (const [keys, expected, optional] of rows) {
    const judged = keys.filter((key) => !optional.includes(key))
    right += judged.filter((key) => expected.includes(key)).length
    found += judged.length
    meant += expected.length
  }
  return found + meant === 0 ? 1 : (2 * right) / (found + meant)
}
