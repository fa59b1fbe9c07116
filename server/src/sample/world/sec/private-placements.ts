import type { PrivatePlacement } from '../../../model/sec/private-placements.ts'
import type { NewRecord } from '../../../model/sec/record.ts'
import { DAY, isoDay } from '../../../model/time.ts'
import { createRandom, type Random, weightedTable } from '../random.ts'
import { companies, type Issuer, inventedCik } from './companies.ts'
import type { SecContext } from './context.ts'
import { edgarTime, lastWeekday } from './edgar.ts'
import { amend, type Filing, ofTheYear, type RowOf, toRecords } from './filing.ts'
import { personName } from './people.ts'

type Row = RowOf<PrivatePlacement>

const OFFERINGS = 350
const PRIVATE_COMPANIES = 220
const LISTED_SHARE = 0.05

/** Creates Forms D: unregistered offerings, mostly of unlisted companies. */
export function samplePrivatePlacements(context: SecContext): NewRecord<PrivatePlacement>[] {
  const random = createRandom(`private-placements:${context.seed}`)
  const filings = Array.from({ length: OFFERINGS }, () => offer(random, context))
  const ofYear = ofTheYear(context, filings)
  return toRecords('private-placements', context, [...ofYear, ...amend(random, context, ofYear, 0.05, sellMore)])
}

function offer(random: Random, context: SecContext): Filing<Row> {
  const isListed = random.chance(LISTED_SHARE)
  const number = random.int(0, PRIVATE_COMPANIES - 1)
  const company = isListed ? random.pick(companies) : privateCompany(number)
  const isFund = !isListed && isFundNumber(number)
  const filedAt = edgarTime(random, context.now - random.between(0, 365) * DAY)
  const firstSale = random.chance(0.12) ? null : lastWeekday(filedAt - random.int(1, 15) * DAY)
  return {
    formType: 'D',
    filedAt,
    periodOfReport: null,
    issuer: company,
    rows: [
      {
        entityType: isFund ? 'Limited Partnership' : random.weighted(entityTypes),
        jurisdiction: random.chance(0.04) ? null : random.weighted(jurisdictions),
        industryGroup: isFund ? 'Pooled Investment Fund' : random.pick(industryGroups),
        exemptions: isFund ? ['06b', random.pick(['3C.1', '3C.7'])] : [random.chance(0.8) ? '06b' : '06c'],
        securityTypes: isFund ? ['Equity', 'Pooled Investment Fund Interests'] : random.weighted(securityTypes),
        firstSaleDate: firstSale === null ? null : isoDay(firstSale),
        ...pickAmounts(random, isFund, firstSale !== null),
        relatedPersons: peopleOf(random, number),
      },
    ],
  }
}

/** Picks amounts from half a million dollars up, in whole thousands. Funds often state no total. */
function pickAmounts(random: Random, isFund: boolean, hasSold: boolean) {
  const total = Math.round(500 * Math.exp(random.between(0, isFund ? 7 : 5))) * 1000
  const isIndefinite = isFund && random.chance(0.4)
  const share = random.chance(0.3) ? 1 : random.between(0.1, 0.95)
  const totalAmountSold = hasSold ? Math.round((total * share) / 1000) * 1000 : 0
  return {
    totalOfferingAmount: isIndefinite ? null : total,
    totalAmountSold,
    totalRemaining: isIndefinite ? null : total - totalAmountSold,
    minimumInvestment: random.chance(0.35) ? null : random.pick([5000, 10_000, 25_000, 50_000, 100_000, 250_000]),
    investorCount: totalAmountSold === 0 ? 0 : random.int(1, isFund ? 180 : 40),
  }
}

/** Updates an offering for its amendment: more has been sold. */
function sellMore(row: Row): Row {
  const { totalOfferingAmount, totalRemaining, totalAmountSold } = row
  const more = Math.round(((totalRemaining ?? totalAmountSold) * 0.5) / 1000) * 1000
  const sold = totalAmountSold + more
  return {
    ...row,
    totalAmountSold: sold,
    totalRemaining: totalOfferingAmount === null ? null : totalOfferingAmount - sold,
    investorCount: row.investorCount + (more > 0 ? 3 : 0),
  }
}

function peopleOf(random: Random, number: number): Row['relatedPersons'] {
  const count = random.int(1, 3)
  return Array.from({ length: count }, (_, index) => ({
    name: personName(200 + number * 3 + index),
    relationships: index === 0 ? ['Executive Officer', 'Director'] : [random.pick(['Director', 'Promoter'])],
  }))
}

function privateCompany(number: number): Issuer {
  const first = firstWords[number % firstWords.length]
  const second = secondWords[(Math.floor(number / firstWords.length) + number) % secondWords.length]
  const name = `${first} ${second}`
  return {
    cik: inventedCik.privateCompany(number + 1),
    companyName: isFundNumber(number) ? `${name} Fund ${['I', 'II', 'III', 'IV'][number % 4]}, L.P.` : `${name}, Inc.`,
    ticker: null,
    assetKey: null,
  }
}

function isFundNumber(number: number): boolean {
  return number % 5 < 2
}

const firstWords = (
  'Pebblecloud Fogbank Quietforge Mossgate Cinderpath Driftglass Wickerworks Saltmarsh Bramblebyte Moonkettle Thornwick ' +
  'Ferrywood Lanternfish Puddlejump Cloverleaf Ottertail Snowglobe Tinderbox Marbleroot Hushwind Rainbarrel Glowmoss'
).split(' ')
const secondWords = [
  'Robotics',
  'Biolabs',
  'Analytics',
  'Photonics',
  'Energy',
  'Foods',
  'Logistics',
  'Ventures',
  'Health',
  'Orbital',
]
const industryGroups = [
  'Other Technology',
  'Computers',
  'Biotechnology',
  'Commercial',
  'Other Energy',
  'Restaurants',
  'Other Health Care',
  'Manufacturing',
]
const entityTypes = weightedTable(['Corporation', 'Limited Liability Company'], (_, index) => [3, 1][index] ?? 1)
const jurisdictions = weightedTable(
  ['DELAWARE', 'NEVADA', 'CALIFORNIA', 'NEW YORK', 'CAYMAN ISLANDS'],
  (_, index) => 1 / (index + 1),
)
const securityTypes = weightedTable(
  [['Equity'], ['Debt'], ['Equity', 'Option, Warrant or Other Right to Acquire Another Security']],
  (_, index) => [4, 1, 1][index] ?? 1,
)
