import Type, { type Static } from 'typebox'
import { day, nullable, number, text, texts } from '../schema.ts'
import { closingFields, recordFields } from './record.ts'

export const PlannedSale = Type.Object(
  {
    ...recordFields,
    sellerName: text('Person for whose account the securities are to be sold'),
    relationships: texts('Relationships of the seller to the company, such as Officer'),
    securityTitle: text('Class of the securities, such as Common Stock'),
    units: number('Number of shares or other units to be sold'),
    marketValue: number('Value of these units in US dollars'),
    approxSaleDate: day('Day of the planned sale, approximately'),
    broker: nullable(text('Broker through whom the sale is planned; null if unknown')),
    ...closingFields,
  },
  { description: 'A Form 144: a sale that an insider plans' },
)
export type PlannedSale = Static<typeof PlannedSale>
