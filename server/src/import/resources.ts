import { candles } from './candles.ts'
import { assets, markets, publishers, topics } from './catalogues.ts'
import { entries } from './entries.ts'
import type { Importable } from './importable.ts'
import { predictionMarkets } from './prediction-markets.ts'
import { sec } from './sec.ts'

/** Everything that `mintick import` and POST /admin/import/… take. */
export const IMPORTABLES = {
  entries,
  assets,
  topics,
  publishers,
  markets,
  candles,
  'prediction-markets': predictionMarkets,
  sec,
} satisfies Record<string, Importable>

export type ResourceName = keyof typeof IMPORTABLES
export const RESOURCE_NAMES = Object.keys(IMPORTABLES) as ResourceName[]
