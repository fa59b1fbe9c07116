import type { Signal } from '../../model/signals.ts'
import { DAY, HOUR } from '../../model/time.ts'
import type { ClosingPrice } from '../../store/markets/closing-prices.ts'
import type { Verdict } from '../../store/signals/signal-outcomes.ts'
import type { Store } from '../../store/store.ts'
import type { Thresholds } from '../detect/thresholds.ts'
import { outcomeOf } from './outcome-rule.ts'

const PORTION = 20

/** How long to wait for late candles. */
const LATE_MS = HOUR
/** How long to wait for a market without any candles. */
const SILENT_MS = 7 * DAY

/** Evaluates due signals. Returns whether more may be due. */
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
 * Decides by the last price at the expiry of the signal. That price counts once later candles exist or late ones had time to
 * arrive. A price from before the signal does not count.
 */
export function verdictOn(
  signal: Signal,
  known: { close: ClosingPrice | undefined; pricedUntil: number | undefined },
  limits: Thresholds['outcome'],
  now: number,
): Verdict {
  const { id } = signal
  const expiresAt = Date.parse(signal.expiresAt)
  const isRecent = known.close !== undefined && known.close.closedAt > Date.parse(signal.generatedAt)
  const isKnown =
    (known.pricedUntil ?? 0) >= expiresAt || (isRecent && now >= expiresAt + LATE_MS) || now >= expiresAt + SILENT_MS
  if (signal.referencePrice !== null && !isKnown) {
    return { type: 'waits', id, dueAt: Math.min(now + LATE_MS, expiresAt + SILENT_MS) }
  }
  return { type: 'settled', id, outcome: outcomeOf(signal, isRecent ? known.close?.price : undefined, now, limits) }
}
