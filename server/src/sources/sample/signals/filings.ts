import type { InsiderTrade } from '../../../model/sec/insider-trades.ts'
import type { NewRecord } from '../../../model/sec/record.ts'
import { DAY } from '../../../model/time.ts'
import { recordsOf } from '../sec/sec.ts'
import { clampShare, dollars, type Finding, nameOf, SIGNAL_SPAN, type SignalContext, saturate } from './signal.ts'

type Trade = NewRecord<InsiderTrade>

const SPREE_GAP = 5 * DAY
const LEAST_BUYERS = 3

/** Several insiders of one company who bought on the open market, each within days of the one before. */
export function insiderClusterBuys({ now, sec }: SignalContext): Finding[] {
  const bought = openMarketTrades(recordsOf(sec, 'insider-trades'), 'P', now - SIGNAL_SPAN - 30 * DAY)
  return [...Map.groupBy(bought, (trade) => trade.assetKey ?? '').values()]
    .flatMap(sprees)
    .filter((spree) => new Set(spree.map((trade) => trade.ownerCik)).size >= LEAST_BUYERS)
    .flatMap((spree) => {
      const buyers = new Set(spree.map((trade) => trade.ownerCik)).size
      const worth = worthOf(spree)
      const days = new Set(spree.map((trade) => trade.transactionDate)).size
      return describeTrades(spree, (name) => ({
        kind: 'insider_cluster_buy',
        direction: 'bullish',
        strength: saturate(worth, 1.5e6),
        confidence: clampShare(0.35 + 0.12 * buyers),
        horizon: '1mo',
        title: `${buyers} insiders of ${name} buy shares`,
        summary: `${buyers} insiders bought shares of ${name} for ${dollars(worth)} on the open market, on ${days} ${days === 1 ? 'day' : 'days'}.`,
        metrics: { value: worth, baseline: null, zScore: null, window: '7d' },
      }))
    })
}

function sprees(trades: readonly Trade[]): Trade[][] {
  const found: Trade[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const trade of trades.toSorted((a, b) => timeOf(a) - timeOf(b))) {
    const current = found.at(-1)
    if (current === undefined || timeOf(trade) - last > SPREE_GAP) found.push([trade])
    else current.push(trade)
    last = timeOf(trade)
  }
  return found
}

const LARGE_SALE = 5e6

/** A filing with sales of five million dollars or more. */
export function insiderLargeSales({ now, sec }: SignalContext): Finding[] {
  const sold = openMarketTrades(recordsOf(sec, 'insider-trades'), 'S', now - SIGNAL_SPAN - DAY)
  return [...Map.groupBy(sold, (trade) => trade.accessionNumber).values()].flatMap((lines) => {
    const worth = worthOf(lines)
    const seller = lines[0]
    if (seller === undefined || worth < LARGE_SALE) return []
    const isPlanned = seller.is10b5One === true
    return describeTrades(lines, (name) => ({
      kind: 'insider_large_sale',
      direction: 'bearish',
      strength: saturate(worth, 1.5e7),
      // A sale under a plan was decided long ago and says less.
      confidence: isPlanned ? 0.35 : 0.6,
      horizon: '1w',
      title: `Insider of ${name} sells shares for ${dollars(worth)}`,
      summary:
        `${seller.ownerName} (${seller.officerTitle ?? (seller.isDirector ? 'director' : 'large shareholder')}) sold ` +
        `shares of ${name} for ${dollars(worth)}${isPlanned ? ', under a trading plan' : ''}.`,
      metrics: { value: worth, baseline: null, zScore: null, window: '1d' },
    }))
  })
}

/** Schedules 13D; what amends one is no news. */
export function activistStakes({ now, sec }: SignalContext): Finding[] {
  return recordsOf(sec, 'beneficial-ownership').flatMap((stake): Finding[] => {
    const percent = stake.maxPercentOfClass
    const knownAt = Date.parse(stake.filedAt)
    if (!stake.isActivist || stake.isAmendment || stake.assetKey === null || percent === null) return []
    if (knownAt < now - SIGNAL_SPAN) return []
    const name = nameOf(stake.assetKey)
    const holder = stake.reportingPersons[0]?.name ?? 'An investor'
    return [
      {
        kind: 'activist_stake',
        direction: 'bullish',
        strength: clampShare(percent / 12),
        confidence: 0.55,
        horizon: '1mo',
        assetKey: stake.assetKey,
        title: `${holder} takes ${percent.toFixed(1)} percent of ${name}`,
        summary: `${holder} reported ${percent.toFixed(2)} percent of the shares of ${name} on a Schedule 13D, as an activist does.`,
        metrics: { value: percent, baseline: null, zScore: null, window: '1d' },
        knownAt,
        secRecords: [{ dataset: 'beneficial-ownership', id: stake.id }],
      },
    ]
  })
}

function openMarketTrades(trades: readonly Trade[], code: 'P' | 'S', from: number): Trade[] {
  return trades.filter(
    (trade) =>
      trade.transactionCode === code && trade.isOpenMarket && !trade.isAmendment && Date.parse(trade.filedAt) > from,
  )
}

function describeTrades(
  trades: readonly Trade[],
  write: (name: string) => Omit<Finding, 'assetKey' | 'knownAt' | 'secRecords'>,
): Finding[] {
  const assetKey = trades[0]?.assetKey
  if (assetKey == null) return []
  return [
    {
      ...write(nameOf(assetKey)),
      assetKey,
      knownAt: Math.max(...trades.map((trade) => Date.parse(trade.filedAt))),
      secRecords: trades.map(({ id }) => ({ dataset: 'insider-trades', id })),
    },
  ]
}

function worthOf(trades: readonly Trade[]): number {
  return Math.round(trades.reduce((sum, trade) => sum + (trade.value ?? 0), 0))
}

function timeOf(trade: Trade): number {
  return Date.parse(trade.transactionDate ?? trade.filingDate)
}
