import type { TSchema } from 'typebox'
import * as param from '../../http/params.ts'
import type { SecDataset } from '../../model/sec/datasets.ts'
import { FISCAL_PERIODS } from '../../model/sec/financial-filings.ts'
import { TRANSACTION_TYPES } from '../../model/sec/insider-trades.ts'
import { POSITION_STATUSES } from '../../model/sec/institutional-holdings.ts'
import type { SecFilters } from '../../store/sec/sec-tables.ts'

/** The description of a dataset, and the filters and sorts that its list has in addition to those of all SEC lists. */
export interface DatasetDescription<OwnFilter extends PropertyKey = string> {
  name: string
  description: string
  forms: string[]
  filters: Record<OwnFilter, TSchema>
  /** Each in its usual direction. */
  sorts: `${string}:${'asc' | 'desc'}`[]
}

/** A filter that every dataset has. */
type SharedFilter = keyof SecFilters[SecDataset] | 'asOf'

/** A parameter of lists and records. */
export const asOf = () =>
  param.asOf('returns what the SEC had accepted by then, without the effect of later filings; a later time is now')

/** Keys are paths below /sec. */
export const DATASETS: {
  [Dataset in SecDataset]: DatasetDescription<Exclude<keyof SecFilters[Dataset], SharedFilter>>
} = {
  'insider-trades': {
    name: 'Insider trades',
    description: 'Transactions and holdings of directors, officers and ten percent owners, one record per line',
    forms: ['3', '4', '5'],
    filters: {
      ownerCik: param.textList('CIK of the owner'),
      ownerName: param.text("Words of the owner's name; words match by prefix"),
      transactionCode: param.textList('Code of the transaction, such as P or S', 'upper'),
      transactionType: param.enumList(TRANSACTION_TYPES, 'Type of the transaction'),
      isOpenMarket: param.flag('true: only purchases and sales on the open market; false: only others'),
      isDerivative: param.flag('true: only derivative securities; false: only others'),
      isOfficer: param.flag('true: only owners who are officers; false: only others'),
      isDirector: param.flag('true: only owners who are directors; false: only others'),
      valueMin: param.amount('Minimum value of the line'),
      valueMax: param.amount('Maximum value of the line'),
      filingValueMin: param.amount('Minimum filingValue, the sum over the lines of the trade'),
      filingValueMax: param.amount('Maximum filingValue, the sum over the lines of the trade'),
      transactionAfter: param.instant('Traded on a day that began at this time or later'),
      transactionBefore: param.instant('Traded on a day that began at this time or earlier'),
    },
    sorts: ['transactionDate:desc', 'value:desc', 'filingValue:desc'],
  },

  'financial-filings': {
    name: 'Financial filings',
    description: 'Annual, quarterly and current reports with their figures',
    forms: ['10-K', '10-Q', '20-F', '8-K'],
    filters: {
      item: param.textList('Code of an item, such as 2.02'),
      fiscalYear: param.integerList('Fiscal year', { minimum: 1900, maximum: 2200 }),
      fiscalPeriod: param.enumList(FISCAL_PERIODS, 'Fiscal period'),
    },
    sorts: ['periodEnd:desc'],
  },

  'institutional-holdings': {
    name: 'Institutional holdings',
    description: 'Positions of managers at the end of each quarter, one record per position',
    forms: ['13F-HR'],
    filters: {
      managerCik: param.textList('CIK of the manager'),
      cusip: param.textList('CUSIP of the security', 'upper'),
      positionStatus: param.enumList(POSITION_STATUSES, 'Change of the position since the previous quarter'),
      valueUsdMin: param.amount('Minimum value in US dollars'),
    },
    sorts: ['valueUsd:desc'],
  },

  'beneficial-ownership': {
    name: 'Beneficial ownership',
    description: 'Stakes of more than five percent, activist (13D) and passive (13G)',
    forms: ['SC 13D', 'SC 13G'],
    filters: { isActivist: param.flag('true: only activist stakes; false: only passive ones') },
    sorts: [],
  },

  'private-placements': {
    name: 'Private placements',
    description: 'Offerings that are exempt from registration',
    forms: ['D'],
    filters: {},
    sorts: [],
  },

  'planned-sales': {
    name: 'Planned sales',
    description: 'Sales that insiders have announced',
    forms: ['144'],
    filters: {},
    sorts: [],
  },

  'material-events': {
    name: 'Material events',
    description: 'Current reports by the items they report',
    forms: ['8-K'],
    filters: { item: param.textList('Code of an item, such as 5.02') },
    sorts: [],
  },
}

/** The filters of every dataset besides the search, which all cursor lists have. */
export const sharedFilters = () =>
  ({
    cik: param.textList('CIK of the company'),
    ticker: param.textList('Ticker of the company', 'upper'),
    assetKey: param.textList('Key of the asset', 'upper'),
    symbol: param.textList('Symbol of the asset', 'upper'),
    assetId: param.uuidList('Id of the asset'),
    formType: param.textList('Form type, such as 4 or 10-K', 'upper'),
    accessionNumber: param.textList('Accession number of the filing'),
    isAmendment: param.flag('true: only amendments; false: only originals'),
    includeSuperseded: param.flag('true: also records that an amendment has replaced'),
    filedAfter: param.instant('Filed at this time or later'),
    filedBefore: param.instant('Filed at this time or earlier'),
    asOf: asOf(),
  }) satisfies Record<Exclude<SharedFilter, 'search'>, TSchema>
