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
