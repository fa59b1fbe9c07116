import { ParseError } from '../answer.ts'
import { decodeText } from '../feed/decode.ts'
import { type Header, readHeader } from './header.ts'
import { toNumber, toText } from './values.ts'

/** A document of a submission. */
export interface SubmittedDocument {
  sequence: number
  type: string
  fileName: string | null
  description: string | null
  text: string
}

/** A filing as EDGAR delivers it: the full submission, or one document of it without a header. */
export interface Submission {
  text: string
  header: Header
  /** Empty for a single document. */
  documents: SubmittedDocument[]
}

/** Far above the number of documents of any filing. */
const MAX_DOCUMENTS = 5_000

/** Decodes a filing and splits it into its documents. */
export function readSubmission(bytes: Uint8Array): Submission {
  const text = decodeText(bytes)
  if (text.trim() === '') throw new ParseError('is empty')
  const start = text.search(/<DOCUMENT>/)
  const isSubmission = start >= 0 || /<SEC-HEADER>|<SUBMISSION>|<ACCEPTANCE-DATETIME>/.test(text.slice(0, 10_000))
  return {
    text,
    header: readHeader(isSubmission ? text.slice(0, start < 0 ? undefined : start) : ''),
    documents: start < 0 ? [] : readDocuments(text.slice(start)),
  }
}

function readDocuments(text: string): SubmittedDocument[] {
  const parts = text.split(/<DOCUMENT>/, MAX_DOCUMENTS + 2).slice(1)
  if (parts.length > MAX_DOCUMENTS) throw new ParseError(`has more than ${MAX_DOCUMENTS} documents`)
  return parts.map((part, index) => {
    const start = part.indexOf('<TEXT>')
    const head = part.slice(0, start < 0 ? undefined : start)
    const field = (name: string) => new RegExp(`<${name}>([^<\\r\\n]*)`).exec(head)?.[1]
    const end = part.lastIndexOf('</TEXT>')
    return {
      sequence: toNumber(field('SEQUENCE')) ?? index + 1,
      type: toText(field('TYPE')) ?? '',
      fileName: toText(field('FILENAME')),
      description: toText(field('DESCRIPTION')),
      text: start < 0 ? '' : part.slice(start + '<TEXT>'.length, end < start ? undefined : end),
    }
  })
}

/** Returns the error for a file that is not of the expected kind; names a page of EDGAR that refuses the request. */
export function notThe(expected: string, { text, header }: Submission): ParseError {
  if (/Request Rate Threshold Exceeded|Undeclared Automated Tool/i.test(text.slice(0, 10_000))) {
    return new ParseError('is a page of EDGAR that refuses the request: too many requests, or no contact in User-Agent')
  }
  return new ParseError(header.formType === null ? `is no ${expected}` : `is a form ${header.formType}, no ${expected}`)
}
