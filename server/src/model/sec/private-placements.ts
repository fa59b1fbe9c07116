import Type, { type Static } from 'typebox'
import { day, nullable, texts } from '../schema.ts'
import { closingFields, recordFields } from './record.ts'

/** A Form D: an offering that is exempt from registration. Amounts are in US dollars. */
export const PrivatePlacement = Type.Object({
  ...recordFields,
  entityType: Type.String(),
  jurisdiction: nullable(Type.String()),
  industryGroup: Type.String(),
  exemptions: texts(),
  securityTypes: texts(),
  firstSaleDate: nullable(day()),
  totalOfferingAmount: nullable(Type.Number({ description: 'null when indefinite' })),
  totalAmountSold: Type.Number(),
  totalRemaining: nullable(Type.Number()),
  minimumInvestment: nullable(Type.Number()),
  investorCount: Type.Integer(),
  relatedPersons: Type.Array(Type.Object({ name: Type.String(), relationships: texts() })),
  ...closingFields,
})
export type PrivatePlacement = Static<typeof PrivatePlacement>
