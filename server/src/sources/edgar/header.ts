import { acceptanceTime } from './eastern-time.ts'
import { toAccession, toCik, toDay, toText } from './values.ts'

/** A company or person in the header of a submission. */
export interface Party {
  /** As in the header: filer, issuer, reporting-owner, subject-company, filed-by and others. */
  role: string
  name: string | null
  cik: string | null
}

/** The header of a submission. Fields that it does not have are null. */
export interface Header {
  accessionNumber: string | null
  formType: string | null
  /** In UTC. */
  acceptedAt: string | null
  filingDate: string | null
  period: string | null
  /** Codes or titles of the items of an 8-K. */
  items: string[]
  parties: Party[]
}

/** Names of the fields in headers with a colon, such as "CONFORMED SUBMISSION TYPE:	8-K". */
const ALIASES: Record<string, string> = {
  'conformed-submission-type': 'type',
  'conformed-period-of-report': 'period',
  'filed-as-of-date': 'filing-date',
  'item-information': 'items',
  'company-conformed-name': 'conformed-name',
  'central-index-key': 'cik',
}

const ROLE =
  /^(?:filer|issuer|reporting-owner|subject-company|filed-by|filed-for|filed-subject|depositor|securitizer|sponsor|serial-company|co-registrant)$/

/** Reads a header in any of its forms: lines with a colon, lines with a tag, and tags on one line. */
export function readHeader(text: string): Header {
  const header: Header = {
    accessionNumber: null,
    formType: null,
    acceptedAt: null,
    filingDate: null,
    period: null,
    items: [],
    parties: [],
  }
  let party: Party | undefined
  for (const { name, value } of fieldsOf(text)) {
    if (ROLE.test(name)) {
      party = { role: name, name: null, cik: null }
      header.parties.push(party)
    } else if (name === 'conformed-name' && party !== undefined) party.name ??= toText(value)
    else if (name === 'cik' && party !== undefined) party.cik ??= toCik(value)
    else if (name === 'accession-number') header.accessionNumber ??= toAccession(value)
    else if (name === 'type') header.formType ??= toText(value)
    else if (name === 'acceptance-datetime') header.acceptedAt ??= acceptanceTime(value)
    else if (name === 'filing-date') header.filingDate ??= toDay(value)
    else if (name === 'period') header.period ??= toDay(value)
    else if (name === 'items' && value !== '') header.items.push(value)
  }
  return header
}

const FIELD = /^[ \t]*([A-Z][A-Z0-9 '&/.-]*):[ \t]*(.*)$|<([A-Z][A-Z0-9_-]*)>([^<\r\n]*)/gm

function* fieldsOf(text: string): Generator<{ name: string; value: string }> {
  for (const [, label, afterColon = '', tag = '', afterTag = ''] of text.matchAll(FIELD)) {
    const name = (label ?? tag).trim().toLowerCase().replaceAll(' ', '-')
    yield { name: ALIASES[name] ?? name, value: (label === undefined ? afterTag : afterColon).trim() }
  }
}
