import type { Signal } from '../../model/signals.ts'
import { DAY, HOUR } from '../../model/time.ts'
import type { ClosingPrice } from '../../store/markets/closing-prices.ts'
import type { Verdict } from '../../store/signals/signal-outcomes.ts'
import type { Store } from '../../store/store.ts'
import type { Thresholds } from '../detect/thresholds.ts'
import { outcomeOf } from './outcome-rule.ts'

const PORTION = 20

/** How long candles may take to come in while others do. */
const LATE = HOUR
/** How long a market may be silent until nothing is expected of it any more. */
const SILENT = 7 * DAY

/** Looks what came of signals whose time is over. False when none was due. */
export async function judgeDue(store: Store, limits: Thresholds['outcome'], now: number): Promise<boolean> {
  const due = await store.signals.listDue(now, PORTION)
  const verdicts: Verdict[] = []
  for (const signal of due) {
    const close = await store.candles.findClose(signal.assetKey, Date.parse(signal.expiresAt))
    const pricedUntil = await store.candles.findLastPriceAt(signal.assetKey)
    verdicts.push(verdictOn(signal, { close, pricedUntil }, limits, now))
  }
  if (verdicts.length > 0) await store.signals.judge(verdicts)
  return due.length === PORTION
}

/**
 * The price at its end is the last one known then. It counts once the market is known to have gone on, or candles had time
 * to come in; a price from before the signal says nothing about it.
 */
export function verdictOn(
  signal: Signal,
  known: { close: ClosingPrice | undefined; pricedUntil: number | undefined },
  limits: Thresholds['outcome'],
  now: number,
): Verdict {
  const { id } = signal
  const expiresAt = Date.parse(signal.expiresAt)
  const isNews = known.close !== undefined && known.close.closedAt > Date.parse(signal.generatedAt)
  const isKnown =
    (known.pricedUntil ?? 0) >= expiresAt || (isNews && now >= expiresAt + LATE) || now >= expiresAt + SILENT
  if (signal.referencePrice !== null && !isKnown) {
    return { type: 'waits', id, dueAt: Math.min(now + LATE, expiresAt + SILENT) }
  }
  return { type: 'settled', id, outcome: outcomeOf(signal, isNews ? known.close?.price : undefined, now, limits) }
}
