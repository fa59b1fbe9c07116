import type { MaterialEvent } from '../../../model/sec/material-events.ts'
import { type FilingFields, filingFields, filingFolder } from '../filing.ts'
import { plainLines } from '../plain-text.ts'
import { notThe, readSubmission, type SubmittedDocument } from '../submission.ts'
import { eightKItem, itemsInText } from './eight-k-items.ts'

export type CurrentReport = FilingFields &
  Pick<MaterialEvent, 'items'> & {
    documents: (Omit<MaterialEvent['documents'][number], 'url'> & { url: string | null })[]
    /** The text of the report without its exhibits, a line per paragraph. */
    text: string
  }

/** Far above the text of any report. */
const MAX_TEXT = 1_000_000

/** Parses the full submission of an 8-K. */
export function parseEightK(bytes: Uint8Array): CurrentReport {
  const submission = readSubmission(bytes)
  const { header, documents } = submission
  const main = documents.find(({ type }) => FORM.test(type)) ?? documents[0]
  const formType = header.formType ?? main?.type ?? null
  if (main === undefined || !FORM.test(formType ?? '')) throw notThe('full submission of an 8-K', submission)
  const filer = header.parties.find(({ role }) => role === 'filer') ?? header.parties[0]
  const cik = filer?.cik ?? null
  const filing = filingFields(header, {
    formType,
    periodOfReport: null,
    cik,
    companyName: filer?.name ?? null,
    ticker: null,
  })
  const lines = plainLines(main.text)
  const items = header.items.length > 0 ? header.items : itemsInText(lines)
  const { accessionNumber } = filing
  const folder = cik === null || accessionNumber === null ? null : filingFolder(cik, accessionNumber)
  return {
    ...filing,
    items: items.map((item) => eightKItem(item, filing.filingDate)),
    documents: documents.filter(isPublished).map(({ sequence, type, description, fileName }) => ({
      sequence,
      type,
      description,
      url: folder === null || fileName === null ? null : `${folder}/${fileName}`,
    })),
    text: lines.join('\n').slice(0, MAX_TEXT).toWellFormed(),
  }
}

const FORM = /^8-K/i

/** The report and its exhibits, without pictures and the parts of XBRL. */
const isPublished = ({ type }: SubmittedDocument) => FORM.test(type) || /^EX-(?!10[0-9]\.)/i.test(type)
