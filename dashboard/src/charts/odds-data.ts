import type { PredictionMarket } from 'mintick-client'

export interface OddsData {
  history: PredictionMarket['history']
  /** Outcomes to draw, with the name of the colour of each. */
  outcomes: readonly { id: string; colour: string }[]
}
