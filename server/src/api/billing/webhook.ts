import Type from 'typebox'
import { ApiError } from '../../model/errors.ts'
import { endpoint } from '../services.ts'

/** Path to which the payment processor sends events. */
export const WEBHOOK_PATH = '/webhooks/stripe'

export const webhookEndpoint = endpoint({
  method: 'POST',
  path: WEBHOOK_PATH,
  access: 'signed',
  summary: 'Receive an event of the payment processor',
  cost: { credits: 0 },
  returns: 'object',
  data: Type.Object({ isReceived: Type.Boolean() }),
  async handle({ body, header }, { billing }) {
    if (billing === undefined) throw new ApiError('NOT_FOUND', 'Payments are off on this server')
    await billing.inbox.receive(body, header('stripe-signature'))
    return { isReceived: true }
  },
})
