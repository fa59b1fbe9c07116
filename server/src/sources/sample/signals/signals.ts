import type { NewSignal } from '../../../model/signals.ts'
import { isoTime } from '../../../model/time.ts'
import { createRandom, createSeriesId } from '../random.ts'
import { breakingClusters } from './clusters.ts'
import { activistStakes, insiderClusterBuys, insiderLargeSales } from './filings.ts'
import { materialEvents } from './material-events.ts'
import { newsFindings } from './news.ts'
import { predictionMarketMoves } from './odds.ts'
import { type Finding, horizonSpans, MOST_ENTRIES, round, SIGNAL_SPAN, type SignalContext } from './signal.ts'

/** What simple detectors find in ninety days of the sample world, in the order in which they would have told it. */
export function sampleSignals(context: SignalContext): NewSignal[] {
  const random = createRandom(`signals:${context.seed}`)
  const idOf = createSeriesId(`signals:${context.seed}`)
  const findings = [
    ...newsFindings(context),
    ...breakingClusters(context),
    ...insiderClusterBuys(context),
    ...insiderLargeSales(context),
    ...activistStakes(context),
    ...materialEvents(context),
    ...predictionMarketMoves(context),
  ]
  const signals = findings
    .map((finding) => ({ finding, at: finding.knownAt + random.int(30, 300) * 1000 }))
    .filter(({ at }) => at > context.now - SIGNAL_SPAN && at <= context.now)
    .sort((a, b) => a.at - b.at)
    .map(({ finding, at }, index) => toSignal(context, finding, at, idOf(index)))
  return markSuperseded(signals)
}

function toSignal(context: SignalContext, finding: Finding, generatedAt: number, id: string): NewSignal {
  const { knownAt: _, entries = [], clusterId = null, secRecords = [], predictionMarketIds = [], ...found } = finding
  const expiresAt = generatedAt + horizonSpans[finding.horizon]
  const referencePrice = context.priceAt(finding.assetKey, generatedAt) ?? null
  return {
    id,
    ...found,
    entryIds: entries.slice(-MOST_ENTRIES).map((entry) => entry.id),
    clusterId,
    secRecords,
    predictionMarketIds,
    referencePrice,
    model: { name: 'sample-detectors', version: '1' },
    generatedAt: isoTime(generatedAt),
    expiresAt: isoTime(expiresAt),
    outcome: expiresAt <= context.now ? outcomeOf(context, finding, referencePrice, expiresAt) : null,
    isSuperseded: false,
  }
}

/** A neutral signal says that not much will happen. */
const NEUTRAL_PERCENT = 1

/** Null where there is no price to judge by. */
function outcomeOf(
  context: SignalContext,
  { assetKey, direction }: Finding,
  referencePrice: number | null,
  expiresAt: number,
): NewSignal['outcome'] {
  const price = context.priceAt(assetKey, expiresAt)
  if (price === undefined || referencePrice === null || referencePrice === 0) return null
  const returnPercent = round((price / referencePrice - 1) * 100, 4)
  const isHit =
    direction === 'neutral'
      ? Math.abs(returnPercent) < NEUTRAL_PERCENT
      : direction === 'bullish'
        ? returnPercent > 0
        : returnPercent < 0
  return { evaluatedAt: isoTime(expiresAt), returnPercent, isHit }
}

/** A signal gives way to a later one of its kind about the same asset, unless it has run its time by then. */
function markSuperseded(signals: readonly NewSignal[]): NewSignal[] {
  const next = new Map<string, string>()
  return signals
    .toReversed()
    .map((signal) => {
      const series = `${signal.kind} ${signal.assetKey}`
      const successorAt = next.get(series)
      next.set(series, signal.generatedAt)
      return { ...signal, isSuperseded: successorAt !== undefined && successorAt < signal.expiresAt }
    })
    .reverse()
}
