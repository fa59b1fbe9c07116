import { createTransport } from 'nodemailer'
import { SECOND } from '../model/time.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  /** The same in all attempts to send it, so that a mail server can recognise a repetition. */
  id: string
}

/** Sends mail through an SMTP server. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}

const TIMEOUT_MS = String(5 * SECOND)

export function createMailer(url: string, from: string): Mailer {
  const server = new URL(url)
  for (const name of ['connectionTimeout', 'greetingTimeout', 'socketTimeout'])
    server.searchParams.set(name, TIMEOUT_MS)
  const transport = createTransport(server.href)
  return {
    async send({ id, ...mail }) {
      await transport.sendMail({ ...mail, from, messageId: `<${id}@mintick>` })
    },
  }
}
