import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { downsample } from './get-candles.ts'

const price = fc.integer({ min: 1, max: 1_000_000 })
const candle = fc.record({
  openedAt: fc.constant(''),
  open: price,
  high: price,
  low: price,
  close: price,
  volume: fc.integer({ min: 0, max: 1_000 }),
})

test('merged candles cover all of them, in their order', () => {
  fc.assert(
    fc.property(fc.array(candle, { maxLength: 300 }), fc.integer({ min: 1, max: 40 }), (given, perRow) => {
      const candles = given.map((each, place) => ({ ...each, openedAt: String(place) }))
      const rows = downsample(candles, perRow)
      assert.equal(rows.length, Math.ceil(candles.length / perRow))
      for (const [place, row] of rows.entries()) {
        // The oracle looks at each candle on its own.
        const own = candles.filter((_, index) => Math.floor(index / perRow) === place)
        assert.equal(row.openedAt, own[0]?.openedAt)
        assert.equal(row.open, own[0]?.open)
        assert.equal(row.close, own[own.length - 1]?.close)
        assert.ok(own.every(({ high, low }) => high <= row.high && low >= row.low))
        assert.ok(own.some(({ high }) => high === row.high) && own.some(({ low }) => low === row.low))
      }
      const total = (of: readonly { volume: number }[]) => of.reduce((sum, { volume }) => sum + volume, 0)
      assert.equal(total(rows), total(candles))
    }),
    { numRuns: runs(100, 2_000) },
  )
})

test('a sum of volumes has no digits that no venue reported', () => {
  const of = (volume: number) => ({ openedAt: '', open: 1, high: 1, low: 1, close: 1, volume })
  assert.equal(downsample([of(0.1), of(0.2)], 2)[0]?.volume, 0.3)
})
