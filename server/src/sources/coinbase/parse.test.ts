import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COINBASE_ADVANCED, COINBASE_EXCHANGE } from '../../../test/vendor-answers.ts'
import { ParseError } from '../answer.ts'
import { parseCoinbaseCandles } from './parse.ts'

const parse = (text: string) => parseCoinbaseCandles(Buffer.from(text))

describe('Coinbase candles', () => {
  test('lists of Exchange and objects of Advanced Trade are the same candles, oldest first', () => {
    const { candles, rejected } = parse(COINBASE_EXCHANGE)
    assert.deepEqual(
      candles.map(({ openedAt, open, high, low, close, volume }) => [openedAt, open, high, low, close, volume]),
      [
        [1767225600000, 91, 106, 90, 105, 4],
        [1767229200000, 105, 110.5, 95, 100, 2.5],
      ],
    )
    assert.deepEqual(rejected, [])
    assert.deepEqual(parse(COINBASE_ADVANCED), { candles, rejected })
  })

  test('messages of the channel have the candles in events', () => {
    const { candles } = parse(`{"channel":"candles","events":[{"type":"update",${COINBASE_ADVANCED.slice(1)}]}`)
    assert.equal(candles.length, 2)
  })

  test('an error of the service is named', () => {
    assert.throws(() => parse('{"message":"NotFound"}'), new ParseError('is an error of the service: NotFound'))
    assert.throws(() => parse('{"product":"BTC-USD"}'), new ParseError('has no candles'))
  })
})
