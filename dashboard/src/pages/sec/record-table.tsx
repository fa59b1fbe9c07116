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
/** Codes, flags and details that other columns say in words, or that only the record shows. */
const MINOR =
  /^(?:is[A-Z0-9]|voting|.*(?:Cik|Code|cusips?|Url|Id)$|acquiredDisposed|shareType|investmentDiscretion|officerTitle|issuerName|titleOfClass|periodStart|periodEnd|currency|documents|footnotes|lineNumber|entityType|exemptions)/
const MOST_COLUMNS = 7

interface RecordTableProps {
  dataset: string
  records: readonly SecRecord[]
  linkTo?: (id: string) => string
}

/** Records of a dataset. Its own columns are the fields that the records have, in their order. */
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
        ...ownColumns(records),
      ]}
    />
  )
}

function ownColumns(records: readonly SecRecord[]): Column<SecRecord>[] {
  const found = new Set(records.flatMap((record) => pathsOf(record)))
  return [...found].slice(0, MOST_COLUMNS).map((path) => ({
    title: nameOf(path.split('.').at(-1) ?? ''),
    isNumber: records.some((record) => typeof valueAt(record, path) === 'number'),
    cell: (record) => <Value of={valueAt(record, path)} field={path} isShort />,
  }))
}

/** Returns the fields of a record that have a value and a column, also those of groups such as facts. */
function pathsOf(record: object): string[] {
  return Object.entries(record).flatMap(([field, value]) => {
    if (COMMON.includes(field) || MINOR.test(field) || isEmpty(value)) return []
    if (typeof value !== 'object' || Array.isArray(value)) return [field]
    return pathsOf(value).map((name) => `${field}.${name}`)
  })
}

function valueAt(record: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], record)
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)
