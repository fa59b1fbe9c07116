import type { SecDataset } from 'mintick-client'
import { addressOf } from '../../ui/address.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Assets } from '../../ui/market-data.tsx'
import { nameOf } from '../../ui/names.ts'
import { Time } from '../../ui/time.tsx'
import type { SecRecord } from './datasets.ts'
import { Value } from './value.tsx'

/** The fields that a reader compares, by dataset; the record itself shows all. */
const COLUMNS: Record<SecDataset['slug'], readonly string[]> = {
  'insider-trades': [
    'ownerName',
    'ownerRole',
    'transactionType',
    'shares',
    'pricePerShare',
    'value',
    'transactionDate',
  ],
  'financial-filings': ['fiscalYear', 'fiscalPeriod', 'facts.revenue', 'facts.netIncome', 'facts.epsDiluted', 'items'],
  'institutional-holdings': ['managerName', 'shares', 'sharesChange', 'positionStatus', 'valueUsd', 'putCall'],
  'beneficial-ownership': ['schedule', 'reportingPersons', 'maxPercentOfClass', 'isActivist', 'eventDate'],
  'private-placements': ['industryGroup', 'totalOfferingAmount', 'totalAmountSold', 'investorCount', 'firstSaleDate'],
  'planned-sales': ['sellerName', 'relationships', 'units', 'marketValue', 'approxSaleDate', 'broker'],
  'material-events': ['items'],
}

interface RecordTableProps {
  dataset: SecDataset['slug']
  records: readonly SecRecord[]
  linkTo?: (id: string) => string
}

/** Records of a dataset. */
export function RecordTable({
  dataset,
  records,
  linkTo = (open) => addressOf(`/dashboard/sec/${dataset}`, { open }),
}: RecordTableProps) {
  return (
    <DataTable
      caption={nameOf(dataset)}
      rows={records}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Filed', cell: ({ filedAt }) => <Time at={filedAt} as="date" /> },
        {
          title: 'Company',
          cell: ({ id, companyName, assetKey, ticker }) => (
            <>
              <a href={linkTo(id)}>{companyName}</a> {assetKey === null ? ticker : <Assets keys={[assetKey]} />}
            </>
          ),
        },
        { title: 'Form', cell: ({ formType }) => formType },
        ...COLUMNS[dataset].map((path) => columnOf(path, records)),
      ]}
    />
  )
}

function columnOf(path: string, records: readonly SecRecord[]): Column<SecRecord> {
  return {
    title: nameOf(path.split('.').at(-1) ?? ''),
    isNumber: records.some((record) => typeof valueAt(record, path) === 'number'),
    cell: (record) => <Value of={valueAt(record, path)} field={path} isShort />,
  }
}

function valueAt(record: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], record)
}
