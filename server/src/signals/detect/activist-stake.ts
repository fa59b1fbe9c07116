import type { BeneficialOwnership } from '../../model/sec/beneficial-ownership.ts'
import { DAY } from '../../model/time.ts'
import type { Finding } from './finding.ts'
import type { AssetMoment } from './news.ts'
import { fixed, saturate } from './numbers.ts'
import type { Thresholds } from './thresholds.ts'

/** How long a reported stake is kept for comparison. */
export const STAKES_MS = 180 * DAY

interface Stake {
  id: string
  percent: number
  filedAt: number
}

/** Last reported stake of each activist in each company. */
export class ActivistStakes {
  readonly #stakes = new Map<string, Stake>()
  #forgottenAt = 0

  /** Returns the stake known before, if any. */
  add(at: number, record: BeneficialOwnership): Stake | undefined {
    this.#forget(at)
    const key = `${record.assetKey} ${holderOf(record)}`
    const stake = { id: record.id, percent: record.maxPercentOfClass, filedAt: Date.parse(record.filedAt) }
    const known = this.#stakes.get(key)
    if (known === undefined || known.filedAt <= stake.filedAt) this.#stakes.set(key, stake)
    return known !== undefined && known.filedAt > at - STAKES_MS ? known : undefined
  }

  get size(): number {
    return this.#stakes.size
  }

  #forget(at: number): void {
    if (at < this.#forgottenAt + DAY) return
    this.#forgottenAt = at
    for (const [key, { filedAt }] of this.#stakes) if (filedAt <= at - STAKES_MS) this.#stakes.delete(key)
  }
}

/** Detects a Schedule 13D with a new or increased stake. */
export function activistStake(
  record: BeneficialOwnership,
  before: Stake | undefined,
  { assetKey, name }: AssetMoment,
  limits: Thresholds['activist_stake'],
): Finding | undefined {
  const percent = record.maxPercentOfClass
  const rise = before === undefined ? 0 : percent - before.percent
  const isNew = before === undefined && !record.isAmendment && percent >= limits.leastPercent
  if (!isNew && rise < limits.leastRise) return undefined
  const holder = record.reportingPersons[0]?.name ?? 'An investor'
  const from = before === undefined ? '' : `, up from ${fixed(before.percent, 1)}%`
  return {
    kind: 'activist_stake',
    direction: 'bullish',
    assetKey,
    strength: saturate(percent, limits.halfPercent),
    confidence: limits.confidence,
    title: `${holder} ${before === undefined ? 'takes' : 'raises its stake to'} ${fixed(percent, 1)}% of ${name}`,
    summary: `${name}: ${holder} disclosed ${fixed(percent, 1)}% of the shares on a Schedule 13D${from}.`,
    metrics: { value: percent, baseline: before?.percent ?? null, zScore: null, window: `${STAKES_MS / DAY}d` },
    secRecords: [...(before === undefined ? [] : [before.id]), record.id].map((id) => ({
      dataset: 'beneficial-ownership',
      id,
    })),
  }
}

/** Identifies a group by its first person, who is the same in each of its filings. */
function holderOf({ reportingPersons: [first] }: BeneficialOwnership): string {
  return first?.cik ?? first?.name ?? ''
}
