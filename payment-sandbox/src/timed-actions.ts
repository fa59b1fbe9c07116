import { settleTransfer } from './checkout-payments.ts'
import { expireSession } from './checkout-sessions.ts'
import { renewSubscription, retryInvoice } from './renewals.ts'
import { startNextPhase } from './schedules.ts'
import type { SandboxTransaction } from './transaction.ts'

/** Runs the action that is due for an object. The action must set a later due time or none, or it would run forever. */
export async function runTimedAction(tx: SandboxTransaction, id: string): Promise<void> {
  const object = await tx.findAny(id)
  switch (object?.object) {
    case 'checkout.session':
      if (object.status === 'open') await expireSession(tx, id)
      else await settleTransfer(tx, object)
      return
    case 'subscription':
      return renewSubscription(tx, object)
    case 'invoice':
      return retryInvoice(tx, object)
    case 'subscription_schedule':
      return startNextPhase(tx, object)
    default:
      throw new Error(`${id} has a due time but no timed action`)
  }
}
