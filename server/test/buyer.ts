/** Test buyers, who use only public interfaces: the API, the pages and the passage of time. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Stripe } from 'stripe'
import { MINUTE } from '../src/model/time.ts'
import type { PlanSlug } from '../src/plans/plans.ts'
import type { Store } from '../src/store/store.ts'
import { assertOk } from './envelope.ts'
import type { CallOptions, Reply, TestService } from './harness.ts'
import { assertPage, textsOf } from './page.ts'
import { clientOf } from './sandbox/rig.ts'

interface OpenCheckout {
  checkoutUrl: string
  sessionId: string
}

export interface HistoryRecord {
  id: string
  type: string
  description: string
  credits: number
  balanceAfter: number
  amountUsd: number | null
  packageId: string | null
  planSlug: string | null
  sessionId: string | null
  requestId: string | null
  createdAt: string
}

/** A client that buys on behalf of one account. */
export class Buyer {
  readonly service: TestService
  readonly id: string
  readonly key: string

  constructor(service: TestService, account: { id: string; key: string }) {
    this.service = service
    this.id = account.id
    this.key = account.key
  }

  static async open(service: TestService, plan: PlanSlug = 'free', credits?: number): Promise<Buyer> {
    return new Buyer(service, await service.open(plan, credits))
  }

  /** Returns a buyer for the same account at another instance. */
  at(service: TestService): Buyer {
    return new Buyer(service, this)
  }

  call(path: string, options?: CallOptions): Promise<Reply> {
    return this.service.api(path, this.key, options)
  }

  post(path: string, body?: unknown): Promise<Reply> {
    return this.call(path, { method: 'POST', ...(body !== undefined && { body }) })
  }

  /** Returns the data of a GET request, which must succeed. */
  async get(path: string): Promise<Reply['body']> {
    return (await this.service.get(path, this.key)).data
  }

  async order(packageId: string): Promise<OpenCheckout> {
    const reply = await this.post('/billing/checkout', { packageId })
    assertOk(reply)
    return reply.body.data
  }

  async begin(planSlug: PlanSlug): Promise<OpenCheckout> {
    const reply = await this.post('/billing/subscription', { planSlug })
    assertOk(reply)
    return reply.body.data
  }

  /** Presses a button on the checkout page of a session. */
  act(sessionId: string, action: string, fields: Record<string, string> = {}): Promise<Reply> {
    return submit(this.service, `/sandbox/checkout/${sessionId}/${action}`, fields)
  }

  /** Pays without returning to the success page. */
  async pay(sessionId: string, fields: Record<string, string> = {}): Promise<void> {
    assert.equal((await this.act(sessionId, 'pay', fields)).status, 303)
  }

  /** Opens the page shown after a payment. */
  comeBack(sessionId: string): Promise<{ status: number; title: string; texts: string[] }> {
    return visit(this.service, `/checkout/success?session_id=${sessionId}`)
  }

  /** Buys a pack and opens the success page. Returns the session id. */
  async buy(packageId: string): Promise<string> {
    const { sessionId } = await this.order(packageId)
    await this.pay(sessionId)
    assert.equal((await this.comeBack(sessionId)).title, 'Thank you')
    return sessionId
  }

  /** Buys a plan and opens the success page. `renewals: 'fail'` leaves a card that declines. Returns the session id. */
  async subscribe(planSlug: PlanSlug, renewals: 'work' | 'fail' = 'work'): Promise<string> {
    const { sessionId } = await this.begin(planSlug)
    await this.pay(sessionId, { renewals })
    assert.equal((await this.comeBack(sessionId)).title, 'Thank you')
    return sessionId
  }

  change(planSlug: unknown, preview?: boolean): Promise<Reply> {
    return this.post('/billing/subscription/change', { planSlug, ...(preview !== undefined && { preview }) })
  }

  /** Returns the data of a plan change, which must succeed. */
  async changed(planSlug: PlanSlug, preview?: boolean): Promise<Reply['body']> {
    const reply = await this.change(planSlug, preview)
    assertOk(reply)
    return reply.body.data
  }

  cancel(): Promise<Reply> {
    return this.call('/billing/subscription', { method: 'DELETE' })
  }

  /** Moves the clock to one minute after the end of the paid month. */
  async passPeriod(): Promise<void> {
    const { currentPeriodEnd } = await this.subscription()
    await pass(this.service, Date.parse(currentPeriodEnd) - this.service.clock.now() + MINUTE)
  }

