const GOOD =
  /\b(above|exceed|over|reach|beats?|tops?|rises?|raises?|higher|gains?|rally|approved?|wins?|record|more than)\b/i
const BAD =
  /\b(below|under|fall|falls|drop|drops|miss|misses|cut|cuts|lower|less than|recall|lawsuit|delay|bankruptcy)\b/i

/** Subjects that may be good or bad: rates and taxes depend on the asset, takeovers on the buyer and the price. */
const OPEN =
  /\b(rates?|inflation|cpi|unemployment|jobless|tariffs?|deficit|yields?|recession|tax|taxes|war|acquir\w*|acquisitions?|merge\w*|merging|takeovers?|buyouts?)\b/i

/** Returns 1 if yes would be good for the subject of the question, -1 if bad, 0 if the words do not say. */
export function meaningOfYes(question: string): -1 | 0 | 1 {
  if (OPEN.test(question)) return 0
  const isGood = GOOD.test(question)
  if (isGood === BAD.test(question)) return 0
  return isGood ? 1 : -1
}
