import type { PlannedSale } from '../../../model/sec/planned-sales.ts'
import { type FilingFields, filingFields } from '../filing.ts'
import { notThe, readSubmission } from '../submission.ts'
import { cikAt, dayAt, numberAt, textAt, toAccession, toText } from '../values.ts'
import { findXml } from '../xml.ts'

type Sale = Omit<PlannedSale, keyof FilingFields>
export type NoticeOfSale = FilingFields & { [Field in keyof Sale]: Sale[Field] | null }

/** Parses a Form 144; it may announce sales of several classes of securities. */
export function parseForm144(bytes: Uint8Array): NoticeOfSale[] {
  const submission = readSubmission(bytes)
  const root = findXml(submission.text, 'edgarSubmission')
  const form = root?.find('formdata')
  const issuer = form?.find('issuerinfo')
  const sales = form?.list('securitiesinformation') ?? []
  if (root === undefined || issuer === undefined || sales.length === 0) throw notThe('Form 144 in XML', submission)
  const filing = filingFields(submission.header, {
    formType: textAt(root, 'headerdata', 'submissiontype'),
    periodOfReport: null,
    cik: cikAt(issuer, 'issuercik'),
    companyName: textAt(issuer, 'issuername'),
    ticker: null,
    amendment: { accessionNumber: toAccession(root.find('headerdata', 'previousaccessionnumber')?.text) },
  })
  const relationships = issuer.find('relationshipstoissuer')?.list('relationshiptoissuer') ?? []
  return sales.map((sale) => ({
    ...filing,
    sellerName: textAt(issuer, 'nameofpersonforwhoseaccountthesecuritiesaretobesold'),
    relationships: relationships.flatMap(({ text }) => toText(text) ?? []),
    securityTitle: textAt(sale, 'securitiesclasstitle'),
    units: numberAt(sale, 'noofunitssold'),
    marketValue: numberAt(sale, 'aggregatemarketvalue'),
    approxSaleDate: dayAt(sale, 'approxsaledate'),
    broker: textAt(sale, 'brokerormarketmakerdetails', 'name'),
  }))
}
