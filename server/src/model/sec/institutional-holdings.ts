import Type, { type Static } from 'typebox'
import { nullable } from '../schema.ts'
import { closingFields, recordFields } from './record.ts'

export const POSITION_STATUSES = ['new', 'increased', 'decreased', 'unchanged', 'closed'] as const

/** A line of a 13F: a manager's position at the end of a quarter. */
export const InstitutionalHolding = Type.Object({
  ...recordFields,
  managerCik: Type.String(),
  managerName: Type.String(),
  issuerName: Type.String(),
  titleOfClass: Type.String(),
  cusip: Type.String(),
  shares: Type.Number(),
  shareType: Type.Enum(['SH', 'PRN']),
  putCall: nullable(Type.Enum(['put', 'call'])),
  valueUsd: Type.Number(),
  investmentDiscretion: Type.Enum(['SOLE', 'DFND', 'OTR']),
  votingSole: Type.Number(),
  votingShared: Type.Number(),
  votingNone: Type.Number(),
  priorShares: nullable(Type.Number()),
  sharesChange: nullable(Type.Number()),
  positionStatus: nullable(Type.Enum(POSITION_STATUSES)),
  ...closingFields,
})
export type InstitutionalHolding = Static<typeof InstitutionalHolding>
