import { DAY } from '../../../model/time.ts'
import type { WorldNews } from '../news.ts'
import type { Random } from '../random.ts'
import type { Question, View } from './question.ts'

/** Standard deviation of a step of an opinion, as log odds. */
export const STEP_NOISE = 0.09
const REVERSION = 0.02
/** Log odds that the best of news is worth. */
const NEWS_PUSH = 0.3
/** Near the end people know who is ahead. */
const KNOWING = 2 * DAY
const KNOWING_PUSH = 0.35

/** What people think wanders around what they thought at first, and moves with what they read. */
export function opinionWeights(
  question: Question,
  view: Extract<View, { kind: 'opinion' }>,
  news: readonly WorldNews[],
  random: Random,
): (at: number) => number[] {
  const start = view.start.map(Math.log)
  const logits = [...start]
  const { outcomes, assetKeys, topicSlugs, span } = question
  const isRace = outcomes.some((outcome) => outcome.assetKey !== undefined)
  let next = news.findIndex((item) => item.at >= span.openAt)

  function read({ score, assetKeys: about, topicSlugs: topics }: WorldNews): void {
    if (isRace) {
      for (const [index, { assetKey }] of outcomes.entries()) {
        if (assetKey !== undefined && about.includes(assetKey)) add(index, NEWS_PUSH * score)
      }
    } else if (
      assetKeys.length > 0 ? about.includes(assetKeys[0] ?? '') : topicSlugs.some((slug) => topics.includes(slug))
    ) {
      add(0, NEWS_PUSH * view.lean * score)
    }
  }

  function add(index: number, push: number): void {
    logits[index] = (logits[index] ?? 0) + push
  }

  return (at) => {
    if (at > span.openAt) {
      for (const [index, origin] of start.entries()) {
        add(index, STEP_NOISE * random.normal() + REVERSION * (origin - (logits[index] ?? 0)))
      }
    }
    for (let item = news[next]; item !== undefined && item.at <= at; item = news[++next]) read(item)
    if (at > span.closeAt - KNOWING && question.type !== 'scalar')
      add(logits.indexOf(Math.max(...logits)), KNOWING_PUSH)
    return logits.map(Math.exp)
  }
}
