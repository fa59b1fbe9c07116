import { changeOfPosition, type InstitutionalHolding } from '../../../model/sec/institutional-holdings.ts'
import type { NewRecord } from '../../../model/sec/record.ts'
import { DAY, isoDay } from '../../../model/time.ts'
import { createRandom, type Random, zipfTable } from '../random.ts'
import { type Company, companies, inventedCik } from './companies.ts'
import { priceOf, type SecContext } from './context.ts'
import { closeOf, edgarTime, lastWeekday, quarterEnd, quarterOf, weekday } from './edgar.ts'
import { amend, type Filing, ofTheYear, type RowOf, toRecords } from './filing.ts'
import { managers } from './investors.ts'

type Row = RowOf<InstitutionalHolding>

interface Position {
  company: Company
  putCall: Row['putCall']
  shares: number
}

/** Creates 13F reports of a year: each manager's holdings at the end of each quarter and their changes. */
export function sampleInstitutionalHoldings(context: SecContext): NewRecord<InstitutionalHolding>[] {
  const random = createRandom(`institutional-holdings:${context.seed}`)
  const filings = managers.flatMap((name, number) => reportsOf(random, context, name, inventedCik.manager(number + 1)))
  const amendments = amend(random, context, filings, 0.04, (row) => ({
    ...row,
    investmentDiscretion: 'DFND' as const,
    ...voting(row.shares, 0.5),
  }))
  return toRecords('institutional-holdings', context, [...filings, ...amendments])
}

const QUARTERS = 6
const FIRST_POSITIONS = 13
const DEADLINE_DAYS = 45

function reportsOf(random: Random, context: SecContext, managerName: string, managerCik: string): Filing<Row>[] {
  const newest = quarterOf(context.now) - 1
  const filings: Filing<Row>[] = []
  let held: Position[] = []
  for (let i = 0; i < FIRST_POSITIONS; i++) addPosition(random, context, held)
  let isFirst = true
  for (let quarter = newest - QUARTERS; quarter <= newest; quarter++) {
    const before = held
    held = trade(random, context, before)
    const deadline = weekday(quarterEnd(quarter) + DEADLINE_DAYS * DAY)
    const day = closeOf(quarterEnd(quarter))
    const closed = before.filter((position) => findSame(held, position) === undefined)
    const rows = [...held, ...closed.map((position) => ({ ...position, shares: 0 }))].map((position) =>
      // Holdings before the first report are unknown.
      describe(random, context, { managerName, managerCik, position, day, before: isFirst ? undefined : before }),
    )
    const filing: Filing<Row> = {
      formType: '13F-HR',
      filedAt: edgarTime(random, lastWeekday(deadline - random.int(0, 9) * DAY)),
      periodOfReport: isoDay(quarterEnd(quarter)),
      issuer: ({ cusip }) => getCompany(cusip),
      filerCik: managerCik,
      rows: isFirst ? rows.filter((row) => row.shares > 0) : rows,
    }
    const [kept] = ofTheYear(context, [filing])
    if (kept === undefined) continue
    filings.push(kept)
    isFirst = false
  }
  return filings
}

/** Returns the positions a quarter later: most have changed, some are closed, one or two are new. */
function trade(random: Random, context: SecContext, held: readonly Position[]): Position[] {
  const next = held.flatMap((position) => {
    const luck = random.next()
    const factor = luck < 0.22 ? 1 : luck < 0.55 ? random.between(1.05, 1.5) : random.between(0.5, 0.95)
    return luck > 0.9 ? [] : [{ ...position, shares: Math.round(position.shares * factor) }]
  })
  const added = random.int(1, 2)
  for (let i = 0; i < added; i++) addPosition(random, context, next, held)
  return next
}

const companyTable = zipfTable(companies, 0.6)

/** Adds a position that is in neither `to` nor `except`. */
function addPosition(random: Random, context: SecContext, to: Position[], except: readonly Position[] = []): void {
  const putCall = random.chance(0.06) ? random.pick(['put', 'call'] as const) : null
  const company = random.weighted(companyTable)
  const position = { company, putCall, shares: 0 }
  if (findSame(to, position) !== undefined || findSame(except, position) !== undefined) {
    addPosition(random, context, to, except)
    return
  }
  const worth = 4e6 * Math.exp(random.between(0, 5))
  to.push({ ...position, shares: Math.round(worth / priceOf(context, company, context.now)) })
}

function findSame(positions: readonly Position[], { company, putCall }: Position): Position | undefined {
  return positions.find((other) => other.company === company && other.putCall === putCall)
}

interface Held {
  managerName: string
  managerCik: string
  position: Position
  day: number
  before: readonly Position[] | undefined
}

function describe(random: Random, context: SecContext, { position, day, before, ...manager }: Held): Row {
  const { company, putCall, shares } = position
  const prior = before === undefined ? null : (findSame(before, position)?.shares ?? 0)
  return {
    ...manager,
    issuerName: company.companyName,
    titleOfClass: 'COM',
    cusip: company.cusip,
    shares,
    shareType: 'SH',
    putCall,
    valueUsd: Math.round(shares * priceOf(context, company, day)),
    investmentDiscretion: 'SOLE',
    ...voting(shares, random.chance(0.3) ? 0.9 : 1),
    ...changeOfPosition(shares, prior),
  }
}

function voting(shares: number, sole: number): Pick<Row, 'votingSole' | 'votingShared' | 'votingNone'> {
  const votingSole = Math.round(shares * sole)
  const votingShared = sole < 0.8 ? shares - votingSole : 0
  return { votingSole, votingShared, votingNone: shares - votingSole - votingShared }
}

const byCusip = new Map(companies.map((company) => [company.cusip, company]))

function getCompany(cusip: string): Company {
  const company = byCusip.get(cusip)
  if (company === undefined) throw new Error(`No company has the CUSIP ${cusip}`)
  return company
}
