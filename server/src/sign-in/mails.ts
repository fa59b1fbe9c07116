import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Mailer } from '../alerts/mailer.ts'

/** A mail about signing in. */
export interface SignInMail {
  to: string
  subject: string
  text: string
}

/** Sends mails after the answer, so that its time does not tell whether there was one. */
export class Mails {
  readonly #mailer: Mailer | undefined
  readonly #log: Logger
  readonly #pending = new Set<Promise<void>>()

  constructor(mailer: Mailer | undefined, log: Logger) {
    this.#mailer = mailer
    this.#log = log
  }

  /** Whether there is a mail server. Without one, mails are written to the log. */
  get areSent(): boolean {
    return this.#mailer !== undefined
  }

  /** Prepares a mail and sends it, both in the background. */
  sendLater(prepare: () => Promise<SignInMail | undefined>): void {
    const sending = this.#send(prepare).catch((error: unknown) => {
      this.#log.error({ err: error }, 'failed to send a mail about signing in')
    })
    this.#pending.add(sending)
    void sending.finally(() => this.#pending.delete(sending))
  }

  /** Waits for mails in progress. */
  async stop(): Promise<void> {
    await Promise.all(this.#pending)
  }

  async #send(prepare: () => Promise<SignInMail | undefined>): Promise<void> {
    const mail = await prepare()
    if (mail === undefined) return
    if (this.#mailer !== undefined) await this.#mailer.send({ ...mail, id: randomUUID() })
    else this.#log.warn({ mail }, 'SMTP_URL is not set: this mail was not sent')
  }
}

const IGNORE = 'If you did not ask for this, ignore this message.'

export const mailToConfirm = (to: string, url: string): SignInMail => ({
  to,
  subject: 'Confirm your address',
  text: `Open this link within a day to confirm your address and sign in:\n\n${url}\n\n${IGNORE}`,
})

export const mailToReset = (to: string, url: string): SignInMail => ({
  to,
  subject: 'Set a new password',
  text: `Open this link within an hour to set a new password:\n\n${url}\n\n${IGNORE}`,
})

export const mailAboutAccount = (to: string, url: string): SignInMail => ({
  to,
  subject: 'You have an account already',
  text: `Someone, perhaps you, tried to sign up with your address, which has an account. Sign in, or reset your password there:\n\n${url}\n\n${IGNORE}`,
})

export const mailAboutNewAddress = (to: string): SignInMail => ({
  to,
  subject: 'Your address is being changed',
  text: `A new address was entered for your account. Once it is confirmed, you sign in with that one.\n\nIf it was not you, change your password and end all other sessions.`,
})
