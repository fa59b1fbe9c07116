import { hash } from 'node:crypto'
import type { Stripe } from 'stripe'
import { SECOND } from '../model/time.ts'
import { periodAt } from '../plans/period.ts'
import type { PlanSlug } from '../plans/plans.ts'
import type { ReceivedEvent } from '../store/billing/events.ts'
import {
  type CheckoutState,
  type InvoiceState,
  type Order,
  PaymentDeclined,
  type PaymentProcessor,
  type ReversalState,
  type SubscriptionState,
  UnknownCustomer,
} from './processor.ts'
import { isStripeEventType, readStripeEvent, STRIPE_EVENTS } from './stripe-events.ts'
import { readCheckout, readInvoice, readReversals, readSubscription, toId } from './stripe-objects.ts'
import { StripePrices } from './stripe-prices.ts'

const TIMEOUT_MS = 20 * SECOND
const NETWORK_RETRIES = 2
/** How far the time of a signature may be from ours. */
const SIGNATURE_TOLERANCE_MS = 300 * SECOND

interface StripeOptions {
  secretKey: string
  webhookSecret: string
  /** Where the buyer is sent back to. */
  urls: () => { success: string; cancel: string; portalReturn: string }
  /** Elsewhere than at Stripe itself: the sandbox. */
  server?: { host: string; port: number; protocol: 'http' } | undefined
}

/** Stripe, or what speaks its language: only the address and the secrets differ. */
export class StripeProcessor implements PaymentProcessor {
  readonly name: string
  readonly #options: StripeOptions
  readonly #prices = new StripePrices(() => this.#sdk())
  #loaded: Promise<Stripe> | undefined

  constructor(options: StripeOptions) {
    this.#options = options
    this.name = hash('sha256', options.secretKey).slice(0, 16)
  }

  async createCustomer(account: { id: string; email: string | null; name: string | null }): Promise<string> {
    const sdk = await this.#sdk()
    const customer = await sdk.customers.create({
      ...(account.email !== null && { email: account.email }),
      ...(account.name !== null && { name: account.name }),
      metadata: { mintick_account: account.id },
    })
    return customer.id
  }

