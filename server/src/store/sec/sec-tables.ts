import type { SecDataset, SecRecords } from '../../model/sec/datasets.ts'
import { ownerRoleOf } from '../../model/sec/insider-trades.ts'
import type { NewRecord, SecRecord } from '../../model/sec/record.ts'
import type { Value } from '../db.ts'
import type { FeedList } from '../lists/feed-list.ts'
import {
  anyCik,
  anyNumber,
  anyRef,
  anySymbol,
  anyText,
  type FilterMap,
  type FilterValues,
  flagFilter,
  fullText,
  including,
  indexed,
  inSideTable,
  least,
  most,
  mostWeakly,
  still,
  timeOf,
  UNKNOWN,
  words,
  wordsColumn,
} from '../lists/filters.ts'
import type { FilingLine } from './filing-values.ts'

/** The table of a dataset: its own columns, filters and sorts beyond the common ones, and its search text. */
export interface SecTable<R extends SecRecord> {
  list: FeedList
  columns(record: NewRecord<R>): Record<string, Value>
  searchText(record: NewRecord<R>): string
  /** Fields that follow from others. */
  derived?(record: NewRecord<R>): Partial<R>
  /** The line of a filing, if the dataset has the value of filings. */
  line?(record: NewRecord<R>): FilingLine
  /** A multi-valued field, with one row per value in a side table (column, filed_at, seq). */
  side?: { table: string; column: string; values(record: NewRecord<R>): string[] }
}

type SecTables = { [Dataset in SecDataset]: SecTable<SecRecords[Dataset]> }

const TABLES = {
  'insider-trades': {
    list: secList('insider_trades', {
      filters: {
        ownerCik: indexed(anyCik('owner_cik'), 'value'),
        ownerName: words('owner_words'),
        transactionCode: anyText('transaction_code'),
        transactionType: anyText('transaction_type'),
        isOpenMarket: flagFilter('is_open_market'),
        isDerivative: flagFilter('is_derivative'),
        isOfficer: flagFilter('is_officer'),
        isDirector: flagFilter('is_director'),
        valueMin: least('value'),
        valueMax: most('value'),
        filingValueMin: least('filing_value'),
        filingValueMax: most('filing_value'),
        transactionAfter: least('transaction_date'),
        transactionBefore: most('transaction_date'),
      },
      sorts: { transactionDate: 'transaction_date', value: 'value', filingValue: 'filing_value' },
    }),
    columns: (trade) => ({
      owner_cik: trade.ownerCik,
      owner_words: wordsColumn(trade.ownerName),
      transaction_code: trade.transactionCode,
      transaction_type: trade.transactionType,
      is_open_market: Number(trade.isOpenMarket),
      is_derivative: Number(trade.isDerivative),
      is_officer: Number(trade.isOfficer),
      is_director: Number(trade.isDirector),
      acquired_disposed: trade.acquiredDisposed,
      value: trade.value ?? UNKNOWN,
      transaction_date: timeOf(trade.transactionDate),
    }),
    searchText: (trade) => `${trade.ownerName} ${trade.officerTitle ?? ''}`,
    derived: (trade) => ({ ownerRole: ownerRoleOf(trade) }),
    line: (trade) => trade,
  },

  'financial-filings': {
    list: secList('financial_filings', {
      filters: {
        item: inSideTable('sec_financial_filings_items', anyText('item')),
        fiscalYear: anyNumber('fiscal_year'),
        fiscalPeriod: anyText('fiscal_period'),
      },
      sorts: { periodEnd: 'period_end' },
    }),
    columns: (filing) => ({
      fiscal_year: filing.fiscalYear,
      fiscal_period: filing.fiscalPeriod,
      period_end: timeOf(filing.periodEnd),
    }),
    searchText: (filing) => filing.items.map(({ title }) => title).join(' '),
    side: {
      table: 'sec_financial_filings_items',
      column: 'item',
      values: ({ items }) => items.map(({ code }) => code),
    },
  },

  'institutional-holdings': {
    list: secList('institutional_holdings', {
      filters: {
        managerCik: indexed(anyCik('manager_cik'), 'value_usd'),
        cusip: indexed(anyText('cusip'), 'value_usd'),
        positionStatus: anyText('position_status'),
        valueUsdMin: least('value_usd'),
      },
      sorts: { valueUsd: 'value_usd' },
    }),
    columns: (holding) => ({
      manager_cik: holding.managerCik,
      cusip: holding.cusip,
      position_status: holding.positionStatus,
      value_usd: holding.valueUsd,
    }),
    searchText: (holding) => `${holding.managerName} ${holding.issuerName}`,
  },

  'beneficial-ownership': {
    list: secList('beneficial_ownership', { filters: { isActivist: flagFilter('is_activist') }, sorts: {} }),
    columns: (stake) => ({ is_activist: Number(stake.isActivist) }),
    searchText: (stake) => stake.reportingPersons.map(({ name }) => name).join(' '),
  },

  'private-placements': {
    list: secList('private_placements', { filters: {}, sorts: {} }),
    columns: () => ({}),
    searchText: (placement) => [placement.industryGroup, ...placement.relatedPersons.map(({ name }) => name)].join(' '),
  },

  'planned-sales': {
    list: secList('planned_sales', { filters: {}, sorts: {} }),
    columns: () => ({}),
    searchText: (sale) => `${sale.sellerName} ${sale.broker ?? ''}`,
  },

  'material-events': {
    list: secList('material_events', {
      filters: { item: inSideTable('sec_material_events_items', anyText('item')) },
      sorts: {},
    }),
    columns: () => ({}),
    searchText: (event) => event.items.map(({ title }) => title).join(' '),
    side: { table: 'sec_material_events_items', column: 'item', values: ({ items }) => items.map(({ code }) => code) },
  },
} satisfies SecTables

export const SEC_TABLES: SecTables = TABLES

/** The filters of each dataset that are query parameters. Those of the union are the ones that all have. */
export type SecFilters = {
  [Dataset in SecDataset]: Omit<FilterValues<(typeof TABLES)[Dataset]['list']['filters']>, 'knownAt' | 'acceptedBy'>
}

/** Adds the filters and the sort that all SEC lists share. */
function secList<Own extends FilterMap>(name: string, own: { filters: Own; sorts: Record<string, string> }) {
  return {
    table: `sec_${name}`,
    filters: {
      search: fullText(),
      includeSuperseded: including('superseded'),
      knownAt: still(`sec_${name}`, 'known_to'),
      acceptedBy: mostWeakly('filed_at'),
      accessionNumber: indexed(anyText('accession_number')),
      ...own.filters,
      cik: indexed(anyCik('cik'), ...Object.values(own.sorts)),
      ticker: indexed(anyText('ticker')),
      assetKey: anyRef('asset_ref', 'assets', 'key'),
      symbol: anySymbol('asset_ref'),
      assetId: anyRef('asset_ref', 'assets', 'id'),
      formType: indexed(anyText('form_type')),
      isAmendment: flagFilter('is_amendment'),
      filedAfter: least('filed_at'),
      filedBefore: most('filed_at'),
    },
    sorts: { filedAt: 'filed_at', ...own.sorts },
  } satisfies FeedList
}
