import type { SecDataset } from '../../model/sec/datasets.ts'

/** The forms that are read, without amendments, and the dataset of each. */
const DATASETS: Readonly<Record<string, SecDataset>> = {
  3: 'insider-trades',
  4: 'insider-trades',
  5: 'insider-trades',
  '13F-HR': 'institutional-holdings',
  'SC 13D': 'beneficial-ownership',
  'SC 13G': 'beneficial-ownership',
  D: 'private-placements',
  144: 'planned-sales',
  '8-K': 'material-events',
  '10-K': 'financial-filings',
  '10-Q': 'financial-filings',
  '20-F': 'financial-filings',
  '40-F': 'financial-filings',
}

export const FORMS: readonly string[] = Object.keys(DATASETS)

/** Returns the form without the mark of amendments, under its older name: SCHEDULE 13D/A is SC 13D. */
export const baseForm = (formType: string): string =>
  formType
    .toUpperCase()
    .replace(/\/A$/, '')
    .replace(/^SCHEDULE /, 'SC ')

/** Returns the dataset that a form belongs to; undefined for forms that are not read. */
export function datasetOfForm(formType: string, wanted: readonly string[] = FORMS): SecDataset | undefined {
  const base = baseForm(formType)
  return wanted.some((form) => baseForm(form) === base) ? DATASETS[base] : undefined
}