  async createCheckout(order: Order, customerId: string, key: string): Promise<{ sessionId: string; url: string }> {
    const sdk = await this.#sdk()
    const metadata = orderMetadata(order)
    const { success, cancel } = this.#options.urls()
    const session = await knowing(
      customerId,
      sdk.checkout.sessions.create(
        {
          customer: customerId,
          line_items: [{ price: await this.#prices.of(order), quantity: 1 }],
          success_url: success,
          cancel_url: cancel,
          client_reference_id: order.accountId,
          metadata,
          ...('pack' in order
            ? { mode: 'payment', payment_intent_data: { metadata } }
            : { mode: 'subscription', subscription_data: { metadata } }),
        },
        { idempotencyKey: `checkout:${key}` },
      ),
    )
    if (session.url === null) throw new Error(`session ${session.id} has no page`)
    return { sessionId: session.id, url: session.url }
  }

  async expireCheckout(sessionId: string): Promise<boolean> {
    const sdk = await this.#sdk()
    try {
      await sdk.checkout.sessions.expire(sessionId)
      return true
    } catch (error) {
      const session = await this.findCheckout(sessionId)
      if (session?.status === 'open') throw error
      return session === undefined || session.status === 'expired'
    }
  }

  async createPortal(customerId: string): Promise<string> {
    const sdk = await this.#sdk()
    const { portalReturn } = this.#options.urls()
    const session = await knowing(
      customerId,
      sdk.billingPortal.sessions.create({ customer: customerId, return_url: portalReturn }),
    )
    return session.url
  }

  async findCheckout(sessionId: string): Promise<CheckoutState | undefined> {
    const sdk = await this.#sdk()
    const session = await existing(sdk.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent'] }))
    return session && readCheckout(session)
  }

  async findInvoice(invoiceId: string): Promise<InvoiceState | undefined> {
    const sdk = await this.#sdk()
    const invoice = await existing(sdk.invoices.retrieve(invoiceId, { expand: ['payments'] }))
    return invoice && readInvoice(invoice, this.#prices)
  }

  async findSubscription(subscriptionId: string): Promise<SubscriptionState | undefined> {
    const subscription = await this.#retrieve(subscriptionId)
    return subscription && readSubscription(subscription, this.#prices)
  }

  async findPaid(paymentId: string): Promise<{ kind: 'checkout' | 'invoice'; id: string } | undefined> {
    const sdk = await this.#sdk()
    const sessions = await sdk.checkout.sessions.list({ payment_intent: paymentId, limit: 1 })
    const [session] = sessions.data
    if (session !== undefined) return { kind: 'checkout', id: session.id }
    const payments = await sdk.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: paymentId },
      limit: 1,
    })
    const [payment] = payments.data
    return payment && { kind: 'invoice', id: toId(payment.invoice) }
  }

  async listReversals(paymentId: string): Promise<ReversalState[]> {
    const sdk = await this.#sdk()
    const refunds = await sdk.refunds
      .list({ payment_intent: paymentId, limit: 100 })
      .autoPagingToArray({ limit: 1_000 })
    const disputes = await sdk.disputes.list({ payment_intent: paymentId, limit: 100 })
    return readReversals(refunds, disputes.data)
  }

  async previewUpgrade(subscriptionId: string, planSlug: PlanSlug): Promise<number> {
    const sdk = await this.#sdk()
    const { subscription, item } = await this.#get(subscriptionId)
    const preview = await sdk.invoices.createPreview({
      customer: toId(subscription.customer),
      subscription: subscriptionId,
      subscription_details: {
        items: [{ id: item.id, price: await this.#prices.ofPlan(planSlug) }],
        proration_behavior: 'always_invoice',
      },
    })
    return preview.amount_due
  }

  async upgrade(subscriptionId: string, planSlug: PlanSlug): Promise<string | undefined> {
    const sdk = await this.#sdk()
    const { item } = await this.#release(subscriptionId)
    try {
      const updated = await sdk.subscriptions.update(subscriptionId, {
        items: [{ id: item.id, price: await this.#prices.ofPlan(planSlug) }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
        cancel_at_period_end: false,
      })
      return updated.latest_invoice === null ? undefined : toId(updated.latest_invoice)
    } catch (error) {
      throw isDeclined(error) ? new PaymentDeclined(error.message) : error
    }
  }

  async downgrade(subscriptionId: string, planSlug: PlanSlug): Promise<void> {
    const sdk = await this.#sdk()
    await this.keep(subscriptionId)
    const { subscription, item } = await this.#get(subscriptionId)
    const schedule = await sdk.subscriptionSchedules.create({ from_subscription: subscriptionId })
    const { current_period_start: start, current_period_end: end } = item
    const next = periodAt(subscription.billing_cycle_anchor * SECOND, end * SECOND)
    await sdk.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      proration_behavior: 'none',
      phases: [
        {
          items: [{ price: item.price.id, quantity: 1 }],
          start_date: schedule.phases[0]?.start_date ?? start,
          end_date: end,
        },
        {
          items: [{ price: await this.#prices.ofPlan(planSlug), quantity: 1 }],
          start_date: end,
          end_date: Math.floor(next.end / SECOND),
        },
      ],
    })
  }

  async keep(subscriptionId: string): Promise<void> {
    const sdk = await this.#sdk()
    const { subscription } = await this.#release(subscriptionId)
    if (subscription.cancel_at_period_end) {
      await sdk.subscriptions.update(subscriptionId, { cancel_at_period_end: false })
    }
  }

  async cancelAtPeriodEnd(subscriptionId: string): Promise<void> {
    const sdk = await this.#sdk()
    await this.#release(subscriptionId)
    await sdk.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
  }

  async cancelNow(subscriptionId: string): Promise<void> {
    const sdk = await this.#sdk()
    const subscription = await this.#retrieve(subscriptionId)
    if (subscription === undefined || subscription.status === 'canceled') return
    await sdk.subscriptions.cancel(subscriptionId)
  }

  async readEvent(body: string, signature: string | undefined, now: number): Promise<ReceivedEvent> {
    const sdk = await this.#sdk()
    const { webhookSecret } = this.#options
    const tolerance = SIGNATURE_TOLERANCE_MS / SECOND
    const event = sdk.webhooks.constructEvent(body, signature ?? '', webhookSecret, tolerance, undefined, now)
    // The SDK looks at the age only.
    const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature ?? '')?.[1]) * SECOND
    if (signedAt > now + SIGNATURE_TOLERANCE_MS) throw new Error('the signature is from the future')
    const received = readStripeEvent(event)
    if (received === undefined) throw new Error('it is no event that is handled here')
    return received
  }

  async *listEvents(since: number): AsyncIterable<ReceivedEvent & { createdAt: number }> {
    const sdk = await this.#sdk()
    const types = Object.keys(STRIPE_EVENTS).filter(isStripeEventType)
    const newestFirst: Stripe.Event[] = []
    const query = { created: { gte: Math.floor(since / SECOND) }, types, limit: 100 }
    for await (const event of sdk.events.list(query)) newestFirst.push(event)
    for (const event of newestFirst.reverse()) {
      const received = readStripeEvent(event)
      if (received !== undefined) yield { ...received, createdAt: event.created * SECOND }
    }
  }

  /** Loaded when it is first needed: that takes a while, and most starts never come to it. */
  #sdk(): Promise<Stripe> {
    const { secretKey, server } = this.#options
    this.#loaded ??= import('stripe').then(
      ({ default: Sdk }) =>
        new Sdk(secretKey, { ...server, timeout: TIMEOUT_MS, maxNetworkRetries: NETWORK_RETRIES, telemetry: false }),
    )
    return this.#loaded
  }

  async #retrieve(subscriptionId: string): Promise<Stripe.Subscription | undefined> {
    const sdk = await this.#sdk()
    return existing(sdk.subscriptions.retrieve(subscriptionId, { expand: ['schedule', 'latest_invoice'] }))
  }

  async #get(subscriptionId: string): Promise<{ subscription: Stripe.Subscription; item: Stripe.SubscriptionItem }> {
    const subscription = await this.#retrieve(subscriptionId)
    const item = subscription?.items.data[0]
    if (subscription === undefined || item === undefined) throw new Error(`there is no subscription ${subscriptionId}`)
    return { subscription, item }
  }

