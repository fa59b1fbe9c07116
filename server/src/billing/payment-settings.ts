import { type Config, OperatorError } from '../config.ts'

/** How plans and credits are sold. */
export type PaymentMode =
  | { kind: 'stripe'; secretKey: string; webhookSecret: string }
  | { kind: 'sandbox' }
  | { kind: 'off' }

type PaymentSettings = Pick<
  Config,
  'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'PAYMENTS_SANDBOX' | 'NODE_ENV' | 'HOST'
>

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/i

/** Returns the payment mode; throws if the settings contradict each other. */
export function readPaymentSettings(config: PaymentSettings): PaymentMode {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, PAYMENTS_SANDBOX: sandbox } = config
  if (secretKey !== undefined && webhookSecret !== undefined) return { kind: 'stripe', secretKey, webhookSecret }
  if (secretKey !== undefined) {
    throw new OperatorError(
      'STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET: without it the service would not learn of payments',
    )
  }
  if (webhookSecret !== undefined) {
    throw new OperatorError('STRIPE_WEBHOOK_SECRET has no effect without STRIPE_SECRET_KEY; set both or neither')
  }
  if (sandbox === 'off') return { kind: 'off' }
  // The sandbox gives plans and credits away, so a service for others must ask for it explicitly.
  const risk =
    (config.NODE_ENV === 'production' && 'NODE_ENV=production') ||
    (!LOOPBACK.test(config.HOST) && `HOST=${config.HOST}, which other machines can reach`)
  if (sandbox === 'on' && risk) {
    throw new OperatorError(
      `PAYMENTS_SANDBOX: with ${risk}, set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET to sell, PAYMENTS_SANDBOX=off to sell nothing, or PAYMENTS_SANDBOX=force to give everything away in the sandbox`,
    )
  }
  return { kind: 'sandbox' }
}
