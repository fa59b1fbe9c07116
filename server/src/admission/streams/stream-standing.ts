import { isUsable } from '../../model/accounts.ts'
import type { ClosingReason } from '../../model/streams.ts'
import { planOf } from '../../plans/plans.ts'
import type { Standing } from '../../store/streams/streams.ts'

/** Which streams of an account have to end, and why: those of keys that no longer work, and the newest beyond the plan's cap. */
export function streamsToEnd({ account, streams }: Standing, now: number): Map<string, ClosingReason> {
  const ends = new Map<string, ClosingReason>()
  let kept = 0
  for (const { id, key } of streams) {
    if (!account.isActive || !isUsable(key, now)) ends.set(id, 'key_revoked')
    else if (kept >= planOf(account).realtimeConnections) ends.set(id, 'plan_changed')
    else kept += 1
  }
  return ends
}
