import { createHmac } from 'node:crypto'
import { DAY_SECONDS, type SandboxClock, SECOND_MS } from './clock.ts'
import type { PendingDelivery, SandboxStorage } from './storage.ts'

const HOUR_SECONDS = 60 * 60
const RETRY_AFTER_SECONDS = [5, 30, 2 * 60, 10 * 60, ...[1, 3, 6, 12].map((hours) => hours * HOUR_SECONDS)]
const GIVE_UP_AFTER_MS = 3 * DAY_SECONDS * SECOND_MS
const TIMEOUT_MS = 10 * SECOND_MS
/** Longer than an attempt takes: a sender that has not reported by then has crashed. */
const LEASE_MS = 60 * SECOND_MS
const CONCURRENCY = 8

interface SenderParts {
  storage: SandboxStorage
  clock: SandboxClock
  secret: string
  url: () => string | undefined
  onError: (error: unknown) => void
}

/** Sends events until the receiver accepts them. The events to send are in storage. */
export class WebhookSender {
  readonly #parts: SenderParts
  #running: Promise<void> | undefined
  #isAskedAgain = false
  #isClosed = false

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /** Sends the events that are due. Resolves when each is accepted or postponed. */
  run(): Promise<void> {
    this.#isAskedAgain = true
    this.#running ??= this.#sendRounds().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Waits for the attempts in progress; the other events stay in storage. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  async #sendRounds(): Promise<void> {
    while (this.#isAskedAgain && !this.#isClosed) {
      this.#isAskedAgain = false
      try {
        if (!(await this.#parts.storage.isDeliveryDue(this.#parts.clock.now()))) continue
        await Promise.all(Array.from({ length: CONCURRENCY }, () => this.#sendAll()))
      } catch (error) {
        this.#parts.onError(error)
      }
    }
  }

  async #sendAll(): Promise<void> {
    while (!this.#isClosed) {
      const url = this.#parts.url()
      if (url === undefined) return
      const now = this.#parts.clock.now()
      const delivery = await this.#parts.storage.leaseDelivery(now, now + LEASE_MS)
      if (delivery === undefined) return
      if (await this.#send(url, delivery)) await this.#parts.storage.removeDelivery(delivery.event_id)
      else await this.#postpone(delivery)
    }
  }

  async #send(url: string, { document }: PendingDelivery): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': sign(document, this.#parts.secret, Math.floor(this.#parts.clock.now() / SECOND_MS)),
        },
        body: document,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.body?.cancel()
      return response.ok
    } catch {
      return false // no connection, or a timeout
    }
  }

  async #postpone({ event_id, attempts, created_at }: PendingDelivery): Promise<void> {
    const seconds = RETRY_AFTER_SECONDS[attempts] ?? RETRY_AFTER_SECONDS.at(-1) ?? 0
    const nextAt = this.#parts.clock.now() + seconds * SECOND_MS
    if (nextAt - created_at <= GIVE_UP_AFTER_MS)
      await this.#parts.storage.postponeDelivery(event_id, attempts + 1, nextAt)
    else await this.#parts.storage.removeDelivery(event_id)
  }
}

function sign(body: string, secret: string, timeSeconds: number): string {
  const digest = createHmac('sha256', secret).update(`${timeSeconds}.${body}`).digest('hex')
  return `t=${timeSeconds},v1=${digest}`
}
