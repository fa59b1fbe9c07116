import type { InsiderTrade } from '../../../model/sec/insider-trades.ts'
import { DAY, isoDay } from '../../../model/time.ts'
import type { Random } from '../random.ts'
import { type Company, priceOf, type SecContext } from './context.ts'
import { closeOf } from './edgar.ts'
import type { RowOf } from './filing.ts'
import type { Insider } from './insiders.ts'

export type Line = RowOf<InsiderTrade>

/** One occasion on which an insider's holdings change. */
export interface Occasion {
  random: Random
  context: SecContext
  company: Company
  insider: Insider
  day: number
}

/** What is reported on each kind of occasion. The insider's holdings move on with every line. */
export const occasions = {
  purchase: (on: Occasion) => trades(on, 'P', 4e4 * Math.exp(5 * on.random.next() ** 1.5)),
  sale: (on: Occasion) => trades(on, 'S', on.random.between(1e5, 3e6)),
  largeSale: (on: Occasion) => trades(on, 'S', on.random.between(6e6, 4e7)),
  grant: (on: Occasion) => [
    common(on, 1, { ...grantOf('A'), shares: roundLot(on.random.between(500, 20_000)), pricePerShare: 0 }),
  ],
  optionGrant: (on: Occasion) => [option(on, 1, { ...grantOf('A') }, roundLot(on.random.between(2000, 50_000)))],
  exercise,
  gift: (on: Occasion) => [
    common(on, 1, {
      ...disposal('G', 'gift'),
      shares: shareOf(on, on.random.between(0.01, 0.06)),
      pricePerShare: null,
    }),
  ],
  conversion,
  appointment,
  other: (on: Occasion) => [
    common(on, 1, {
      ...disposal('J', 'other'),
      shares: shareOf(on, 0.02),
      pricePerShare: null,
      footnotes: [{ id: 'F1', text: 'Distribution in kind to the beneficiaries of a trust, without consideration.' }],
    }),
  ],
} satisfies Record<string, (on: Occasion) => Line[]>

export type OccasionKind = keyof typeof occasions

/** A purchase or sale on the open market, often in two or three lines at prices of the same day. */
function trades(on: Occasion, code: 'P' | 'S', worth: number): Line[] {
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

/** Options turned into shares, of which some are withheld for tax or sold at once. */
function exercise(on: Occasion): Line[] {
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

function conversion(on: Occasion): Line[] {
  const shares = roundLot(on.random.between(1000, 20_000))
  const converted = { transactionCode: 'C', transactionType: 'conversion' } as const
  const price = round2(priceOf(on.context, on.company, closeOf(on.day)) * 0.6)
  const used = option(on, 1, { ...converted, acquiredDisposed: 'D', pricePerShare: null }, shares, price)
  return [
    { ...used, securityTitle: 'Convertible Preferred Stock' },
    common(on, 2, { ...converted, acquiredDisposed: 'A', shares, pricePerShare: null }),
  ]
}

/** Form 3 says what a new insider has, not what they did. */
function appointment(on: Occasion): Line[] {
  const holding = { isHolding: true, transactionDate: null, is10b5One: null } as const
  const held = { ...line(on, 1), ...holding, sharesOwnedAfter: on.insider.owned }
  if (!on.random.chance(0.4)) return [held]
  const shares = roundLot(on.random.between(2000, 20_000))
  const none = { shares: null, pricePerShare: null, value: null }
  return [held, { ...option(on, 2, holding, shares), ...none, sharesOwnedAfter: shares }]
}

function common(on: Occasion, lineNumber: number, fields: Partial<Line>): Line {
  const row = { ...line(on, lineNumber), ...fields }
  const { insider } = on
  insider.owned += (row.shares ?? 0) * (row.acquiredDisposed === 'D' ? -1 : 1)
  return { ...row, value: worthOf(row), sharesOwnedAfter: insider.owned }
}

function option(on: Occasion, lineNumber: number, fields: Partial<Line>, shares: number, price?: number): Line {
  const market = priceOf(on.context, on.company, closeOf(on.day))
  const isDisposed = fields.acquiredDisposed === 'D'
  const startsAt = on.day + (isDisposed ? -on.random.int(100, 900) : 365) * DAY
  const row: Line = {
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

function line({ insider, day, company, random }: Occasion, lineNumber: number): Line {
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

function disposal<T extends Line['transactionType']>(transactionCode: string, transactionType: T) {
  return { transactionCode, transactionType, acquiredDisposed: 'D' } as const
}

function worthOf({ shares, pricePerShare }: Line): number | null {
  return shares === null || pricePerShare === null ? null : round2(shares * pricePerShare)
}

function shareOf({ insider }: Occasion, share: number): number {
  return Math.max(1, Math.round(insider.owned * share))
}

function roundLot(shares: number): number {
  return Math.round(shares / 100) * 100
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
