import { idOf } from '../../model/ids.ts'
import type { NewSignal, Signal, SignalChange } from '../../model/signals.ts'
import { DAY, isoTime } from '../../model/time.ts'
import { directionOf, type Finding } from './finding.ts'
import { HORIZON_SPANS, KINDS } from './kinds.ts'
import { round } from './numbers.ts'
import type { AssetPrices } from './observation.ts'
import type { Thresholds } from './thresholds.ts'

const MODEL = { name: 'mintick-detectors', version: '1' }
const MAX_ENTRIES = 20
const MAX_RECORDS = 50

/** Observation that led to a finding. Signal ids are derived from its unique name. */
export interface Trigger {
  at: number
  name: string
}

/**
 * Active signals, at most one per series. Decides whether a finding is a new signal, updates the active one, or adds nothing.
 * It has no other state, so it can be restored from the signals.
 */
export class ActiveSignals {
  readonly #limits: Thresholds['every_kind']
  #active = new Map<string, NewSignal>()
  #forgottenAt = 0

  constructor(limits: Thresholds['every_kind']) {
    this.#limits = limits
  }

  restore(active: readonly Signal[]): void {
    this.#active = new Map(
      active.map(({ assetId: _assetId, status: _status, createdAt: _createdAt, ...signal }) => [
        seriesOf(signal),
        { ...signal, isSuperseded: false },
      ]),
    )
  }

  decide(finding: Finding, { at, name }: Trigger, prices: AssetPrices): SignalChange | undefined {
    this.#forget(at)
    const content = contentOf(finding)
    const series = seriesOf(content)
    const last = this.#active.get(series) ?? this.#takeOfMerged(finding)
    const active = last !== undefined && Date.parse(last.expiresAt) > at ? last : undefined
    if (active !== undefined) {
      const direction = this.#stableDirection(active.direction, finding)
      if (isContinuation(active, { ...content, direction })) {
        const signal = { ...active, ...content, direction }
        if (!this.#isWorthUpdate(active, signal)) return undefined
        this.#active.set(series, signal)
        return { type: 'update', signal }
      }
    }
    const { horizon } = KINDS[finding.kind]
    const signal: NewSignal = {
      id: idOf(`signal ${series} ${finding.direction} ${name} ${at}`),
      ...content,
      horizon,
      referencePrice: prices.at(finding.assetKey, at) ?? null,
      model: { ...MODEL },
      generatedAt: isoTime(at),
      expiresAt: isoTime(at + HORIZON_SPANS[horizon]),
      outcome: null,
      isSuperseded: false,
    }
    this.#active.set(series, signal)
    return { type: 'new', signal, supersedes: active === undefined ? [] : [active.id] }
  }

  get size(): number {
    return this.#active.size
  }

  /** Takes out the signal of a cluster that was merged into that of the finding: an entry is in one cluster at a time. */
  #takeOfMerged({ kind, assetKey, clusterId, entryIds }: Finding): NewSignal | undefined {
    if (clusterId === undefined) return undefined
    const named = new Set(entryIds)
    for (const [series, signal] of this.#active) {
      if (signal.kind !== kind || signal.assetKey !== assetKey || !signal.entryIds.some((id) => named.has(id))) continue
      this.#active.delete(series)
      return signal
    }
    return undefined
  }

  /** Applies hysteresis: half the limit keeps a direction, and leaving neutral takes one and a half times the limit. */
  #stableDirection(current: Signal['direction'], { direction, lean }: Finding): Signal['direction'] {
    if (lean === undefined || direction === current) return direction
    const limit = this.#limits.leaningSentiment
    if (current === 'neutral') return Math.abs(lean) < 1.5 * limit ? current : direction
    return directionOf(lean) === current && Math.abs(lean) >= limit / 2 ? current : direction
  }

  /** Both steps are large enough that a signal is updated about a dozen times at most. */
  #isWorthUpdate(active: NewSignal, next: NewSignal): boolean {
    const { updateStep, updateGrowth } = this.#limits
    return (
      next.clusterId !== active.clusterId ||
      round(next.strength - active.strength, 3) >= updateStep ||
      evidenceCount(next) >= updateGrowth * evidenceCount(active)
    )
  }

  #forget(at: number): void {
    if (at < this.#forgottenAt + DAY) return
    this.#forgottenAt = at
    for (const [series, { expiresAt }] of this.#active) {
      if (Date.parse(expiresAt) <= at) this.#active.delete(series)
    }
  }
}

/** Part of a signal that an update replaces. */
type Content = Pick<
  NewSignal,
  | 'kind'
  | 'direction'
  | 'strength'
  | 'confidence'
  | 'assetKey'
  | 'title'
  | 'summary'
  | 'entryIds'
  | 'clusterId'
  | 'secRecords'
  | 'predictionMarketIds'
  | 'metrics'
>

function contentOf(finding: Finding): Content {
  const { kind, direction, assetKey, title, summary, metrics } = finding
  return {
    kind,
    direction,
    strength: shareOf(finding.strength),
    confidence: shareOf(finding.confidence),
    assetKey,
    title,
    summary,
    entryIds: (finding.entryIds ?? []).slice(-MAX_ENTRIES),
    clusterId: finding.clusterId ?? null,
    secRecords: (finding.secRecords ?? []).slice(-MAX_RECORDS),
    predictionMarketIds: [...(finding.predictionMarketIds ?? [])],
    metrics,
  }
}

/** Returns the key of the series: an asset, or a cluster, filing or market about it. */
function seriesOf({
  kind,
  assetKey,
  clusterId,
  secRecords,
  predictionMarketIds,
}: Pick<NewSignal, 'kind' | 'assetKey' | 'clusterId' | 'secRecords' | 'predictionMarketIds'>): string {
  const filing = kind === 'material_event' ? secRecords[0]?.id : undefined
  return [kind, assetKey, clusterId ?? filing ?? predictionMarketIds[0] ?? ''].join(' ')
}

/**
 * Returns whether a finding continues a signal: same direction, same side of the baseline and, if it is based on filings, at
 * least one filing in common.
 */
function isContinuation(active: NewSignal, next: Content): boolean {
  if (active.direction !== next.direction || sideOf(active) * sideOf(next) < 0) return false
  const records = new Set(active.secRecords.map(({ id }) => id))
  return next.secRecords.length === 0 || next.secRecords.some(({ id }) => records.has(id))
}

function sideOf({ metrics }: Pick<NewSignal, 'metrics'>): number {
  return metrics === null || metrics.baseline === null ? 0 : Math.sign(metrics.value - metrics.baseline)
}

function evidenceCount({ entryIds, secRecords }: NewSignal): number {
  return Math.max(entryIds.length + secRecords.length, 1)
}

function shareOf(value: number): number {
  return round(Math.min(Math.max(value, 0), 1), 3)
}
