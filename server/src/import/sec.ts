import Type, { type Static, type TObject } from 'typebox'
import { idOf } from '../model/ids.ts'
import { Refused } from '../model/refused.ts'
import { SEC_DATASETS, SEC_DETAILS, SEC_RECORDS, type SecDataset, type SecRecords } from '../model/sec/datasets.ts'
import { DERIVED_FIELDS, type NewFiling } from '../model/sec/record.ts'
import { type FieldNames, fieldNames, type Importable, type Written, writer } from './importable.ts'
import { fieldsOf, rowReader } from './row-reader.ts'

/** The fields that tell the records of one filing apart. */
const LINE_FIELDS: Record<SecDataset, readonly string[]> = {
  'insider-trades': ['ownerCik', 'isDerivative', 'lineNumber'],
  'financial-filings': [],
  'institutional-holdings': ['managerCik', 'cusip', 'putCall', 'shareType', 'investmentDiscretion'],
  'beneficial-ownership': ['cik'],
  'private-placements': [],
  'planned-sales': ['sellerName', 'securityTitle', 'approxSaleDate'],
  'material-events': [],
}

interface DatasetReader {
  names: FieldNames
  read(row: unknown): Record<string, unknown>
  detailFields: readonly string[]
}

const READERS = new Map(SEC_DATASETS.map((dataset) => [dataset, readerOf(dataset)]))
const Dataset = rowReader(Type.Object({ dataset: Type.Enum(SEC_DATASETS) }))

export const sec: Importable = {
  noun: 'SEC records',
  key: 'id',
  about: `dataset is one of ${SEC_DATASETS.join(', ')}; the other fields are those of the dataset's records. Fields that may be null can be missing, and so can isAmendment, filingDate and filingUrl. Without an id, a record is identified by its accessionNumber and its line.`,
  example: {
    dataset: 'planned-sales',
    accessionNumber: '0000320193-26-000001',
    formType: '144',
    filedAt: '2026-01-30T16:30:00-05:00',
    cik: '320193',
    companyName: 'Apple Inc.',
    ticker: 'AAPL',
    assetKey: 'AAPL',
    sellerName: 'Ada Example',
    relationships: ['Officer'],
    securityTitle: 'Common Stock',
    units: 1_000,
    marketValue: 230_000,
    approxSaleDate: '2026-02-02',
  },
  batchRows: 1_000,
  fieldsOf: ({ dataset }) => READERS.get(dataset as SecDataset)?.names ?? ANY_DATASET,
  write: writer(readFiling, async (filings, { update }, { store, now }) => {
    const written: Written = { added: 0, changed: 0, known: 0, refused: [] }
    for (const [dataset, own] of Map.groupBy(filings, (filing) => filing.dataset)) {
      const { added, changed } = await store.sec.upsert(dataset, own, now, { update })
      written.added += added
      written.changed += changed
      written.known += own.length - added - changed
    }
    return written
  }),
}

const ANY_DATASET = fieldNames(['dataset', ...SEC_DATASETS.flatMap((dataset) => fieldsOfDataset(dataset))])

function fieldsOfDataset(dataset: SecDataset): string[] {
  return [...Object.keys(SEC_RECORDS[dataset].properties), ...Object.keys(SEC_DETAILS[dataset]?.properties ?? {})]
}

function readerOf(dataset: SecDataset): DatasetReader {
  const record: TObject = SEC_RECORDS[dataset]
  const detail = SEC_DETAILS[dataset]?.properties ?? {}
  const schema = Type.Object({
    ...Type.Omit(record, [...DERIVED_FIELDS]).properties,
    ...Type.Partial(Type.Object(detail)).properties,
    id: Type.Optional(Type.String({ format: 'uuid' })),
  })
  return {
    names: fieldNames(['dataset', ...Object.keys(schema.properties)], Object.keys(record.properties)),
    read: rowReader(schema),
    detailFields: Object.keys(detail),
  }
}

function readFiling(row: unknown): NewFiling<SecRecords[SecDataset]> & { dataset: SecDataset } {
  const { dataset } = Dataset(row)
  const reader = READERS.get(dataset)
  if (reader === undefined) throw new Refused('dataset is not known')
  const { id, ...fields } = reader.read(withDerived(fieldsOf(row)))
  const own = LINE_FIELDS[dataset].map((name) => fields[name])
  const name = JSON.stringify([dataset, fields.accessionNumber, ...own])
  const entries = Object.entries({ id: id ?? idOf(`mintick:sec:${name}`), ...fields })
  const isDetail = ([field]: [string, unknown]) => reader.detailFields.includes(field)
  const detail = entries.filter(isDetail)
  // The reader has checked the fields against the schema of the dataset.
  const record = Object.fromEntries(entries.filter((entry) => !isDetail(entry))) as Static<
    (typeof SEC_RECORDS)[SecDataset]
  >
  return { dataset, record, ...(detail.length > 0 && { detail: Object.fromEntries(detail) }) }
}

/** Completes fields that follow from others. */
function withDerived(row: Record<string, unknown>): Record<string, unknown> {
  const { formType, filedAt, cik, accessionNumber } = row
  const folder = String(accessionNumber).replaceAll('-', '')
  return {
    isAmendment: /\/A$/i.test(String(formType)),
    filingDate: filedAt,
    filingUrl: `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${folder}/${accessionNumber}-index.htm`,
    ...row,
  }
}
