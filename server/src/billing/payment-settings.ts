import { type Config, OperatorError } from '../config.ts'

/** How plans and credits are sold. */
export type PaymentMode =
  | { kind: 'stripe'; secretKey: string; webhookSecret: string }
  | { kind: 'sandbox' }
  | { kind: 'off' }

type PaymentSettings = Pick<Config, 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'PAYMENTS_SANDBOX' | 'NODE_ENV'>

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
  // The sandbox gives plans and credits away, so production must ask for it explicitly.
  if (sandbox === 'on' && config.NODE_ENV === 'production') {
    throw new OperatorError(
      'PAYMENTS_SANDBOX: with NODE_ENV=production, set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET to sell, PAYMENTS_SANDBOX=off to sell nothing, or PAYMENTS_SANDBOX=force to give everything away in the sandbox',
    )
  }
  return { kind: 'sandbox' }
}
