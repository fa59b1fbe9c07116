import { hash } from 'node:crypto'
import type { Stripe } from 'stripe'
import { SECOND } from '../../model/time.ts'
import { periodAt } from '../../plans/period.ts'
import type { PlanSlug } from '../../plans/plans.ts'
import type { ReceivedEvent } from '../../store/billing/processor-events.ts'
import {
  type CheckoutState,
  type InvoiceState,
  type Order,
  PaymentDeclined,
  type PaymentProcessor,
  PlanConflict,
  type ReversalState,
  type SubscriptionState,
  UnknownCustomer,
  WebhookRejected,
} from '../processor.ts'
import { readStripeEvent, STRIPE_EVENT_TYPES } from './events.ts'
import { isEnding, readCheckout, readInvoice, readReversals, readSubscription, toId } from './objects.ts'
import { StripePrices } from './prices.ts'

const TIMEOUT_MS = 10 * SECOND
const NETWORK_RETRIES = 1
/** Largest difference between the time of a signature and our clock. */
const SIGNATURE_TOLERANCE_MS = 300 * SECOND

interface StripeOptions {
  secretKey: string
  webhookSecret: string
  /** Pages to return to from Stripe. */
  urls: () => { success: string; cancel: string; portalReturn: string }
  /** The sandbox, in place of Stripe's own servers. */
  server?: { host: string; port: number; protocol: 'http' } | undefined
}

/** Stripe, or the sandbox, which differs only in address and secrets. */
export class StripeProcessor implements PaymentProcessor {
  readonly name: string
  readonly #options: StripeOptions
  #loading: Promise<Stripe> | undefined
  readonly #prices: StripePrices

  constructor(options: StripeOptions) {
    this.#options = options
    this.name = hash('sha256', options.secretKey).slice(0, 16)
    this.#prices = new StripePrices(() => this.#sdk())
  }

