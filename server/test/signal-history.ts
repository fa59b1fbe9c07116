import { idOf } from '../src/model/ids.ts'
import type { BeneficialOwnership } from '../src/model/sec/beneficial-ownership.ts'
import type { InsiderTrade } from '../src/model/sec/insider-trades.ts'
import type { MaterialEvent } from '../src/model/sec/material-events.ts'
import { DAY, HOUR, isoTime, MINUTE } from '../src/model/time.ts'
import type {
  AssetPrices,
  EntryObservation,
  FilingObservation,
  Observation,
  OddsObservation,
} from '../src/signals/detect/observation.ts'

/** Observations for tests of signals. */

export const START = Date.UTC(2026, 0, 5)

export function entryOf(fields: Partial<EntryObservation> & Pick<EntryObservation, 'id' | 'at'>): EntryObservation {
  return {
    type: 'entry',
    publishedAt: fields.at,
    title: 'A title',
    publisherId: 'publisher-1',
    assetKeys: ['AAPL'],
    sentimentScore: 0,
    cluster: undefined,
    ...fields,
  }
}

const recordOf = (id: string, filedAt: number) => ({
  id,
  accessionNumber: id,
  formType: '4',
  isAmendment: false,
  supersedesId: null,
  supersededById: null,
  filedAt: isoTime(filedAt),
  filingDate: isoTime(filedAt).slice(0, 10),
  periodOfReport: null,
  cik: '0000320193',
  companyName: 'Apple Inc.',
  ticker: 'AAPL',
  assetId: null,
  assetKey: 'AAPL',
  filingUrl: 'https://sec.example/filing',
  createdAt: isoTime(filedAt),
})

export function tradeOf(id: string, at: number, fields: Partial<InsiderTrade> = {}): FilingObservation {
  const record: InsiderTrade = {
    ...recordOf(id, at),
    ownerCik: '0000000001',
    ownerName: 'Jane Roe',
    isDirector: true,
    isOfficer: false,
    isTenPercentOwner: false,
    officerTitle: null,
    ownerRole: 'Director',
    transactionDate: null,
    transactionCode: 'P',
    transactionType: 'purchase',
    isOpenMarket: true,
    acquiredDisposed: 'A',
    securityTitle: 'Common Stock',
    isDerivative: false,
    isHolding: false,
    shares: 1_000,
    pricePerShare: 100,
    value: 100_000,
    filingValue: 100_000,
    sharesOwnedAfter: 5_000,
    ownershipType: 'direct',
    ownershipNature: null,
    exercisePrice: null,
    exerciseDate: null,
    expirationDate: null,
    underlyingSecurityTitle: null,
    underlyingShares: null,
    is10b5One: false,
    footnotes: [],
    lineNumber: 1,
    ...fields,
  }
  return { type: 'filing', at, dataset: 'insider-trades', record }
}

export const saleOf = (id: string, at: number, fields: Partial<InsiderTrade> = {}): FilingObservation =>
  tradeOf(id, at, { transactionCode: 'S', transactionType: 'sale', acquiredDisposed: 'D', ...fields })

export function stakeOf(id: string, at: number, fields: Partial<BeneficialOwnership> = {}): FilingObservation {
  const holder = { name: 'Some Fund', cik: '0000000009', type: null, citizenship: null, sharesOwned: null }
  const record: BeneficialOwnership = {
    ...recordOf(id, at),
    formType: 'SCHEDULE 13D',
    schedule: '13D',
    isActivist: true,
    eventDate: null,
    securityTitle: 'Common Stock',
    cusips: [],
    reportingPersons: [{ ...holder, percentOfClass: null }],
    maxPercentOfClass: 6,
    ...fields,
  }
  return { type: 'filing', at, dataset: 'beneficial-ownership', record }
}

export function reportOf(
  id: string,
  at: number,
  codes: string[],
  fields: Partial<MaterialEvent> = {},
): FilingObservation {
  const items = codes.map((code) => ({ code, title: `Title of ${code}` }))
  const record: MaterialEvent = { ...recordOf(id, at), formType: '8-K', items, documents: [], ...fields }
  return { type: 'filing', at, dataset: 'material-events', record }
}

export function oddsOf(
  at: number,
  probability: number,
  market: Partial<OddsObservation['market']> = {},
): OddsObservation {
  const asked = { id: 'market-1', question: 'Will AAPL close above $300?', type: 'binary' as const }
  return { type: 'odds', at, probability, market: { ...asked, assetKeys: ['AAPL'], status: 'open', ...market } }
}

export const NO_PRICES: AssetPrices = { at: () => undefined, dailyCloses: () => [] }

/** Prices that swing and jump, the same in every run. */
export const WILD_PRICES: AssetPrices = {
  at: (assetKey, time) => priceOf(assetKey, time),
  dailyCloses: (assetKey, time, count) => {
    const today = Math.floor(time / DAY)
    return Array.from({ length: count }, (_, index) => priceOf(assetKey, (today - count + 1 + index) * DAY - 1))
  },
}

function priceOf(assetKey: string, time: number): number {
  const day = Math.floor(time / DAY)
  const jump = createChance(day * 31 + assetKey.length)() < 0.1 ? 6 : 0
  return 100 + 3 * Math.sin(day / 5) + jump + (time % DAY) / DAY / 10
}

