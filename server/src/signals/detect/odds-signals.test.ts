import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { eventfulHistory, NO_PRICES, oddsOf, START } from '../../../test/signal-history.ts'
import type { SignalChange } from '../../model/signals.ts'
import { DAY, HOUR } from '../../model/time.ts'
import { Detection } from './detection.ts'
import { robustZOfMove } from './figures.ts'
import type { Happening, OddsHappening } from './happening.ts'
import { meaningOfYes } from './question.ts'
import { DEFAULT_THRESHOLDS } from './thresholds.ts'

const create = () => new Detection({ thresholds: DEFAULT_THRESHOLDS, nameOf: () => 'Apple' })

function take(...history: Happening[]): SignalChange[] {
  const detection = create()
  return history.flatMap((happening) => detection.take(happening, NO_PRICES))
}

type Market = Partial<OddsHappening['market']>

/** Every six hours, going up and down by a point. */
function calm(days: number, market: Market = {}): OddsHappening[] {
  return Array.from({ length: days * 4 }, (_, index) =>
    oddsOf(START + index * 6 * HOUR, 0.4 + (Math.floor(index / 4) % 2) / 100, market),
  )
}

const END = START + 20 * DAY

test('odds that jump are one signal, and one that takes its place when they fall back', () => {
  const changes = take(
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

test('there is one signal for each asset of the market; where yes means nothing they are neutral, and a fall is another', () => {
  const market: Market = { question: 'Will Apple acquire a part of Microsoft?', assetKeys: ['AAPL', 'MSFT'] }
  const changes = take(...calm(20, market), oddsOf(END, 0.6, market), oddsOf(END + HOUR, 0.2, market))
  assert.deepEqual(
    changes.map(({ type, signal }) => [type, signal.assetKey, signal.direction]),
    ['AAPL', 'MSFT', 'AAPL', 'MSFT'].map((assetKey) => ['new', assetKey, 'neutral']),
  )
})

test('no signal: a small move, a market that always jumps, a young one, one without assets, not of yes and no, closed', () => {
  assert.deepEqual(take(...calm(20), oddsOf(END, 0.47)), [])
  const wild = Array.from({ length: 20 }, (_, day) => oddsOf(START + day * DAY, day % 2 === 0 ? 0.3 : 0.5))
  assert.deepEqual(take(...wild), [])
  assert.deepEqual(take(...calm(5), oddsOf(START + 5 * DAY, 0.7)), [])
  assert.deepEqual(take(...calm(20, { assetKeys: [] }), oddsOf(END, 0.7, { assetKeys: [] })), [])
  assert.deepEqual(take(...calm(20, { type: 'categorical' }), oddsOf(END, 0.7, { type: 'categorical' })), [])
  assert.deepEqual(take(...calm(20), oddsOf(END, 1, { status: 'resolved' })), [])
})

test('the z-score is that of a naive computation over the odds of each day', () => {
  let seen = 0
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
      const detection = create()
      const odds: OddsHappening[] = []
      for (const happening of eventfulHistory(seed, 60)) {
        if (happening.type === 'odds') odds.push(happening)
        for (const { signal } of detection.take(happening, NO_PRICES)) {
          if (happening.type !== 'odds') continue
          seen += 1
          const ofMarket = odds.filter(({ market }) => market.id === happening.market.id)
          const [move = 0, ...usual] = naiveMoves(ofMarket, happening.at)
          assert.ok(Math.abs((signal.metrics?.zScore ?? 0) - robustZOfMove(move, usual, 0.01)) < 0.01)
        }
      }
    }),
    { numRuns: runs(3, 12) },
  )
  assert.ok(seen > 10, String(seen))
})

function naiveMoves(odds: readonly OddsHappening[], at: number): number[] {
  const end = Math.floor(at / HOUR) * HOUR + HOUR
  const known = odds.filter((each) => each.at >= end - 29 * DAY - HOUR)
  const levels = Array.from(
    { length: 30 },
    (_, day) => known.findLast((each) => each.at < end - day * DAY)?.probability,
  )
  return levels.slice(1).flatMap((before, day) => (before === undefined ? [] : [(levels[day] ?? before) - before]))
}

test('what yes means is told by the words of the question', () => {
  assert.equal(meaningOfYes('Will Bitcoin close above $90,000 on 7 April 2026?'), 1)
  assert.equal(meaningOfYes('Will Tesla recall more cars than last year?'), -1)
  assert.equal(meaningOfYes('Will Intel cut its dividend?'), -1)
  assert.equal(meaningOfYes('Will Meta present a new product by May?'), 0)
  assert.equal(meaningOfYes('Will Adobe win approval to acquire Figma?'), 0)
  assert.equal(meaningOfYes('Will the merger of Nippon Steel be approved?'), 0)
  assert.equal(meaningOfYes('Will gold rise above or fall below $3,000?'), 0)
})
