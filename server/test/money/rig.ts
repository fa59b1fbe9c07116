import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type ObjectKind, type ObjectsByKind, PaymentSandbox } from 'payment-sandbox'
import type Stripe from 'stripe'
import { openAccount } from '../../src/admission/open-account.ts'
import { type Billing, createBilling } from '../../src/billing/billing.ts'
import { MonthlyGrants } from '../../src/billing/monthly-grants.ts'
import { planRules } from '../../src/billing/plan-rules.ts'
import type { PaymentProcessor } from '../../src/billing/processor.ts'
import { StripeProcessor } from '../../src/billing/stripe/stripe.ts'
import type { Account } from '../../src/model/accounts.ts'
import { MINUTE } from '../../src/model/time.ts'
import { PACKS } from '../../src/plans/packs.ts'
import type { PlanSlug } from '../../src/plans/plans.ts'
import type { ReceivedEvent } from '../../src/store/billing/processor-events.ts'
import type { Db } from '../../src/store/db.ts'
import { sandboxStore } from '../../src/store/sandbox.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { type Engine, FakeClock, openTestDb } from '../harness.ts'
import { loggedRequest } from '../logged-request.ts'
import { clientOf } from '../sandbox/rig.ts'
import { Wire } from './wire.ts'

const SECRETS = { secretKey: 'sk_test_sandbox', webhookSecret: 'whsec_sandbox' }

/** Billing over the real sandbox, called without HTTP. Events wait until a test delivers them. */
export class MoneyRig {
  readonly clock: FakeClock
  readonly db: Db
  readonly store: Store
  readonly sandbox: PaymentSandbox
  readonly wire: Wire
  readonly stripe: Stripe
  processor: PaymentProcessor
  billing: Billing
  /** Errors that billing deferred. */
  readonly problems: unknown[] = []
  readonly #close: () => Promise<void>

  private constructor(parts: {
    clock: FakeClock
    db: Db
    sandbox: PaymentSandbox
    wire: Wire
    close: () => Promise<void>
  }) {
    this.clock = parts.clock
    this.db = parts.db
    this.sandbox = parts.sandbox
    this.wire = parts.wire
    this.#close = parts.close
    this.store = createStore(parts.db)
    this.stripe = clientOf(parts.sandbox)
    this.processor = this.processorAt(parts.sandbox.port)
    this.billing = this.instance({})
  }

  static async open(engine: Engine, clock = new FakeClock()): Promise<MoneyRig> {
    const {
      db: { ledger: db },
      close,
    } = await openTestDb(engine)
    const errors: unknown[] = []
    const sandbox = await PaymentSandbox.open({
      ...SECRETS,
      storage: sandboxStore(db),
      clock,
      pagesUrl: () => 'http://shop.example/sandbox',
      webhookUrl: () => undefined,
      onError: (error) => errors.push(error),
    })
    const wire = await Wire.open(() => sandbox.port)
    return new MoneyRig({
      clock,
      db,
      sandbox,
      wire,
      async close() {
        await sandbox.close()
        await wire.close()
        await close()
        assert.deepEqual(errors, [])
      },
    })
  }

  close(): Promise<void> {
    return this.#close()
  }

  processorAt(port: number): PaymentProcessor {
    const url = 'http://shop.example'
    const urls = () => ({ success: url, cancel: url, portalReturn: url })
    return new StripeProcessor({ ...SECRETS, urls, server: { host: '127.0.0.1', port, protocol: 'http' } })
  }

  /** Replaces the processor with a wrapped one and creates billing anew. */
  hearThrough(listen: (processor: PaymentProcessor) => PaymentProcessor): void {
    this.processor = listen(this.processor)
    this.billing = this.instance({})
  }

  /** Creates another instance of billing, by default on the same database and processor. */
  instance({
    // Processes share a database but not a store, which serializes the work of one process.
    store = this.db.exclusive ? this.store : createStore(this.db),
    processor = this.processor,
  }: {
    store?: Store
    processor?: PaymentProcessor
  }): Billing {
    return createBilling({
      store,
      processor,
      clock: this.clock,
      onChanged: async () => {},
      onError: (error) => this.problems.push(error),
    })
  }

