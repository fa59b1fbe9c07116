import { DAY } from '../../../model/time.ts'
import type { NewsItem } from '../news.ts'
import type { Random } from '../random.ts'
import type { OddsModel, Question } from './question.ts'

/** Standard deviation of one step, in log odds. */
export const STEP_NOISE = 0.09
const REVERSION = 0.02
/** Effect of the best possible news, in log odds. */
const NEWS_PUSH = 0.3
/** Near the end the leading outcome gains. */
const KNOWING = 2 * DAY
const KNOWING_PUSH = 0.35

/** Walks opinions around their start; news moves them. */
export function opinionWeights(
  question: Question,
  model: Extract<OddsModel, { kind: 'opinion' }>,
  news: readonly NewsItem[],
  random: Random,
): (at: number) => number[] {
  const start = model.start.map(Math.log)
  const logits = [...start]
  const { outcomes, assetKeys, topicSlugs, period } = question
  const isRace = outcomes.some((outcome) => outcome.assetKey !== undefined)
  let next = news.findIndex((item) => item.at >= period.openAt)

  function read({ score, assetKeys: about, topicSlugs: topics }: NewsItem): void {
    if (isRace) {
      for (const [index, { assetKey }] of outcomes.entries()) {
        if (assetKey !== undefined && about.includes(assetKey)) add(index, NEWS_PUSH * score)
      }
    } else if (
      assetKeys.length > 0 ? about.includes(assetKeys[0] ?? '') : topicSlugs.some((slug) => topics.includes(slug))
    ) {
      add(0, NEWS_PUSH * model.lean * score)
    }
  }

  function add(index: number, push: number): void {
    logits[index] = (logits[index] ?? 0) + push
  }

  return (at) => {
    if (at > period.openAt) {
      for (const [index, origin] of start.entries()) {
        add(index, STEP_NOISE * random.normal() + REVERSION * (origin - (logits[index] ?? 0)))
      }
    }
    for (let item = news[next]; item !== undefined && item.at <= at; item = news[++next]) read(item)
    if (at > period.closeAt - KNOWING && question.type !== 'scalar')
      add(logits.indexOf(Math.max(...logits)), KNOWING_PUSH)
    return logits.map(Math.exp)
  }
}
