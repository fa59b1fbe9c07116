import { idOf } from '../../model/ids.ts'
import type { NewSignal, Signal, SignalChange } from '../../model/signals.ts'
import { DAY, isoTime } from '../../model/time.ts'
import { round } from './figures.ts'
import { directionOf, type Finding } from './finding.ts'
import type { AssetPrices } from './happening.ts'
import { HORIZON_SPANS, KINDS } from './kinds.ts'
import type { Thresholds } from './thresholds.ts'

const MODEL = { name: 'mintick-detectors', version: '1' }
const MOST_ENTRIES = 20
const MOST_RECORDS = 50

/** What happened, in a word that no other happening has: ids are made from it. */
export interface Occasion {
  at: number
  name: string
}

/**
 * The signals that are active, at most one of each series. It decides whether a finding is a new signal, changes the one
 * that is there, or is nothing new. All it goes by stands in the signals, so it can be restored from them.
 */
export class Book {
  readonly #limits: Thresholds['every_kind']
  #active = new Map<string, NewSignal>()
  #forgotten = 0

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

  decide(finding: Finding, { at, name }: Occasion, prices: AssetPrices): SignalChange | undefined {
    this.#forget(at)
    const told = tellingOf(finding)
    const series = seriesOf(told)
    const last = this.#active.get(series)
    const active = last !== undefined && Date.parse(last.expiresAt) > at ? last : undefined
    if (active !== undefined) {
      const direction = this.#heldDirection(active.direction, finding)
      if (isSameMatter(active, { ...told, direction })) {
        const signal = { ...active, ...told, direction }
        if (!this.#isWorthTelling(active, signal)) return undefined
        this.#active.set(series, signal)
        return { type: 'update', signal }
      }
    }
    const { horizon } = KINDS[finding.kind]
    const signal: NewSignal = {
      id: idOf(`signal ${series} ${finding.direction} ${name} ${at}`),
      ...told,
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

  /** Half of what makes a direction keeps it, and it takes half as much again to leave neutral. */
  #heldDirection(held: Signal['direction'], { direction, lean }: Finding): Signal['direction'] {
    if (lean === undefined || direction === held) return direction
    const limit = this.#limits.leaningSentiment
    if (held === 'neutral') return Math.abs(lean) < 1.5 * limit ? held : direction
    return directionOf(lean) === held && Math.abs(lean) >= limit / 2 ? held : direction
  }

  /** Both steps are such that a signal is updated a dozen times at most, however much happens. */
  #isWorthTelling(active: NewSignal, next: NewSignal): boolean {
    const { updateStep, updateGrowth } = this.#limits
    return (
      round(next.strength - active.strength, 3) >= updateStep ||
      evidenceCount(next) >= updateGrowth * evidenceCount(active)
    )
  }

  #forget(at: number): void {
    if (at < this.#forgotten + DAY) return
    this.#forgotten = at
    for (const [series, { expiresAt }] of this.#active) {
      if (Date.parse(expiresAt) <= at) this.#active.delete(series)
    }
  }
}

type Telling = Pick<
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

/** The part of a signal that an update replaces. */
function tellingOf(finding: Finding): Telling {
  const { kind, direction, assetKey, title, summary, metrics } = finding
  return {
    kind,
    direction,
    strength: shareOf(finding.strength),
    confidence: shareOf(finding.confidence),
    assetKey,
    title,
    summary,
    entryIds: (finding.entryIds ?? []).slice(-MOST_ENTRIES),
    clusterId: finding.clusterId ?? null,
    secRecords: (finding.secRecords ?? []).slice(-MOST_RECORDS),
    predictionMarketIds: [...(finding.predictionMarketIds ?? [])],
    metrics,
  }
}

/** What there is one active signal of: an asset, or one cluster, filing or market about it. */
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
 * Whether a finding goes on with what a signal said: in the same direction, to the same side of what is usual, and, where it
 * rests on filings, on some of the same.
 */
function isSameMatter(active: NewSignal, next: Telling): boolean {
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
