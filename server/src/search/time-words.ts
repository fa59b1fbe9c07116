import { DAY, HOUR } from '../model/time.ts'

/** A question without its time words, and the range of time that these prefer. */
export interface TimedQuestion {
  question: string
  range: { from: number; to: number } | undefined
}

/** The days before now that the words mean at most. */
const PERIODS: readonly [words: RegExp, days: number][] = [
  [/\b(?:today|tonight|right now)\b/i, 1],
  [/\byesterday\b/i, 2],
  [/\b(?:this|past|in the last|over the last|the last) week\b|\b(?:latest|recent|recently)\b/i, 7],
  [/\blast week\b/i, 14],
  [/\b(?:this|past|in the last|over the last|the last) month\b/i, 31],
  [/\blast month\b/i, 62],
  [/\bthis year\b/i, 366],
]
const LAST_N = /\b(?:in |over |within )?(?:the )?(?:last|past) (\d{1,3}) (hour|day|week|month)s?\b/i
const UNITS: Record<string, number> = { hour: HOUR, day: DAY, week: 7 * DAY, month: 31 * DAY }

/** Finds words such as "this week", which say when and not what. A question of nothing else keeps them. */
export function timedQuestion(asked: string, now: number): TimedQuestion {
  const counted = LAST_N.exec(asked)
  const [words, span] =
    counted === null
      ? namedPeriod(asked)
      : [counted[0], Number(counted[1]) * (UNITS[(counted[2] ?? '').toLowerCase()] ?? 0)]
  const question = asked.replace(words, ' ').replace(/\s+/g, ' ').trim()
  if (words === '' || question === '') return { question: asked, range: undefined }
  return { question, range: { from: now - span, to: now } }
}

function namedPeriod(asked: string): [words: string, span: number] {
  for (const [pattern, days] of PERIODS) {
    const found = pattern.exec(asked)
    if (found !== null) return [found[0], days * DAY]
  }
  return ['', 0]
}
