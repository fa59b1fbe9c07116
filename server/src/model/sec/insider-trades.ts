import Type, { type Static } from 'typebox'
import { day, flag, nullable, number, text } from '../schema.ts'
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

export const InsiderTrade = Type.Object(
  {
    ...recordFields,
    ownerCik: text('CIK of the insider, ten digits'),
    ownerName: text('Name of the insider'),
    isDirector: flag('Whether the insider is a director of the company'),
    isOfficer: flag('Whether the insider is an officer of the company'),
    isTenPercentOwner: flag('Whether the insider owns more than ten percent of a class of its shares'),
    officerTitle: nullable(text('Title of an officer, as on the form; null for others')),
    ownerRole: nullable(
      text(
        'Role of the insider in words, such as Chief Executive Officer, Director or 10% Owner: officerTitle and the roles of the flags, separated by commas; null if the form states none',
      ),
    ),
    transactionDate: nullable(day('Day of the trade; null for a holding')),
    transactionCode: nullable(
      text(
        'Code on the form, such as P purchase, S sale, A grant, M exercise, F tax, G gift, C conversion; null for a holding',
      ),
    ),
    transactionType: Type.Enum(TRANSACTION_TYPES, { description: 'transactionCode in words; other for a holding' }),
    isOpenMarket: flag('Whether it is a purchase or sale on the open market'),
    acquiredDisposed: nullable(Type.Enum(['A', 'D'], { description: 'A acquired, D disposed of; null for a holding' })),
    securityTitle: text('Class of the security, such as Common Stock'),
    isDerivative: flag('Whether the security is an option or another derivative'),
    isHolding: flag('Whether the line states what the insider owns, without a trade'),
    shares: nullable(number('Number of securities traded; null for a holding')),
    pricePerShare: nullable(number('Price of one security in US dollars, 0 for a grant; null if not stated')),
    value: nullable(
      number(
        'shares × pricePerShare of this line, in US dollars; null if one is unknown. A trade may have several lines',
      ),
    ),
    filingValue: nullable(
      number(
        'Sum of value over the lines of the filing with the same ownerCik, transactionType and acquiredDisposed; null if no value is known. It is that of the filing as filed: an amendment has a sum of its own and changes no other, so asOf has the sum known then',
      ),
    ),
    sharesOwnedAfter: nullable(number('Securities of the class owned after the trade; null if not stated')),
    ownershipType: Type.Enum(['direct', 'indirect'], {
      description: 'indirect if held through others, such as a trust',
    }),
    ownershipNature: nullable(text('How the insider owns them indirectly, such as By family trust; null if directly')),
    exercisePrice: nullable(number('Of a derivative: price of conversion or exercise, in US dollars; else null')),
    exerciseDate: nullable(day('Of a derivative: first day of exercise; else null')),
    expirationDate: nullable(day('Of a derivative: day of expiration; else null')),
    underlyingSecurityTitle: nullable(text('Of a derivative: class of the underlying security; else null')),
    underlyingShares: nullable(number('Of a derivative: number of underlying securities; else null')),
    is10b5One: nullable(flag('Whether the trade was made under a plan of Rule 10b5-1; null if not stated')),
    footnotes: Type.Array(
      Type.Object({ id: text('Mark on the form, such as F1'), text: text('Text of the footnote') }),
      { description: 'Footnotes of the line; empty if there are none' },
    ),
    lineNumber: Type.Integer({ minimum: 1, description: 'Position of the line in the filing, from 1' }),
    ...closingFields,
  },
  { description: 'A line of a Form 3, 4 or 5: a trade or holding of an insider' },
)
export type InsiderTrade = Static<typeof InsiderTrade>

/** Returns the roles of an insider in words; null if there are none. */
export function ownerRoleOf(
  owner: Pick<InsiderTrade, 'officerTitle' | 'isOfficer' | 'isDirector' | 'isTenPercentOwner'>,
): string | null {
  const roles = [
    owner.officerTitle ?? (owner.isOfficer ? 'Officer' : null),
    owner.isDirector ? 'Director' : null,
    owner.isTenPercentOwner ? '10% Owner' : null,
  ]
  return roles.filter((role) => role !== null).join(', ') || null
}
