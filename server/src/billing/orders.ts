import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Account } from '../model/accounts.ts'
import { ApiError } from '../model/errors.ts'
import type { CreditPack } from '../plans/packs.ts'
import { isPlanSlug, PLANS, type PlanSlug } from '../plans/plans.ts'
import type { Checkout } from '../store/billing/checkouts.ts'
import { isUnfinished } from '../store/billing/subscriptions.ts'
import type { Store } from '../store/store.ts'
import { withAccountLease } from './account-lease.ts'
import { withCustomer } from './customers.ts'
import type { Fulfilment } from './fulfilment.ts'
import { subscriptionInForce } from './plan-rules.ts'
import type { Order, PaymentProcessor } from './processor.ts'

/** A checkout session and the page where the buyer pays. */
export interface OpenCheckout {
  checkoutUrl: string
  sessionId: string
}

/**
 * An attempt fails if a checkout for another plan is open. After this many attempts, another client keeps opening them.
 */
const MAX_ATTEMPTS = 5

/** Opens checkouts for packs and plans. Fulfilment grants what was paid for. */
export class Orders {
  readonly #store: Store
  readonly #processor: PaymentProcessor
  readonly #fulfilment: Fulfilment
  readonly #clock: Clock

  constructor(deps: {
    store: Store
    processor: PaymentProcessor
    fulfilment: Fulfilment
    clock: Clock
  }) {
    this.#store = deps.store
    this.#processor = deps.processor
    this.#fulfilment = deps.fulfilment
    this.#clock = deps.clock
  }

  async buyPack(account: Account, pack: CreditPack): Promise<OpenCheckout> {
    const begun = await this.#beginCheckout(account, { packageId: pack.id, planSlug: null })
    return this.#open(account, begun, { accountId: account.id, pack })
  }

  /** Opens a checkout for a plan. An account has at most one at a time, so that nobody pays for two plans. */
  async subscribe(account: Account, planSlug: PlanSlug): Promise<OpenCheckout> {
    if (account.planSlug === PLANS.custom.slug) {
      throw new ApiError(
        'BAD_REQUEST',
        'The plan of this account was set by the operator; ask the operator to change it',
      )
    }
    return withAccountLease(this.#store, account.id, () => this.#subscribe(account, planSlug))
  }

  async #subscribe(account: Account, planSlug: PlanSlug): Promise<OpenCheckout> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      await this.#refuseSecondSubscription(account)
      const begun = await this.#beginCheckout(account, { packageId: null, planSlug })
      if (begun.planSlug === planSlug) {
        const open = await this.#reopen(account, begun, planSlug)
        if (open !== undefined) return open
      } else {
        await this.#close(account, begun)
      }
    }
    throw new ApiError('BAD_REQUEST', 'Another checkout of this account is being opened; try again')
  }

  async #refuseSecondSubscription({ id }: Account): Promise<void> {
    const subscriptions = await this.#store.subscriptions.list(id)
    if (!subscriptions.some(({ status }) => isUnfinished(status))) return
    const isInForce = subscriptionInForce(subscriptions, this.#clock.now()) !== undefined
    throw new ApiError(
      'BAD_REQUEST',
      isInForce
        ? 'This account already has a subscription; change its plan with POST /billing/subscription/change'
        : 'A payment for a plan is being processed or has just failed; try again when it is settled',
    )
  }

  #beginCheckout(account: Account, what: { packageId: string | null; planSlug: PlanSlug | null }): Promise<Checkout> {
    return this.#store.checkouts.begin({
      id: randomUUID(),
      accountId: account.id,
      ...what,
      createdAt: this.#clock.now(),
    })
  }

  /** Returns the session of the open checkout for the same plan; undefined if it has ended meanwhile. */
  async #reopen(account: Account, begun: Checkout, planSlug: PlanSlug): Promise<OpenCheckout | undefined> {
    const { sessionId, url } = begun
    if (sessionId === null || url === null) return this.#open(account, begun, { accountId: account.id, planSlug })
    const session = await this.#fulfilment.syncCheckout(sessionId)
    if (session === undefined) await this.#store.checkouts.settle(begun.id, 'expired', this.#clock.now())
    return session?.status === 'open' ? { checkoutUrl: url, sessionId } : undefined
  }

  async #open(account: Account, begun: Checkout, order: Order): Promise<OpenCheckout> {
    const session = await withCustomer(
      account,
      { store: this.#store, processor: this.#processor },
      // Stripe refuses an idempotency key that is reused with other parameters, such as another customer.
      (customerId) => this.#processor.createCheckout(order, customerId, `${begun.id}:${customerId}`),
    )
    await this.#store.checkouts.setSession(begun.id, session)
    return { checkoutUrl: session.url, sessionId: session.sessionId }
  }

  /**
   * Ends the open checkout of another plan. If its session is not stored yet, the same idempotency key returns it:
   * otherwise the buyer could still pay it. If it was paid meanwhile, the account has a subscription.
   */
  async #close(account: Account, begun: Checkout): Promise<void> {
    const { planSlug } = begun
    if (planSlug === null || !isPlanSlug(planSlug)) throw new Error(`checkout ${begun.id} is not for a plan`)
    const order = { accountId: account.id, planSlug }
    const sessionId = begun.sessionId ?? (await this.#open(account, begun, order)).sessionId
    if (await this.#processor.expireCheckout(sessionId)) {
      await this.#store.checkouts.settle(begun.id, 'expired', this.#clock.now())
    } else {
      await this.#fulfilment.syncCheckout(sessionId)
    }
  }
}
