import { createHmac } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../model/time.ts'
import type { SandboxDelivery, SandboxStore } from '../../store/sandbox.ts'

const RETRY_AFTER_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR]
const GIVE_UP_AFTER_MS = 3 * DAY
const TIMEOUT_MS = 10 * SECOND
/** Longer than an attempt takes: an instance that has not reported by then is gone. */
const LEASE_MS = MINUTE
const AT_ONCE = 8

/** Sends events to the service until it has taken them. Which are still to be sent stands in the store. */
export class Delivery {
  readonly #store: SandboxStore
  readonly #clock: Clock
  readonly #secret: string
  readonly #url: () => string | undefined
  readonly #onError: (error: unknown) => void
  #round: Promise<void> | undefined
  #isAskedAgain = false
  #isClosed = false

  constructor(parts: {
    store: SandboxStore
    clock: Clock
    secret: string
    url: () => string | undefined
    onError: (error: unknown) => void
  }) {
    this.#store = parts.store
    this.#clock = parts.clock
    this.#secret = parts.secret
    this.#url = parts.url
    this.#onError = parts.onError
  }

  /** Sends what is due. Resolves when nothing of it is left, whether it was taken or put off. */
  run(): Promise<void> {
    this.#isAskedAgain = true
    this.#round ??= this.#rounds().finally(() => {
      this.#round = undefined
    })
    return this.#round
  }

  /** What is being sent is finished; the rest stays for the next start. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#round
  }

  async #rounds(): Promise<void> {
    while (this.#isAskedAgain && !this.#isClosed) {
      this.#isAskedAgain = false
      try {
        if (!(await this.#store.isDeliveryDue(this.#clock.now()))) continue
        await Promise.all(Array.from({ length: AT_ONCE }, () => this.#sendAll()))
      } catch (error) {
        this.#onError(error)
      }
    }
  }

  async #sendAll(): Promise<void> {
    while (!this.#isClosed) {
      const url = this.#url()
      if (url === undefined) return
      const now = this.#clock.now()
      const [delivery] = await this.#store.takeDeliveries(now, now + LEASE_MS, 1)
      if (delivery === undefined) return
      if (await this.#send(url, delivery)) await this.#store.removeDelivery(delivery.eventId)
      else await this.#putOff(delivery)
    }
  }

  async #send(url: string, { document }: SandboxDelivery): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signature(document, this.#secret, Math.floor(this.#clock.now() / SECOND)),
        },
        body: document,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.body?.cancel()
      return response.ok
    } catch {
      return false // nobody there, or too slow
    }
  }

  async #putOff({ eventId, attempts, createdAt }: SandboxDelivery): Promise<void> {
    const now = this.#clock.now()
    const nextAt = now + (RETRY_AFTER_MS[attempts] ?? RETRY_AFTER_MS.at(-1) ?? 0)
    if (nextAt - createdAt <= GIVE_UP_AFTER_MS) await this.#store.postponeDelivery(eventId, attempts + 1, nextAt)
    else await this.#store.removeDelivery(eventId)
  }
}

export function signature(body: string, secret: string, timeSeconds: number): string {
  const digest = createHmac('sha256', secret).update(`${timeSeconds}.${body}`).digest('hex')
  return `t=${timeSeconds},v1=${digest}`
}
