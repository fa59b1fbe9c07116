import { stripWirePrefix } from './near-duplicates.ts'

/** A title that may represent a cluster. */
export interface Headline {
  key: number
  title: string
  terms: Int32Array
  clarity: number
}

/** The part of a cluster needed to choose its headline. */
interface HeadlinedCluster {
  headlines: Headline[]
  terms: ReadonlyMap<number, { weight: number }>
}

/** Later titles mostly repeat earlier ones. */
const MAX_HEADLINES = 8
/** Another headline must score this much higher to take over, so that the title does not change with each arrival. */
const MARGIN = 1.15

/** Adds a new entry's title and moves the best one to the front of `headlines`. */
export function considerHeadline(
  cluster: HeadlinedCluster,
  entry: { key: number; title: string; language: string },
  terms: Int32Array,
  idfOf: (term: number) => number,
): void {
  const headline = { key: entry.key, title: stripWirePrefix(entry.title), terms, clarity: clarityOf(entry) }
  if (cluster.headlines.length < MAX_HEADLINES) cluster.headlines.push(headline)
  chooseHeadline(cluster, idfOf)
}

/** Moves the best title to the front of `headlines`. */
export function chooseHeadline(cluster: HeadlinedCluster, idfOf: (term: number) => number): void {
  const [current, ...others] = cluster.headlines
  if (current === undefined) return
  let best = current
  let bestScore = MARGIN * scoreOf(cluster, current, idfOf)
  for (const other of others) {
    const score = scoreOf(cluster, other, idfOf)
    if (score > bestScore) {
      best = other
      bestScore = score
    }
  }
  if (best !== current) cluster.headlines = [best, ...cluster.headlines.filter((other) => other !== best)]
}

/**
 * Scores a headline by the weight of the terms it shares with the cluster. The root keeps long ones from winning by
 * length.
 */
function scoreOf({ terms }: HeadlinedCluster, headline: Headline, idfOf: (term: number) => number): number {
  let shared = 0
  for (const term of headline.terms) shared += (terms.get(term)?.weight ?? 0) * idfOf(term)
  return (headline.clarity * shared) / Math.sqrt(headline.terms.length || 1)
}

/**
 * Returns 1 for a plain English sentence of usual length, less for other titles. English is the language most readers
 * share.
 */
function clarityOf({ title, language }: { title: string; language: string }): number {
  let clarity = language === 'en' ? 1 : 0.7
  if (title.length < 25 || title.length > 110) clarity *= 0.7
  if (stripWirePrefix(title) !== title) clarity *= 0.9
  if (/[?…]\s*$|\.{3}\s*$| \| /.test(title)) clarity *= 0.8
  if (title === title.toUpperCase()) clarity *= 0.8
  if (/^(?:why|how|what|who|opinion|analysis|explainer|factbox|live)\b/i.test(title)) clarity *= 0.8
  return clarity
}
