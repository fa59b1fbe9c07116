import type { PredictionMarket } from '../../../model/prediction-markets.ts'

/** A question and the source of its odds; prediction-markets.ts turns it into a market. */
export interface Question {
  /** Independent of the clock; the market's id derives from it. */
  key: string
  type: PredictionMarket['type']
  question: string
  eventTitle: string | null
  category: string
  topicSlugs: string[]
  assetKeys: string[]
  /** The first is the one whose probability the market shows. */
  outcomes: { label: string; assetKey?: string }[]
  rules: string
  resolutionSource: string | null
  period: TradingPeriod
  isCancelled: boolean
  model: OddsModel
}

/** Epoch milliseconds, both on the time grid of the history. */
export interface TradingPeriod {
  openAt: number
  closeAt: number
}

/** The source of the odds: an asset's price, or opinions that follow the news. */
export type OddsModel =
  | { kind: 'above'; assetKey: string; strike: number }
  /** The bounds separate the outcomes, lowest first. */
  | { kind: 'ranges'; assetKey: string; bounds: number[] }
  /** The first outcome is worth the position of the price between two bounds. */
  | { kind: 'place'; assetKey: string; from: number; to: number }
  /** `start` holds the initial odds; `lean` is 1 if good news makes the first outcome likelier, -1 if less likely. */
  | { kind: 'opinion'; start: number[]; lean: 1 | -1 }

export const yesNo = [{ label: 'Yes' }, { label: 'No' }]
export const higherLower = [{ label: 'Higher' }, { label: 'Lower' }]

export function kebab(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f,'’]/g, '')
    .toLowerCase()
    .replace(/(\d)\.(\d)/g, '$1p$2')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
