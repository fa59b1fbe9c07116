import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { builtInAssets } from '../../../catalogue/built-in/assets.ts'
import { builtInTopics } from '../../../catalogue/built-in/topics.ts'
import { type NewPredictionMarket, PredictionMarket } from '../../../model/prediction-markets.ts'
import { DAY, HOUR, isoTime } from '../../../model/time.ts'
import { sampleReports } from '../entries.ts'
import { createPrices } from '../prices/prices.ts'
import { nextOdds } from './live-odds.ts'
import { samplePredictionMarkets } from './prediction-markets.ts'
import { kebab } from './question.ts'

const NOW = Date.UTC(2026, 2, 14, 15, 9, 26)

function createWorld(now: number) {
  const reports = [...sampleReports({ count: 6000, from: now - 90 * DAY, to: now, seed: 'test' })]
  const prices = createPrices({ now, reports, seed: 'test' })
  return { now, reports, prices, markets: samplePredictionMarkets({ now, reports, prices }) }
}

const world = createWorld(NOW)
// A Sunday, the turn of a year and midnight: the date must not matter.
const worlds = [world, createWorld(Date.UTC(2026, 0, 1)), createWorld(Date.UTC(2025, 7, 31, 23, 59, 59))]

test('the same time produces the same markets, and their ids do not depend on the clock', () => {
  assert.deepEqual(samplePredictionMarkets(world), world.markets)
  for (const { markets } of worlds) {
    assert.deepEqual(
      markets.map((market) => market.id),
      world.markets.map((market) => market.id),
    )
  }
})

test('there are at least 72, of all venues, types and statuses, most of them open', () => {
  for (const { markets } of worlds) {
    const count = (wanted: Partial<NewPredictionMarket>) =>
      markets.filter(
        (market) => market.status === wanted.status || market.type === wanted.type || market.venue === wanted.venue,
      ).length
    assert.ok(markets.length >= 72)
    assert.ok(count({ status: 'open' }) > markets.length / 2)
    assert.ok(count({ status: 'closed' }) >= 3)
    assert.ok(count({ status: 'resolved' }) >= 12)
    assert.equal(count({ status: 'cancelled' }), 2)
    assert.ok(count({ type: 'categorical' }) >= 12 && count({ type: 'scalar' }) >= 4)
    for (const venue of ['polymarket', 'kalshi', 'manifold'] as const) assert.ok(count({ venue }) >= 12)
  }
})

test('each market has the shape of the API and says that it is a sample', () => {
  const schema = Compile(PredictionMarket)
  const topics = new Set(builtInTopics.map((topic) => topic.slug))
  const assets = new Set(builtInAssets.map((asset) => asset.key))
  for (const { now, markets } of worlds) {
    assert.equal(new Set(markets.map((market) => market.slug)).size, markets.length)
    assert.equal(new Set(markets.map((market) => market.id)).size, markets.length)
    assert.equal(new Set(markets.map((market) => market.venueMarketId)).size, markets.length)
    for (const market of markets) {
      const { rules, resolutionSource, history, ...answer } = market
      const full = { ...answer, createdAt: isoTime(now), updatedAt: isoTime(now) }
      assert.ok(schema.Check(full), `${market.slug}: ${JSON.stringify(schema.Errors(full))}`)
      assert.match(market.slug, /^[a-z0-9]+(-[a-z0-9]+)*$/)
      assert.match(market.description ?? '', /^Sample data/)
      assert.match(rules ?? '', /^Sample rule/)
      assert.equal(new URL(market.url).hostname, `${market.venue}.sample.example`)
      assert.doesNotMatch(market.question, /undefined|NaN|null/)
      assert.ok(market.topicSlugs.length > 0 && market.topicSlugs.every((slug) => topics.has(slug)), market.slug)
      assert.ok(market.assetKeys.every((key) => assets.has(key)))
      assert.equal(market.isRealMoney, market.venue !== 'manifold')
      assert.equal(market.currency, market.isRealMoney ? 'USD' : 'MANA')
      assert.ok(market.outcomes.length === 2 || (market.type === 'categorical' && market.outcomes.length <= 6))
      assert.equal(new Set(market.outcomes.map((outcome) => outcome.id)).size, market.outcomes.length)
      assert.ok((market.volume24h ?? 0) <= market.volume)
    }
  }
})

test('history has a point every six hours from the opening to now or the close, and each sums to one', () => {
  for (const { now, markets } of worlds) {
    for (const { slug, status, outcomes, openAt, closeAt, resolvedAt, history } of markets) {
      const opened = Date.parse(openAt ?? '')
      assert.ok(opened >= now - 90 * DAY && opened < now)
      assert.equal(history[0]?.at, opened)
      const end = resolvedAt === null ? Math.min(now, Date.parse(closeAt ?? '')) : Date.parse(resolvedAt)
      const last = history.at(-1)?.at ?? 0
      assert.ok(last <= end && last > end - 6 * HOUR, slug)
      for (const [index, { at, probabilities }] of history.entries()) {
        assert.equal(at, opened + index * 6 * HOUR)
        assert.deepEqual(
          Object.keys(probabilities),
          outcomes.map((outcome) => outcome.id),
        )
        const shares = Object.values(probabilities)
        assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9, slug)
        const isSettled = status === 'resolved' && index === history.length - 1
        for (const share of shares) assert.ok(isSettled ? share === 0 || share === 1 : share >= 0.005 && share <= 0.995)
      }
    }
  }
})