const ASSETS = ['AAPL', 'MSFT', 'BTC', 'X']

/**
 * Returns weeks of dense observations in order of arrival: quiet news, bursts of entries of one cluster and sentiment, late
 * entries and imports of old ones, insiders, activists, reports and amendments, and odds that drift, jump and resolve.
 */
export function eventfulHistory(seed: number, days: number): Observation[] {
  const chance = createChance(seed)
  const int = (from: number, to: number) => from + Math.floor(chance() * (to - from + 1))
  const pick = <T>(list: readonly T[]): T => list[int(0, list.length - 1)] as T
  const found: Observation[] = []
  let count = 0
  const nextId = () => idOf(`${seed} ${count++}`)
  const momentOf = (day: number) => START + day * DAY + int(0, DAY / MINUTE - 1) * MINUTE

  function rush(day: number): void {
    const assetKeys = [pick(ASSETS), ...(chance() < 0.3 ? ['X'] : [])]
    const tone = pick([-0.8, -0.4, 0, 0.5, 0.9])
    const id = nextId()
    const at = momentOf(day)
    const members: NonNullable<EntryObservation['cluster']>['members'][number][] = []
    const told = Array.from({ length: int(3, 14) }, (_, index) => at + index * int(5, 40) * MINUTE).sort(
      (a, b) => a - b,
    )
    for (const moment of told) {
      const publishedAt = moment - int(0, 90) * MINUTE
      const sentimentScore = chance() < 0.1 ? null : Math.max(-1, Math.min(1, tone + int(-200, 200) / 1000))
      const entry = { id: nextId(), publisherId: `publisher-${int(1, 8)}`, publishedAt, sentimentScore }
      members.push(entry)
      const story = members.length < 2 ? undefined : { id, title: 'A story', members: [...members] }
      found.push(entryOf({ ...entry, at: moment, assetKeys, cluster: story }))
    }
  }

  for (let day = 0; day < days; day += 1) {
    for (const assetKey of ASSETS) {
      for (let entries = int(0, 3); entries > 0; entries -= 1) {
        const at = momentOf(day)
        const late = chance()
        const delay = late < 0.02 ? int(1, 40) * DAY : late < 0.1 ? int(1, 20) * HOUR : int(-5, 60) * MINUTE
        const sentimentScore = chance() < 0.1 ? null : int(-400, 400) / 1000
        const publisherId = `publisher-${int(1, 8)}`
        found.push(
          entryOf({ id: nextId(), at, publishedAt: at - delay, assetKeys: [assetKey], sentimentScore, publisherId }),
        )
      }
    }
    if (chance() < 0.4) rush(day)
    for (let trades = int(0, 2); trades > 0; trades -= 1) {
      const at = momentOf(day)
      const id = nextId()
      const value = 10 ** (4 + 3 * chance())
      const fields = {
        assetKey: pick([...ASSETS, null]),
        ownerCik: `owner-${int(1, 5)}`,
        shares: value / 100,
        value,
        sharesOwnedAfter: chance() < 0.1 ? null : int(0, 100_000),
        is10b5One: chance() < 0.3,
      }
      const make = chance() < 0.6 ? tradeOf : saleOf
      found.push(make(id, at, fields))
      if (chance() < 0.15) {
        found.push(make(nextId(), at + int(1, 9) * DAY, { ...fields, isAmendment: true, supersedesId: id }))
      }
    }
    if (chance() < 0.2) {
      const at = momentOf(day)
      const fields = { assetKey: pick(ASSETS), isActivist: chance() < 0.8, isAmendment: chance() < 0.4 }
      found.push(stakeOf(nextId(), at, { ...fields, maxPercentOfClass: int(30, 120) / 10 }))
    }
    if (chance() < 0.2) {
      const codes = [pick(['1.01', '2.02', '4.02', '5.02', '8.01']), '9.01']
      const at = momentOf(day)
      const filedAt = isoTime(at - (chance() < 0.1 ? 20 * DAY : 0))
      found.push(reportOf(nextId(), at, codes, { assetKey: pick(ASSETS), filedAt, isAmendment: chance() < 0.1 }))
    }
  }
  for (let market = 0; market < 3; market += 1) {
    let probability = 0.2 + 0.6 * chance()
    const type = market === 2 ? ('categorical' as const) : ('binary' as const)
    const asked = { id: idOf(`${seed} market ${market}`), type, assetKeys: ASSETS.slice(market, market + 2) }
    const end = START + int(days / 2, days) * DAY
    for (let at = START + market * HOUR; at <= end; at += int(1, 12) * HOUR) {
      const step = chance() < 0.03 ? (chance() < 0.5 ? -0.25 : 0.25) : (chance() - 0.5) / 40
      probability = Math.max(0.01, Math.min(0.99, probability + step))
      found.push(oddsOf(at, probability, asked))
    }
    found.push(oddsOf(end + 7 * HOUR, 1, { ...asked, status: 'resolved' }))
  }
  return found.sort((a, b) => a.at - b.at)
}

/** Returns a generator of numbers in [0, 1) from a seed (Mulberry32). */
function createChance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
