import { NEUTRAL_BAND, sentimentOf } from '../../src/enrich/sentiment/sentiment.ts'

export type Label = -1 | 0 | 1

interface SentimentScores {
  accuracy: number
  /** The mean F1 of the three classes: a rare class counts as much as a common one. */
  macroF1: number
  /** confusion[actual][predicted] */
  confusion: Record<Label, Record<Label, number>>
}

const LABELS: readonly Label[] = [-1, 0, 1]

/** Scores `score` against the labels. Scores within `band` of 0 count as neutral. */
export function measureSentiment(
  rows: readonly { text: string; label: Label }[],
  score: (text: string) => number = (text) => sentimentOf({ title: text, content: '' }),
  band: number = NEUTRAL_BAND,
): SentimentScores {
  const confusion: SentimentScores['confusion'] = {
    [-1]: { [-1]: 0, 0: 0, 1: 0 },
    0: { [-1]: 0, 0: 0, 1: 0 },
    1: { [-1]: 0, 0: 0, 1: 0 },
  }
  for (const row of rows) confusion[row.label][labelOf(score(row.text), band)]++
  const right = LABELS.reduce<number>((sum, label) => sum + confusion[label][label], 0)
  const f1s = LABELS.map((label) => f1(confusion, label))
  return {
    accuracy: rows.length === 0 ? 0 : right / rows.length,
    macroF1: f1s.reduce((sum, value) => sum + value, 0) / LABELS.length,
    confusion,
  }
}

function labelOf(score: number, band: number): Label {
  if (score >= band) return 1
  return score <= -band ? -1 : 0
}

function f1(confusion: SentimentScores['confusion'], label: Label): number {
  const hits = confusion[label][label]
  const actual = LABELS.reduce<number>((sum, other) => sum + confusion[label][other], 0)
  const predicted = LABELS.reduce<number>((sum, other) => sum + confusion[other][label], 0)
  return actual + predicted === 0 ? 0 : (2 * hits) / (actual + predicted)
}

/** Returns Pearson's correlation; 0 if one side is constant. */
export function correlation(pairs: readonly (readonly [number, number])[]): number {
  const meanOf = (side: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length
  const [meanA, meanB] = [meanOf(0), meanOf(1)]
  let both = 0
  let a = 0
  let b = 0
  for (const pair of pairs) {
    both += (pair[0] - meanA) * (pair[1] - meanB)
    a += (pair[0] - meanA) ** 2
    b += (pair[1] - meanB) ** 2
  }
  return a === 0 || b === 0 || pairs.length === 0 ? 0 : both / Math.sqrt(a * b)
}
