/** Ways to deliver a message about a low balance. */
export type AlertChannel = 'webhook' | 'email'

export interface AlertSettings {
  /** The balance below which the account is told; null turns alerts off. */
  threshold: number | null
  webhookUrl: string | null
  /** Part of the secret that signs webhooks. */
  webhookSalt: string | null
  isByEmail: boolean
}

export interface BalanceAlert extends AlertSettings {
  isBelow: boolean
  /** Why the last attempt to deliver a message failed; null if it did not. */
  failure: { reason: string; at: number } | null
}

/** The body of a webhook. */
export interface LowBalanceEvent {
  /** The same in all attempts to deliver it. */
  id: string
  type: 'balance.low'
  createdAt: string
  data: { accountId: string; threshold: number; balance: number }
}

/** The balance after a transfer. */
export interface BalanceState {
  balance: number
  at: number
}

/**
 * Finds the falls below a threshold in the balances after each transfer, in order. Transfers of the same moment count as
 * one, since a month's credits expire and are granted together. Returns the first state of each fall, and whether the
 * last balance is below.
 */
export function findFalls(
  states: readonly BalanceState[],
  threshold: number,
  isBelow: boolean,
): { falls: BalanceState[]; isBelow: boolean } {
  const falls: BalanceState[] = []
  let wasBelow = isBelow
  for (const [place, state] of states.entries()) {
    if (states[place + 1]?.at === state.at) continue
    const isNowBelow = state.balance < threshold
    if (isNowBelow && !wasBelow) falls.push(state)
    wasBelow = isNowBelow
  }
  return { falls, isBelow: wasBelow }
}