  async open(planSlug: PlanSlug): Promise<Account> {
    const { store, clock } = this
    const email = `${randomUUID()}@test.example`
    const opened = await openAccount({ email, name: null, planSlug }, { store, clock, pepper: 'p' })
    assert.ok(opened !== undefined)
    return opened.account
  }

  async account(id: string): Promise<Account> {
    const account = await this.store.accounts.find(id)
    assert.ok(account !== undefined)
    return account
  }

  /** Adds keys and deactivates those beyond the plan's limit. */
  async addKeys(accountId: string, count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      this.clock.advance(1)
      const hash = randomUUID()
      const key = { accountId, name: hash, prefix: 'mt_test', hash, expiresAt: null, createdAt: this.clock.now() }
      assert.ok((await this.store.keys.insert(key, 1_000)) !== undefined)
    }
    await this.store.accounts.update(accountId, {}, planRules(this.clock.now()))
  }

  /** Records a request that costs `credits`. Returns false if the balance does not cover it. */
  async spend(accountId: string, credits: number): Promise<boolean> {
    const [key] = await this.store.keys.list(accountId)
    assert.ok(key !== undefined)
    const request = loggedRequest({ accountId, apiKeyId: key.id, credits, createdAt: this.clock.now() })
    const { refused } = await this.store.requestLog.record([request], [], randomUUID())
    return refused.size === 0
  }

  /** Moves the clock and runs the processor's due work. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms)
    await this.sandbox.run()
  }

  async beginMonths(): Promise<void> {
    const { store, clock } = this
    const onError = (error: unknown) => this.problems.push(error)
    await new MonthlyGrants({ store, clock, onGranted: async () => {}, onError }).run()
  }

  /** Returns the processor's events that the service handles, oldest first. */
  events(): Promise<ReceivedEvent[]> {
    return this.processor.listEvents(0)
  }

  /** Returns the events that have not been processed. */
  async waitingEvents(): Promise<ReceivedEvent[]> {
    const rows = await this.db.query<{ id: string }>('select id from processor_events where done_at is not null')
    const done = new Set(rows.map(({ id }) => id))
    return (await this.events()).filter(({ id }) => !done.has(id))
  }

  async deliver(events: readonly ReceivedEvent[], to = this.billing): Promise<void> {
    for (const event of events) await to.inbox.process(event)
  }

  /** Orders a pack and pays for it. Returns the session id. */
  async buyPack(accountId: string, credits: number, action = 'pay', fields: Record<string, string> = {}) {
    const pack = PACKS.find((one) => one.credits === credits)
    assert.ok(pack !== undefined)
    const { sessionId } = await this.billing.orders.buyPack(await this.account(accountId), pack)
    await this.sandbox.checkoutAction(sessionId, action, fields)
    return sessionId
  }

  async subscribe(accountId: string, planSlug: PlanSlug, action = 'pay', fields: Record<string, string> = {}) {
    const { sessionId } = await this.billing.orders.subscribe(await this.account(accountId), planSlug)
    await this.sandbox.checkoutAction(sessionId, action, fields)
    return sessionId
  }

  /** Returns the payment id of a session. */
  async paymentOf(sessionId: string): Promise<string> {
    const { payment_intent } = await this.stripe.checkout.sessions.retrieve(sessionId)
    return String(payment_intent)
  }

  async subscriptionOf(sessionId: string): Promise<string> {
    const { subscription } = await this.stripe.checkout.sessions.retrieve(sessionId)
    return String(subscription)
  }

  /** Returns all objects of a kind at the processor, oldest first. */
  async documents<K extends ObjectKind>(kind: K): Promise<ObjectsByKind[K][]> {
    const rows = await this.db.query<{ document: string }>(
      'select document from sandbox_objects where kind = $1 order by seq',
      [kind],
    )
    return rows.map(({ document }) => JSON.parse(document))
  }

  /** Moves the clock far enough for deferred work, then sweeps. */
  async sweep(billing = this.billing): Promise<void> {
    await this.pass(2 * MINUTE)
    await billing.sweeper.run()
  }

  async audit(): Promise<void> {
    assert.deepEqual((await this.store.audit.run()).problems, [])
  }
}
