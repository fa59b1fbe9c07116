import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type Stripe from 'stripe'
import { createApiServer, errorResponse, type SandboxRequest, type SandboxResponse } from './api-server.ts'
import { type SandboxClock, SECOND_MS } from './clock.ts'
import { setCard } from './customers.ts'
import { openDispute, settleDispute } from './disputes.ts'
import { RequestError } from './errors.ts'
import { EVENTS_KEPT_MS } from './events.ts'
import { performOnce, RESPONSES_KEPT_MS, storeResponse } from './idempotency.ts'
import { checkoutAction, checkoutPage } from './pages/checkout-page.ts'
import type { ActionResult, HostedPage } from './pages/layout.ts'
import { portalAction, portalPage } from './pages/portal-page.ts'
import { failRefund } from './refunds.ts'
import type { SandboxStorage, StorageTransaction } from './storage.ts'
import { runTimedAction } from './timed-actions.ts'
import { SandboxTransaction } from './transaction.ts'
import { WebhookSender } from './webhooks.ts'

export type { SandboxClock } from './clock.ts'
export { MemoryStorage } from './memory-storage.ts'
export type { ObjectKind, ObjectsByKind } from './objects.ts'
export type { ActionResult, HostedPage } from './pages/layout.ts'
export type * from './storage.ts'

const CLOSE_GRACE_MS = 2 * SECOND_MS

export interface SandboxOptions {
  storage: SandboxStorage
  clock: SandboxClock
  secretKey: string
  webhookSecret: string
  /** Returns the base URL of the hosted pages, without a trailing slash. */
  pagesUrl: () => string
  /** Returns the address that receives events; undefined makes them wait. */
  webhookUrl: () => string | undefined
  /** The types of events to send; all by default. */
  webhookEvents?: readonly string[]
  onError: (error: unknown) => void
}

/**
 * A payment processor that moves no money: it serves a part of Stripe's API on a local port. Several instances may share
 * one storage.
 */
export class PaymentSandbox {
  readonly #options: SandboxOptions
  readonly #server: Server
  readonly #webhooks: WebhookSender
  readonly #inProgress = new Set<Promise<unknown>>()
  #catchingUp: Promise<void> | undefined
  #isClosed = false

  private constructor(options: SandboxOptions) {
    const { storage, clock, secretKey, webhookSecret, webhookUrl, onError } = options
    this.#options = options
    this.#webhooks = new WebhookSender({ storage, clock, secret: webhookSecret, url: webhookUrl, onError })
    this.#server = createApiServer({ secretKey, perform: (request) => this.#perform(request), onError })
  }

