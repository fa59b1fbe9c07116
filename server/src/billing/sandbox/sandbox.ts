import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type Stripe from 'stripe'
import type { Clock } from '../../clock.ts'
import { SECOND } from '../../model/time.ts'
import type { SandboxStore, SandboxTransaction } from '../../store/sandbox.ts'
import { ANSWERS_KEPT_MS, answerOnce, keepAnswer } from './answers.ts'
import { setCard } from './customers.ts'
import { Delivery } from './delivery.ts'
import { Desk } from './desk.ts'
import { openDispute, settleDispute } from './disputes.ts'
import { doWhatIsDue } from './due.ts'
import { EVENTS_KEPT_MS } from './events.ts'
import { Fault } from './fault.ts'
import { checkoutAction, checkoutPage } from './pages/checkout.ts'
import type { Outcome, Page } from './pages/page.ts'
import { portalAction, portalPage } from './pages/portal.ts'
import { failRefund } from './refunds.ts'
import { type ApiAnswer, type ApiCall, createApiServer, faultAnswer } from './server.ts'

const CLOSE_GRACE_MS = 2 * SECOND

export interface SandboxParts {
  store: SandboxStore
  clock: Clock
  secretKey: string
  webhookSecret: string
  /** Where the pages are, without a slash at the end. */
  publicUrl: () => string
  /** Where events go; undefined while nobody listens. */
  webhookUrl: () => string | undefined
  /** The types of events that go there; all when unset. */
  webhookEvents?: readonly string[]
  onError: (error: unknown) => void
}

/**
 * A payment provider that moves no money: it speaks the part of Stripe's API that the service calls, on a port of this
 * machine only. Any number of instances may share one store.
 */
export class Sandbox {
  readonly #parts: SandboxParts
  readonly #server: Server
  readonly #delivery: Delivery
  readonly #underWay = new Set<Promise<unknown>>()
  #catchingUp: Promise<void> | undefined
  #isClosed = false

  private constructor(parts: SandboxParts) {
    const { store, clock, onError } = parts
    this.#parts = parts
    this.#delivery = new Delivery({ store, clock, secret: parts.webhookSecret, url: parts.webhookUrl, onError })
    this.#server = createApiServer({ secretKey: parts.secretKey, perform: (call) => this.#perform(call), onError })
  }

  static async open(parts: SandboxParts): Promise<Sandbox> {
    const sandbox = new Sandbox(parts)
    sandbox.#server.listen(0, '127.0.0.1')
    await once(sandbox.#server, 'listening')
    return sandbox
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Does everything that is due by the clock and sends what is to be sent. */
  run(): Promise<void> {
    return this.#track(async () => {
      await this.#catchUp()
      const now = this.#parts.clock.now()
      await this.#parts.store.removeOld({ answersBefore: now - ANSWERS_KEPT_MS, eventsBefore: now - EVENTS_KEPT_MS })
      await this.#delivery.run()
    })
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeIdleConnections()
    const cutOff = setTimeout(() => this.#server.closeAllConnections(), CLOSE_GRACE_MS).unref()
    await closed
    clearTimeout(cutOff)
    await Promise.allSettled(this.#underWay)
    await this.#catchingUp
    await this.#delivery.close()
  }

  checkoutPage = (id: string): Promise<Page> => this.#step((desk) => checkoutPage(desk, id))

  checkoutAction = (id: string, action: string, fields: Record<string, string>): Promise<Outcome> =>
    this.#step((desk) => checkoutAction(desk, id, action, fields))

  portalPage = (id: string): Promise<Page> => this.#step((desk) => portalPage(desk, id))

  async portalAction(id: string, action: string, fields: Record<string, string>): Promise<Outcome> {
    try {
      return await this.#step((desk) => portalAction(desk, id, action, fields))
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return this.#step((desk) => portalPage(desk, id, error.message))
    }
  }

  dispute = (paymentIntent: string): Promise<Stripe.Dispute> => this.#step((desk) => openDispute(desk, paymentIntent))

  settleDispute = (id: string, outcome: 'won' | 'lost'): Promise<Stripe.Dispute> =>
    this.#step((desk) => settleDispute(desk, id, outcome))

  failRefund = (id: string): Promise<void> => this.#step((desk) => failRefund(desk, id))

  setCard = (customer: string, card: 'works' | 'declined'): Promise<void> =>
    this.#step((desk) => setCard(desk, customer, card))

  /** One change of the objects, with all that follows from it, after what was due before it. */
  #step<T>(work: (desk: Desk) => Promise<T>): Promise<T> {
    return this.#track(async () => {
      await this.#catchUp()
      return this.#commit((tx) => this.#deskOver(tx), work)
    })
  }

  async #track<T>(work: () => Promise<T>): Promise<T> {
    const running = work()
    this.#underWay.add(running)
    try {
      return await running
    } finally {
      this.#underWay.delete(running)
    }
  }

  /** Commits what `work` does at a desk, and has its events sent. */
  async #commit<T>(
    deskOver: (tx: SandboxTransaction) => Desk,
    work: (desk: Desk, tx: SandboxTransaction) => Promise<T>,
  ) {
    let hasEvents = false
    const result = await this.#parts.store.transaction(async (tx) => {
      const desk = deskOver(tx)
      const done = await work(desk, tx)
      await desk.flush()
      hasEvents = desk.hasEvents
      return done
    })
    if (hasEvents) this.#delivery.run()
    return result
  }

  #deskOver(tx: SandboxTransaction, more: { now?: number; request?: Stripe.Event.Request } = {}): Desk {
    const clockMs = this.#parts.clock.now()
    return new Desk(tx, {
      now: Math.floor(clockMs / SECOND),
      clockMs,
      publicUrl: this.#parts.publicUrl(),
      webhookEvents: this.#parts.webhookEvents,
      ...more,
    })
  }

  async #perform(call: ApiCall): Promise<ApiAnswer> {
    await this.#catchUp()
    try {
      return await this.#commit(
        (tx) => this.#deskOver(tx, { request: call.request }),
        (desk, tx) => answerOnce(desk, tx, call, this.#parts.clock.now()),
      )
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const reply = faultAnswer(error)
      // What the request did is undone, so its answer is kept in a step of its own.
      if (error.isKept) {
        await this.#parts.store.transaction((tx) => keepAnswer(tx, call, reply, this.#parts.clock.now()))
      }
      return reply
    }
  }

  /** What is due is done before anything else is asked, so that nobody sees a subscription that should be over. */
  async #catchUp(): Promise<void> {
    if (!(await this.#parts.store.isAnythingDue(this.#parts.clock.now()))) return
    this.#catchingUp ??= this.#doAllDue().finally(() => {
      this.#catchingUp = undefined
    })
    await this.#catchingUp
  }

  /** One thing after the other, each at its own moment. What cannot be done does not stand in the way of the rest. */
  async #doAllDue(): Promise<void> {
    const failed: string[] = []
    while (!this.#isClosed && (await this.#doNextDue(failed))) await nextTurn()
    this.#delivery.run()
  }

  async #doNextDue(failed: string[]): Promise<boolean> {
    let id: string | undefined
    try {
      const until = this.#parts.clock.now()
      return await this.#parts.store.transaction(async (tx) => {
        const due = await tx.findDue(until, failed)
        if (due?.due_at === undefined || due.due_at === null) return false
        id = due.id
        const desk = this.#deskOver(tx, { now: due.due_at / SECOND })
        await doWhatIsDue(desk, due.id)
        await desk.flush()
        return true
      })
    } catch (error) {
      this.#parts.onError(error)
      if (id === undefined) return false
      failed.push(id)
      return true
    }
  }
}
