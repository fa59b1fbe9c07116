import { headlineName } from '../../../catalogue/built-in/assets.ts'
import { DAY } from '../../../model/time.ts'
import { topicOfAsset } from '../occurrence.ts'
import { getAsset } from '../popularity.ts'
import { priceModelOf } from '../prices/price-model.ts'
import type { Prices } from '../prices/prices.ts'
import { findSession, tradingHoursOf } from '../prices/trading-hours.ts'
import { closeDate, tradingPeriod } from './dates.ts'
import { getPrice } from './price-odds.ts'
import { higherLower, type Question, type TradingPeriod, yesNo } from './question.ts'

type Row = [assetKey: string, opensIn: number, closesIn: number]

/** The last number is the strike relative to the price at the opening. */
const aboveRows: [...Row, number][] = [
  ['BTC', -60, 25, 1.08],
  ['BTC', -80, -12, 0.9],
  ['BTC', -5, 3, 1.02],
  ['ETH', -45, 40, 1.1],
  ['ETH', -30, -20, 1],
  ['SOL', -70, 12, 1.15],
  ['XRP', -25, -1, 0.95],
  ['DOGE', -15, 30, 1.1],
  ['SPX', -50, 20, 1.02],
  ['NDX', -40, -6, 1.03],
  ['DAX', -20, 16, 1.01],
  ['N225', -35, 9, 0.98],
  ['AAPL', -55, 22, 1.05],
  ['NVDA', -65, 35, 1.1],
  ['TSLA', -28, -4, 0.95],
  ['MSFT', -33, 14, 1.03],
  ['META', -12, 50, 1.04],
  ['COIN', -75, -30, 1.1],
  ['XAU', -85, 28, 1.04],
  ['BRENT', -42, -10, 0.96],
  ['WTI', -10, 8, 1.05],
  ['EURUSD', -48, 33, 1.01],
  ['USDJPY', -22, -15, 0.99],
  ['GBPUSD', -8, 60, 1.01],
]

const rangeRows: Row[] = [
  ['BTC', -40, 18],
  ['ETH', -20, -1],
  ['SPX', -30, 45],
  ['XAU', -62, -16],
  ['WTI', -16, 24],
  ['TSLA', -9, 38],
]
/** In average daily moves. */
const RANGES = [-6, -2, 2, 6]

const placeRows: Row[] = [
  ['BTC', -70, 85],
  ['SPX', -55, 110],
  ['XAU', -25, 70],
  ['EURUSD', -14, 55],
]
const PLACES = 18

/** Returns questions about future prices. Strikes are round numbers near the price at the opening. */
export function priceQuestions(now: number, prices: Pick<Prices, 'at'>): Question[] {
  return [
    ...aboveRows.map(([assetKey, opensIn, closesIn, factor]): Question => {
      const frame = frameOf(now, 'above', [assetKey, opensIn, closesIn])
      const strike = roundStrike(assetKey, priceAtOpen(prices, frame) * factor)
      const question = `Will ${frame.name} close above ${money(assetKey, strike)} on ${frame.date}?`
      return ask(frame, { type: 'binary', question, outcomes: yesNo, model: { kind: 'above', assetKey, strike } })
    }),
    ...rangeRows.map((row): Question => {
      const frame = frameOf(now, 'ranges', row)
      const price = priceAtOpen(prices, frame)
      const { volatility } = priceModelOf(frame.assetKey)
      const bounds = RANGES.map((movements) => roundStrike(frame.assetKey, price * (1 + movements * volatility)))
      const question = `Where will ${frame.name} close on ${frame.date}?`
      const model = { kind: 'ranges' as const, assetKey: frame.assetKey, bounds }
      return ask(frame, { type: 'categorical', question, outcomes: rangeOutcomes(frame.assetKey, bounds), model })
    }),
    ...placeRows.map((row): Question => {
      const frame = frameOf(now, 'place', row)
      const price = priceAtOpen(prices, frame)
      const reach = Math.min(PLACES * priceModelOf(frame.assetKey).volatility, 0.4)
      const from = roundStrike(frame.assetKey, price * (1 - reach))
      const to = roundStrike(frame.assetKey, price * (1 + reach))
      const ends = `${money(frame.assetKey, from)} to ${money(frame.assetKey, to)}`
      const question = `Where will ${frame.name} stand on ${frame.date}, from ${ends}?`
      const model = { kind: 'place' as const, assetKey: frame.assetKey, from, to }
      return ask(frame, { type: 'scalar', question, outcomes: higherLower, model })
    }),
  ]
}

interface Frame {
  key: string
  assetKey: string
  name: string
  date: string
  period: TradingPeriod
}

function frameOf(now: number, kind: string, [assetKey, opensIn, closesIn]: Row): Frame {
  const asset = getAsset(assetKey)
  const { openAt, closeAt } = tradingPeriod(now, opensIn, closesIn)
  const period = { openAt, closeAt: lastTradingDayEnd(assetKey, closeAt) }
  const key = `price:${kind}:${assetKey}:${opensIn}:${closesIn}`
  return { key, assetKey, name: headlineName(asset), date: closeDate(period), period }
}

/** Moves the close back to a day on which the asset trades. */
function lastTradingDayEnd(assetKey: string, closeAt: number): number {
  const hours = tradingHoursOf(getAsset(assetKey))
  let end = closeAt
  while (findSession(hours, end - DAY) === undefined) end -= DAY
  return end
}

function priceAtOpen(prices: Pick<Prices, 'at'>, { assetKey, period }: Frame): number {
  return getPrice(prices, assetKey, period.openAt - 1)
}

function ask(frame: Frame, fields: Pick<Question, 'type' | 'question' | 'outcomes' | 'model'>): Question {
  const asset = getAsset(frame.assetKey)
  return {
    key: frame.key,
    ...fields,
    eventTitle: `${frame.name} on ${frame.date}`,
    category: asset.type === 'crypto' ? 'Crypto' : 'Markets',
    topicSlugs: [topicOfAsset(asset)],
    assetKeys: [frame.assetKey],
    rules: `Decided by the last sample price of ${frame.name} on ${frame.date} (UTC).`,
    resolutionSource: 'Sample candles of one day',
    period: frame.period,
    isCancelled: false,
  }
}

function rangeOutcomes(assetKey: string, bounds: readonly number[]): Question['outcomes'] {
  const texts = bounds.map((bound) => money(assetKey, bound))
  const between = texts.slice(1).map((text, index) => ({ label: `${texts[index]} to ${text}` }))
  return [{ label: `Below ${texts[0]}` }, ...between, { label: `Above ${texts.at(-1)}` }]
}

function roundStrike(assetKey: string, price: number): number {
  return Number(price.toPrecision(digitsOf(assetKey)))
}

/** Currency pairs move less, so they need more digits. */
function digitsOf(assetKey: string): number {
  return getAsset(assetKey).type === 'currency' ? 4 : 3
}

const signs: Record<string, string> = { USD: '$', EUR: '€', JPY: '¥', GBP: '£' }

function money(assetKey: string, value: number): string {
  const { type, currency } = getAsset(assetKey)
  const number = value.toLocaleString('en-US', { maximumSignificantDigits: digitsOf(assetKey) })
  return type === 'currency' || type === 'index' ? number : `${signs[currency ?? ''] ?? ''}${number}`
}
