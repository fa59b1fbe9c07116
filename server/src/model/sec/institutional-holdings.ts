import Type, { type Static } from 'typebox'
import { nullable, number, text } from '../schema.ts'
import { closingFields, recordFields } from './record.ts'

export const POSITION_STATUSES = ['new', 'increased', 'decreased', 'unchanged', 'closed'] as const

export const InstitutionalHolding = Type.Object(
  {
    ...recordFields,
    managerCik: text('CIK of the manager who files, ten digits'),
    managerName: text('Name of the manager'),
    issuerName: text('Issuer of the security as the manager names it'),
    titleOfClass: text('Class of the security, such as COM'),
    cusip: text('CUSIP of the security'),
    shares: number('Shares held, or principal amount, at the end of the quarter; 0 if the position was closed'),
    shareType: Type.Enum(['SH', 'PRN'], { description: 'SH: shares is a number of shares; PRN: a principal amount' }),
    putCall: nullable(Type.Enum(['put', 'call'], { description: 'Kind of option; null for the security itself' })),
    valueUsd: number('Market value at the end of the quarter, in US dollars'),
    investmentDiscretion: Type.Enum(['SOLE', 'DFND', 'OTR'], {
      description: 'Who decides: the manager alone (SOLE), together with others (DFND), or others (OTR)',
    }),
    votingSole: number('Shares that the manager alone votes'),
    votingShared: number('Shares whose vote the manager shares'),
    votingNone: number('Shares that the manager does not vote'),
    priorShares: nullable(
      number(
        "shares in the manager's report of the quarter before, as known when this one was filed; 0 if it was not held; null if that report is unknown. If a position has several lines, each has the sum of all",
      ),
    ),
    sharesChange: nullable(
      number('shares minus priorShares, of all lines of the position; null if priorShares is unknown'),
    ),
    positionStatus: nullable(
      Type.Enum(POSITION_STATUSES, { description: 'Change since the previous report; null if that is unknown' }),
    ),
    ...closingFields,
  },
  { description: "A line of a 13F: a manager's position at the end of a quarter" },
)
export type InstitutionalHolding = Static<typeof InstitutionalHolding>

type PositionChange = Pick<InstitutionalHolding, 'priorShares' | 'sharesChange' | 'positionStatus'>

/** Returns the change of a position since the quarter before, whose shares are null if they are unknown. */
export function changeOfPosition(shares: number, prior: number | null): PositionChange {
  if (prior === null) return { priorShares: null, sharesChange: null, positionStatus: null }
  return { priorShares: prior, sharesChange: shares - prior, positionStatus: statusOf(shares, prior) }
}

function statusOf(shares: number, prior: number): (typeof POSITION_STATUSES)[number] {
  if (shares === prior) return 'unchanged'
  if (prior === 0) return 'new'
  if (shares === 0) return 'closed'
  return shares > prior ? 'increased' : 'decreased'
}
