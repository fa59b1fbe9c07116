import type { Clock } from '../clock.ts'
import { HOUR, MINUTE } from '../model/time.ts'
import type { Subscription } from '../store/billing/subscriptions.ts'
import type { Store } from '../store/store.ts'
import type { Fulfilment } from './fulfilment.ts'
import type { Inbox } from './inbox.ts'
import { isInForce } from './plan-rules.ts'
import type { PaymentProcessor } from './processor.ts'

const SWEEP_EVERY_MS = MINUTE
/** Sessions expire after a day, so a checkout that is still unsettled then has missed its event. */
const CHECKOUT_OVERDUE_MS = 25 * HOUR
const CHECKED_AGAIN_AFTER_MS = HOUR
const PORTION = 50

/** Finds changes at the processor whose webhooks did not arrive. */
export class Sweeper {
  readonly #store: Store
  readonly #processor: PaymentProcessor
  readonly #fulfilment: Fulfilment
  readonly #inbox: Inbox
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  #sweptAt = Number.NEGATIVE_INFINITY
  #last: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(deps: {
    store: Store
    processor: PaymentProcessor
    fulfilment: Fulfilment
    inbox: Inbox
    clock: Clock
    onError: (error: unknown) => void
  }) {
    this.#store = deps.store
    this.#processor = deps.processor
    this.#fulfilment = deps.fulfilment
    this.#inbox = deps.inbox
    this.#clock = deps.clock
    this.#onError = deps.onError
  }

  /** Runs a sweep after those under way, so that it covers everything that was due at the time of the call. */
  run(): Promise<void> {
    const round = this.#last.then(() => this.#round())
    this.#last = round.catch(() => {})
    return round
  }

  async #round(): Promise<void> {
    await this.#inbox.retry()
    const elapsed = this.#clock.elapsed()
    if (elapsed - this.#sweptAt < SWEEP_EVERY_MS) return
    this.#sweptAt = elapsed
    const now = this.#clock.now()
    await this.#try(() => this.#checkProcessor())
    await this.#try(() => this.#inbox.catchUp())
    // Before the checkouts: these also refresh subscriptions, which then count as checked.
    await this.#try(() => this.#checkSubscriptions(now))
    await this.#try(() => this.#checkCheckouts(now))
  }

  /** Stops after the current object. */
  stop(): void {
    this.#isStopped = true
    this.#inbox.stop()
  }

  async #checkCheckouts(now: number): Promise<void> {
    const overdue = await this.#store.checkouts.listUnsettled(
      now - CHECKOUT_OVERDUE_MS,
      now - CHECKED_AGAIN_AFTER_MS,
      PORTION,
    )
    for (const { id, sessionId } of overdue) {
      await this.#try(async () => {
        const session = sessionId === null ? undefined : await this.#fulfilment.syncCheckout(sessionId)
        if (session === undefined) await this.#store.checkouts.settle(id, 'expired', now)
      })
    }
  }

  /** Checks subscriptions whose month ended without an event, or whose grace period is over. */
  async #checkSubscriptions(now: number): Promise<void> {
    const overdue = await this.#store.subscriptions.listOverdue(now, now - CHECKED_AGAIN_AFTER_MS, PORTION)
    for (const subscription of overdue) await this.#try(() => this.#check(subscription, now))
  }

  async #check(subscription: Subscription, now: number): Promise<void> {
    if (!isInForce(subscription, now)) await this.#processor.cancelNow(subscription.id)
    await this.#fulfilment.syncSubscription(subscription.id)
  }

  /**
   * Refreshes all subscriptions when the processor was replaced: those it does not know end, and those it knows from an
   * earlier time are in force again.
   */
  async #checkProcessor(): Promise<void> {
    const last = await this.#store.processorEvents.lastSwept()
    if (last === this.#processor.name) return
    let after = ''
    while (!this.#isStopped) {
      const known = await this.#store.subscriptions.listAll(after, PORTION)
      for (const { id } of known) await this.#fulfilment.syncSubscription(id)
      const next = known.at(-1)
      if (next === undefined) return
      after = next.id
    }
  }

  /** Reports a failure without stopping the sweep. */
  async #try(work: () => Promise<void>): Promise<void> {
    if (this.#isStopped) return
    try {
      await work()
    } catch (error) {
      this.#onError(error)
    }
  }
}