  /** Takes away what was to happen at the end of the month; with it nothing else can be changed. */
  async #release(subscriptionId: string) {
    const sdk = await this.#sdk()
    const found = await this.#get(subscriptionId)
    const { schedule } = found.subscription
    if (schedule === null) return found
    await sdk.subscriptionSchedules.release(toId(schedule))
    return this.#get(subscriptionId)
  }
}

function orderMetadata(order: Order): Record<string, string> {
  const account = { mintick_account: order.accountId }
  if ('planSlug' in order) return { ...account, mintick_plan: order.planSlug }
  return { ...account, mintick_package: order.pack.id, mintick_credits: String(order.pack.credits) }
}

/** Tells a customer who is not known from everything else that can go wrong. */
async function knowing<T>(customerId: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const isUnknown = isStripeError(error) && error.code === 'resource_missing' && error.param === 'customer'
    throw isUnknown ? new UnknownCustomer(`there is no customer ${customerId}`) : error
  }
}

/** Undefined when there is no such object. */
async function existing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (isStripeError(error) && error.code === 'resource_missing') return undefined
    throw error
  }
}

const isDeclined = (error: unknown): error is Error => isStripeError(error) && error.type === 'StripeCardError'

function isStripeError(error: unknown): error is Error & { type: string; code?: string; param?: string } {
  return error instanceof Error && 'type' in error && typeof error.type === 'string'
}
