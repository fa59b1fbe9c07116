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
import { asCustomer } from './customers.ts'
import type { Fulfilment } from './fulfilment.ts'
import { subscriptionInForce } from './plan-rules.ts'
import type { Order, PaymentProcessor } from './processor.ts'

/** Where the buyer pays. */
export interface OpenCheckout {
  checkoutUrl: string
  sessionId: string
}

/** As often as a checkout of another plan can stand in the way before somebody else must be at it as well. */
const MAX_TRIES = 5

/** Sends buyers to pay. What they paid for comes by fulfilment. */
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
    const begun = await this.#begin(account, { packageId: pack.id, planSlug: null })
    return this.#open(account, begun, { accountId: account.id, pack })
  }

  /** There is at most one open session for a plan, so that nobody pays for two. */
  async subscribe(account: Account, planSlug: PlanSlug): Promise<OpenCheckout> {
    if (account.planSlug === PLANS.custom.slug) {
      throw new ApiError('BAD_REQUEST', 'The plan of this account was agreed on with the operator, who can change it')
    }
    return withAccountLease(this.#store, account.id, () => this.#subscribe(account, planSlug))
  }

  async #subscribe(account: Account, planSlug: PlanSlug): Promise<OpenCheckout> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      await this.#refuseSecond(account)
      const begun = await this.#begin(account, { packageId: null, planSlug })
      if (begun.planSlug === planSlug) {
        const open = await this.#reopen(account, begun, planSlug)
        if (open !== undefined) return open
      } else {
        await this.#close(account, begun)
      }
    }
    throw new ApiError('BAD_REQUEST', 'Another checkout of this account is being opened; try again')
  }

  async #refuseSecond({ id }: Account): Promise<void> {
    const subscriptions = await this.#store.subscriptions.list(id)
    if (!subscriptions.some(({ status }) => isUnfinished(status))) return
    const isInForce = subscriptionInForce(subscriptions, this.#clock.now()) !== undefined
    throw new ApiError(
      'BAD_REQUEST',
      isInForce
        ? 'This account has a subscription; change its plan with POST /billing/subscription/change'
        : 'A payment for a plan is on its way, or has just failed; try again when that is over',
    )
  }

  #begin(account: Account, what: { packageId: string | null; planSlug: PlanSlug | null }): Promise<Checkout> {
    return this.#store.checkouts.begin({
      id: randomUUID(),
      accountId: account.id,
      ...what,
      createdAt: this.#clock.now(),
    })
  }

  /** The session of a checkout that is under way for the same plan; undefined when it has ended meanwhile. */
  async #reopen(account: Account, begun: Checkout, planSlug: PlanSlug): Promise<OpenCheckout | undefined> {
    const { sessionId, url } = begun
    if (sessionId === null || url === null) return this.#open(account, begun, { accountId: account.id, planSlug })
    const session = await this.#fulfilment.checkout(sessionId)
    if (session === undefined) await this.#store.checkouts.settle(begun.id, 'expired', this.#clock.now())
    return session?.status === 'open' ? { checkoutUrl: url, sessionId } : undefined
  }

  async #open(account: Account, begun: Checkout, order: Order): Promise<OpenCheckout> {
    const session = await asCustomer(
      account,
      { store: this.#store, processor: this.#processor },
      // The same key has to stand for the same question, which names the customer.
      (customerId) => this.#processor.createCheckout(order, customerId, `${begun.id}:${customerId}`),
    )
    await this.#store.checkouts.setSession(begun.id, session)
    return { checkoutUrl: session.url, sessionId: session.sessionId }
  }

  /**
   * Makes way for another plan. A session that somebody else may be opening right now is opened here as well, which gives
   * the same one: left alone, it could be paid. Whoever has paid meanwhile has a subscription.
   */
  async #close(account: Account, begun: Checkout): Promise<void> {
    const { planSlug } = begun
    if (planSlug === null || !isPlanSlug(planSlug)) throw new Error(`checkout ${begun.id} is not for a plan`)
    const order = { accountId: account.id, planSlug }
    const sessionId = begun.sessionId ?? (await this.#open(account, begun, order)).sessionId
    if (await this.#processor.expireCheckout(sessionId)) {
      await this.#store.checkouts.settle(begun.id, 'expired', this.#clock.now())
    } else {
      await this.#fulfilment.checkout(sessionId)
    }
  }
}
