import { createStore } from '../src/store/store.ts'
import { openPlace, type Place } from './harness.ts'

/** What an account must have paid for. */
export interface Expected {
  accountId: string
  openingBalance: number
  /** Ids of charged requests that were answered. */
  answered: readonly string[]
  /** Requests without an answer or with a 5xx: each may have a charge record, whose credits may have been given back. */
  unanswered: number
}

/**
 * Returns a line per violation: each answered request has exactly one charge record, the balance is what the records leave, and
 * the ledger adds up. The service must have stopped.
 */
export async function auditCharges(place: Place, expected: Expected): Promise<string[]> {
  const { accountId, openingBalance, answered, unanswered } = expected
  const db = await openPlace(place)
  const store = createStore(db)
  try {
    const problems = [...(await store.audit.run()).problems]
    // An export has a charge record for each of its blocks.
    const exported = await db.ledger.query<{ id: string }>(
      'select distinct request_id as id from metered_charges where account_id = $1 and request_id is not null',
      [accountId],
    )
    const exports = new Set(exported.map(({ id }) => id))
    const charges = new Map<string, number[]>()
    for (let offset = 0; ; offset += 5_000) {
      const { data } = await store.requestLog.page(accountId, {}, 5_000, offset)
      const single = data.filter(({ id, credits }) => credits > 0 && !exports.has(id))
      for (const { id, credits } of single) charges.set(id, [...(charges.get(id) ?? []), credits])
      if (data.length < 5_000) break
    }
    const requested = answered.filter((id) => !exports.has(id))
    for (const id of requested) {
      const count = charges.get(id)?.length ?? 0
      if (count !== 1) problems.push(`the answered request ${id} has ${count} charge records`)
    }
    const [metered] = await db.ledger.query<{ credits: number }>(
      'select coalesce(sum(credits), 0) as credits from metered_charges where account_id = $1',
      [accountId],
    )
    const forRequests = [...charges.values()].flat().reduce((sum, credits) => sum + credits, 0)
    const spent = forRequests + Number(metered?.credits)
    const [returned] = await db.ledger.query<{ credits: number }>(
      "select coalesce(sum(credits), 0) as credits from transfers where account_id = $1 and idempotency_key like 'failed:%'",
      [accountId],
    )
    const left = openingBalance - spent + Number(returned?.credits)
    const balance = await store.ledger.balance(accountId)
    if (balance !== left) problems.push(`the balance is ${balance}, not ${left}`)
    const beyond = charges.size - requested.length
    if (beyond > unanswered) problems.push(`${beyond} charges without an answer, of ${unanswered} possible ones`)
    return problems
  } finally {
    await store.close()
  }
}
