import Type, { type Static } from 'typebox'
import { day, flag, nullable, number, text, texts } from '../schema.ts'
import { closingFields, recordFields } from './record.ts'

export const BeneficialOwnership = Type.Object(
  {
    ...recordFields,
    schedule: Type.Enum(['13D', '13G'], { description: '13D for owners who may seek influence, 13G for passive ones' }),
    isActivist: flag('true for Schedule 13D'),
    eventDate: nullable(day('Day of the event that required the filing; null if unknown')),
    securityTitle: text('Class of the securities, such as Common Stock'),
    cusips: texts('CUSIPs of the class'),
    reportingPersons: Type.Array(
      Type.Object({
        name: text('Name of the person or entity'),
        cik: nullable(text('Its CIK, ten digits; null if it has none')),
        type: nullable(text('Code of the form, such as IN for an individual or IA for an adviser; null if unknown')),
        citizenship: nullable(text('Citizenship or place of organization; null if unknown')),
        sharesOwned: nullable(number('Shares beneficially owned; null if unknown')),
        percentOfClass: nullable(number('These shares in percent of the class: 5.1 is 5.1%; null if unknown')),
      }),
      { description: 'The owners; those who act together may report the same shares' },
    ),
    maxPercentOfClass: number('Largest percentOfClass of the owners'),
    ...closingFields,
  },
  { description: 'A Schedule 13D or 13G: owners of more than five percent' },
)
export type BeneficialOwnership = Static<typeof BeneficialOwnership>
