import { ApiError } from '../model/errors.ts'
import { SECOND } from '../model/time.ts'
import { LeaseTaken } from '../store/leases.ts'
import type { Store } from '../store/store.ts'

const WAIT_MS = 20 * SECOND

/**
 * Runs `work`, several requests to the processor, while no instance runs other such work of the account: their steps
 * must not mix. An instance that was paused until its lease passed on is not stopped, because a request cannot be part
 * of a transaction. That is tolerable: an upgrade names the plan it starts from, and afterwards the store is brought up
 * to the state at the processor, whichever instance caused it (decision 016).
 */
export async function withAccountLease<T>(
  store: Store,
  accountId: string,
  work: () => Promise<T>,
  waitMs = WAIT_MS,
): Promise<T> {
  try {
    return await store.leases.run(`billing:${accountId}`, work, { waitMs })
  } catch (error) {
    if (!(error instanceof LeaseTaken)) throw error
    throw new ApiError('BAD_REQUEST', 'Another change to this account is in progress; try again')
  }
}
