import Type, { type Static } from 'typebox'
import { day, integer, nullable, number, text, texts } from '../schema.ts'
import { closingFields, recordFields } from './record.ts'

export const PrivatePlacement = Type.Object(
  {
    ...recordFields,
    entityType: text('Legal form of the company, such as Corporation'),
    jurisdiction: nullable(text('State or country of incorporation; null if unknown')),
    industryGroup: text('Industry as the form names it, such as Pooled Investment Fund'),
    exemptions: texts('Codes of the claimed exemptions, such as 06b for Rule 506(b)'),
    securityTypes: texts('Types of the offered securities, such as Equity or Debt'),
    firstSaleDate: nullable(day('Day of the first sale; null if it is yet to occur')),
    totalOfferingAmount: nullable(number('Size of the offering; null if it is indefinite')),
    totalAmountSold: number('Amount sold so far'),
    totalRemaining: nullable(number('Amount yet to be sold; null if the offering is indefinite')),
    minimumInvestment: nullable(number('Least amount that an outside investor may invest; null if there is none')),
    investorCount: integer('Number of investors so far'),
    relatedPersons: Type.Array(
      Type.Object({
        name: text('Name of the person'),
        relationships: texts('Roles, such as Executive Officer, Director or Promoter'),
      }),
      { description: 'Executives, directors and promoters' },
    ),
    ...closingFields,
  },
  { description: 'A Form D: an offering that is exempt from registration. Amounts are in US dollars' },
)
export type PrivatePlacement = Static<typeof PrivatePlacement>
