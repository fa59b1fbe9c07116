import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEveryEngine, storeForSuite } from '../../../test/harness.ts'
import type { NewPredictionMarket } from '../../model/prediction-markets.ts'
import { DAY, HOUR } from '../../model/time.ts'
import { sampleWorld } from '../../sample/world/world.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')

onEveryEngine('feed of recorded odds', (engine) => {
  const store = storeForSuite(engine)
  const [market] = sampleWorld(NOW).predictionMarkets.filter(({ status }) => status === 'open')
  const history = [{ at: NOW - DAY, probabilities: { ...market?.history.at(-1)?.probabilities } }]
  before(async () => {
    const given: NewPredictionMarket[] = market === undefined ? [] : [{ ...market, history }]
    await store().predictionMarkets.insert(given, NOW)
  })
  const record = (at: number) =>
    store().predictionMarkets.recordOdds(market?.id ?? '', { at, probabilities: history[0]?.probabilities ?? {} }, NOW)
  const recorded = async (from: number) => {
    const { predictionMarkets } = store()
    const rows = await predictionMarkets.listRecordedOdds(from, await predictionMarkets.oddsHead(), 100)
    return rows.map(({ place, odds }) => [place, odds.at])
  }

  test('odds inserted with their market have no place', async () => {
    assert.equal(await store().predictionMarkets.oddsHead(), 0)
    assert.deepEqual(await recorded(0), [])
    assert.equal(await store().predictionMarkets.lastOddsAt(0), NOW - DAY)
  })

  test('lists odds in the order of recording, without late ones', async () => {
    for (const at of [NOW, NOW - HOUR, NOW - 2 * DAY, NOW + HOUR]) await record(at)
    assert.equal(await store().predictionMarkets.oddsHead(), 4)
    assert.deepEqual(await recorded(0), [
      [1, NOW],
      [4, NOW + HOUR],
    ])
    assert.deepEqual(await recorded(1), [[4, NOW + HOUR]])
  })

  test('corrected odds get a new place', async () => {
    await record(NOW + HOUR)
    assert.deepEqual(await recorded(1), [[5, NOW + HOUR]])
  })

  test('lists the odds known up to a place by time, including late ones', async () => {
    const { predictionMarkets } = store()
    const timesOf = async (upTo: number) =>
      (await predictionMarkets.listOddsBetween(NOW - 3 * DAY, NOW + DAY, upTo)).map(({ odds }) => odds.at)
    assert.deepEqual(await timesOf(2), [NOW - DAY, NOW - HOUR, NOW])
    assert.deepEqual(await timesOf(5), [NOW - 2 * DAY, NOW - DAY, NOW - HOUR, NOW, NOW + HOUR])
    assert.equal(await predictionMarkets.lastOddsAt(4), NOW)
  })
})
