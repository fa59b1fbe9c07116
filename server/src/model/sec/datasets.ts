import type { BeneficialOwnership } from './beneficial-ownership.ts'
import type { FinancialFiling } from './financial-filings.ts'
import type { InsiderTrade } from './insider-trades.ts'
import type { InstitutionalHolding } from './institutional-holdings.ts'
import type { MaterialEvent } from './material-events.ts'
import type { PlannedSale } from './planned-sales.ts'
import type { PrivatePlacement } from './private-placements.ts'

/** The SEC datasets, in the order in which the catalogue lists them. */
export const SEC_DATASETS = [
  'insider-trades',
  'financial-filings',
  'institutional-holdings',
  'beneficial-ownership',
  'private-placements',
  'planned-sales',
  'material-events',
] as const
export type SecDataset = (typeof SEC_DATASETS)[number]

/** The record of each dataset. */
export interface SecRecords {
  'insider-trades': InsiderTrade
  'financial-filings': FinancialFiling
  'institutional-holdings': InstitutionalHolding
  'beneficial-ownership': BeneficialOwnership
  'private-placements': PrivatePlacement
  'planned-sales': PlannedSale
  'material-events': MaterialEvent
}
