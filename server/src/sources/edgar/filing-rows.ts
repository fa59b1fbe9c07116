import type { SecDataset } from '../../model/sec/datasets.ts'
import { ParseError } from '../answer.ts'
import type { FilingFields } from './filing.ts'
import { datasetOfForm } from './filing-forms.ts'
import { parseBeneficialOwnership } from './forms/beneficial-ownership.ts'
import { parseEightK } from './forms/eight-k.ts'
import { parseForm144 } from './forms/form-144.ts'
import { parseFormD } from './forms/form-d.ts'
import { parseOwnership } from './forms/ownership.ts'
import { parseThirteenF } from './forms/thirteen-f.ts'
import { readSubmission } from './submission.ts'

/** The rows that a filing adds to a dataset. */
export interface FilingRows {
  dataset: SecDataset
  accessionNumber: string
  formType: string
  rows: FilingFields[]
  reasons: string[]
}

type FormParser = (bytes: Uint8Array) => { rows: FilingFields[]; reasons?: string[] }

const PARSERS: Record<SecDataset, FormParser> = {
  'insider-trades': (bytes) => ({ rows: parseOwnership(bytes) }),
  'institutional-holdings': (bytes) => {
    const { holdings, rejected } = parseThirteenF(bytes)
    return { rows: holdings, reasons: rejected.map(({ reason }) => reason) }
  },
  'beneficial-ownership': (bytes) => ({ rows: [parseBeneficialOwnership(bytes)] }),
  'private-placements': (bytes) => ({ rows: [parseFormD(bytes)] }),
  'planned-sales': (bytes) => ({ rows: parseForm144(bytes) }),
  'material-events': (bytes) => ({ rows: [parseEightK(bytes)] }),
  // Their figures come from the facts of the company.
  'financial-filings': () => ({ rows: [] }),
}

/** Parses the full submission of a filing of any form that is read. */
export function parseFiling(bytes: Uint8Array): FilingRows {
  const { header } = readSubmission(bytes)
  const { accessionNumber, formType } = header
  const dataset = datasetOfForm(formType ?? '')
  if (accessionNumber === null || formType === null || dataset === undefined) {
    throw new ParseError('is no full submission of a form that is read')
  }
  const { rows, reasons = [] } = PARSERS[dataset](bytes)
  return { dataset, accessionNumber, formType, rows, reasons }
}
