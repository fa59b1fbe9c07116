import { withoutWireMark } from './near-duplicates.ts'

/** A title that may stand for the whole story. */
export interface Headline {
  key: number
  title: string
  terms: Int32Array
  clarity: number
}

/** The part of a story that is needed to choose. */
interface Headlined {
  headlines: Headline[]
  /** What it is told in, ascending by term. */
  terms: Int32Array
  weights: Float32Array
}

/** Enough to choose from; later ones repeat the first. */
const MOST_HEADLINES = 8
/** Another headline takes over only when it is clearly better, so that a title does not change with each arrival. */
const MARGIN = 1.15

/** Lets the title of a new entry compete. The first of `headlines` represents the story. */
export function considerHeadline(
  story: Headlined,
  entry: { key: number; title: string; language: string },
  terms: Int32Array,
): void {
  const headline = { key: entry.key, title: withoutWireMark(entry.title), terms, clarity: clarityOf(entry) }
  if (story.headlines.length < MOST_HEADLINES) story.headlines.push(headline)
  const [current, ...others] = story.headlines
  if (current === undefined) return
  let best = current
  let bestScore = MARGIN * scoreOf(story, current)
  for (const other of others) {
    const score = scoreOf(story, other)
    if (score > bestScore) {
      best = other
      bestScore = score
    }
  }
  if (best !== current) story.headlines = [best, ...story.headlines.filter((other) => other !== best)]
}

/** Central: its words are those that the story is told in. The root keeps long headlines from winning by length. */
function scoreOf({ terms, weights }: Headlined, headline: Headline): number {
  let shared = 0
  for (let index = 0, at = 0; index < terms.length && at < headline.terms.length; ) {
    const difference = (terms[index] ?? 0) - (headline.terms[at] ?? 0)
    if (difference === 0) shared += weights[index] ?? 0
    if (difference <= 0) index++
    if (difference >= 0) at++
  }
  return (headline.clarity * shared) / Math.sqrt(headline.terms.length || 1)
}

/** 1 for a plain sentence of usual length in English, the language that most readers of a story share; less otherwise. */
function clarityOf({ title, language }: { title: string; language: string }): number {
  let clarity = language === 'en' ? 1 : 0.7
  if (title.length < 25 || title.length > 110) clarity *= 0.7
  if (withoutWireMark(title) !== title) clarity *= 0.9
  if (/[?…]\s*$|\.{3}\s*$| \| /.test(title)) clarity *= 0.8
  if (title === title.toUpperCase()) clarity *= 0.8
  if (/^(?:why|how|what|who|opinion|analysis|explainer|factbox|live)\b/i.test(title)) clarity *= 0.8
  return clarity
}
