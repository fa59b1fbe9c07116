import assert from 'node:assert/strict'
import { test } from 'node:test'
import { START } from '../../../test/signal-history.ts'
import { isoTime } from '../../model/time.ts'
import { outcomeOf } from './outcome-rule.ts'

const signal = { direction: 'bullish', horizon: '1d', referencePrice: 200 } as const

test('a signal is a hit if the price moved in its direction', () => {
  const evaluatedAt = isoTime(START)
  assert.deepEqual(outcomeOf(signal, 203, START), { evaluatedAt, returnPercent: 1.5, isHit: true })
  assert.deepEqual(outcomeOf(signal, 199, START), { evaluatedAt, returnPercent: -0.5, isHit: false })
  assert.equal(outcomeOf({ ...signal, direction: 'bearish' }, 199, START)?.isHit, true)
  assert.equal(outcomeOf({ ...signal, direction: 'bearish' }, 203, START)?.isHit, false)
})

test('an unchanged price is a hit only for a neutral signal', () => {
  for (const direction of ['bullish', 'bearish'] as const) {
    assert.equal(outcomeOf({ ...signal, direction }, 200, START)?.isHit, false)
  }
  assert.equal(outcomeOf({ ...signal, direction: 'neutral' }, 200, START)?.isHit, true)
})

test('a neutral signal is a hit if the price stays near; longer horizons allow larger moves', () => {
  const isHit = (horizon: 'intraday' | '1d' | '1w' | '1mo', price: number) =>
    outcomeOf({ direction: 'neutral', horizon, referencePrice: 100 }, price, START)?.isHit
  assert.deepEqual([isHit('intraday', 101), isHit('intraday', 98.9)], [true, false])
  assert.deepEqual([isHit('1d', 98), isHit('1d', 102.1)], [true, false])
  assert.deepEqual([isHit('1w', 96), isHit('1w', 104.1)], [true, false])
  assert.deepEqual([isHit('1mo', 92), isHit('1mo', 91.9)], [true, false])
})

test('there is no outcome without a price', () => {
  assert.equal(outcomeOf(signal, undefined, START), null)
  assert.equal(outcomeOf({ ...signal, referencePrice: null }, 203, START), null)
  assert.equal(outcomeOf({ ...signal, referencePrice: 0 }, 203, START), null)
})
