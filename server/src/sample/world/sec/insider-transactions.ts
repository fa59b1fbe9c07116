import type { InsiderTrade } from '../../../model/sec/insider-trades.ts'
import { DAY, isoDay } from '../../../model/time.ts'
import type { Random } from '../random.ts'
import type { Company } from './companies.ts'
import { priceOf, type SecContext } from './context.ts'
import { closeOf } from './edgar.ts'
import type { RowOf } from './filing.ts'
import type { Insider } from './insiders.ts'

export type TransactionLine = RowOf<InsiderTrade>

/** The circumstances of a transaction. */
export interface TransactionContext {
  random: Random
  context: SecContext
  company: Company
  insider: Insider
  day: number
}

/** Returns the reported lines for each kind of transaction. Every line updates the insider's holdings. */
export const reportTransaction = {
  purchase: (on: TransactionContext) => trades(on, 'P', 4e4 * Math.exp(5 * on.random.next() ** 1.5)),
  sale: (on: TransactionContext) => trades(on, 'S', on.random.between(1e5, 3e6)),
  largeSale: (on: TransactionContext) => trades(on, 'S', on.random.between(6e6, 4e7)),
  grant: (on: TransactionContext) => [
    common(on, 1, { ...grantOf('A'), shares: roundLot(on.random.between(500, 20_000)), pricePerShare: 0 }),
  ],
  optionGrant: (on: TransactionContext) => [
    option(on, 1, { ...grantOf('A') }, roundLot(on.random.between(2000, 50_000))),
  ],
  exercise,
  gift: (on: TransactionContext) => [
    common(on, 1, {
      ...disposal('G', 'gift'),
      shares: shareOf(on, on.random.between(0.01, 0.06)),
      pricePerShare: null,
    }),
  ],
  conversion,
  appointment,
  other: (on: TransactionContext) => [
    common(on, 1, {
      ...disposal('J', 'other'),
      shares: shareOf(on, 0.02),
      pricePerShare: null,
      footnotes: [{ id: 'F1', text: 'Distribution in kind to the beneficiaries of a trust, without consideration.' }],
    }),
  ],
} satisfies Record<string, (on: TransactionContext) => TransactionLine[]>

export type TransactionKind = keyof typeof reportTransaction

/** Reports a purchase or sale on the open market, often in two or three lines at prices of the same day. */
function trades(on: TransactionContext, code: 'P' | 'S', worth: number): TransactionLine[] {
  const { random } = on
  const count = random.chance(0.35) ? random.int(2, 3) : 1
  const price = priceOf(on.context, on.company, closeOf(on.day))
  const wanted = Math.round(worth / price / count)
  const isPlanned = code === 'S' && random.chance(0.45)
  const side = code === 'P' ? ({ transactionType: 'purchase', acquiredDisposed: 'A' } as const) : disposal('S', 'sale')
  return Array.from({ length: count }, (_, index) =>
    common(on, index + 1, {
      ...side,
      transactionCode: code,
      isOpenMarket: true,
      shares: Math.max(1, code === 'S' ? Math.min(wanted, shareOf(on, 0.4)) : wanted),
      pricePerShare: round2(price * random.between(0.992, 1.008)),
      is10b5One: isPlanned,
      footnotes: isPlanned ? [{ id: 'F1', text: 'Sold under a trading plan of Rule 10b5-1.' }] : [],
    }),
  )
}

/** Reports exercised options; some of the shares are withheld for tax or sold at once. */
function exercise(on: TransactionContext): TransactionLine[] {
  const { random } = on
  const shares = roundLot(random.between(2000, 30_000))
  const price = priceOf(on.context, on.company, closeOf(on.day))
  const exercisePrice = round2(price * random.between(0.3, 0.7))
  const exercised = { transactionCode: 'M', transactionType: 'exercise' } as const
  const used = option(on, 1, { ...exercised, acquiredDisposed: 'D' }, shares, exercisePrice)
  const received = common(on, 2, { ...exercised, acquiredDisposed: 'A', shares, pricePerShare: exercisePrice })
  const isSold = random.chance(0.4)
  const given = common(on, 3, {
    ...(isSold ? { ...disposal('S', 'sale'), isOpenMarket: true } : disposal('F', 'tax_withholding')),
    shares: Math.round(shares * random.between(0.35, 0.5)),
    pricePerShare: round2(price),
  })
  return [used, received, given]
}

