import { setImmediate as nextTurn } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../model/time.ts'
import type { Plan } from '../../plans/plans.ts'
import type { Store } from '../../store/store.ts'
import type { ClosedStream, Moment, Settled } from '../../store/streams/settle.ts'
import type { Meter } from '../meter.ts'

/** Account with streams on this instance. */
export interface SettledAccount {
  readonly id: string
  plan: Plan
  streams: readonly unknown[]
  /** Streams that have ended and are not settled yet. */
  closed: ClosedStream[]
  /** When to settle next. */
  dueMs: number
  /** Number of failed settlements in a row. */
  failures: number
}

interface SettlerDeps {
  store: Store
  meter: Meter
  moment: () => Moment
  creditsPerMinute: (account: { plan: Plan }) => number
  onError: (error: unknown) => void
}

/** The number of accounts that one transaction settles in a few milliseconds. */
const ACCOUNTS_PER_TRANSACTION = 20
/** On a database server a transaction mostly waits for the network. */
const SERVER_TRANSACTIONS_AT_ONCE = 4
const MAX_RETRY_MS = MINUTE
/**
 * An account with many streams completes a minute every second or so; its minutes are posted together. The cost is
 * covered meanwhile, because each stream holds a minute.
 */
const MIN_PAUSE_MS = 5 * SECOND

/** Settles accounts in batches, which share transactions and let requests run in between. */
export class StreamSettler {
  readonly #deps: SettlerDeps
  readonly #waiting = new Set<SettledAccount>()
  #batch: Promise<unknown> = Promise.resolve()
  #nextBatch: Promise<void> | undefined

  constructor(deps: SettlerDeps) {
    this.#deps = deps
  }

  /** Settles the account in the next batch. If that fails, the account becomes due again after a growing delay. */
  settle(account: SettledAccount): Promise<void> {
    this.#waiting.add(account)
    this.#nextBatch ??= Promise.all([this.#batch, nextTurn()]).then(() => {
      this.#nextBatch = undefined
      const batch = this.#settleWaiting()
      this.#batch = batch
      return batch
    })
    return this.#nextBatch
  }

  /** Applies the result of a settlement to the account. */
  update(account: SettledAccount, { balance, unchargedMs, open }: Settled, elapsedMs: number): void {
    this.#deps.meter.settle(account.id, 0, balance)
    account.failures = 0
    const untilMinuteMs = Math.ceil((MINUTE - unchargedMs) / Math.max(open, account.streams.length, 1))
    account.dueMs = elapsedMs + (open > 1 ? Math.max(untilMinuteMs, MIN_PAUSE_MS) : untilMinuteMs)
  }

  async #settleWaiting(): Promise<void> {
    // An account whose settlement failed is retried alone, so that it cannot fail other accounts again.
    const { failed = [], healthy = [] } = Object.groupBy(this.#waiting, ({ failures }) =>
      failures > 0 ? 'failed' : 'healthy',
    )
    this.#waiting.clear()
    const portions = failed.map((account) => [account])
    while (healthy.length > 0) portions.push(healthy.splice(0, ACCOUNTS_PER_TRANSACTION))
    const settleRest = async () => {
      for (let portion = portions.pop(); portion !== undefined; portion = portions.pop()) {
        await this.#settleTogether(portion)
        await nextTurn()
      }
    }
    const atOnce = this.#deps.store.exclusive ? 1 : SERVER_TRANSACTIONS_AT_ONCE
    await Promise.all(Array.from({ length: atOnce }, settleRest))
  }

  async #settleTogether(accounts: readonly SettledAccount[]): Promise<void> {
    const moment = this.#deps.moment()
    const settlements = accounts.map((account) => ({
      accountId: account.id,
      creditsPerMinute: this.#deps.creditsPerMinute(account),
      closed: [...account.closed],
    }))
    try {
      const results = await this.#deps.store.streams.settle(settlements, moment)
      for (const [index, account] of accounts.entries()) {
        const closed = settlements[index]?.closed ?? []
        account.closed = account.closed.filter((stream) => !closed.includes(stream))
        const settled = results.find(({ accountId }) => accountId === account.id)
        if (settled !== undefined) this.update(account, settled, moment.elapsedMs)
      }
    } catch (error) {
      this.#deps.onError(error)
      for (const account of accounts) {
        account.failures += 1
        account.dueMs = moment.elapsedMs + Math.min(SECOND * 2 ** (account.failures - 1), MAX_RETRY_MS)
      }
    }
  }
}
