import type { InsiderTrade } from '../../model/sec/insider-trades.ts'
import { DAY } from '../../model/time.ts'

/** Lookback: a sale is compared with those of the last half-year. */
export const TRADES_MS = 180 * DAY

/** Purchase or sale of shares on the open market. */
export interface Trade {
  id: string
  side: 'purchase' | 'sale'
  filedAt: number
  accessionNumber: string
  ownerCik: string
  ownerName: string
  role: string
  isOfficerOrDirector: boolean
  isPlanned: boolean
  /** In dollars; 0 if unknown. */
  value: number
  shares: number
  sharesOwnedAfter: number | null
  /** Security and form of ownership; filings count the remaining shares separately for each. */
  held: string
}

/** Open-market trades of the insiders of each company, in the order of arrival. */
export class InsiderTrades {
  readonly #byAsset = new Map<string, Trade[]>()
  #forgottenAt = 0

  /** Returns the trade of a record, or undefined if there is none. An amendment only corrects the trade it amends. */
  add(at: number, record: InsiderTrade): Trade | undefined {
    this.#forget(at)
    const { assetKey, isAmendment, supersedesId } = record
    const trade = tradeOf(record)
    if (assetKey === null || trade === undefined) return undefined
    const known = this.#byAsset.get(assetKey) ?? []
    if (isAmendment) {
      const index = known.findIndex(({ id }) => id === supersedesId)
      const amended = known[index]
      if (amended !== undefined) known[index] = { ...trade, filedAt: amended.filedAt }
      return undefined
    }
    if (known.some(({ id }) => id === trade.id)) return trade
    known.push(trade)
    this.#byAsset.set(assetKey, known)
    return trade
  }

  list(assetKey: string, side: Trade['side'], from: number): Trade[] {
    return (this.#byAsset.get(assetKey) ?? []).filter((trade) => trade.side === side && trade.filedAt > from)
  }

  get size(): number {
    return [...this.#byAsset.values()].reduce((sum, trades) => sum + 1 + trades.length, 0)
  }

  #forget(at: number): void {
    if (at < this.#forgottenAt + DAY) return
    this.#forgottenAt = at
    for (const [assetKey, trades] of this.#byAsset) {
      const kept = trades.filter(({ filedAt }) => filedAt > at - TRADES_MS)
      if (kept.length === 0) this.#byAsset.delete(assetKey)
      else this.#byAsset.set(assetKey, kept)
    }
  }
}

export function worthOf(trades: readonly Trade[]): number {
  return Math.round(trades.reduce((sum, { value }) => sum + value, 0))
}

export function evidenceOf(trades: readonly Trade[]) {
  return trades.map(({ id }) => ({ dataset: 'insider-trades' as const, id }))
}

function tradeOf(record: InsiderTrade): Trade | undefined {
  const { transactionType: side, shares, pricePerShare } = record
  if (!record.isOpenMarket || record.isDerivative || record.isHolding || shares === null || shares <= 0)
    return undefined
  if (side !== 'purchase' && side !== 'sale') return undefined
  return {
    id: record.id,
    side,
    filedAt: Date.parse(record.filedAt),
    accessionNumber: record.accessionNumber,
    ownerCik: record.ownerCik,
    ownerName: record.ownerName,
    role:
      record.officerTitle ??
      (record.isDirector ? 'director' : record.isTenPercentOwner ? 'large shareholder' : 'insider'),
    isOfficerOrDirector: record.isOfficer || record.isDirector,
    isPlanned: record.is10b5One === true,
    value: record.value ?? shares * (pricePerShare ?? 0),
    shares,
    sharesOwnedAfter: record.sharesOwnedAfter,
    held: `${record.securityTitle} ${record.ownershipType} ${record.ownershipNature ?? ''}`,
  }
}
