import type { AnyTool } from './tool.ts'
import { getAsset } from './tools/get-asset.ts'
import { getCandles } from './tools/get-candles.ts'
import { getItem } from './tools/get-item.ts'
import { getSignals } from './tools/get-signals.ts'
import { getUsage } from './tools/get-usage.ts'
import { searchFilings } from './tools/search-filings.ts'
import { searchNews } from './tools/search-news.ts'
import { searchPredictionMarkets } from './tools/search-prediction-markets.ts'

/** Every tool, in the order in which agents see them. */
export const TOOLS: readonly AnyTool[] = [
  searchNews,
  getAsset,
  getCandles,
  searchFilings,
  searchPredictionMarkets,
  getSignals,
  getItem,
  getUsage,
]
