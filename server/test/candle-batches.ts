/** Generators of candles: mixed intervals, gaps, any order, around the edges of months, years, weeks and the epoch. */
import fc from 'fast-check'
import { type NewCandle, STORED_INTERVALS, type StoredInterval } from '../src/model/markets.ts'
import { DAY } from '../src/model/time.ts'
import { LENGTHS } from './candle-oracle.ts'

const EDGES = [
  '1969-12-31T22:00Z', // the epoch
  '1968-02-28T12:00Z', // a leap year before the epoch
  '1899-12-31T23:00Z',
  '2024-02-28T20:00Z',
  '2023-02-28T20:00Z',
  '2020-12-31T23:00Z', // in ISO week 53
  '2024-12-29T23:00Z', // the Sunday before ISO week 1
  '2026-01-31T00:00Z',
  '2028-12-31T22:00Z',
].map((time) => Date.parse(time))

const cents = fc.integer({ min: -500, max: 100_000 }).map((value) => value / 100)
const volumes = fc.integer({ min: 0, max: 5_000_000 }).map((value) => value / 1_000)

/** Candles without their time. */
const shapes = fc
  .record({
    prices: fc.tuple(cents, cents, cents, cents).map((four) => four.toSorted((a, b) => a - b)),
    isRising: fc.boolean(),
    volume: volumes,
    quoteVolume: fc.option(volumes, { freq: 20 }),
    tradeCount: fc.option(fc.nat(1_000), { freq: 20 }),
  })
  .map(({ prices: [low = 0, one = 0, other = 0, high = 0], isRising, ...rest }) => ({
    ...rest,
    low,
    high,
    open: isRising ? one : other,
    close: isRising ? other : one,
  }))

export interface Batch {
  interval: StoredInterval
  candles: NewCandle[]
}

/** Candles with gaps, in any order, all near one edge, so that batches overlap and overwrite each other. */
export const batches = fc.constantFrom(...EDGES).chain((edge) =>
  fc.array(
    fc
      .record({
        interval: fc.constantFrom(...STORED_INTERVALS),
        start: fc.integer({ min: -30, max: 30 }),
        jump: fc.constantFrom(0, 0, 0, 365 * DAY),
        slots: fc.array(fc.option(shapes, { freq: 3 }), { minLength: 1, maxLength: 90 }),
        isReversed: fc.boolean(),
      })
      .map(({ interval, start, jump, slots, isReversed }): Batch => {
        const length = LENGTHS[interval]
        const first = Math.floor((edge + jump) / length) * length + start * length
        const candles = slots.flatMap((shape, index) => (shape ? [{ ...shape, openedAt: first + index * length }] : []))
        return { interval, candles: isReversed ? candles.reverse() : candles }
      }),
    { minLength: 1, maxLength: 6 },
  ),
)
