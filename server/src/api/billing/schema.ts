import Type from 'typebox'
import * as param from '../../http/params.ts'
import { TRANSFER_KINDS } from '../../model/accounts.ts'
import { id, nullable, time } from '../../model/schema.ts'
import { Plan } from '../account/schema.ts'

export const CreditPack = Type.Object({
  id: Type.String(),
  name: Type.String(),
  credits: Type.Integer(),
  priceUsd: Type.Number(),
  pricePerCreditUsd: Type.Number(),
  discountPercent: Type.Number(),
})

export const PlanForSale = Type.Object({ ...Plan.properties, isCurrent: Type.Boolean() })

export const HistoryRecord = Type.Object({
  id: id(),
  type: Type.Enum(TRANSFER_KINDS),
  description: Type.String(),
  credits: Type.Integer({ description: 'Below zero where the balance became less' }),
  balanceAfter: Type.Integer({ minimum: 0, description: 'Charges that were posted together have the same' }),
  amountUsd: nullable(Type.Number({ description: 'What was paid; below zero what was paid back' })),
  packageId: nullable(Type.String()),
  planSlug: nullable(Type.String()),
  sessionId: nullable(Type.String()),
  requestId: nullable(id()),
  createdAt: time('For usage of a day the time of its last charge'),
})

export const HistoryQuery = Type.Object({
  limit: param.limit(),
  offset: param.offset(),
  sortBy: param.sortBy('createdAt:desc'),
  detail: param.ownKey(param.flag('Each charge instead of the sums per UTC day and endpoint')),
  type: param.ownKey(param.enumList(TRANSFER_KINDS, 'What changed the balance')),
  createdAfter: param.ownKey(param.instant('Posted at this time or later')),
  createdBefore: param.ownKey(param.instant('Posted at this time or earlier')),
})
