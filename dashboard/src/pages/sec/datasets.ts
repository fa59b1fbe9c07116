import type {
  Mintick,
  SecBeneficialOwnership,
  SecDataset,
  SecFinancialFilingItem,
  SecInsiderTrade,
  SecInstitutionalHolding,
  SecMaterialEvent,
  SecPlannedSale,
  SecPrivatePlacement,
} from 'mintick-client'

/** A record of any dataset. */
export type SecRecord =
  | SecInsiderTrade
  | SecFinancialFilingItem
  | SecInstitutionalHolding
  | SecBeneficialOwnership
  | SecPrivatePlacement
  | SecPlannedSale
  | SecMaterialEvent

/** Name of a dataset in the client. */
export type SecResource = Exclude<keyof Mintick['sec'], 'datasets'>

/** The datasets, the most used first. */
export const slugs = [
  'insider-trades',
  'financial-filings',
  'institutional-holdings',
  'beneficial-ownership',
  'private-placements',
  'planned-sales',
  'material-events',
] as const satisfies readonly SecDataset['slug'][]