function conversion(on: TransactionContext): TransactionLine[] {
  const shares = roundLot(on.random.between(1000, 20_000))
  const converted = { transactionCode: 'C', transactionType: 'conversion' } as const
  const price = round2(priceOf(on.context, on.company, closeOf(on.day)) * 0.6)
  const used = option(on, 1, { ...converted, acquiredDisposed: 'D', pricePerShare: null }, shares, price)
  return [
    { ...used, securityTitle: 'Convertible Preferred Stock' },
    common(on, 2, { ...converted, acquiredDisposed: 'A', shares, pricePerShare: null }),
  ]
}

/** Reports the holdings of a new insider (Form 3). */
function appointment(on: TransactionContext): TransactionLine[] {
  const holding = { isHolding: true, transactionDate: null, is10b5One: null } as const
  const held = { ...line(on, 1), ...holding, sharesOwnedAfter: on.insider.owned }
  if (!on.random.chance(0.4)) return [held]
  const shares = roundLot(on.random.between(2000, 20_000))
  const none = { shares: null, pricePerShare: null, value: null }
  return [held, { ...option(on, 2, holding, shares), ...none, sharesOwnedAfter: shares }]
}

function common(on: TransactionContext, lineNumber: number, fields: Partial<TransactionLine>): TransactionLine {
  const row = { ...line(on, lineNumber), ...fields }
  const { insider } = on
  insider.owned += (row.shares ?? 0) * (row.acquiredDisposed === 'D' ? -1 : 1)
  return { ...row, value: worthOf(row), sharesOwnedAfter: insider.owned }
}

function option(
  on: TransactionContext,
  lineNumber: number,
  fields: Partial<TransactionLine>,
  shares: number,
  price?: number,
): TransactionLine {
  const market = priceOf(on.context, on.company, closeOf(on.day))
  const isDisposed = fields.acquiredDisposed === 'D'
  const startsAt = on.day + (isDisposed ? -on.random.int(100, 900) : 365) * DAY
  const row: TransactionLine = {
    ...line(on, lineNumber),
    securityTitle: 'Employee Stock Option (right to buy)',
    isDerivative: true,
    shares,
    pricePerShare: 0,
    exercisePrice: price ?? round2(market),
    exerciseDate: isoDay(startsAt),
    expirationDate: isoDay(startsAt + 9 * 365 * DAY),
    underlyingSecurityTitle: on.company.securityTitle,
    underlyingShares: shares,
    sharesOwnedAfter: isDisposed ? roundLot(on.random.between(0, 3) * shares) : shares,
    ...fields,
  }
  return { ...row, value: worthOf(row) }
}

function line({ insider, day, company, random }: TransactionContext, lineNumber: number): TransactionLine {
  const isIndirect = random.chance(0.08)
  return {
    ownerCik: insider.cik,
    ownerName: insider.name,
    isDirector: insider.isDirector,
    isOfficer: insider.isOfficer,
    isTenPercentOwner: insider.isTenPercentOwner,
    officerTitle: insider.officerTitle,
    transactionDate: isoDay(day),
    transactionCode: null,
    transactionType: 'other',
    isOpenMarket: false,
    acquiredDisposed: null,
    securityTitle: company.securityTitle,
    isDerivative: false,
    isHolding: false,
    shares: null,
    pricePerShare: null,
    value: null,
    sharesOwnedAfter: null,
    ownershipType: isIndirect ? 'indirect' : 'direct',
    ownershipNature: isIndirect ? 'By family trust' : null,
    exercisePrice: null,
    exerciseDate: null,
    expirationDate: null,
    underlyingSecurityTitle: null,
    underlyingShares: null,
    is10b5One: false,
    footnotes: [],
    lineNumber,
  }
}

function grantOf(transactionCode: string) {
  return { transactionCode, transactionType: 'grant', acquiredDisposed: 'A' } as const
}

function disposal<T extends TransactionLine['transactionType']>(transactionCode: string, transactionType: T) {
  return { transactionCode, transactionType, acquiredDisposed: 'D' } as const
}

function worthOf({ shares, pricePerShare }: TransactionLine): number | null {
  return shares === null || pricePerShare === null ? null : round2(shares * pricePerShare)
}

function shareOf({ insider }: TransactionContext, share: number): number {
  return Math.max(1, Math.round(insider.owned * share))
}

function roundLot(shares: number): number {
  return Math.round(shares / 100) * 100
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
