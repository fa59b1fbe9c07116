import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { LowBalanceEvent } from '../model/alerts.ts'
import { HOUR, MINUTE } from '../model/time.ts'
import type { AlertDelivery } from '../store/accounts/alerts.ts'
import type { Lease } from '../store/leases.ts'
import type { Store } from '../store/store.ts'
import type { Mailer } from './mailer.ts'
import { signatureOf, type WebhookClient, webhookSecret } from './webhook.ts'

/** Pauses after failed attempts; after the last one the message is given up. */
const RETRY_AFTER_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR]
const AT_ONCE = 8

interface AlertDeps {
  store: Store
  clock: Clock
  pepper: string
  webhooks: WebhookClient
  mailer: Mailer | undefined
}

/** Tells accounts that their balance fell below their threshold. One instance does it at a time. */
export class BalanceAlerts {
  readonly #deps: AlertDeps
  #isStopped = false

  constructor(deps: AlertDeps) {
    this.#deps = deps
  }

  /** Finds new falls and delivers the messages that are due. */
  async run(): Promise<void> {
    const { store, clock } = this.#deps
    const work = async (lease: Lease) => {
      await store.alerts.detect(clock.now())
      while (!this.#isStopped) {
        const due = await store.alerts.listDue(clock.now(), AT_ONCE)
        if (due.length === 0) return
        // Waits for all: the lease must not end before the last attempt.
        const attempts = await Promise.allSettled(due.map((delivery) => this.#deliver(delivery, lease)))
        for (const attempt of attempts) if (attempt.status === 'rejected') throw attempt.reason
        await nextTurn()
      }
    }
    await store.leases.runIfFree('balance alerts', work)
  }

  /** Stops after the attempts in progress. */
  stop(): void {
    this.#isStopped = true
  }

  async #deliver(delivery: AlertDelivery, lease: Lease): Promise<void> {
    const { store, clock } = this.#deps
    try {
      await this.#send(delivery)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const pause = RETRY_AFTER_MS[delivery.attempts]
      const at = clock.now()
      await store.alerts.failed(delivery, { reason, at, nextAt: pause === undefined ? undefined : at + pause }, lease)
      return
    }
    await store.alerts.delivered(delivery, lease)
  }

  async #send({ id, accountId, channel, body, webhookUrl, webhookSalt, email }: AlertDelivery): Promise<void> {
    const { clock, pepper, webhooks, mailer } = this.#deps
    if (channel === 'webhook') {
      if (webhookUrl === null || webhookSalt === null) throw new Error('there is no address')
      const secret = webhookSecret(pepper, accountId, webhookSalt)
      await webhooks.post(webhookUrl, body, signatureOf(body, secret, clock.now()))
      return
    }
    if (mailer === undefined || email === null) throw new Error('this service sends no mail to the account')
    await mailer.send({ id, to: email, ...mailOf(JSON.parse(body)) }).catch(() => {
      throw new Error('the mail server did not accept the message')
    })
  }
}

function mailOf({ data: { threshold, balance }, createdAt }: LowBalanceEvent): { subject: string; text: string } {
  return {
    subject: `Your balance is below ${threshold} credits`,
    text: [
      `Your balance fell below ${threshold} credits: at ${createdAt} it was ${balance}.`,
      'You get this message once, until the balance has been at the threshold or above again.',
      'PATCH /account/alerts changes the threshold or turns these messages off.',
    ].join('\n\n'),
  }
}
