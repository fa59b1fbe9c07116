import type { SecRecord } from '../../model/sec/record.ts'
import type { Header } from './header.ts'

/** What an amendment says about the filing that it amends. */
export interface Amendment {
  number: number | null
  /** Whether it replaces the earlier filing or adds to it. */
  effect: 'replaces' | 'adds'
  /** The filing that it amends, if it names it. */
  accessionNumber: string | null
  /** The day of the filing that it amends, if it names it. */
  filingDate: string | null
}

/** Fields that all SEC records have, null where the file lacks them. The store adds ids and the asset. */
export type FilingFields = {
  [Field in keyof SecRecord]: Field extends 'isAmendment' ? boolean : SecRecord[Field] | null
} & {
  amendment: Amendment | null
}

export interface FilingGiven {
  formType: string | null
  periodOfReport: string | null
  cik: string | null
  companyName: string | null
  ticker: string | null
  amendment?: Partial<Amendment> | undefined
}

/** Returns the shared fields of the records of a filing. The header knows the form best, the document the company. */
export function filingFields(header: Header, given: FilingGiven): FilingFields {
  const formType = header.formType ?? given.formType
  const isAmendment = /\/A$/.test(formType ?? '') || /\/A$/.test(given.formType ?? '')
  const { accessionNumber } = header
  return {
    id: null,
    accessionNumber,
    formType,
    isAmendment,
    supersedesId: null,
    supersededById: null,
    filedAt: header.acceptedAt,
    filingDate: header.filingDate,
    periodOfReport: given.periodOfReport ?? header.period,
    cik: given.cik,
    companyName: given.companyName,
    ticker: given.ticker,
    assetId: null,
    assetKey: null,
    filingUrl: given.cik === null || accessionNumber === null ? null : filingUrl(given.cik, accessionNumber),
    createdAt: null,
    amendment: isAmendment
      ? { number: null, effect: 'replaces', accessionNumber: null, filingDate: null, ...given.amendment }
      : null,
  }
}

/** Returns the address of the folder of a filing. */
export function filingFolder(cik: string, accessionNumber: string): string {
  return `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accessionNumber.replaceAll('-', '')}`
}

/** Returns the address of the page of a filing. */
export function filingUrl(cik: string, accessionNumber: string): string {
  return `${filingFolder(cik, accessionNumber)}/${accessionNumber}-index.htm`
}
