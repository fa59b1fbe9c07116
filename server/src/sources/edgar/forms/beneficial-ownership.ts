import type { BeneficialOwnership } from '../../../model/sec/beneficial-ownership.ts'
import { ParseError } from '../../answer.ts'
import { type FilingFields, filingFields } from '../filing.ts'
import { notThe, readSubmission, type Submission } from '../submission.ts'
import { cikAt, dayAt, numberAt, textAt, toAccession, toText } from '../values.ts'
import { findXml, type XmlElement } from '../xml.ts'
import { type CoverPage, readCoverPages } from './beneficial-ownership-text.ts'

type Lacking = 'securityTitle' | 'maxPercentOfClass'
export type Stake = FilingFields &
  Omit<BeneficialOwnership, keyof FilingFields | Lacking> & { [Field in Lacking]: BeneficialOwnership[Field] | null }

/** Parses a Schedule 13D or 13G: XML since December 2024, before that HTML or text. */
export function parseBeneficialOwnership(bytes: Uint8Array): Stake {
  const submission = readSubmission(bytes)
  const root = findXml(submission.text, 'edgarSubmission')
  const cover = root?.find('formdata', 'coverpageheader')
  return root !== undefined && cover !== undefined ? fromXml(submission, root, cover) : fromText(submission)
}

const SCHEDULE = /\b13(D|G)\b/i

function fromXml({ header }: Submission, root: XmlElement, cover: XmlElement): Stake {
  const formType = textAt(root, 'headerdata', 'submissiontype')
  const issuer = cover.find('issuerinfo') ?? cover
  const eventDate = dayAt(cover, 'dateofevent') ?? dayAt(cover, 'eventdaterequiresfilingthisstatement')
  const filing = filingFields(header, {
    formType,
    periodOfReport: eventDate,
    cik: cikAt(issuer, 'issuercik'),
    companyName: textAt(issuer, 'issuername'),
    ticker: null,
    amendment: {
      number: numberAt(cover, 'amendmentno'),
      accessionNumber: toAccession(root.find('headerdata', 'previousaccessionnumber')?.text),
    },
  })
  const cusips = [...issuer.descendants('issuercusipnumber'), ...issuer.list('issuercusip')]
  return {
    ...filing,
    ...stakeOf(filing.formType ?? formType ?? '', {
      eventDate,
      securityTitle: textAt(cover, 'securitiesclasstitle'),
      cusips: [...new Set(cusips.flatMap(({ text }) => cusipsIn(text)))],
      reportingPersons: personsOf(root),
    }),
  }
}

function personsOf(root: XmlElement): BeneficialOwnership['reportingPersons'] {
  const persons = [
    ...root.descendants('reportingpersoninfo'),
    ...root.descendants('coverpageheaderreportingpersondetails'),
  ]
  return persons.map((person) => ({
    name: textAt(person, 'reportingpersonname') ?? '',
    cik: cikAt(person, 'reportingpersoncik'),
    type:
      person
        .list('typeofreportingperson')
        .flatMap(({ text }) => toText(text) ?? [])
        .join(', ') || null,
    citizenship: textAt(person, 'citizenshipororganization'),
    sharesOwned:
      numberAt(person, 'aggregateamountowned') ??
      numberAt(person, 'reportingpersonbeneficiallyownedaggregatenumberofshares'),
    percentOfClass: numberAt(person, 'percentofclass') ?? numberAt(person, 'classpercent'),
  }))
}

/** Reads the cover pages of older filings, and the parties from the header. */
function fromText(submission: Submission): Stake {
  const { header, documents, text } = submission
  const main = documents.find(({ type }) => SCHEDULE.test(type))
  const page = readCoverPages(main?.text ?? text)
  const formType = header.formType ?? main?.type ?? page.formType
  if (formType === null || !SCHEDULE.test(formType)) throw notThe('Schedule 13D or 13G', submission)
  const subject = header.parties.find(({ role }) => role === 'subject-company')
  const filing = filingFields(header, {
    formType,
    periodOfReport: page.eventDate,
    cik: subject?.cik ?? null,
    companyName: subject?.name ?? page.issuerName,
    ticker: null,
    amendment: { number: page.amendmentNumber },
  })
  if (filing.companyName === null) throw new ParseError('has no issuer')
  const filers = header.parties.filter(({ role }) => role === 'filed-by')
  const reportingPersons = page.reportingPersons.map((person) => ({
    ...person,
    cik: filers.find(({ name }) => isSameName(name, person.name))?.cik ?? null,
  }))
  return { ...filing, ...stakeOf(formType, { ...page, reportingPersons }) }
}

/** EDGAR has the last name of people first, and abbreviates. */
function isSameName(one: string | null, other: string): boolean {
  const words = (name: string) =>
    name
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.sort()
      .join(' ')
  return one !== null && words(one) === words(other)
}

type Facts = Pick<CoverPage, 'eventDate' | 'securityTitle' | 'cusips'> & Pick<Stake, 'reportingPersons'>

function stakeOf(formType: string, { eventDate, securityTitle, cusips, reportingPersons }: Facts) {
  const schedule = /13G/i.test(formType) ? ('13G' as const) : ('13D' as const)
  const percents = reportingPersons.flatMap(({ percentOfClass }) => percentOfClass ?? [])
  return {
    schedule,
    isActivist: schedule === '13D',
    eventDate,
    securityTitle,
    cusips,
    reportingPersons,
    maxPercentOfClass: percents.length === 0 ? null : Math.max(...percents),
  }
}

const cusipsIn = (text: string) =>
  toText(text)
    ?.toUpperCase()
    .match(/[0-9A-Z*@#]{9}/g) ?? []
