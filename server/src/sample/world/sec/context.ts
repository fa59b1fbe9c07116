import type { SampleReport } from '../entries.ts'
import { createRandom } from '../random.ts'
import type { Company } from './companies.ts'

/** Inputs of the filings, which follow news and prices. */
export interface SecContext {
  /** Epoch milliseconds; filings are from the year before it. */
  now: number
  reports: readonly SampleReport[]
  /** Returns undefined if the asset has no price at that time. */
  priceAt(assetKey: string, time: number): number | undefined
  seed: string | number
}

/** Returns the share price at a time, or else the current one, or else an invented constant. */
export function priceOf(context: SecContext, company: Company, at: number): number {
  const { assetKey } = company
  return (
    context.priceAt(assetKey, at) ??
    context.priceAt(assetKey, context.now) ??
    Math.round(createRandom(`price:${assetKey}`).between(20, 400) * 100) / 100
  )
}
