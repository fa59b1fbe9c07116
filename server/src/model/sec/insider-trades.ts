import Type, { type Static } from 'typebox'
import { day, nullable } from '../schema.ts'
import { closingFields, recordFields } from './record.ts'

export const TRANSACTION_TYPES = [
  'purchase',
  'sale',
  'grant',
  'exercise',
  'tax_withholding',
  'gift',
  'conversion',
  'other',
] as const

/** A line of a Form 3, 4 or 5. */
export const InsiderTrade = Type.Object({
  ...recordFields,
  ownerCik: Type.String(),
  ownerName: Type.String(),
  isDirector: Type.Boolean(),
  isOfficer: Type.Boolean(),
  isTenPercentOwner: Type.Boolean(),
  officerTitle: nullable(Type.String()),
  transactionDate: nullable(day()),
  transactionCode: nullable(Type.String()),
  transactionType: Type.Enum(TRANSACTION_TYPES),
  isOpenMarket: Type.Boolean(),
  acquiredDisposed: nullable(Type.Enum(['A', 'D'])),
  securityTitle: Type.String(),
  isDerivative: Type.Boolean(),
  isHolding: Type.Boolean(),
  shares: nullable(Type.Number()),
  pricePerShare: nullable(Type.Number()),
  value: nullable(Type.Number()),
  sharesOwnedAfter: nullable(Type.Number()),
  ownershipType: Type.Enum(['direct', 'indirect']),
  ownershipNature: nullable(Type.String()),
  exercisePrice: nullable(Type.Number()),
  exerciseDate: nullable(day()),
  expirationDate: nullable(day()),
  underlyingSecurityTitle: nullable(Type.String()),
  underlyingShares: nullable(Type.Number()),
  is10b5One: nullable(Type.Boolean()),
  footnotes: Type.Array(Type.Object({ id: Type.String(), text: Type.String() })),
  lineNumber: Type.Integer({ minimum: 1 }),
  ...closingFields,
})
export type InsiderTrade = Static<typeof InsiderTrade>
