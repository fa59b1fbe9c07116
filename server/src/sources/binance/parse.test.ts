import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BINANCE, BINANCE_ARCHIVE } from '../../../test/vendor-answers.ts'
import { ParseError } from '../answer.ts'
import { parseBinanceKlines } from './parse.ts'

const parse = (text: string) => parseBinanceKlines(Buffer.from(text))

describe('Binance klines', () => {
  test('klines of the API and of an archive in microseconds are the same candles', () => {
    const { candles, rejected } = parse(BINANCE)
    assert.deepEqual(candles[0], {
      openedAt: 1767225600000,
      open: 100,
      high: 110.5,
      low: 95,
      close: 105,
      volume: 2.5,
      quoteVolume: 255,
      tradeCount: 7,
    })
    assert.equal(candles.length, 2)
    assert.deepEqual(parse(BINANCE_ARCHIVE), { candles, rejected })
  })

  test('archives of futures have a header', () => {
    const header = 'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume\n'
    assert.equal(parse(header + BINANCE_ARCHIVE).candles.length, 2)
  })

  test('an error of the service is named', () => {
    assert.throws(
      () => parse('{"code":-1121,"msg":"Invalid symbol."}'),
      new ParseError('is an error of the service: Invalid symbol.'),
    )
  })

  test('an empty range has no candles', () => {
    assert.deepEqual(parse('[]'), { candles: [], rejected: [] })
  })
})
