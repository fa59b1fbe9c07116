import { MINUTE } from '../../model/time.ts'

/** Time that has not been charged, and whose it is. */
export interface Share {
  apiKeyId: string
  endpoint: string
  unchargedMs: number
}

/** The whole minutes in this time, as far as the balance pays for them. */
export function payableMinutes(unchargedMs: number, balance: number, creditsPerMinute: number): number {
  const due = Math.max(0, Math.floor(unchargedMs / MINUTE))
  return Math.min(due, Math.floor(balance / creditsPerMinute))
}

/** Charges minutes to the shares, each to the one with most time left, and says how many each has got. */
export function assignMinutes<S extends Share>(shares: readonly S[], minutes: number): Map<S, number> {
  const assigned = new Map<S, number>()
  for (let minute = 0; minute < minutes; minute += 1) {
    const most = shares.reduce((one, other) => (other.unchargedMs > one.unchargedMs ? other : one))
    most.unchargedMs -= MINUTE
    assigned.set(most, (assigned.get(most) ?? 0) + 1)
  }
  return assigned
}

export const totalMs = (shares: readonly Share[]) => shares.reduce((sum, { unchargedMs }) => sum + unchargedMs, 0)
