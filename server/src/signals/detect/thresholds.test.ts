import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedGroups, DEFAULT_THRESHOLDS, mergeThresholds, THRESHOLDS, type Threshold } from './thresholds.ts'

test('thresholds that are not given keep their defaults', () => {
  const merged = mergeThresholds({ sentiment_shift: { leastZ: 2.5 }, outcome: { neutralPercent1d: 3 } })
  assert.equal(merged.sentiment_shift.leastZ, 2.5)
  assert.equal(merged.outcome.neutralPercent1d, 3)
  const back = mergeThresholds({ ...merged, sentiment_shift: {}, outcome: {} })
  assert.deepEqual(back, DEFAULT_THRESHOLDS)
})

test('changedGroups lists the groups with a changed threshold', () => {
  assert.deepEqual(changedGroups(mergeThresholds({ sentiment_shift: { leastZ: 3 } })), [])
  const merged = mergeThresholds({ outcome: { neutralPercent1d: 3 }, sentiment_shift: { leastZ: 2.5 } })
  assert.deepEqual(changedGroups(merged), ['sentiment_shift', 'outcome'])
})

test('every default is within its own bounds', () => {
  for (const [group, thresholds] of Object.entries(THRESHOLDS)) {
    for (const [name, threshold] of Object.entries<Threshold>(thresholds)) {
      const given = { [group]: { [name]: threshold.default } }
      assert.deepEqual(mergeThresholds(given), DEFAULT_THRESHOLDS, `${group}.${name}`)
      assert.match(threshold.meaning, /^[A-Z].*[a-z]$/)
    }
  }
})

test('errors name the wrong kind, threshold, type or range', () => {
  const refused: [unknown, RegExp][] = [
    [[], /^the thresholds must be an object$/],
    ['{}', /^the thresholds must be an object$/],
    [null, /^the thresholds must be an object$/],
    [{ mood: {} }, /^mood is not a kind of signals; allowed are sentiment_shift, /],
    [
      { 'sentiment_shift.leastZ': 3 },
      /^sentiment_shift\.leastZ must be nested: \{"sentiment_shift": \{"leastZ": …\}\}$/,
    ],
    [{ sentiment_shift: 3 }, /^sentiment_shift must be an object$/],
    [
      { sentiment_shift: { z: 3 } },
      /^sentiment_shift\.z is not a threshold of signals; allowed are sentiment_shift\.leastZ, /,
    ],
    [{ sentiment_shift: { leastZ: '3' } }, /^sentiment_shift\.leastZ must be a number from 1 to 100$/],
    [{ sentiment_shift: { leastZ: null } }, /^sentiment_shift\.leastZ must be a number/],
    [{ sentiment_shift: { leastZ: Number.NaN } }, /^sentiment_shift\.leastZ must be a number/],
    [{ sentiment_shift: { leastZ: 0.5 } }, /^sentiment_shift\.leastZ must be a number from 1 to 100$/],
    [{ breaking_cluster: { windowHours: 24 } }, /^breaking_cluster\.windowHours must be a whole number from 1 to 23$/],
    [{ breaking_cluster: { windowHours: 2.5 } }, /^breaking_cluster\.windowHours must be a whole number/],
    [JSON.parse('{"sentiment_shift": {"__proto__": 1}}'), /^sentiment_shift\.__proto__ is not a threshold/],
  ]
  for (const [given, message] of refused) assert.throws(() => mergeThresholds(given), { message }, String(message))
})
