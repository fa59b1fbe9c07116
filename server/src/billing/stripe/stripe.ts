import { hash } from 'node:crypto'
import { Stripe } from 'stripe'
import { SECOND } from '../../model/time.ts'
import { periodAt } from '../../plans/period.ts'
import type { PlanSlug } from '../../plans/plans.ts'
import type { ReceivedEvent } from '../../store/billing/events.ts'
import {
  type CheckoutState,
  type InvoiceState,
  MessageRefused,
  type Order,
  PaymentDeclined,
  type PaymentProcessor,
  PlanMoved,
  type ReversalState,
  type SubscriptionState,
  UnknownCustomer,
} from '../processor.ts'
import { readStripeEvent, STRIPE_EVENT_TYPES } from './events.ts'
import { isEnding, readCheckout, readInvoice, readReversals, readSubscription, toId } from './objects.ts'
import { StripePrices } from './prices.ts'

const TIMEOUT_MS = 10 * SECOND
const NETWORK_RETRIES = 1
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
  readonly #sdk: Stripe
  readonly #prices: StripePrices

  constructor(options: StripeOptions) {
    this.#options = options
    const { secretKey, server } = options
    this.name = hash('sha256', secretKey).slice(0, 16)
    this.#sdk = new Stripe(secretKey, {
      ...server,
      timeout: TIMEOUT_MS,
      maxNetworkRetries: NETWORK_RETRIES,
      telemetry: false,
    })
    this.#prices = new StripePrices(this.#sdk)
  }

  async createCustomer(account: { id: string; email: string | null; name: string | null }): Promise<string> {
    const about = {
      ...(account.name !== null && { name: account.name }),
      metadata: { mintick_account: account.id },
    }
    const { email } = account
    if (email === null) return (await this.#sdk.customers.create(about)).id
    try {
      return (await this.#sdk.customers.create({ ...about, email })).id
    } catch (error) {
      // Such as owner@localhost: good enough for us. The buyer can give another one on the page.
      if (!isStripeError(error) || error.code !== 'email_invalid') throw error
      return (await this.#sdk.customers.create(about)).id
    }
  }

  async createCheckout(order: Order, customerId: string, key: string): Promise<{ sessionId: string; url: string }> {
    const metadata = orderMetadata(order)
    const { success, cancel } = this.#options.urls()
    const session = await knowing(
      customerId,
      this.#sdk.checkout.sessions.create(
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
    try {
      await this.#sdk.checkout.sessions.expire(sessionId)
      return true
    } catch (error) {
      const session = await this.findCheckout(sessionId)
      if (session?.status === 'open') throw error
      return session === undefined || session.status === 'expired'
    }
  }

  async createPortal(customerId: string): Promise<string> {
    const { portalReturn } = this.#options.urls()
    const session = await knowing(
      customerId,
      this.#sdk.billingPortal.sessions.create({ customer: customerId, return_url: portalReturn }),
    )
    return session.url
  }

  async findCheckout(sessionId: string): Promise<CheckoutState | undefined> {
    const session = await existing(this.#sdk.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent'] }))
    return session && readCheckout(session)
  }

  async findInvoice(invoiceId: string): Promise<InvoiceState | undefined> {
    const invoice = await existing(this.#sdk.invoices.retrieve(invoiceId, { expand: ['payments'] }))
    return invoice && readInvoice(invoice, this.#prices)
  }

  async findSubscription(subscriptionId: string): Promise<SubscriptionState | undefined> {
    const subscription = await this.#retrieve(subscriptionId)
    return subscription && readSubscription(subscription, this.#prices)
  }

  async findPaid(paymentId: string): Promise<{ kind: 'checkout' | 'invoice'; id: string } | undefined> {
    const sessions = await this.#sdk.checkout.sessions.list({ payment_intent: paymentId, limit: 1 })
    const [session] = sessions.data
    if (session !== undefined) return { kind: 'checkout', id: session.id }
    const payments = await this.#sdk.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: paymentId },
      limit: 1,
    })
    const [payment] = payments.data
    return payment && { kind: 'invoice', id: toId(payment.invoice) }
  }

  async listReversals(paymentId: string): Promise<ReversalState[]> {
    const refunds = await this.#sdk.refunds
      .list({ payment_intent: paymentId, limit: 100 })
      .autoPagingToArray({ limit: 1_000 })
    const disputes = await this.#sdk.disputes.list({ payment_intent: paymentId, limit: 100 })
    return readReversals(refunds, disputes.data)
  }

  async previewUpgrade(subscriptionId: string, planSlug: PlanSlug): Promise<number> {
    const { subscription, item } = await this.#get(subscriptionId)
    const preview = await this.#sdk.invoices.createPreview({
      customer: toId(subscription.customer),
      subscription: subscriptionId,
      subscription_details: {
        items: [{ id: item.id, price: await this.#prices.ofPlan(planSlug) }],
        proration_behavior: 'always_invoice',
      },
    })
    return preview.amount_due
  }

  async upgrade(subscriptionId: string, from: string, to: PlanSlug): Promise<string | undefined> {
    const { subscription, item } = await this.#release(subscriptionId)
    if ((await this.#prices.planOf(item.price.id)) !== from) throw new PlanMoved(`${subscriptionId} is not on ${from}`)
    try {
      const updated = await this.#sdk.subscriptions.update(subscriptionId, {
        items: [{ id: item.id, price: await this.#prices.ofPlan(to) }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
        ...notEnding(subscription),
      })
      return updated.latest_invoice === null ? undefined : toId(updated.latest_invoice)
    } catch (error) {
      throw isDeclined(error) ? new PaymentDeclined(error.message) : error
    }
  }

  async downgrade(subscriptionId: string, planSlug: PlanSlug): Promise<void> {
    await this.keep(subscriptionId)
    const { subscription, item } = await this.#get(subscriptionId)
    const schedule = await this.#sdk.subscriptionSchedules.create({ from_subscription: subscriptionId })
    const { current_period_start: start, current_period_end: end } = item
    const next = periodAt(subscription.billing_cycle_anchor * SECOND, end * SECOND)
    await this.#sdk.subscriptionSchedules.update(schedule.id, {
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
    const { subscription } = await this.#release(subscriptionId)
    if (isEnding(subscription)) await this.#sdk.subscriptions.update(subscriptionId, notEnding(subscription))
  }

  async cancelAtPeriodEnd(subscriptionId: string): Promise<void> {
    await this.#release(subscriptionId)
    await this.#sdk.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
  }

  /** Another instance may be at it as well: what counts is that it is done. */
  async cancelNow(subscriptionId: string): Promise<void> {
    const subscription = await this.#retrieve(subscriptionId)
    if (subscription === undefined) return
    if (subscription.status !== 'canceled') {
      const isOver = async () => (await this.#retrieve(subscriptionId))?.status === 'canceled'
      await unless(isOver, this.#sdk.subscriptions.cancel(subscriptionId))
    }
    // What is left open could still be paid, for a plan that is gone.
    const { latest_invoice: invoice } = subscription
    if (invoice === null || typeof invoice === 'string' || invoice.status !== 'open') return
    const isClosed = async () => (await this.#sdk.invoices.retrieve(invoice.id)).status !== 'open'
    await unless(isClosed, this.#sdk.invoices.voidInvoice(invoice.id))
  }

  async readEvent(body: string, signature: string | undefined, now: number): Promise<ReceivedEvent | undefined> {
    const event = readStripeEvent(this.#verified(body, signature ?? '', now))
    if (event === undefined) throw new MessageRefused('it is no event that is handled here')
    const { about } = event
    return about && { ...event, about }
  }

  async listEvents(since: number): Promise<ReceivedEvent[]> {
    const query = { created: { gte: Math.floor(since / SECOND) }, types: STRIPE_EVENT_TYPES, limit: 100 }
    const events: ReceivedEvent[] = []
    for await (const found of this.#sdk.events.list(query)) {
      const event = readStripeEvent(found)
      if (event?.about !== undefined) events.push({ ...event, about: event.about })
    }
    return events.reverse()
  }

  /** What was signed, not long ago. */
  #verified(body: string, signature: string, now: number): unknown {
    const { webhookSecret } = this.#options
    // The SDK looks at the age only.
    const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]) * SECOND
    if (signedAt > now + SIGNATURE_TOLERANCE_MS) throw new MessageRefused('its signature is from the future')
    const tolerance = SIGNATURE_TOLERANCE_MS / SECOND
    try {
      return this.#sdk.webhooks.constructEvent(body, signature, webhookSecret, tolerance, undefined, now)
    } catch {
      throw new MessageRefused('its signature is not valid, or too old')
    }
  }

  async #retrieve(subscriptionId: string): Promise<Stripe.Subscription | undefined> {
    return existing(this.#sdk.subscriptions.retrieve(subscriptionId, { expand: ['schedule', 'latest_invoice'] }))
  }

  async #get(subscriptionId: string): Promise<{ subscription: Stripe.Subscription; item: Stripe.SubscriptionItem }> {
    const subscription = await this.#retrieve(subscriptionId)
    const item = subscription?.items.data[0]
    if (subscription === undefined || item === undefined) throw new Error(`there is no subscription ${subscriptionId}`)
    return { subscription, item }
  }

  /** Takes away what was to happen at the end of the month; with it nothing else can be changed. */
  async #release(subscriptionId: string) {
    const found = await this.#get(subscriptionId)
    const { schedule } = found.subscription
    if (schedule === null) return found
    await this.#sdk.subscriptionSchedules.release(toId(schedule))
    return this.#get(subscriptionId)
  }
}

/** In a dashboard a day can be chosen, which need not be the end of the month. */
const notEnding = ({ cancel_at: day, cancel_at_period_end: isEnding }: Stripe.Subscription) =>
  isEnding || day === null ? { cancel_at_period_end: false } : { cancel_at: '' as const }

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

/** What fails because it is done already has not failed. */
async function unless(isDone: () => Promise<boolean>, asked: Promise<unknown>): Promise<void> {
  try {
    await asked
  } catch (error) {
    if (!(await isDone())) throw error
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
