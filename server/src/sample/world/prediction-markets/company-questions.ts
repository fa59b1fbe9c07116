import { headlineName } from '../../../catalogue/built-in/assets.ts'
import { topicOfAsset } from '../occurrence.ts'
import { getAsset } from '../popularity.ts'
import { closeDate, closeMonth, fillDates, lastQuarter, tradingPeriod } from './dates.ts'
import { type Question, yesNo } from './question.ts'

type Row = [assetKey: string, opensIn: number, closesIn: number, start: number, cancelled?: 'cancelled']

const earningsRows: Row[] = [
  ['AAPL', -38, 26, 0.71],
  ['NVDA', -44, 13, 0.83],
  ['TSLA', -52, -18, 0.44],
  ['MSFT', -19, 31, 0.78],
  ['AMZN', -27, 21, 0.66],
  ['GOOGL', -66, -24, 0.69],
  ['NFLX', -31, -1, 0.58],
  ['JPM', -57, -33, 0.74],
  ['INTC', -21, -1, 0.37],
  ['DIS', -13, 42, 0.55],
  ['SAP.DE', -34, 29, 0.61],
  ['7203.T', -46, -7, 0.52],
]

const dealRows: Row[] = [
  ['ORCL', -48, 62, 0.22],
  ['XOM', -36, 54, 0.18],
  ['PFE', -72, -21, 0.31],
  ['CSCO', -24, 80, 0.27],
  ['9984.T', -15, 47, 0.41],
  ['UNH', -59, -14, 0.25, 'cancelled'],
]

const productRows: Row[] = [
  ['TSLA', -29, 66, 0.35],
  ['META', -43, 37, 0.48],
  ['BA', -17, 73, 0.4],
]

const raceRows: [text: string, assetKeys: string, opensIn: number, closesIn: number][] = [
  ['Which company will be the largest by market value at the end of {month}?', 'NVDA MSFT AAPL GOOGL AMZN', -80, 58],
  ['Which chip maker will gain most in {month}?', 'NVDA AMD AVGO INTC MU QCOM', -26, 27],
  ['Which car maker will gain most in {month}?', 'TSLA F GM 7203.T BMW.DE', -23, 19],
  ['Which bank will have the best share price in {month}?', 'JPM BAC GS WFC', -64, -19],
  ['Which coin will gain most in {month}?', 'BTC ETH SOL XRP DOGE', -18, 23],
]

/** Returns questions about companies and races between assets. News about an asset moves its odds. */
export function companyQuestions(now: number): Question[] {
  return [
    ...earningsRows.map((row) => {
      const { name, period } = readRow(now, row)
      return ask(now, 'earnings', row, {
        question: `Will ${name} report earnings per share above the sample consensus for ${lastQuarter(period)}?`,
        eventTitle: `${name} earnings for ${lastQuarter(period)}`,
        topicSlugs: ['earnings'],
      })
    }),
    ...dealRows.map((row) => {
      const { name, period } = readRow(now, row)
      return ask(now, 'deal', row, {
        question: `Will ${name} announce an acquisition worth more than $5 billion by ${closeDate(period)}?`,
        eventTitle: null,
        topicSlugs: ['mergers-and-acquisitions'],
      })
    }),
    ...productRows.map((row) => {
      const { name, period } = readRow(now, row)
      return ask(now, 'product', row, {
        question: `Will ${name} present a new product by ${closeDate(period)}?`,
        eventTitle: null,
        topicSlugs: ['product-launches'],
      })
    }),
    ...raceRows.map((row) => askRace(now, row)),
  ]
}

function readRow(now: number, [assetKey, opensIn, closesIn]: Row) {
  return {
    asset: getAsset(assetKey),
    name: headlineName(getAsset(assetKey)),
    period: tradingPeriod(now, opensIn, closesIn),
  }
}

function ask(
  now: number,
  kind: string,
  row: Row,
  fields: Pick<Question, 'question' | 'eventTitle' | 'topicSlugs'>,
): Question {
  const [assetKey, , , start, cancelled] = row
  const { asset, name, period } = readRow(now, row)
  return {
    key: `company:${kind}:${assetKey}`,
    type: 'binary',
    ...fields,
    topicSlugs: [...fields.topicSlugs, topicOfAsset(asset)],
    category: 'Companies',
    assetKeys: [assetKey],
    outcomes: yesNo,
    rules: `Decided by the sample news about ${name} up to ${closeDate(period)}.`,
    resolutionSource: null,
    period,
    isCancelled: cancelled !== undefined,
    model: { kind: 'opinion', start: [start, 1 - start], lean: 1 },
  }
}

function askRace(now: number, [text, keyList, opensIn, closesIn]: (typeof raceRows)[number]): Question {
  const assets = keyList.split(' ').map(getAsset)
  const period = tradingPeriod(now, opensIn, closesIn)
  return {
    key: `company:race:${keyList}`,
    type: 'categorical',
    question: fillDates(text, period),
    eventTitle: `Races of ${closeMonth(period)}`,
    category: assets[0]?.type === 'crypto' ? 'Crypto' : 'Companies',
    topicSlugs: [...new Set(assets.map(topicOfAsset))],
    assetKeys: assets.map((asset) => asset.key),
    outcomes: assets.map((asset) => ({ label: headlineName(asset), assetKey: asset.key })),
    rules: `Decided by sample data of ${closeMonth(period)}.`,
    resolutionSource: null,
    period,
    isCancelled: false,
    // The first named is the favourite.
    model: { kind: 'opinion', start: assets.map((_, index) => 1 / (index + 1.5)), lean: 1 },
  }
}
