import type { PredictionMarket } from '../../../model/prediction-markets.ts'

/** What is asked and how its odds come about; ../prediction-markets.ts makes a market of it. */
export interface Question {
  /** Does not move with the clock; the id follows from it. */
  key: string
  type: PredictionMarket['type']
  question: string
  eventTitle: string | null
  category: string
  topicSlugs: string[]
  assetKeys: string[]
  /** The first is the one that the probability of the market is about. */
  outcomes: { label: string; assetKey?: string }[]
  rules: string
  resolutionSource: string | null
  span: Span
  isCancelled: boolean
  view: View
}

/** Epoch milliseconds, both on the grid of the history. */
export interface Span {
  openAt: number
  closeAt: number
}

/** Where odds come from: what an asset costs, or what people think and read. */
export type View =
  | { kind: 'above'; assetKey: string; strike: number }
  /** The bounds part the outcomes, from the lowest up. */
  | { kind: 'ranges'; assetKey: string; bounds: number[] }
  /** The first outcome is worth the place of the price between two ends. */
  | { kind: 'place'; assetKey: string; from: number; to: number }
  /** `start` are the odds at first; `lean` is 1 when good news makes the first outcome likelier, -1 when less so. */
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
