import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PaymentSandbox } from 'payment-sandbox'
import Stripe from 'stripe'
import type { Db } from '../../src/store/db.ts'
import { sandboxStore } from '../../src/store/sandbox.ts'
import { type Engine, FakeClock, openTestDb } from '../harness.ts'

const SECRET_KEY = 'sk_test_sandbox'
export const WEBHOOK_SECRET = 'whsec_sandbox'
export const PAGES_URL = 'http://shop.example/base/sandbox'
export const SUCCESS_URL = 'https://shop.example/done?session={CHECKOUT_SESSION_ID}'
export const CANCEL_URL = 'https://shop.example/back'

/** The Stripe SDK connected to a sandbox, and a receiver of its events. */
export class SandboxRig {
  readonly clock: FakeClock
  readonly db: Db
  readonly listener: EventListener
  readonly errors: unknown[] = []
  sandbox!: PaymentSandbox
  stripe!: Stripe
  readonly #closeDb: () => Promise<void>

  private constructor(db: Db, closeDb: () => Promise<void>, listener: EventListener, clock: FakeClock) {
    this.db = db
    this.#closeDb = closeDb
    this.listener = listener
    this.clock = clock
  }

  static async open(engine: Engine, clock = new FakeClock()): Promise<SandboxRig> {
    const {
      db: { ledger: db },
      close,
    } = await openTestDb(engine)
    const rig = new SandboxRig(db, close, await EventListener.open(clock), clock)
    await rig.start()
    return rig
  }

  async start(): Promise<void> {
    this.sandbox = await this.openSandbox()
    this.stripe = clientOf(this.sandbox)
  }

  /** Opens an instance on the same storage. */
  openSandbox(): Promise<PaymentSandbox> {
    return PaymentSandbox.open({
      storage: sandboxStore(this.db),
      clock: this.clock,
      secretKey: SECRET_KEY,
      webhookSecret: WEBHOOK_SECRET,
      pagesUrl: () => PAGES_URL,
      webhookUrl: () => this.listener.url,
      onError: (error) => this.errors.push(error),
    })
  }

  async close(): Promise<void> {
    await this.sandbox.close()
    await this.listener.close()
    await this.#closeDb()
    assert.deepEqual(this.errors, [])
  }

  /** Moves the clock and runs due work. */
  async pass(ms: number): Promise<void> {
    await this.sandbox.run() // an event still being sent would lose its lease, and be sent twice
    this.clock.advance(ms)
    await this.sandbox.run()
  }

  get nowSeconds(): number {
    return Math.floor(this.clock.now() / 1_000)
  }

  customer(): Promise<Stripe.Response<Stripe.Customer>> {
    return this.stripe.customers.create({ email: 'a@test.example', metadata: { account: 'acc_1' } })
  }

  price(cents: number, isMonthly = false): Promise<Stripe.Price> {
    return this.stripe.prices.create({
      currency: 'usd',
      unit_amount: cents,
      product_data: { name: `Goods for ${cents}` },
      ...(isMonthly && { recurring: { interval: 'month' } }),
    })
  }

  async session(price: Stripe.Price, customer?: Stripe.Customer): Promise<Stripe.Checkout.Session> {
    return this.stripe.checkout.sessions.create({
      mode: price.recurring === null ? 'payment' : 'subscription',
      customer: (customer ?? (await this.customer())).id,
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: SUCCESS_URL,
      cancel_url: CANCEL_URL,
      client_reference_id: 'order 1',
      metadata: { of: 'session' },
      ...(price.recurring === null
        ? { payment_intent_data: { metadata: { of: 'payment' } } }
        : { subscription_data: { metadata: { of: 'subscription' } } }),
    })
  }

  /** Pays for a one-time price. Returns the payment id. */
  async buy(cents: number, customer?: Stripe.Customer): Promise<string> {
    const session = await this.session(await this.price(cents), customer)
    await this.sandbox.checkoutAction(session.id, 'pay', {})
    const { payment_intent } = await this.stripe.checkout.sessions.retrieve(session.id)
    return String(payment_intent)
  }

  /** Pays for a monthly price. */
  async subscribe(price: Stripe.Price, customer?: Stripe.Customer, renewals = 'work'): Promise<Stripe.Subscription> {
    const session = await this.session(price, customer)
    await this.sandbox.checkoutAction(session.id, 'pay', { renewals })
    const { subscription } = await this.stripe.checkout.sessions.retrieve(session.id)
    return this.stripe.subscriptions.retrieve(String(subscription))
  }

  /** Returns the types of all events, oldest first. */
  async eventTypes(): Promise<string[]> {
    const events = await Array.fromAsync(this.stripe.events.list({ limit: 100 }))
    return events.map((event) => event.type).reverse()
  }
}

export function clientOf(sandbox: PaymentSandbox, key = SECRET_KEY): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port: sandbox.port, protocol: 'http', maxNetworkRetries: 0 })
}

/** Signs a webhook body. */
export function signPayload(payload: string, secret: string, timestamp: number): string {
  return new Stripe('sk_test_unused').webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

/** A receiver of events that checks their signatures. It refuses the next `refusals` attempts. */
export class EventListener {
  readonly events: Stripe.Event[] = []
  attempts = 0
  refusals = 0
  isListening = true
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async open(clock: FakeClock): Promise<EventListener> {
    const stripe = new Stripe('sk_test_unused')
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString()
      listener.attempts += 1
      if (listener.refusals > 0) {
        listener.refusals -= 1
        response.writeHead(500).end()
        return
      }
      const signature = request.headers['stripe-signature'] ?? ''
      const receivedAt = Math.floor(clock.now() / 1_000)
      const { constructEvent } = stripe.webhooks
      listener.events.push(
        constructEvent.call(stripe.webhooks, body, signature, WEBHOOK_SECRET, 1, undefined, receivedAt),
      )
      response.writeHead(200).end()
    })
    const listener = new EventListener(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return listener
  }

  get url(): string | undefined {
    return this.isListening ? `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/webhook` : undefined
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }
}
