import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, storeForSuite } from '../../../test/harness.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { builtInTopics } from '../../catalogue/built-in/topics.ts'
import { Json } from '../../model/json.ts'
import {
  HISTORY_INTERVALS,
  type HistoryInterval,
  type NewPredictionMarket,
  type Odds,
} from '../../model/prediction-markets.ts'
import { DAY, HOUR, isoTime } from '../../model/time.ts'
import { sampleWorld } from '../../sample/world/world.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')
const ASSETS = ['BTC', 'ETH', 'AAPL']
const TOPICS = ['bitcoin', 'earnings']
const STEPS = { '1h': HOUR, '6h': 6 * HOUR, '1d': DAY, '1w': 7 * DAY }

onEveryEngine('details of prediction markets', (engine) => {
  const store = storeForSuite(engine)
  const [model] = sampleWorld(NOW).predictionMarkets.filter(({ status }) => status === 'open')
  before(async () => {
    await store().assets.insert(builtInAssets, NOW)
    await store().topics.insert(builtInTopics, NOW)
  })
  let count = 0
  const newMarket = (given: Partial<NewPredictionMarket>): NewPredictionMarket => {
    assert.ok(model)
    count += 1
    const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
    return { ...model, id, slug: `market-${count}`, closeAt: null, history: [], ...given }
  }
  const detailOf = async (id: string, interval?: HistoryInterval) => {
    const found = await store().predictionMarkets.find(id, NOW, interval)
    assert.ok(found)
    return Json.merge<{ history: { interval: string; points: unknown[] }; relatedMarkets: { id: string }[] }>(
      ...found.parts,
    ).parse()
  }
  const oddsAt = (at: number): Odds => ({ at, probabilities: { yes: (Math.abs(at) % 97) / 100 } })

  test('a history is the last odds of each step, for few and for many odds', async () => {
    // More odds than are read at once, an hour apart and a minute apart.
    const long = [HOUR, HOUR / 60].map((step) => Array.from({ length: 2_300 }, (_, index) => NOW - index * step))
    const some = fc.array(fc.integer({ min: -3_000, max: 3_000 }), { maxLength: 60 })
    const given = fc.sample(fc.tuple(some, fc.constantFrom(HOUR / 8, HOUR, 5 * HOUR, DAY)), {
      numRuns: runs(15, 150),
      seed: 3,
    })
    for (const times of [...long, ...given.map(([steps, length]) => steps.map((step) => NOW + step * length))]) {
      const market = newMarket({ history: times.map(oddsAt), assetKeys: [], topicSlugs: [] })
      await store().predictionMarkets.insert([market], NOW)
      assert.deepEqual((await detailOf(market.id)).history, naiveHistory(times))
      // Recorded odds change a history that may be cached.
      const more = [NOW + 50 * DAY, ...times.slice(0, 1)]
      for (const at of more) await store().predictionMarkets.recordOdds(market.id, oddsAt(at), NOW)
      assert.deepEqual((await detailOf(market.id)).history, naiveHistory([...times, ...more]))
      for (const interval of HISTORY_INTERVALS)
        assert.deepEqual(
          (await detailOf(market.id, interval)).history,
          naiveHistory([...times, ...more], interval),
          interval,
        )
    }
  })

  const naiveHistory = (times: readonly number[], given?: HistoryInterval) => {
    const known = [...new Set(times)].sort((a, b) => a - b)
    const [first = 0, last = 0] = [known[0], known.at(-1)]
    const fits = (step: number) =>
      step >= (last - first) / Math.max(1, known.length - 1) && Math.floor(last / step) - Math.floor(first / step) < 500
    const fitting = Object.entries(STEPS).find(([name, length]) =>
      given === undefined ? fits(length) : name === given,
    )
    const [interval, step] = fitting ?? ['1w', STEPS['1w']]
    const lastOfSteps = new Map(known.map((at) => [Math.floor(at / step), at]))
    const points = [...lastOfSteps.values()].slice(-500).map((at) => ({ ...oddsAt(at), at: isoTime(at) }))
    return { interval, points }
  }

  test('related markets share most, then have most volume', async () => {
    const shapes = fc.array(
      fc.record({ assetKeys: fc.subarray(ASSETS), topicSlugs: fc.subarray(TOPICS), volume: fc.nat(5) }),
      { minLength: 1, maxLength: 12 },
    )
    const all: NewPredictionMarket[] = []
    for (const added of fc.sample(shapes, { numRuns: runs(8, 60), seed: 5 })) {
      const markets = added.map(newMarket)
      await store().predictionMarkets.insert(markets, NOW)
      all.push(...markets)
      for (const market of markets) {
        const shared = (other: NewPredictionMarket) =>
          3 * market.assetKeys.filter((key) => other.assetKeys.includes(key)).length +
          market.topicSlugs.filter((slug) => other.topicSlugs.includes(slug)).length
        const expected = all
          .filter((other) => other !== market && shared(other) > 0)
          .sort((one, other) => shared(other) - shared(one) || other.volume - one.volume)
          .slice(0, 5)
        assert.deepEqual(
          (await detailOf(market.id)).relatedMarkets.map(({ id }) => id),
          expected.map(({ id }) => id),
        )
      }
    }
  })
})
