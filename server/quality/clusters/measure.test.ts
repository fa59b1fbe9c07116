import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureClusters } from './measure.ts'

test('the same clusters under other labels score 1', () => {
  assert.deepEqual(measureClusters(['a', 'a', 'b'], [7, 7, 3]), { b3Precision: 1, b3Recall: 1, b3F1: 1 })
})

test('one big cluster has full recall and low precision, single entries the reverse', () => {
  const all = measureClusters([1, 1, 2, 2], [0, 0, 0, 0])
  assert.deepEqual([all.b3Precision, all.b3Recall], [0.5, 1])
  const alone = measureClusters([1, 1, 2, 2], [0, 1, 2, 3])
  assert.deepEqual([alone.b3Precision, alone.b3Recall], [1, 0.5])
})

test('one entry in the wrong cluster lowers precision and recall', () => {
  const { b3Precision, b3Recall } = measureClusters([1, 1, 1, 2], [1, 1, 2, 2])
  assert.ok(Math.abs(b3Precision - 0.75) < 1e-12)
  assert.ok(Math.abs(b3Recall - (4 / 3 + 1 / 3 + 1) / 4) < 1e-12)
})

test('lists of different lengths are refused, empty lists score 1', () => {
  assert.throws(() => measureClusters([1], []), RangeError)
  assert.equal(measureClusters([], []).b3F1, 1)
})
