import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { priceAt, sampleNewsAndSec } from '../../../../test/sample-context.ts'
import type { NewEntry } from '../../../model/entries.ts'
import type { NewPredictionMarket, Odds } from '../../../model/prediction-markets.ts'
import { type NewSignal, SIGNAL_KINDS, Signal } from '../../../model/signals.ts'
import { DAY, HOUR, isoTime, MINUTE } from '../../../model/time.ts'
import { sampleAssets } from '../assets.ts'
import { stableId } from '../random.ts'
import { recordsOf } from '../sec/sec.ts'
import { sampleSignals } from './signals.ts'

const NOW = Date.UTC(2026, 2, 14, 15, 9, 26)
const world = sampleNewsAndSec(NOW)
const predictionMarkets = [
  market('Will Bitcoin reach 200,000 dollars this year?', 'BTC', [0.3, 0.31, 0.45, 0.46, 0.45, 0.44, 0.3]),
  market('Will Tesla miss its delivery target?', 'TSLA', [0.5, 0.5, 0.51, 0.52, 0.7, 0.71, 0.71]),
  market('Who will lead the index at the end of the year?', 'SPX', [0.2, 0.2, 0.35, 0.35, 0.35, 0.36, 0.35]),
  market('Will the weather be fine?', null, [0.1, 0.9, 0.1, 0.9, 0.1, 0.9, 0.1]),
]
const context = { ...world, predictionMarkets }
const signals = sampleSignals(context)

const entries = new Map(world.reports.map(({ entry }) => [entry.id, entry]))
const about = (key: string) => world.reports.map(({ entry }) => entry).filter((entry) => entry.assetKeys.includes(key))
const ofKind = (kind: NewSignal['kind']) => signals.filter((signal) => signal.kind === kind)

/** A point every twelve hours, of which the given ones are the last. */
function market(question: string, assetKey: string | null, probabilities: number[]): NewPredictionMarket {
  const history: Odds[] = probabilities.map((probability, index) => ({
    at: NOW - (probabilities.length - index) * 12 * HOUR,
    probabilities: { yes: probability, no: 1 - probability },
  }))
  const outcome = { bestBid: null, bestAsk: null, lastPrice: null, priceChange24h: null, isWinner: null }
  return {
    id: stableId('prediction-market', question),
    slug: question,
    venue: 'kalshi',
    venueMarketId: question,
    eventTitle: null,
    url: 'https://kalshi.example/',
    imageUrl: null,
    question,
    description: null,
    category: null,
    topicSlugs: [],
    assetKeys: assetKey === null ? [] : [assetKey],
    type: 'binary',
    status: 'open',
    isRealMoney: true,
    currency: 'USD',
    probability: probabilities.at(-1) ?? null,
    outcomes: [
      { id: 'yes', label: 'Yes', probability: null, ...outcome },
      { id: 'no', label: 'No', probability: null, ...outcome },
    ],
    volume: 0,
    volume24h: null,
    liquidity: null,
    openInterest: null,
    priceChange24h: null,
    priceChange7d: null,
    openAt: null,
    closeAt: null,
    resolvedAt: null,
    resolution: null,
    rules: null,
    resolutionSource: null,
    history,
  }
}

test('at least 360 signals of all kinds over 90 days, valid, the same on every run', () => {
  assert.ok(signals.length >= 360, String(signals.length))
  assert.deepEqual(new Set(signals.map(({ kind }) => kind)), new Set(SIGNAL_KINDS))
  assert.deepEqual(sampleSignals(context), signals)
  assert.equal(new Set(signals.map(({ id }) => id)).size, signals.length)
  assert.ok(Date.parse(signals[0]?.generatedAt ?? '') < NOW - 85 * DAY)
  const check = Compile(Signal)
  for (const { isSuperseded: _, ...signal } of signals) {
    const answered = { ...signal, assetId: signal.id, status: 'active', createdAt: signal.generatedAt }
    assert.ok(check.Check(answered), JSON.stringify(check.Errors(answered)[0]))
    assert.deepEqual(Object.keys(answered).sort(), Object.keys(Signal.properties).sort())
    assert.doesNotMatch(`${signal.title} ${signal.summary}`, /undefined|NaN|null/)
    assert.deepEqual(signal.model, { name: 'sample-detectors', version: '1' })
  }
})

test('evidence exists, is about the asset and was known shortly before the signal', () => {
  const keys = new Set(sampleAssets.map((asset) => asset.key))
  const records = new Map(
    [
      recordsOf(world.sec, 'insider-trades'),
      recordsOf(world.sec, 'beneficial-ownership'),
      recordsOf(world.sec, 'material-events'),
    ]
      .flat()
      .map((record) => [record.id, record]),
  )
  for (const signal of signals) {
    assert.ok(keys.has(signal.assetKey))
    assert.ok(signal.entryIds.length <= 20)
    const times: number[] = []
    for (const id of signal.entryIds) {
      const entry = entries.get(id)
      assert.ok(entry !== undefined)
      assert.ok(entry.assetKeys.includes(signal.assetKey))
      times.push(entry.createdAt)
    }
    for (const { id } of signal.secRecords) {
      const record = records.get(id)
      assert.equal(record?.assetKey, signal.assetKey)
      times.push(Date.parse(record?.filedAt ?? ''))
    }
    for (const id of signal.predictionMarketIds) {
      const found = predictionMarkets.find((known) => known.id === id)
      assert.ok(found !== undefined)
      assert.ok(found.assetKeys.includes(signal.assetKey))
      times.push(...found.history.map(({ at }) => at).filter((at) => at <= Date.parse(signal.generatedAt)))
    }
    const delay = Date.parse(signal.generatedAt) - Math.max(...times)
    assert.ok(delay > 0 && delay <= 10 * MINUTE, `${signal.kind}: ${delay}`)
  }
})