test('the figures of a market agree with its history', () => {
  for (const { now, markets } of worlds) {
    for (const market of markets) {
      const { history, outcomes } = market
      for (const { id, probability, bestBid, bestAsk, lastPrice, priceChange24h } of outcomes) {
        assert.equal(probability, history.at(-1)?.probabilities[id])
        assert.equal(priceChange24h, changeSince(market, id, now - DAY))
        assert.equal(bestBid === null, bestAsk === null)
        assert.ok(lastPrice !== null && (bestBid ?? 0) <= lastPrice && lastPrice <= (bestAsk ?? 1))
      }
      const first = outcomes[0]
      assert.equal(market.probability, first?.probability)
      assert.equal(market.priceChange24h, first?.priceChange24h)
      assert.equal(market.priceChange7d, changeSince(market, first?.id ?? '', now - 7 * DAY))
    }
  }
})

function changeSince({ history }: NewPredictionMarket, id: string, at: number): number | null {
  const before = history.filter((odds) => odds.at <= at).at(-1)?.probabilities[id]
  const last = history.at(-1)?.probabilities[id]
  return before === undefined || last === undefined ? null : Math.round((last - before) * 1000) / 1000 + 0
}

test('only a resolved market has a winner and a resolution time', () => {
  for (const { now, markets } of worlds) {
    for (const { status, outcomes, resolvedAt, resolution, closeAt, openInterest } of markets) {
      const winners = outcomes.filter((outcome) => outcome.isWinner)
      if (status === 'resolved') {
        assert.equal(winners.length, 1)
        assert.equal(winners[0]?.label, resolution)
        assert.equal(winners[0]?.probability, 1)
        assert.ok(Date.parse(resolvedAt ?? '') <= now && Date.parse(resolvedAt ?? '') >= Date.parse(closeAt ?? ''))
        assert.ok(openInterest === null || openInterest === 0)
      } else {
        assert.ok(outcomes.every((outcome) => outcome.isWinner === null))
        assert.deepEqual([resolvedAt, resolution], [null, null])
      }
      if (status !== 'cancelled') assert.equal(status === 'open', Date.parse(closeAt ?? '') > now)
    }
  }
})

test('the price decides a question about it, and the odds follow the price', () => {
  const above = world.markets.filter(({ question }) => / close above /.test(question))
  assert.ok(above.length >= 20)
  for (const { question, assetKeys, closeAt, resolution, history, status } of above) {
    const strike = Number(/above [^\d]*([\d,.]+) on/.exec(question)?.[1]?.replaceAll(',', ''))
    const priceBefore = (at: number) => world.prices.at(assetKeys[0] ?? '', at - 1) ?? 0
    if (status === 'resolved') {
      assert.equal(resolution, priceBefore(Date.parse(closeAt ?? '')) > strike ? 'Yes' : 'No', question)
    } else {
      const { at, probabilities } = history.at(-1) ?? assert.fail()
      const isAbove = priceBefore(at) > strike
      assert.ok(isAbove ? (probabilities.yes ?? 0) > 0.48 : (probabilities.yes ?? 1) < 0.52, question)
    }
  }
})

test('good news about a company improves its odds', () => {
  const report = world.reports.find(
    ({ occurrence }) => occurrence.assets[0]?.key === 'AAPL' && occurrence.event.direction === 'positive',
  )
  assert.ok(report !== undefined)
  const askWith = (reports: { entry: { publishedAt: number }; occurrence: typeof report.occurrence }[]) =>
    samplePredictionMarkets({ ...world, reports }).find(({ question }) => /Apple report earnings/.test(question))
  const without = askWith([])?.probability ?? 1
  const entry = { publishedAt: NOW - 12 * HOUR }
  assert.ok((askWith([{ entry, occurrence: report.occurrence }])?.probability ?? 0) > without + 0.01)
})

test('live odds take small steps, sum to one, depend only on their inputs and end with the market', () => {
  for (const market of world.markets) {
    const last = market.history.at(-1) ?? assert.fail()
    const next = nextOdds(market, last, NOW + HOUR, 'live')
    assert.deepEqual(next, nextOdds(market, last, NOW + HOUR, 'live'))
    if (market.status !== 'open') {
      assert.equal(next, undefined)
      continue
    }
    assert.ok(next !== undefined && next.at === NOW + HOUR)
    assert.deepEqual(Object.keys(next.probabilities), Object.keys(last.probabilities))
    const shares = Object.values(next.probabilities)
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9)
    for (const [id, share] of Object.entries(next.probabilities)) {
      assert.ok(share >= 0.005 && share <= 0.995 && Math.abs(share - (last.probabilities[id] ?? 0)) < 0.25)
    }
    assert.equal(nextOdds(market, last, Date.parse(market.closeAt ?? ''), 'live'), undefined)
    assert.equal(nextOdds(market, last, last.at, 'live'), undefined)
  }
})

test('slugs keep numbers whole', () => {
  assert.equal(kebab('Will Nestlé close above $1,234.5 on 1 May?'), 'will-nestle-close-above-1234p5-on-1-may')
})
