import { ApiError } from '../model/errors.ts'
import { SECOND } from '../model/time.ts'
import { LeaseTaken } from '../store/leases.ts'
import type { Store } from '../store/store.ts'

const WAIT_MS = 20 * SECOND

/**
 * Runs `work`, which sends several requests to the processor, while no other such work runs for the account on any
 * instance: the requests of two changes must not interleave. An instance that was paused until another one took the
 * lease is not stopped, because a request cannot be part of a transaction. That is tolerable: an upgrade names the plan
 * it starts from, and afterwards the store is updated to the state at the processor, whichever instance caused it
 * (decision 016).
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
