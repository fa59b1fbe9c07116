import Type, { type Static } from 'typebox'
import { day, nullable, texts } from '../schema.ts'
import { closingFields, recordFields } from './record.ts'

/** A Schedule 13D or 13G: owners of more than five percent. */
export const BeneficialOwnership = Type.Object({
  ...recordFields,
  schedule: Type.Enum(['13D', '13G']),
  isActivist: Type.Boolean(),
  eventDate: nullable(day()),
  securityTitle: Type.String(),
  cusips: texts(),
  reportingPersons: Type.Array(
    Type.Object({
      name: Type.String(),
      cik: nullable(Type.String()),
      type: nullable(Type.String()),
      citizenship: nullable(Type.String()),
      sharesOwned: nullable(Type.Number()),
      percentOfClass: nullable(Type.Number()),
    }),
  ),
  maxPercentOfClass: Type.Number(),
  ...closingFields,
})
export type BeneficialOwnership = Static<typeof BeneficialOwnership>
