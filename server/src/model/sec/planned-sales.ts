import Type, { type Static } from 'typebox'
import { day, nullable, texts } from '../schema.ts'
import { closingFields, recordFields } from './record.ts'

/** A Form 144: a sale that an insider plans. */
export const PlannedSale = Type.Object({
  ...recordFields,
  sellerName: Type.String(),
  relationships: texts(),
  securityTitle: Type.String(),
  units: Type.Number(),
  marketValue: Type.Number(),
  approxSaleDate: day(),
  broker: nullable(Type.String()),
  ...closingFields,
})
export type PlannedSale = Static<typeof PlannedSale>
