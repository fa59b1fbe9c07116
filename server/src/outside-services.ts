import { createHmac } from 'node:crypto'
import { PaymentSandbox } from 'payment-sandbox'
import type { Mailer } from './alerts/mailer.ts'
import { CANCELLED_PATH, DONE_PATH, SUCCESS_PATH } from './api/billing/return-pages.ts'
import { SANDBOX_PATH } from './api/billing/sandbox-pages.ts'
import { WEBHOOK_PATH } from './api/billing/webhook.ts'
import { OIDC_CALLBACK_PATH } from './api/dashboard/endpoints.ts'
import type { PaymentMode } from './billing/payment-settings.ts'
import type { PaymentProcessor } from './billing/processor.ts'
import { STRIPE_EVENT_TYPES } from './billing/stripe/events.ts'
import { StripeProcessor } from './billing/stripe/stripe.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { ServiceAddress } from './http/public-url.ts'
import { Oidc } from './sign-in/oidc.ts'
import type { Store } from './store/store.ts'
import { version } from './version.ts'

/** Connects the service with what the settings name: a mail server, a sign-in provider, a collector of spans, payments. */

/** Opens the mail server. Without one, the library for mail is not loaded. */
export async function openMailer({ SMTP_URL: url, SMTP_FROM: from }: Config): Promise<Mailer | undefined> {
  if (url === undefined || from === undefined) return undefined
  const { createMailer } = await import('./alerts/mailer.ts')
  return createMailer(url, from)
}

/** Returns undefined if operators do not sign in through OpenID Connect. */
export function openOidc(config: Config, address: ServiceAddress): Oidc | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  const callbackUrl = () => address.publicUrl + OIDC_CALLBACK_PATH
  return new Oidc({ issuer, clientId, clientSecret, operators: config.OIDC_OPERATORS }, callbackUrl)
}

/** Returns undefined if spans are not exported; then the exporter is not loaded. */
export async function openSpans(endpoint: string | undefined, clock: Clock, onError: (error: unknown) => void) {
  if (endpoint === undefined) return undefined
  const { SpanExporter } = await import('./metrics/span-exporter.ts')
  return new SpanExporter({ endpoint, version, clock, onError })
}

/** Opens the payment processor: Stripe, or the sandbox with Stripe's API, or none if nothing is sold. */
export async function openPayments(
  payments: PaymentMode,
  parts: {
    store: Store
    clock: Clock
    pepper: string
    address: ServiceAddress
    failedTo: (action: string) => (error: unknown) => void
  },
): Promise<{ processor?: PaymentProcessor; sandbox?: PaymentSandbox }> {
  const { store, clock, pepper, address, failedTo } = parts
  const urls = () => ({
    success: `${address.publicUrl}${SUCCESS_PATH}?session_id={CHECKOUT_SESSION_ID}`,
    cancel: address.publicUrl + CANCELLED_PATH,
    portalReturn: address.publicUrl + DONE_PATH,
  })
  if (payments.kind === 'off') return {}
  if (payments.kind === 'stripe') return { processor: new StripeProcessor({ ...payments, urls }) }

  const secret = (name: string) => createHmac('sha256', pepper).update(name).digest('hex')
  const secrets = { secretKey: `sk_sandbox_${secret('sandbox')}`, webhookSecret: `whsec_${secret('sandbox webhook')}` }
  const sandbox = await PaymentSandbox.open({
    ...secrets,
    storage: store.sandbox,
    clock,
    pagesUrl: () => address.publicUrl + SANDBOX_PATH,
    webhookEvents: STRIPE_EVENT_TYPES,
    webhookUrl: () => address.localUrl && address.localUrl + WEBHOOK_PATH,
    onError: failedTo('run the payment sandbox'),
  })
  const server = { host: '127.0.0.1', port: sandbox.port, protocol: 'http' } as const
  return { sandbox, processor: new StripeProcessor({ ...secrets, urls, server }) }
}