  /** Presses the first button for `action` on the billing portal page. */
  async press(action: string): Promise<void> {
    const page = await this.service.call(await this.portalPath())
    assert.equal(page.status, 200)
    const button = portalButtons(page.body).find(({ path }) => path.endsWith(`/${action}`))
    assert.ok(button, `there is no button for ${action}`)
    const { status, body } = await submit(this.service, button.path, { id: button.id })
    assert.equal(status, 303, body)
  }

  async portalPath(): Promise<string> {
    const reply = await this.post('/billing/portal')
    assertOk(reply)
    return new URL(reply.body.data.portalUrl).pathname
  }

  balance(): Promise<number> {
    return this.service.balance(this.id)
  }

  async planSlug(): Promise<string> {
    return (await this.get('/account')).plan.slug
  }

  /** Returns up to 100 history records, newest first, after writing pending requests. */
  async history(query = ''): Promise<HistoryRecord[]> {
    await this.service.mintick.admission.requestWriter.drain()
    return this.get(`/billing/history?limit=100${query}`)
  }

  subscription(): Promise<Reply['body']> {
    return this.get('/billing/subscription')
  }

  /** Returns the net amount paid according to the history, in cents. */
  async keptCents(): Promise<number> {
    const amounts = (await this.history()).map(({ amountUsd }) => Math.round((amountUsd ?? 0) * 100))
    return amounts.reduce((sum, amount) => sum + amount, 0)
  }
}

export function portalButtons(body: string): { path: string; id: string }[] {
  const forms = body.matchAll(/<form method="post" action="([^"]+)"><input type="hidden" name="id" value="([^"]+)">/g)
  return Array.from(forms, ([, path = '', id = '']) => ({ path, id }))
}

/** Submits a form as a browser does. */
export function submit(service: TestService, path: string, fields: Record<string, string>): Promise<Reply> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return service.call(path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() })
}

/** Opens a page and returns its visible text. */
export async function visit(service: TestService, path: string) {
  const reply = await service.call(path)
  assertPage(reply)
  return { status: reply.status, title: textsOf(reply.body, 'h1').join(), texts: textsOf(reply.body, 'p') }
}

/** Moves the clock, then runs the periodic work of the sandbox and of billing. */
export async function pass(service: TestService, ms: number): Promise<void> {
  service.clock.advance(ms)
  const { sandbox, billing } = service.mintick
  await sandbox?.run()
  await billing?.sweeper.run()
}

/** Returns the secret that signs the sandbox's webhooks. */
export const webhookSecretOf = (service: TestService) => `whsec_${secretOf(service, 'sandbox webhook')}`

/** Returns a Stripe client for the sandbox, for manual actions of the shop such as refunds. */
export function backOffice(service: TestService): Stripe {
  const { sandbox } = service.mintick
  assert.ok(sandbox)
  return clientOf(sandbox, `sk_sandbox_${secretOf(service, 'sandbox')}`)
}

const secretOf = ({ mintick }: TestService, of: string) => createHmac('sha256', mintick.pepper).update(of).digest('hex')

/** Asserts that the ledger passes its audit and that each account's history sums to its balance. */
export async function assertBalanced({ mintick }: TestService): Promise<void> {
  const { store } = mintick
  await mintick.admission.requestWriter.drain()
  assert.deepEqual((await store.audit.run()).problems, [])
  const accounts = await store.accounts.page(1_000, 0)
  for (const { id } of accounts.data) {
    const { data, balance } = await readStatement(store, id)
    const sum = (of: (item: (typeof data)[number]) => number) => data.reduce((total, item) => total + of(item), 0)
    assert.equal(
      sum(({ credits }) => credits),
      balance,
    )
    assert.ok(sum(({ amountUsdCents }) => amountUsdCents ?? 0) >= 0, 'more was paid back than was paid')
  }
}

/** Reads a balance and the whole history behind it, again if a message of the processor changed it meanwhile. */
async function readStatement(store: Store, accountId: string) {
  for (;;) {
    const balance = await store.ledger.balance(accountId)
    const { data } = await store.history.page(accountId, {}, false, 1_000, 0)
    if ((await store.ledger.balance(accountId)) === balance) return { data, balance }
  }
}
