import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Store } from '../../store/store.ts'
import type { Moment, Settled } from '../../store/streams/settle.ts'
import type { Meter } from '../meter.ts'
import { closedStreams, nextDueMs, retryMs, type StreamAccount } from './stream-account.ts'

/** As many accounts as one transaction settles in a few milliseconds. */
const PORTION = 20
/** Where the store is not in this process, most of the time is spent waiting for it. */
const LANES_TO_SERVER = 4

/** Reckons the time of accounts: those that are due together in few transactions, none of which holds the process up. */
export class StreamSettling {
  readonly #store: Store
  readonly #meter: Meter
  readonly #moment: () => Moment
  readonly #creditsPerMinute: (account: StreamAccount) => number
  readonly #onError: (error: unknown) => void
  readonly #waiting = new Map<StreamAccount, (() => void)[]>()
  #running: Promise<void> | undefined

  constructor(deps: {
    store: Store
    meter: Meter
    moment: () => Moment
    creditsPerMinute: (account: StreamAccount) => number
    onError: (error: unknown) => void
  }) {
    this.#store = deps.store
    this.#meter = deps.meter
    this.#moment = deps.moment
    this.#creditsPerMinute = deps.creditsPerMinute
    this.#onError = deps.onError
  }

  /** Resolves when it is done, or has failed: then the account is due again, a little later each time. */
  settle(account: StreamAccount): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(account, [...(this.#waiting.get(account) ?? []), resolve])
      this.#start()
    })
  }

  /** Takes in what the store says of an account. */
  note(account: StreamAccount, settled: Settled, elapsedMs: number): void {
    this.#meter.setBalance(account.id, settled.balance)
    account.failures = 0
    account.dueMs = nextDueMs(elapsedMs, settled, account.streams.length)
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#waiting.size > 0) this.#start()
    })
  }

  async #run(): Promise<void> {
    // Everything that the current turn of the event loop brings in shares the first transactions.
    await nextTurn()
    const lanes = this.#store.exclusive ? 1 : LANES_TO_SERVER
    await Promise.all(Array.from({ length: lanes }, () => this.#settleAll()))
  }

  async #settleAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const portion = this.#take()
      const waiting = portion.flatMap((account) => this.#waiting.get(account) ?? [])
      for (const account of portion) this.#waiting.delete(account)
      await this.#settlePortion(portion)
      for (const resolve of waiting) resolve()
      await nextTurn()
    }
  }

  /** One that has failed goes alone, so that it does not take others with it again. */
  #take(): StreamAccount[] {
    const portion: StreamAccount[] = []
    for (const account of this.#waiting.keys()) {
      if (account.failures > 0) return portion.length === 0 ? [account] : portion
      portion.push(account)
      if (portion.length === PORTION) break
    }
    return portion
  }

  async #settlePortion(accounts: readonly StreamAccount[]): Promise<void> {
    const moment = this.#moment()
    const closed = new Map(accounts.map((account) => [account, [...account.unsettled]]))
    const settlements = accounts.map((account) => ({
      accountId: account.id,
      creditsPerMinute: this.#creditsPerMinute(account),
      closed: closedStreams(account, moment.elapsedMs),
    }))
    try {
      const settled = await this.#store.streams.settle(settlements, moment)
      const byId = new Map(settled.map((result) => [result.accountId, result]))
      for (const account of accounts) {
        const done = closed.get(account) ?? []
        account.unsettled = account.unsettled.filter((stream) => !done.includes(stream))
        const result = byId.get(account.id)
        if (result !== undefined) this.note(account, result, moment.elapsedMs)
      }
    } catch (error) {
      this.#onError(error)
      for (const account of accounts) {
        account.failures += 1
        account.dueMs = retryMs(moment.elapsedMs, account.failures)
      }
    }
  }
}