test('a signal lives as long as its horizon, and its outcome follows from prices', () => {
  const spans = { intraday: 8 * HOUR, '1d': DAY, '1w': 7 * DAY, '1mo': 30 * DAY }
  let last = ''
  for (const signal of signals) {
    assert.ok(signal.generatedAt >= last, 'in the order of time')
    last = signal.generatedAt
    const generatedAt = Date.parse(signal.generatedAt)
    const expiresAt = Date.parse(signal.expiresAt)
    assert.ok(generatedAt > NOW - 90 * DAY && generatedAt <= NOW)
    assert.equal(expiresAt - generatedAt, spans[signal.horizon])
    const price = priceAt(signal.assetKey, generatedAt)
    assert.equal(signal.referencePrice, price ?? null)
    if (expiresAt > NOW || price === undefined) {
      assert.equal(signal.outcome, null)
      continue
    }
    const returnPercent = ((priceAt(signal.assetKey, expiresAt) ?? 0) / price - 1) * 100
    assert.ok(signal.outcome !== null && Math.abs(signal.outcome.returnPercent - returnPercent) < 0.0001)
    assert.equal(signal.outcome.evaluatedAt, signal.expiresAt)
    const sign = { bullish: 1, bearish: -1, neutral: 0 }[signal.direction]
    const isHit = sign === 0 ? Math.abs(returnPercent) < 1 : Math.sign(returnPercent) === sign
    assert.equal(signal.outcome.isHit, isHit)
  }
})

test('a signal is superseded when the next of its kind and asset came before it expired', () => {
  for (const [index, signal] of signals.entries()) {
    const next = signals.slice(index + 1).find((s) => s.kind === signal.kind && s.assetKey === signal.assetKey)
    assert.equal(signal.isSuperseded, next !== undefined && next.generatedAt < signal.expiresAt)
  }
  assert.ok(signals.some((signal) => signal.isSuperseded))
})

test('sentiment_shift: the mean of the last 48 hours is away from that of the 14 days before', () => {
  for (const signal of ofKind('sentiment_shift')) {
    const window = signal.entryIds.flatMap((id) => entries.get(id) ?? [])
    const at = window.at(-1)?.publishedAt ?? 0
    const all = about(signal.assetKey).filter((entry) => entry.sentimentScore !== null)
    const recent = all.filter((entry) => entry.publishedAt > at - 2 * DAY && entry.publishedAt <= at)
    const before = all.filter((entry) => entry.publishedAt > at - 16 * DAY && entry.publishedAt <= at - 2 * DAY)
    assert.equal(recent.length, window.length)
    const { value, baseline, zScore } = signal.metrics ?? assert.fail()
    assert.ok(Math.abs(value - meanOf(recent)) < 0.0001)
    assert.ok(baseline !== null && Math.abs(baseline - meanOf(before)) < 0.0001)
    assert.ok(zScore !== null && Math.abs(zScore) >= 2 && Math.sign(zScore) === Math.sign(value - baseline))
    assert.equal(signal.direction, value > baseline ? 'bullish' : 'bearish')
  }
})

test('news_volume_spike: far more entries in 24 hours than on the days before', () => {
  const start = Math.min(...world.reports.map(({ entry }) => entry.publishedAt))
  for (const signal of ofKind('news_volume_spike')) {
    const at = entries.get(signal.entryIds.at(-1) ?? '')?.publishedAt ?? 0
    const all = about(signal.assetKey)
    const recent = all.filter((entry) => entry.publishedAt > at - DAY && entry.publishedAt <= at)
    const from = Math.max(at - 15 * DAY, start - 1)
    const before = all.filter((entry) => entry.publishedAt > from && entry.publishedAt <= at - DAY)
    const { value, baseline } = signal.metrics ?? assert.fail()
    assert.equal(value, recent.length)
    assert.ok(baseline !== null && Math.abs(baseline - before.length / ((at - DAY - from) / DAY)) < 0.0001)
    assert.ok(value > baseline * 2)
    assertFollows(signal, recent)
  }
})

test('breaking_cluster: names a cluster and its entries', () => {
  const clusters = new Map(world.clusters.map((cluster) => [cluster.id, cluster]))
  for (const signal of ofKind('breaking_cluster')) {
    const cluster = clusters.get(signal.clusterId ?? '')
    assert.deepEqual(signal.entryIds, cluster?.entryIds)
    assert.equal(signal.metrics?.value, cluster?.entryIds.length)
    assertFollows(
      signal,
      signal.entryIds.flatMap((id) => entries.get(id) ?? []),
    )
  }
  assert.ok(signals.every((signal) => (signal.clusterId !== null) === (signal.kind === 'breaking_cluster')))
})

