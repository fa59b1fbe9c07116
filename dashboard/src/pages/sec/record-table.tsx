import { addressOf } from '../../ui/address.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Assets } from '../../ui/market-data.tsx'
import { nameOf } from '../../ui/names.ts'
import { Time } from '../../ui/time.tsx'
import type { SecRecord } from './datasets.ts'
import { Value } from './value.tsx'

/** Fields of every record: the first columns have what matters of them. */
const COMMON = [
  ...['id', 'accessionNumber', 'formType', 'isAmendment', 'supersedesId', 'supersededById', 'filedAt', 'filingDate'],
  ...['periodOfReport', 'cik', 'companyName', 'ticker', 'assetId', 'assetKey', 'filingUrl', 'createdAt'],
]
/** Codes and flags that other columns say in words. */
const MINOR =
  /^(?:is[A-Z]|has[A-Z]|.*(?:Cik|Code|cusip|Cusip|Url|Id)$|acquiredDisposed|shareType|investmentDiscretion|voting|currency|documents)/
const MOST_COLUMNS = 6

interface RecordTableProps {
  dataset: string
  records: readonly SecRecord[]
  openId?: string | undefined
  linkTo?: (id: string) => string
}

/** Records of a dataset. Its own columns are the fields that the records have, in their order. */
export function RecordTable({
  dataset,
  records,
  openId,
  linkTo = (open) => addressOf(`/dashboard/sec/${dataset}`, { open }),
}: RecordTableProps) {
  return (
    <DataTable
      caption={nameOf(dataset)}
      rows={records}
      keyOf={({ id }) => id}
      isSelected={({ id }) => id === openId}
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
        ...ownColumns(records),
      ]}
    />
  )
}

function ownColumns(records: readonly SecRecord[]): Column<SecRecord>[] {
  const fieldOf = (record: SecRecord, field: string) => (record as unknown as Record<string, unknown>)[field]
  const fields = Object.keys(records[0] ?? {}).filter(
    (field) =>
      !COMMON.includes(field) && !MINOR.test(field) && records.some((record) => !isEmpty(fieldOf(record, field))),
  )
  return fields.slice(0, MOST_COLUMNS).map((field) => ({
    title: nameOf(field),
    isNumber: records.some((record) => typeof fieldOf(record, field) === 'number'),
    cell: (record) => <Value of={fieldOf(record, field)} field={field} isShort />,
  }))
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)
