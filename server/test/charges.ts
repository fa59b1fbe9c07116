import { createStore } from '../src/store/store.ts'
import { openPlace, type Place } from './harness.ts'

/** What an account must have paid for: the ids of its answered requests, and how many more may have been charged unanswered. */
export interface Expected {
  accountId: string
  openingBalance: number
  answered: readonly string[]
  /** Requests whose client got no answer: each may have been charged or not. */
  unanswered: number
}

/**
 * Returns a line per violation: each answered request has exactly one charge record, the balance is what the records leave, and
 * the ledger adds up. The service must have stopped.
 */
export async function auditCharges(place: Place, expected: Expected): Promise<string[]> {
  const { accountId, openingBalance, answered, unanswered } = expected
  const store = createStore(await openPlace(place))
  try {
    const problems = [...(await store.audit.run()).problems]
    const charges = new Map<string, number[]>()
    for (let offset = 0; ; offset += 5_000) {
      const { data } = await store.requestLog.page(accountId, {}, 5_000, offset)
      for (const { id, credits } of data) if (credits > 0) charges.set(id, [...(charges.get(id) ?? []), credits])
      if (data.length < 5_000) break
    }
    for (const id of answered) {
      const count = charges.get(id)?.length ?? 0
      if (count !== 1) problems.push(`the answered request ${id} has ${count} charge records`)
    }
    const spent = [...charges.values()].flat().reduce((sum, credits) => sum + credits, 0)
    const balance = await store.ledger.balance(accountId)
    if (balance !== openingBalance - spent) problems.push(`the balance is ${balance}, not ${openingBalance - spent}`)
    const beyond = charges.size - answered.length
    if (beyond > unanswered) problems.push(`${beyond} charges without an answer, of ${unanswered} possible ones`)
    return problems
  } finally {
    await store.close()
  }
}
