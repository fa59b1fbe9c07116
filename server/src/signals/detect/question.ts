const GOOD =
  /\b(above|exceed|over|reach|beats?|tops?|rises?|raises?|higher|gains?|rally|approved?|wins?|record|more than)\b/i
const BAD =
  /\b(below|under|fall|falls|drop|drops|miss|misses|cut|cuts|lower|less than|recall|lawsuit|delay|bankruptcy)\b/i

/** Where more or less of them is good or bad depends on who asks, and a takeover on who buys whom and at what price. */
const OPEN =
  /\b(rates?|inflation|cpi|unemployment|jobless|tariffs?|deficit|yields?|recession|tax|taxes|war|acquir\w*|acquisitions?|merge\w*|merging|takeovers?|buyouts?)\b/i

/** Whether yes would be good for what the question is about: 1, or bad: -1. 0 where the words do not tell. */
export function meaningOfYes(question: string): -1 | 0 | 1 {
  if (OPEN.test(question)) return 0
  const isGood = GOOD.test(question)
  if (isGood === BAD.test(question)) return 0
  return isGood ? 1 : -1
}
