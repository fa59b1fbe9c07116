import assert from 'node:assert/strict'
import { test } from 'node:test'
import Compile from 'typebox/compile'
import { type NewSignal, SIGNAL_KINDS, Signal } from '../model/signals.ts'
import { DAY } from '../model/time.ts'
import { HORIZON_SPANS } from '../signals/detect/kinds.ts'
import { samplePrices } from './asset-prices.ts'
import { currentSignals, sampleSignals } from './signals.ts'
import { recordsOf } from './world/sec/sec.ts'
import { sampleWorld } from './world/world.ts'

const NOW = Date.UTC(2026, 2, 14, 15, 9, 26)
const world = sampleWorld(NOW)
const signals = currentSignals(sampleSignals(world, NOW))

const ofKind = (kind: NewSignal['kind']) => signals.filter((signal) => signal.kind === kind)

test('at least 300 signals of all kinds over 90 days, valid, the same on every run', () => {
  assert.ok(signals.length >= 300, String(signals.length))
  assert.deepEqual(new Set(signals.map(({ kind }) => kind)), new Set(SIGNAL_KINDS))
  assert.deepEqual(currentSignals(sampleSignals(sampleWorld(NOW), NOW)), signals)
  assert.equal(new Set(signals.map(({ id }) => id)).size, signals.length)
  assert.ok(Date.parse(signals[0]?.generatedAt ?? '') < NOW - 85 * DAY)
  assert.ok(Date.parse(signals.at(-1)?.generatedAt ?? '') > NOW - 3 * DAY)
  const check = Compile(Signal)
  for (const { isSuperseded: _, ...signal } of signals) {
    const { id: assetId, generatedAt } = signal
    const answered = { ...signal, assetId, status: 'active', createdAt: generatedAt, updatedAt: generatedAt }
    assert.ok(check.Check(answered), JSON.stringify(check.Errors(answered)[0]))
    assert.deepEqual(Object.keys(answered).sort(), Object.keys(Signal.properties).sort())
    assert.doesNotMatch(`${signal.title} ${signal.summary}`, /undefined|NaN|null/)
  }
})

test('evidence exists, is about the asset and was there when the signal was found or updated', () => {
  const entries = new Map(world.entries.map((entry) => [entry.id, entry]))
  const records = new Map<string, { assetKey: string | null }>(
    (['insider-trades', 'beneficial-ownership', 'material-events'] as const).flatMap((dataset) =>
      recordsOf(world.sec, dataset).map((record) => [`${dataset} ${record.id}`, record] as const),
    ),
  )
  const clusters = new Map(world.clusters.map((cluster) => [cluster.id, cluster]))
  for (const signal of signals) {
    const about = signal.assetKey
    assert.ok(signal.entryIds.length + signal.secRecords.length + signal.predictionMarketIds.length > 0)
    for (const id of signal.entryIds) assert.ok(entries.get(id)?.assetKeys.includes(about))
    for (const { dataset, id } of signal.secRecords) assert.equal(records.get(`${dataset} ${id}`)?.assetKey, about)
    for (const id of signal.predictionMarketIds) {
      assert.ok(world.predictionMarkets.find((market) => market.id === id)?.assetKeys.includes(about))
    }
    const first = entries.get(signal.entryIds[0] ?? '')?.createdAt ?? 0
    assert.ok(first < Date.parse(signal.expiresAt))
    assert.equal(signal.clusterId !== null, signal.kind === 'breaking_cluster')
    const memberIds = clusters.get(signal.clusterId ?? '')?.entryIds ?? []
    if (signal.clusterId !== null) assert.ok(signal.entryIds.every((id) => memberIds.includes(id)))
  }
})

test('a signal lives as long as its horizon, and its outcome follows from prices', () => {
  const prices = samplePrices(world, NOW)
  let scored = 0
  for (const signal of signals) {
    const expiresAt = Date.parse(signal.expiresAt)
    const generatedAt = Date.parse(signal.generatedAt)
    assert.ok(generatedAt > NOW - 90 * DAY && generatedAt <= NOW)
    assert.equal(expiresAt - generatedAt, HORIZON_SPANS[signal.horizon])
    assert.equal(signal.referencePrice, prices.at(signal.assetKey, generatedAt) ?? null)
    assert.equal(signal.outcome !== null, expiresAt <= NOW && signal.referencePrice !== null)
    if (signal.outcome === null) continue
    scored += 1
    assert.equal(signal.outcome.evaluatedAt, signal.expiresAt)
    const price = prices.at(signal.assetKey, expiresAt) ?? Number.NaN
    assert.ok(Math.abs((price / (signal.referencePrice ?? 0) - 1) * 100 - signal.outcome.returnPercent) < 1e-4)
  }
  assert.ok(scored >= 150, String(scored))
})

test('some signals were superseded by others while they were active', () => {
  const superseded = signals.filter(({ isSuperseded }) => isSuperseded)
  assert.ok(superseded.length > 0)
  for (const signal of superseded) {
    const isSuccessor = (other: NewSignal) =>
      other.kind === signal.kind &&
      other.assetKey === signal.assetKey &&
      other.generatedAt >= signal.generatedAt &&
      other.generatedAt < signal.expiresAt &&
      other.id !== signal.id
    assert.ok(signals.some(isSuccessor), `${signal.kind} ${signal.assetKey}`)
  }
})

test('prices are those known at the time: no close before the end of its day', () => {
  const prices = samplePrices(world, NOW)
  const day = Date.UTC(2026, 1, 11)
  const closes = prices.dailyCloses('AAPL', day + DAY - 1, 5)
  assert.equal(closes.length, 5)
  assert.equal(prices.dailyCloses('AAPL', day + DAY, 1)[0], world.prices.at('AAPL', day + DAY - 1))
  assert.equal(closes.at(-1), world.prices.at('AAPL', day - 1))
  assert.deepEqual(prices.dailyCloses('AAPL', day + DAY, 5).slice(0, 4), closes.slice(1))
  // Nobody trades on a Sunday.
  assert.deepEqual(
    prices.dailyCloses('AAPL', Date.UTC(2026, 1, 9), 3),
    prices.dailyCloses('AAPL', Date.UTC(2026, 1, 7), 3),
  )
  assert.ok(ofKind('price_news_divergence').length > 0)
  assert.equal(prices.at('NOBODY', NOW), undefined)
  assert.deepEqual(prices.dailyCloses('NOBODY', NOW, 5), [])
})