test('insider_cluster_buy and insider_large_sale: their trades and what these were worth', () => {
  const trades = new Map(recordsOf(world.sec, 'insider-trades').map((row) => [row.id, row]))
  const tradesOf = (signal: NewSignal) => signal.secRecords.flatMap(({ id }) => trades.get(id) ?? [])
  for (const signal of [...ofKind('insider_cluster_buy'), ...ofKind('insider_large_sale')]) {
    const rows = tradesOf(signal)
    assert.ok(rows.length > 0 && signal.secRecords.every(({ dataset }) => dataset === 'insider-trades'))
    const worth = rows.reduce((sum, row) => sum + (row.value ?? 0), 0)
    assert.ok(Math.abs((signal.metrics?.value ?? 0) - worth) <= 1)
    const isBuy = signal.kind === 'insider_cluster_buy'
    assert.ok(rows.every((row) => row.transactionCode === (isBuy ? 'P' : 'S')))
    assert.equal(signal.direction, isBuy ? 'bullish' : 'bearish')
    if (isBuy) assert.ok(new Set(rows.map((row) => row.ownerCik)).size >= 3)
    else assert.ok(worth >= 5e6)
  }
})

test('activist_stake and material_event: their filing', () => {
  const stakes = new Map(recordsOf(world.sec, 'beneficial-ownership').map((row) => [row.id, row]))
  for (const signal of ofKind('activist_stake')) {
    const stake = stakes.get(signal.secRecords[0]?.id ?? '')
    assert.ok(stake?.isActivist)
    assert.equal(signal.secRecords[0]?.dataset, 'beneficial-ownership')
    assert.equal(signal.metrics?.value, stake.maxPercentOfClass)
    assert.equal(signal.direction, 'bullish')
  }
  const events = new Map(recordsOf(world.sec, 'material-events').map((row) => [row.id, row]))
  let told = 0
  for (const signal of ofKind('material_event')) {
    assert.ok(events.has(signal.secRecords[0]?.id ?? ''))
    assert.equal(signal.secRecords[0]?.dataset, 'material-events')
    if (signal.entryIds.length === 0) continue
    told++
    const evidence = signal.entryIds.flatMap((id) => entries.get(id) ?? [])
    if (evidence.some((entry) => entry.sentimentScore !== null)) assertFollows(signal, evidence)
  }
  assert.ok(told >= 40)
})

test('prediction_market_move: odds that moved, for or against the asset as the question says', () => {
  const found = ofKind('prediction_market_move').map(
    ({ assetKey, metrics, direction }) => `${assetKey} ${metrics?.baseline} ${metrics?.value} ${direction}`,
  )
  assert.deepEqual(found.sort(), [
    'BTC 0.3 0.45 bullish',
    'BTC 0.45 0.3 bearish',
    'SPX 0.2 0.35 neutral',
    'TSLA 0.51 0.7 bearish',
  ])
})

test('price_news_divergence: the price went against the news for three days', () => {
  for (const signal of ofKind('price_news_divergence')) {
    const window = signal.entryIds.flatMap((id) => entries.get(id) ?? [])
    const at = window.at(-1)?.publishedAt ?? 0
    const recent = about(signal.assetKey).filter((e) => e.publishedAt > at - 3 * DAY && e.publishedAt <= at)
    const move = ((priceAt(signal.assetKey, at) ?? 0) / (priceAt(signal.assetKey, at - 3 * DAY) ?? 1) - 1) * 100
    assert.ok(Math.abs((signal.metrics?.value ?? 0) - move) < 0.0001)
    const sentiment = meanOf(recent.filter((entry) => entry.sentimentScore !== null))
    assert.equal(Math.sign(sentiment), -Math.sign(move))
    assert.equal(signal.direction, sentiment > 0 ? 'bullish' : 'bearish')
  }
})

test('without prices there are signals, but neither reference prices nor outcomes', () => {
  const blind = sampleSignals({ ...context, priceAt: () => undefined })
  assert.ok(blind.length >= 300)
  assert.ok(blind.every((signal) => signal.referencePrice === null && signal.outcome === null))
  assert.ok(isoTime(NOW) > (blind.at(-1)?.generatedAt ?? ''))
})

/** Neutral within a tenth of zero, else to the side of the mean. */
function assertFollows(signal: NewSignal, evidence: readonly NewEntry[]): void {
  const scored = evidence.filter((entry) => entry.sentimentScore !== null)
  const mean = scored.length === 0 ? 0 : meanOf(scored)
  const expected = Math.abs(mean) < 0.1 ? 'neutral' : mean > 0 ? 'bullish' : 'bearish'
  assert.equal(signal.direction, expected)
}

function meanOf(scored: readonly NewEntry[]): number {
  return scored.reduce((sum, entry) => sum + (entry.sentimentScore ?? 0), 0) / scored.length
}
