import assert from 'node:assert/strict'
import { test } from 'node:test'
import { correlation, measureSentiment } from './measure.ts'

test('accuracy, macro-F1 and the confusion matrix match a hand-computed case', () => {
  const scores: Record<string, number> = { a: 0.9, b: 0.1, c: -0.9, d: -0.9 }
  const rows = [
    { text: 'a', label: 1 },
    { text: 'b', label: 1 },
    { text: 'c', label: -1 },
    { text: 'd', label: 0 },
  ] as const
  const { accuracy, macroF1, confusion } = measureSentiment(rows, (text) => scores[text] ?? 0, 0.3)
  assert.equal(accuracy, 0.5)
  assert.ok(Math.abs(macroF1 - (2 / 3 + 0 + 2 / 3) / 3) < 1e-9)
  assert.deepEqual(confusion[1], { [-1]: 0, 0: 1, 1: 1 })
})

test('no rows score 0, not NaN', () => {
  assert.equal(measureSentiment([]).accuracy, 0)
  assert.equal(measureSentiment([]).macroF1, 0)
  assert.equal(correlation([]), 0)
})

test('correlation is 1 on a rising line, -1 on a falling one, 0 for a constant side', () => {
  assert.ok(
    Math.abs(
      correlation([
        [1, 2],
        [2, 4],
        [3, 6],
      ]) - 1,
    ) < 1e-9,
  )
  assert.ok(
    Math.abs(
      correlation([
        [1, 3],
        [2, 2],
        [3, 1],
      ]) + 1,
    ) < 1e-9,
  )
  assert.equal(
    correlation([
      [1, 3],
      [1, 2],
    ]),
    0,
  )
})
