import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import { webhookSecret } from '../../alerts/webhook.ts'
import type { AlertSettings, BalanceAlert } from '../../model/alerts.ts'
import { ApiError } from '../../model/errors.ts'
import { isoTime } from '../../model/time.ts'
import type { Services } from '../services.ts'
import type { AlertChanges, AlertsView, ChangedAlerts } from './schema.ts'

export async function describeAlerts({ account }: Caller, { store }: Services): Promise<Static<typeof AlertsView>> {
  return toView(await store.alerts.find(account.id))
}

export async function changeAlerts(
  { account }: Caller,
  given: Static<typeof AlertChanges>,
  services: Services,
): Promise<Static<typeof ChangedAlerts>> {
  const { store, clock, pepper } = services
  if (typeof given.webhookUrl === 'string') checkWebhook(given.webhookUrl, services)
  if (given.email === true) checkEmail(account.email, services)
  const salt = typeof given.webhookUrl === 'string' ? randomUUID() : null
  const change: Partial<AlertSettings> = {
    ...(given.lowBalance !== undefined && { threshold: given.lowBalance }),
    ...(given.webhookUrl !== undefined && { webhookUrl: given.webhookUrl, webhookSalt: salt }),
    ...(given.email !== undefined && { isByEmail: given.email }),
  }
  const alert = await store.alerts.change(account.id, change, clock.now())
  return { ...toView(alert), ...(salt !== null && { webhookSecret: webhookSecret(pepper, account.id, salt) }) }
}

function checkWebhook(url: string, { webhooks }: Services): void {
  const message = webhooks.problemOf(url)
  if (message !== undefined) throw ApiError.invalid([{ field: 'webhookUrl', message }])
}

function checkEmail(email: string | null, { sendsMail }: Services): void {
  const message = sendsMail
    ? 'must be false: the account has no email address'
    : 'must be false: this service sends no mail'
  if (!sendsMail || email === null) throw ApiError.invalid([{ field: 'email', message }])
}

function toView({ threshold, isBelow, webhookUrl, isByEmail, failure }: BalanceAlert): Static<typeof AlertsView> {
  return {
    lowBalance: threshold,
    isBelow,
    webhookUrl,
    email: isByEmail,
    ...(failure !== null && { lastFailure: { reason: failure.reason, at: isoTime(failure.at) } }),
  }
}
