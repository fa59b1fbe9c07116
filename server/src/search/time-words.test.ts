import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY, HOUR } from '../model/time.ts'
import { timedQuestion } from './time-words.ts'

const NOW = Date.UTC(2026, 2, 2, 12)

test('time words become a range and leave the question', () => {
  for (const [asked, question, span] of [
    ['what did the Fed do this week', 'what did the Fed do', 7 * DAY],
    ['oil price today', 'oil price', DAY],
    ['layoffs in the last 3 days', 'layoffs', 3 * DAY],
    ['hacks over the past 12 hours', 'hacks', 12 * HOUR],
    ['Latest news about Tesla', 'news about Tesla', 7 * DAY],
    ['mergers last month', 'mergers', 62 * DAY],
  ] as const) {
    assert.deepEqual(timedQuestion(asked, NOW), { question, range: { from: NOW - span, to: NOW } }, asked)
  }
})

test('a question without time words, or of nothing else, stays as it is', () => {
  for (const asked of ['crypto exchange hacked', 'today', 'Yesterdayland opens', '']) {
    assert.deepEqual(timedQuestion(asked, NOW), { question: asked, range: undefined })
  }
})

test('any question is read without a throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (asked) => {
      assert.ok(timedQuestion(asked, NOW).question.length <= asked.length)
    }),
  )
})
