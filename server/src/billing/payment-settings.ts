import { type Config, OperatorError } from '../config.ts'

/** Through whom plans and credits are sold, if at all. */
export type PaymentMode =
  | { kind: 'stripe'; secretKey: string; webhookSecret: string }
  | { kind: 'sandbox' }
  | { kind: 'off' }

type PaymentSettings = Pick<Config, 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'PAYMENTS_SANDBOX' | 'NODE_ENV'>

/** What the settings say of payments together; throws where they contradict each other. */
export function readPaymentSettings(config: PaymentSettings): PaymentMode {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, PAYMENTS_SANDBOX: sandbox } = config
  if (secretKey !== undefined && webhookSecret !== undefined) return { kind: 'stripe', secretKey, webhookSecret }
  if (secretKey !== undefined) {
    throw new OperatorError(
      'STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET: without it nobody would learn that something was paid',
    )
  }
  if (webhookSecret !== undefined) {
    throw new OperatorError('STRIPE_WEBHOOK_SECRET is of no use without STRIPE_SECRET_KEY; set both or neither')
  }
  if (sandbox === 'off') return { kind: 'off' }
  // In the sandbox anybody gets plans and credits for nothing: not by an oversight where it matters.
  if (sandbox === 'on' && config.NODE_ENV === 'production') {
    throw new OperatorError(
      'PAYMENTS_SANDBOX: with NODE_ENV=production, set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET to sell, PAYMENTS_SANDBOX=off to sell nothing, or PAYMENTS_SANDBOX=force to give everything away in the sandbox',
    )
  }
  return { kind: 'sandbox' }
}
