import type { Static, TObject } from 'typebox'
import { BeneficialOwnership } from './beneficial-ownership.ts'
import { FinancialFiling, FinancialFilingDetail } from './financial-filings.ts'
import { InsiderTrade } from './insider-trades.ts'
import { InstitutionalHolding } from './institutional-holdings.ts'
import { MaterialEvent } from './material-events.ts'
import { PlannedSale } from './planned-sales.ts'
import { PrivatePlacement } from './private-placements.ts'

/** The record schemas of the SEC datasets, in the order of GET /sec/datasets. */
export const SEC_RECORDS = {
  'insider-trades': InsiderTrade,
  'financial-filings': FinancialFiling,
  'institutional-holdings': InstitutionalHolding,
  'beneficial-ownership': BeneficialOwnership,
  'private-placements': PrivatePlacement,
  'planned-sales': PlannedSale,
  'material-events': MaterialEvent,
} as const

/** Additional fields of records requested by id. */
export const SEC_DETAILS: Partial<Record<SecDataset, TObject>> = { 'financial-filings': FinancialFilingDetail }

export type SecDataset = keyof typeof SEC_RECORDS
export const SEC_DATASETS = Object.keys(SEC_RECORDS) as SecDataset[]

export type SecRecords = { [Dataset in SecDataset]: Static<(typeof SEC_RECORDS)[Dataset]> }
