import type { Evidence } from './score.ts'
import type { SentimentToken } from './tokens.ts'

/** Finds percentages with a direction: "TSLA +4%", "shares off 3%", "28 % less than a year ago". */
export function percentageEvidence(tokens: readonly SentimentToken[]): Evidence[] {
  const evidence: Evidence[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'number' || token.measure !== 'percent') continue
    const sign = token.sign || SIGN_BEFORE.get(tokens[at - 1]?.text ?? '') || SIGN_AFTER.get(tokens[at + 1]?.text ?? '')
    if (!sign) continue
    evidence.push({
      at,
      end: at + 1,
      value: sign * Math.min(MAX_VALUE, 0.1 + Math.sqrt(token.amount) / 2),
      isFixed: true,
    })
  }
  return evidence
}

const MAX_VALUE = 1.5

const SIGN_BEFORE = new Map([
  ['ahead', 1],
  ['off', -1],
])

const SIGN_AFTER = new Map([
  ['more', 1],
  ['less', -1],
  ['fewer', -1],
])
