/** One thing that a sentence says for or against, and the tokens that say it. */
export interface Evidence {
  at: number
  end: number
  value: number
  /** Complete in itself: neither negation nor hedges reach it. */
  isFixed?: boolean
  /** A word of direction without a thing that moves. */
  hasNoSubject?: boolean
}

/** The strongest statement of each side counts in full, each further one less: the fifth "rose" is not new. */
export function sumEvidence(evidence: readonly Evidence[]): number {
  return oneSide(evidence, 1) - oneSide(evidence, -1)
}

const EACH_FURTHER = 0.55

function oneSide(evidence: readonly Evidence[], sign: 1 | -1): number {
  const values = evidence.map((one) => one.value * sign).filter((value) => value > 0)
  values.sort((a, b) => b - a)
  let total = 0
  let share = 1
  for (const value of values) {
    total += value * share
    share *= EACH_FURTHER
  }
  return total
}

/** From any sum of evidence to -1..1, to three decimals. */
export function toScore(sum: number): number {
  const size = Math.tanh(Math.abs(sum) * STEEPNESS)
  const pressed = size < KNEE ? size * (size / KNEE) ** PRESS : size
  const score = (Math.sign(sum) * Math.round(pressed * 1000)) / 1000
  return score === 0 ? 0 : score
}

/** One plain statement ("profit rose") comes out at about half the scale. */
const STEEPNESS = 0.5

/** Less than a statement is close to nothing: a stray "happy" or "virus" must not colour a text. */
const KNEE = 0.3
const PRESS = 3
