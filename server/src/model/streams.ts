/** Why the service ends a stream. */
export const CLOSING_REASONS = [
  'rotation',
  'slow_consumer',
  'key_revoked',
  'plan_changed',
  'credits_exhausted',
  'shutdown',
] as const
export type ClosingReason = (typeof CLOSING_REASONS)[number]
