/** A good or bad statement of a sentence: the tokens from `at` up to, not including, `end`. */
export interface Evidence {
  at: number
  end: number
  value: number
  /** Negations, hedges and other modifiers do not apply. */
  isFixed?: boolean
  /** A movement without a subject. */
  hasNoSubject?: boolean
}

/** Adds up evidence. The strongest of each sign counts in full, each further one less: a fifth "rose" adds little. */
export function sumEvidence(evidence: readonly Evidence[]): number {
  return sumOfSign(evidence, 1) - sumOfSign(evidence, -1)
}

const DECAY = 0.55

function sumOfSign(evidence: readonly Evidence[], sign: 1 | -1): number {
  const values = evidence.map((one) => one.value * sign).filter((value) => value > 0)
  values.sort((a, b) => b - a)
  let total = 0
  let share = 1
  for (const value of values) {
    total += value * share
    share *= DECAY
  }
  return total
}

/** Maps a sum of evidence to a score from -1 to 1, rounded to three decimals. */
export function toScore(sum: number): number {
  const size = Math.tanh(Math.abs(sum) * STEEPNESS)
  const pressed = size < WEAK_BELOW ? size * (size / WEAK_BELOW) ** PRESS : size
  const score = (Math.sign(sum) * Math.round(pressed * 1000)) / 1000
  return score === 0 ? 0 : score
}

/** One plain statement ("profit rose") scores about 0.5. */
const STEEPNESS = 0.5

/** Weak evidence is pressed towards 0: a stray "happy" or "virus" must not decide a text. */
const WEAK_BELOW = 0.3
const PRESS = 3
