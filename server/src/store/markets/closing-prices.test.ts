import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEveryEngine, storeForSuite } from '../../../test/harness.ts'
import { insertMarket, risingCandles } from '../../../test/markets.ts'
import { DAY, HOUR, MINUTE } from '../../model/time.ts'

const START = Date.parse('2026-03-02T00:00:00.000Z')

onEveryEngine('prices known at a time', (engine) => {
  const store = storeForSuite(engine)
  before(async () => {
    await store().assets.upsert([{ key: 'BTC', name: 'Bitcoin', type: 'crypto' }], 0)
    await store().assets.upsert([{ key: 'NONE', name: 'No market', type: 'crypto' }], 0)
    await insertMarket(store()) // the first market of the asset, but without candles
    const { id } = await insertMarket(store())
    await store().candles.insert(id, '1d', risingCandles(START - 20 * DAY, DAY, 20), START)
    await store().candles.insert(id, '1m', risingCandles(START, MINUTE, 90, 200), START + 90 * MINUTE)
    const { id: other } = await insertMarket(store())
    await store().candles.insert(other, '1m', risingCandles(START, MINUTE, 90, 5_000), START + 90 * MINUTE)
  })
  const price = async (time: number) => (await store().candles.findClose('BTC', time))?.price

  test('returns the close of the candle that ended last, at any level', async () => {
    assert.equal(await price(START), 120, 'of the day before')
    assert.equal(await price(START + MINUTE - 1), 120, 'the first minute is not over')
    assert.equal(await price(START + MINUTE), 201)
    assert.equal(await price(START + 59 * MINUTE + 30_000), 259)
    assert.equal(await price(START + HOUR), 260)
    assert.equal(await price(START + DAY), 290, 'hours and days are rolled up from minutes')
  })

  test('returns none before the first candle, without a market, or after a week', async () => {
    assert.equal(await price(START - 20 * DAY), undefined)
    assert.equal(await price(START + 7 * DAY + HOUR), 290)
    assert.equal(await price(START + 9 * DAY), undefined)
    assert.equal(await store().candles.findClose('NONE', START), undefined)
    assert.equal(await store().candles.findLastPriceAt('NONE'), undefined)
    assert.equal(await store().candles.findLastPriceAt('BTC'), START + 90 * MINUTE)
  })

  test('lists daily closes of ended days, oldest first', async () => {
    const closes = await store().candles.listDailyCloses('BTC', START + HOUR, 3)
    assert.deepEqual(
      closes.map((close) => close.price),
      [118, 119, 120],
    )
    assert.deepEqual(
      closes.map(({ closedAt }) => closedAt),
      [START - 2 * DAY, START - DAY, START],
    )
    assert.equal((await store().candles.listDailyCloses('BTC', START + DAY, 100)).length, 21)
  })
})