  /** Loads the SDK on first use, so that a start does not wait for it. */
  #sdk(): Promise<Stripe> {
    this.#loading ??= createSdk(this.#options)
    return this.#loading
  }

  async createCustomer(account: { id: string; email: string | null; name: string | null }): Promise<string> {
    const sdk = await this.#sdk()
    const params = {
      ...(account.name !== null && { name: account.name }),
      metadata: { mintick_account: account.id },
    }
    const { email } = account
    if (email === null) return (await sdk.customers.create(params)).id
    try {
      return (await sdk.customers.create({ ...params, email })).id
    } catch (error) {
      // We accept addresses such as owner@localhost, Stripe does not. Buyers can enter another one on the page.
      if (!isStripeError(error) || error.code !== 'email_invalid') throw error
      return (await sdk.customers.create(params)).id
    }
  }

  async deleteCustomer(customerId: string): Promise<void> {
    const sdk = await this.#sdk()
    await undefinedIfMissing(sdk.customers.del(customerId))
  }

  async createCheckout(order: Order, customerId: string, key: string): Promise<{ sessionId: string; url: string }> {
    const sdk = await this.#sdk()
    const metadata = orderMetadata(order)
    const { success, cancel } = this.#options.urls()
    const session = await throwIfUnknownCustomer(
      customerId,
      sdk.checkout.sessions.create(
        {
          customer: customerId,
          line_items: [{ price: await this.#prices.idFor(order), quantity: 1 }],
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
    if (session.url === null) throw new Error(`checkout session ${session.id} has no URL`)
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
    const session = await throwIfUnknownCustomer(
      customerId,
      sdk.billingPortal.sessions.create({ customer: customerId, return_url: portalReturn }),
    )
    return session.url
  }

  async findCheckout(sessionId: string): Promise<CheckoutState | undefined> {
    const sdk = await this.#sdk()
    const session = await undefinedIfMissing(sdk.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent'] }))
    return session && readCheckout(session)
  }

  async findInvoice(invoiceId: string): Promise<InvoiceState | undefined> {
    const sdk = await this.#sdk()
    const invoice = await undefinedIfMissing(sdk.invoices.retrieve(invoiceId, { expand: ['payments'] }))
    return invoice && readInvoice(invoice, this.#prices)
  }

  async findSubscription(subscriptionId: string): Promise<SubscriptionState | undefined> {
    const subscription = await this.#retrieve(subscriptionId)
    return subscription && readSubscription(subscription, this.#prices)
  }

  async findCheckoutOrInvoice(paymentId: string): Promise<{ kind: 'checkout' | 'invoice'; id: string } | undefined> {
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
        items: [{ id: item.id, price: await this.#prices.idForPlan(planSlug) }],
        proration_behavior: 'always_invoice',
      },
    })
    return preview.amount_due
  }

  async upgrade(subscriptionId: string, from: string, to: PlanSlug): Promise<string | undefined> {
    const sdk = await this.#sdk()
    const { subscription, item } = await this.#releaseSchedule(subscriptionId)
    if ((await this.#prices.planOf(item.price.id)) !== from)
      throw new PlanConflict(`${subscriptionId} is not on ${from}`)
    try {
      const updated = await sdk.subscriptions.update(subscriptionId, {
        items: [{ id: item.id, price: await this.#prices.idForPlan(to) }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
        ...withoutCancellation(subscription),
      })
      return updated.latest_invoice === null ? undefined : toId(updated.latest_invoice)
    } catch (error) {
      throw isDeclined(error) ? new PaymentDeclined(error.message) : error
    }
  }

  async downgrade(subscriptionId: string, planSlug: PlanSlug): Promise<void> {
    const sdk = await this.#sdk()
    await this.clearPendingChanges(subscriptionId)
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
          items: [{ price: await this.#prices.idForPlan(planSlug), quantity: 1 }],
          start_date: end,
          end_date: Math.floor(next.end / SECOND),
        },
      ],
    })
  }

  async clearPendingChanges(subscriptionId: string): Promise<void> {
    const sdk = await this.#sdk()
    const { subscription } = await this.#releaseSchedule(subscriptionId)
    if (isEnding(subscription)) await sdk.subscriptions.update(subscriptionId, withoutCancellation(subscription))
  }

  async cancelAtPeriodEnd(subscriptionId: string): Promise<void> {
    const sdk = await this.#sdk()
    await this.#releaseSchedule(subscriptionId)
    await sdk.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
  }

  /** Succeeds as well if another instance cancels it at the same time. */
  async cancelNow(subscriptionId: string): Promise<void> {
    const sdk = await this.#sdk()
    const subscription = await this.#retrieve(subscriptionId)
    if (subscription === undefined) return
    if (subscription.status !== 'canceled') {
      const isOver = async () => (await this.#retrieve(subscriptionId))?.status === 'canceled'
      await ignoreIfDone(isOver, sdk.subscriptions.cancel(subscriptionId))
    }
    // An open invoice could still be paid, for a plan that has ended.
    const { latest_invoice: invoice } = subscription
    if (invoice === null || typeof invoice === 'string' || invoice.status !== 'open') return
    const isClosed = async () => (await sdk.invoices.retrieve(invoice.id)).status !== 'open'
    await ignoreIfDone(isClosed, sdk.invoices.voidInvoice(invoice.id))
  }

  async readEvent(body: string, signature: string | undefined, now: number): Promise<ReceivedEvent | undefined> {
    const event = readStripeEvent(await this.#verified(body, signature ?? '', now))
    if (event === undefined) throw new WebhookRejected('its event type is not handled')
    const { subject } = event
    return subject && { ...event, subject }
  }

  async listEvents(since: number): Promise<ReceivedEvent[]> {
    const sdk = await this.#sdk()
    const query = { created: { gte: Math.floor(since / SECOND) }, types: STRIPE_EVENT_TYPES, limit: 100 }
    const events: ReceivedEvent[] = []
    for await (const found of sdk.events.list(query)) {
      const event = readStripeEvent(found)
      if (event?.subject !== undefined) events.push({ ...event, subject: event.subject })
    }
    return events.reverse()
  }

  /** Verifies signature and age; returns the parsed body. */
  async #verified(body: string, signature: string, now: number): Promise<unknown> {
    const sdk = await this.#sdk()
    const { webhookSecret } = this.#options
    // The SDK does not refuse timestamps in the future.
    const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]) * SECOND
    if (signedAt > now + SIGNATURE_TOLERANCE_MS) throw new WebhookRejected('its signature is from the future')
    const tolerance = SIGNATURE_TOLERANCE_MS / SECOND
    try {
      return sdk.webhooks.constructEvent(body, signature, webhookSecret, tolerance, undefined, now)
    } catch {
      throw new WebhookRejected('its signature is invalid or too old')
    }
  }

  async #retrieve(subscriptionId: string): Promise<Stripe.Subscription | undefined> {
    const sdk = await this.#sdk()
    return undefinedIfMissing(sdk.subscriptions.retrieve(subscriptionId, { expand: ['schedule', 'latest_invoice'] }))
  }

  async #get(subscriptionId: string): Promise<{ subscription: Stripe.Subscription; item: Stripe.SubscriptionItem }> {
    const subscription = await this.#retrieve(subscriptionId)
    const item = subscription?.items.data[0]
    if (subscription === undefined || item === undefined) throw new Error(`subscription ${subscriptionId} not found`)
    return { subscription, item }
  }

  /** Releases the schedule of a pending change: Stripe refuses other changes while there is one. */
  async #releaseSchedule(subscriptionId: string) {
    const sdk = await this.#sdk()
    const found = await this.#get(subscriptionId)
    const { schedule } = found.subscription
    if (schedule === null) return found
    await sdk.subscriptionSchedules.release(toId(schedule))
    return this.#get(subscriptionId)
  }
}

async function createSdk({ secretKey, server }: StripeOptions): Promise<Stripe> {
  const { Stripe } = await import('stripe')
  return new Stripe(secretKey, {
    ...server,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
  })
}

/** Clears the cancellation, which may be set to a day chosen in the dashboard instead of the end of the month. */
const withoutCancellation = ({ cancel_at: day, cancel_at_period_end: isEnding }: Stripe.Subscription) =>
  isEnding || day === null ? { cancel_at_period_end: false } : { cancel_at: '' as const }

function orderMetadata(order: Order): Record<string, string> {
  const account = { mintick_account: order.accountId }
  if ('planSlug' in order) return { ...account, mintick_plan: order.planSlug }
  return { ...account, mintick_package: order.pack.id, mintick_credits: String(order.pack.credits) }
}

/** Turns the error for a missing customer into UnknownCustomer. */
async function throwIfUnknownCustomer<T>(customerId: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const isUnknown = isStripeError(error) && error.code === 'resource_missing' && error.param === 'customer'
    throw isUnknown ? new UnknownCustomer(`customer ${customerId} not found`) : error
  }
}

/** Ignores the failure of a request whose effect has already taken place. */
async function ignoreIfDone(isDone: () => Promise<boolean>, asked: Promise<unknown>): Promise<void> {
  try {
    await asked
  } catch (error) {
    if (!(await isDone())) throw error
  }
}

/** Returns undefined if the object does not exist. */
async function undefinedIfMissing<T>(asked: Promise<T>): Promise<T | undefined> {
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
