import { expireSession } from './checkout-sessions.ts'
import type { Desk } from './desk.ts'
import { settleTransfer } from './paying.ts'
import { renew, retry } from './renewals.ts'
import { nextPhase } from './schedules.ts'

/** Does what the object is due for. Whatever it is, the object must have another time after it, or none. */
export async function doWhatIsDue(desk: Desk, id: string): Promise<void> {
  const object = await desk.findAny(id)
  switch (object?.object) {
    case 'checkout.session':
      if (object.status === 'open') await expireSession(desk, {}, id)
      else await settleTransfer(desk, object)
      return
    case 'subscription':
      return renew(desk, object)
    case 'invoice':
      return retry(desk, object)
    case 'subscription_schedule':
      return nextPhase(desk, object)
    default:
      throw new Error(`${id} is due for nothing`)
  }
}
