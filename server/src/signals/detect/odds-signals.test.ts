import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { eventfulHistory, NO_PRICES, oddsOf, START } from '../../../test/signal-history.ts'
import type { SignalChange } from '../../model/signals.ts'
import { DAY, HOUR } from '../../model/time.ts'
import { Detection } from './detection.ts'
import { robustZOfMove } from './numbers.ts'
import type { Observation, OddsObservation } from './observation.ts'
import { meaningOfYes } from './question.ts'
import { DEFAULT_THRESHOLDS } from './thresholds.ts'

const create = () => new Detection({ thresholds: DEFAULT_THRESHOLDS, nameOf: () => 'Apple' })

function observe(...history: Observation[]): SignalChange[] {
  const detection = create()
  return history.flatMap((observation) => detection.observe(observation, NO_PRICES))
}

type Market = Partial<OddsObservation['market']>

/** Creates odds every six hours that go up and down by a point. */
function calm(days: number, market: Market = {}): OddsObservation[] {
  return Array.from({ length: days * 4 }, (_, index) =>
    oddsOf(START + index * 6 * HOUR, 0.4 + (Math.floor(index / 4) % 2) / 100, market),
  )
}

const END = START + 20 * DAY

test('a jump of odds is a signal, and falling back is another that supersedes it', () => {
  const changes = observe(
    ...calm(20),
    oddsOf(END, 0.6),
    oddsOf(END + HOUR, 0.6),
    oddsOf(END + 2 * HOUR, 0.61),
    oddsOf(END + 12 * HOUR, 0.2),
  )
  assert.deepEqual(
    changes.map(({ type, signal }) => [type, signal.direction, signal.metrics?.value, signal.metrics?.baseline]),
    [
      ['new', 'bullish', 0.6, 0.41],
      ['new', 'bearish', 0.2, 0.41],
    ],
  )
  assert.deepEqual(changes[1]?.type === 'new' && changes[1].supersedes, [changes[0]?.signal.id])
  assert.match(changes[0]?.signal.title ?? '', /^Odds rise to 60%: Will AAPL close above \$300\?$/)
})

test('each asset of the market gets a signal, neutral if yes is neither good nor bad, and a fall is another signal', () => {
  const market: Market = { question: 'Will Apple acquire a part of Microsoft?', assetKeys: ['AAPL', 'MSFT'] }
  const changes = observe(...calm(20, market), oddsOf(END, 0.6, market), oddsOf(END + HOUR, 0.2, market))
  assert.deepEqual(
    changes.map(({ type, signal }) => [type, signal.assetKey, signal.direction]),
    ['AAPL', 'MSFT', 'AAPL', 'MSFT'].map((assetKey) => ['new', assetKey, 'neutral']),
  )
})

test('no signal: a small move, a market that always jumps, a new one, one without assets, not binary, closed', () => {
  assert.deepEqual(observe(...calm(20), oddsOf(END, 0.47)), [])
  const wild = Array.from({ length: 20 }, (_, day) => oddsOf(START + day * DAY, day % 2 === 0 ? 0.3 : 0.5))
  assert.deepEqual(observe(...wild), [])
  assert.deepEqual(observe(...calm(5), oddsOf(START + 5 * DAY, 0.7)), [])
  assert.deepEqual(observe(...calm(20, { assetKeys: [] }), oddsOf(END, 0.7, { assetKeys: [] })), [])
  assert.deepEqual(observe(...calm(20, { type: 'categorical' }), oddsOf(END, 0.7, { type: 'categorical' })), [])
  assert.deepEqual(observe(...calm(20), oddsOf(END, 1, { status: 'resolved' })), [])
})

test('the z-score equals that of a naive computation over the odds of each day', () => {
  let seen = 0
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
      const detection = create()
      const odds: OddsObservation[] = []
      for (const observation of eventfulHistory(seed, 60)) {
        if (observation.type === 'odds') odds.push(observation)
        for (const { signal } of detection.observe(observation, NO_PRICES)) {
          if (observation.type !== 'odds') continue
          seen += 1
          const ofMarket = odds.filter(({ market }) => market.id === observation.market.id)
          const [move = 0, ...usual] = naiveMoves(ofMarket, observation.at)
          assert.ok(Math.abs((signal.metrics?.zScore ?? 0) - robustZOfMove(move, usual, 0.01)) < 0.01)
        }
      }
    }),
    { numRuns: runs(3, 12) },
  )
  assert.ok(seen > 10, String(seen))
})

function naiveMoves(odds: readonly OddsObservation[], at: number): number[] {
  const end = Math.floor(at / HOUR) * HOUR + HOUR
  const known = odds.filter((each) => each.at >= end - 29 * DAY - HOUR)
  const levels = Array.from(
    { length: 30 },
    (_, day) => known.findLast((each) => each.at < end - day * DAY)?.probability,
  )
  return levels.slice(1).flatMap((before, day) => (before === undefined ? [] : [(levels[day] ?? before) - before]))
}

test('the words of the question decide whether yes is good', () => {
  assert.equal(meaningOfYes('Will Bitcoin close above $90,000 on 7 April 2026?'), 1)
  assert.equal(meaningOfYes('Will Tesla recall more cars than last year?'), -1)
  assert.equal(meaningOfYes('Will Intel cut its dividend?'), -1)
  assert.equal(meaningOfYes('Will Meta present a new product by May?'), 0)
  assert.equal(meaningOfYes('Will Adobe win approval to acquire Figma?'), 0)
  assert.equal(meaningOfYes('Will the merger of Nippon Steel be approved?'), 0)
  assert.equal(meaningOfYes('Will gold rise above or fall below $3,000?'), 0)
})
