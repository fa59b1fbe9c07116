import type { Clock } from '../clock.ts'
import type { Store } from '../store/store.ts'
import { Fulfilment } from './fulfilment.ts'
import { Inbox } from './inbox.ts'
import { Orders } from './orders.ts'
import { PlanChanges } from './plan-changes.ts'
import type { PaymentProcessor } from './processor.ts'
import { Sweeper } from './sweeper.ts'

/** The parts of billing over one payment processor. */
export interface Billing {
  processor: PaymentProcessor
  fulfilment: Fulfilment
  inbox: Inbox
  orders: Orders
  planChanges: PlanChanges
  sweeper: Sweeper
}

export function createBilling(deps: {
  store: Store
  processor: PaymentProcessor
  clock: Clock
  /** Called after the balance, plan or keys of an account may have changed. */
  onChanged: (accountId: string) => Promise<void>
  onError: (error: unknown) => void
}): Billing {
  const { processor } = deps
  const fulfilment = new Fulfilment(deps)
  const inbox = new Inbox({ ...deps, fulfilment })
  return {
    processor,
    fulfilment,
    inbox,
    orders: new Orders({ ...deps, fulfilment }),
    planChanges: new PlanChanges({ ...deps, fulfilment }),
    sweeper: new Sweeper({ ...deps, fulfilment, inbox }),
  }
}
