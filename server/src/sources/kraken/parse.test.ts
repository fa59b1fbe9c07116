import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KRAKEN } from '../../../test/vendor-answers.ts'
import { ParseError } from '../answer.ts'
import { parseKrakenOhlc } from './parse.ts'

const parse = (text: string) => parseKrakenOhlc(Buffer.from(text))

describe('Kraken OHLC', () => {
  test('rows under any name of the pair become candles, the last one not closed', () => {
    const { candles, rejected, lastClosedAt } = parse(KRAKEN)
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
    assert.equal(candles.length, 3)
    assert.deepEqual(rejected, [])
    assert.equal(lastClosedAt, 1767229200000)
    assert.deepEqual(
      candles.map(({ openedAt }) => openedAt <= (lastClosedAt ?? 0)),
      [true, true, false],
    )
  })

  test('errors arrive with status 200; a warning comes with a result', () => {
    assert.throws(
      () => parse('{"error":["EQuery:Unknown asset pair"]}'),
      new ParseError('is an error of the service: EQuery:Unknown asset pair'),
    )
    assert.equal(parse(KRAKEN.replace('"error":[]', '"error":["WGeneral:Danger"]')).candles.length, 3)
  })

  test('a bad row is listed, the others are kept', () => {
    const { candles, rejected } = parse(KRAKEN.replace('"110.5"', '"99.9"').replace('"104.0"', '"x"'))
    assert.equal(candles.length, 1)
    assert.deepEqual(rejected, [
      { row: 1, reason: 'high 99.9 is below open 100 or close 105' },
      { row: 3, reason: 'low is not readable: "x"' },
    ])
  })

  test('a recording with lines of the request before the answer is read', () => {
    assert.equal(parse(`GET\n/0/public/OHLC\nfalse\n${KRAKEN}`).candles.length, 3)
  })

  test('candles of Kraken Futures are objects', () => {
    const { candles } = parse(
      '{"candles":[{"time":1767225600000,"open":"1","high":"2","low":"1","close":"2","volume":3}],"more_candles":false}',
    )
    assert.equal(candles[0]?.openedAt, 1767225600000)
    assert.equal(candles[0]?.quoteVolume, null)
  })
})