  static async open(options: SandboxOptions): Promise<PaymentSandbox> {
    const sandbox = new PaymentSandbox(options)
    sandbox.#server.listen(0, '127.0.0.1')
    await once(sandbox.#server, 'listening')
    return sandbox
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Runs timed actions and sends events that are due by the clock. To be called every few seconds. */
  run(): Promise<void> {
    return this.#track(async () => {
      await this.#catchUp()
      const now = this.#options.clock.now()
      await this.#options.storage.removeOld({
        responsesBefore: now - RESPONSES_KEPT_MS,
        eventsBefore: now - EVENTS_KEPT_MS,
      })
      await this.#webhooks.run()
    })
  }

  /** Waits for the work in progress. */
  async close(): Promise<void> {
    this.#isClosed = true
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeIdleConnections()
    const cutOff = setTimeout(() => this.#server.closeAllConnections(), CLOSE_GRACE_MS).unref()
    await closed
    clearTimeout(cutOff)
    await Promise.allSettled(this.#inProgress)
    await this.#catchingUp
    await this.#webhooks.close()
  }

  checkoutPage = (id: string): Promise<HostedPage> => this.#step((tx) => checkoutPage(tx, id))

  checkoutAction = (id: string, action: string, fields: Record<string, string>): Promise<ActionResult> =>
    this.#step((tx) => checkoutAction(tx, id, action, fields))

  portalPage = (id: string): Promise<HostedPage> => this.#step((tx) => portalPage(tx, id))

  async portalAction(id: string, action: string, fields: Record<string, string>): Promise<ActionResult> {
    try {
      return await this.#step((tx) => portalAction(tx, id, action, fields))
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      return this.#step((tx) => portalPage(tx, id, error.message))
    }
  }

  dispute = (paymentIntent: string): Promise<Stripe.Dispute> => this.#step((tx) => openDispute(tx, paymentIntent))

  settleDispute = (id: string, outcome: 'won' | 'lost'): Promise<Stripe.Dispute> =>
    this.#step((tx) => settleDispute(tx, id, outcome))

  failRefund = (id: string): Promise<void> => this.#step((tx) => failRefund(tx, id))

  setCard = (customer: string, card: 'works' | 'declined'): Promise<void> =>
    this.#step((tx) => setCard(tx, customer, card))

  #step<T>(work: (tx: SandboxTransaction) => Promise<T>): Promise<T> {
    return this.#track(async () => {
      await this.#catchUp()
      return this.#commit(work)
    })
  }

  async #track<T>(work: () => Promise<T>): Promise<T> {
    const running = work()
    this.#inProgress.add(running)
    try {
      return await running
    } finally {
      this.#inProgress.delete(running)
    }
  }

  /** Commits the changes of `work` and starts to send its events. */
  async #commit<T>(
    work: (tx: SandboxTransaction, storage: StorageTransaction) => Promise<T>,
    context?: { request: Stripe.Event.Request },
  ): Promise<T> {
    let hasEvents = false
    const result = await this.#options.storage.transaction(async (storage) => {
      const tx = this.#begin(storage, context)
      const done = await work(tx, storage)
      await tx.flush()
      hasEvents = tx.hasEvents
      return done
    })
    if (hasEvents) this.#webhooks.run()
    return result
  }

  #begin(storage: StorageTransaction, context?: { now?: number; request?: Stripe.Event.Request }): SandboxTransaction {
    const { clock, pagesUrl, webhookEvents } = this.#options
    return new SandboxTransaction(storage, { clockMs: clock.now(), pagesUrl: pagesUrl(), webhookEvents, ...context })
  }

  async #perform(request: SandboxRequest): Promise<SandboxResponse> {
    const { storage, clock } = this.#options
    await this.#catchUp()
    try {
      return await this.#commit((tx, storage) => performOnce(tx, storage, request, clock.now()), {
        request: request.origin,
      })
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      const response = errorResponse(error)
      // The transaction was rolled back, so the response needs one of its own.
      if (error.isReplayed) await storage.transaction((tx) => storeResponse(tx, request, response, clock.now()))
      return response
    }
  }

  /** Runs the timed actions that are due, so that nobody sees a subscription that should have ended. */
  async #catchUp(): Promise<void> {
    if (!(await this.#options.storage.isActionDue(this.#options.clock.now()))) return
    this.#catchingUp ??= this.#runDueActions().finally(() => {
      this.#catchingUp = undefined
    })
    await this.#catchingUp
  }

  /** Runs actions in the order of their times. A failed action is skipped, so that it does not block the others. */
  async #runDueActions(): Promise<void> {
    const failedIds: string[] = []
    while (!this.#isClosed && (await this.#runNextAction(failedIds))) await nextTurn()
    this.#webhooks.run()
  }

  async #runNextAction(failedIds: string[]): Promise<boolean> {
    let id: string | undefined
    try {
      const now = this.#options.clock.now()
      return await this.#options.storage.transaction(async (storage) => {
        const due = await storage.findDue(now, failedIds)
        if (due?.due_at === undefined || due.due_at === null) return false
        id = due.id
        const tx = this.#begin(storage, { now: due.due_at / SECOND_MS })
        await runTimedAction(tx, due.id)
        await tx.flush()
        return true
      })
    } catch (error) {
      this.#options.onError(error)
      if (id === undefined) return false
      failedIds.push(id)
      return true
    }
  }
}
