import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { coveredShare } from './uptime.ts'

describe('coveredShare', () => {
  test('agrees with counting every moment, for spans that overlap, touch or leave gaps', () => {
    const time = fc.integer({ min: 0, max: 60 })
    const span = fc.tuple(time, time).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }))
    fc.assert(
      fc.property(fc.array(span, { maxLength: 8 }), time, fc.integer({ min: 1, max: 60 }), (given, from, length) => {
        const spans = given.toSorted((a, b) => a.start - b.start)
        const moments = Array.from({ length }, (_, index) => from + index)
        const up = moments.filter((moment) => spans.some(({ start, end }) => start <= moment && moment < end))
        assert.ok(Math.abs(coveredShare(spans, from, from + length) - up.length / length) < 1e-12)
      }),
      { numRuns: runs(200, 20_000) },
    )
  })

  test('no time is covered', () => assert.equal(coveredShare([], 5, 5), 1))
})
