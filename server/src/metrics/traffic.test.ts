import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { FakeClock } from '../../test/harness.ts'
import { Histogram, quantileOf } from './exposition.ts'
import { RequestMetrics } from './request-metrics.ts'
import { Traffic } from './traffic.ts'

function create() {
  const clock = new FakeClock()
  const requests = new RequestMetrics()
  const state = { credits: 0, streams: 0 }
  const traffic = new Traffic({
    requests,
    clock,
    credits: () => state.credits,
    streams: () => state.streams,
    onError: assert.ifError,
  })
  return { clock, requests, state, traffic }
}

describe('traffic', () => {
  test('a minute has what happened within it, and the last one what happened so far', () => {
    const { clock, requests, state, traffic } = create()
    requests.observe('GET /entries', 200, 3)
    requests.observe('GET /entries', 402, 3)
    requests.observe('GET /assets', 500, 3)
    state.credits = 7
    clock.advance(60_000)
    traffic.endMinute()
    requests.observe('GET /assets', 200, 30)
    Object.assign(state, { credits: 9, streams: 2 })
    clock.advance(10_000)
    const figures = traffic.minutes().map(({ at, memoryBytes, eventLoopDelayMs, p50Ms, p99Ms, ...counted }) => counted)
    assert.deepEqual(figures, [
      { seconds: 60, requests: 3, clientErrors: 1, serverErrors: 1, credits: 7, streams: 0 },
      { seconds: 10, requests: 1, clientErrors: 0, serverErrors: 0, credits: 2, streams: 2 },
    ])
    assert.deepEqual(
      traffic.routes().map(({ route, requests }) => [route, requests]),
      [
        ['GET /entries', 2],
        ['GET /assets', 2],
      ],
    )
  })

  test('a minute without requests has no latency', () => {
    const { traffic } = create()
    assert.equal(traffic.minutes()[0]?.p99Ms, null)
  })

  test('a day is kept', () => {
    const { traffic, clock } = create()
    for (let minute = 0; minute < 1_500; minute += 1) {
      clock.advance(60_000)
      traffic.endMinute()
    }
    assert.equal(traffic.minutes().length, 1_441)
  })

  test('an estimated quantile lies in the same bucket as the true one', () => {
    const seconds = fc.double({ min: 0, max: 9.9, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(seconds, { minLength: 1, maxLength: 60 }),
        fc.constantFrom(0.5, 0.95, 0.99),
        (all, share) => {
          const counted = new Histogram()
          for (const one of all) counted.observe(one)
          const sorted = all.toSorted((a, b) => a - b)
          const truth = sorted[Math.ceil(share * all.length) - 1] ?? 0
          const bucketOf = (value: number) => {
            const one = new Histogram()
            one.observe(value)
            return one.counts().indexOf(1)
          }
          assert.equal(bucketOf(quantileOf(counted.counts(), share) ?? -1), bucketOf(truth))
        },
      ),
      { numRuns: runs(300, 20_000) },
    )
  })
})
