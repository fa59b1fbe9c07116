/** Buyers and what happens to them, through the same doors as everybody else: the API, the pages, time that passes. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Stripe } from 'stripe'
import { MINUTE } from '../src/model/time.ts'
import type { PlanSlug } from '../src/plans/plans.ts'
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

/** An account, with somebody who pays for it. */
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

  /** The same account at another instance. */
  at(service: TestService): Buyer {
    return new Buyer(service, this)
  }

  call(path: string, options?: CallOptions): Promise<Reply> {
    return this.service.api(path, this.key, options)
  }

  post(path: string, body?: unknown): Promise<Reply> {
    return this.call(path, { method: 'POST', ...(body !== undefined && { body }) })
  }

  /** What a call answers that has to succeed. */
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

  /** Presses a button on the page of a session. */
  act(sessionId: string, action: string, fields: Record<string, string> = {}): Promise<Reply> {
    return submit(this.service, `/sandbox/checkout/${sessionId}/${action}`, fields)
  }

  /** Pays and closes the browser. */
  async pay(sessionId: string, fields: Record<string, string> = {}): Promise<void> {
    assert.equal((await this.act(sessionId, 'pay', fields)).status, 303)
  }

  /** What the page after the payment says. */
  comeBack(sessionId: string): Promise<{ status: number; title: string; texts: string[] }> {
    return visit(this.service, `/checkout/success?session_id=${sessionId}`)
  }

  /** Buys a pack and comes back. Gives the session. */
  async buy(packageId: string): Promise<string> {
    const { sessionId } = await this.order(packageId)
    await this.pay(sessionId)
    assert.equal((await this.comeBack(sessionId)).title, 'Thank you')
    return sessionId
  }

  /** Buys a plan and comes back. `renewals: 'fail'` leaves a card that will be declined. */
  async subscribe(planSlug: PlanSlug, renewals: 'work' | 'fail' = 'work'): Promise<string> {
    const { sessionId } = await this.begin(planSlug)
    await this.pay(sessionId, { renewals })
    assert.equal((await this.comeBack(sessionId)).title, 'Thank you')
    return sessionId
  }

  change(planSlug: unknown, preview?: boolean): Promise<Reply> {
    return this.post('/billing/subscription/change', { planSlug, ...(preview !== undefined && { preview }) })
  }

  /** What a change of plan answers that has to succeed. */
  async changed(planSlug: PlanSlug, preview?: boolean): Promise<Reply['body']> {
    const reply = await this.change(planSlug, preview)
    assertOk(reply)
    return reply.body.data
  }

  cancel(): Promise<Reply> {
    return this.call('/billing/subscription', { method: 'DELETE' })
  }

  /** To the end of the month that is paid, and a little further. */
  async passPeriod(): Promise<void> {
    const { currentPeriodEnd } = await this.subscription()
    await pass(this.service, Date.parse(currentPeriodEnd) - this.service.clock.now() + MINUTE)
  }

  /** Presses a button on the page for cards and bills: the first that does this. */
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

  /** The whole history, the newest first. */
  async history(query = ''): Promise<HistoryRecord[]> {
    await this.service.mintick.admission.requestWriter.drain()
    return this.get(`/billing/history?limit=100${query}`)
  }

  subscription(): Promise<Reply['body']> {
    return this.get('/billing/subscription')
  }

  /** What the history says was paid and kept, in cents. */
  async keptCents(): Promise<number> {
    const amounts = (await this.history()).map(({ amountUsd }) => Math.round((amountUsd ?? 0) * 100))
    return amounts.reduce((sum, amount) => sum + amount, 0)
  }
}

export function portalButtons(body: string): { path: string; id: string }[] {
  const forms = body.matchAll(/<form method="post" action="([^"]+)"><input type="hidden" name="id" value="([^"]+)">/g)
  return Array.from(forms, ([, path = '', id = '']) => ({ path, id }))
}

/** A form that a browser sends. */
export function submit(service: TestService, path: string, fields: Record<string, string>): Promise<Reply> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return service.call(path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() })
}

/** What somebody reads on a page. */
export async function visit(service: TestService, path: string) {
  const reply = await service.call(path)
  assertPage(reply)
  return { status: reply.status, title: textsOf(reply.body, 'h1').join(), texts: textsOf(reply.body, 'p') }
}

/** Time passes; the sandbox and the service do what they do every few seconds. */
export async function pass(service: TestService, ms: number): Promise<void> {
  service.clock.advance(ms)
  const { sandbox, billing } = service.mintick
  await sandbox?.run()
  await billing?.sweeper.run()
}

/** The secret that the sandbox signs its messages with. */
export const webhookSecretOf = (service: TestService) => `whsec_${secretOf(service, 'sandbox webhook')}`

/** The shop's own access to the sandbox, for what it does there by hand. */
export function backOffice(service: TestService): Stripe {
  const { sandbox } = service.mintick
  assert.ok(sandbox)
  return clientOf(sandbox, `sk_sandbox_${secretOf(service, 'sandbox')}`)
}

const secretOf = ({ mintick }: TestService, of: string) => createHmac('sha256', mintick.pepper).update(of).digest('hex')

/** The ledger adds up, and so does what each account is told of it. */
export async function assertBalanced({ mintick }: TestService): Promise<void> {
  const { store } = mintick
  await mintick.admission.requestWriter.drain()
  assert.deepEqual((await store.audit.run()).problems, [])
  const accounts = await store.accounts.page(1_000, 0)
  for (const { id, balance } of accounts.data) {
    const { data } = await store.history.page(id, {}, false, 1_000, 0)
    const sum = (of: (item: (typeof data)[number]) => number) => data.reduce((total, item) => total + of(item), 0)
    assert.equal(
      sum(({ credits }) => credits),
      balance,
    )
    assert.ok(sum(({ amountUsdCents }) => amountUsdCents ?? 0) >= 0, 'more was paid back than was paid')
  }
}
