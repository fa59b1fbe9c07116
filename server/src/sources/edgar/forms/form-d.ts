import type { PrivatePlacement } from '../../../model/sec/private-placements.ts'
import { ParseError } from '../../answer.ts'
import { type FilingFields, filingFields } from '../filing.ts'
import { notThe, readSubmission } from '../submission.ts'
import { cikAt, dayAt, flagAt, numberAt, textAt, toAccession, toText } from '../values.ts'
import { findXml, type XmlElement } from '../xml.ts'

type Lacking = 'entityType' | 'industryGroup' | 'totalAmountSold' | 'investorCount'
export type Offering = FilingFields &
  Omit<PrivatePlacement, keyof FilingFields | Lacking> & { [Field in Lacking]: PrivatePlacement[Field] | null }

/** Parses a Form D. */
export function parseFormD(bytes: Uint8Array): Offering {
  const submission = readSubmission(bytes)
  const root = findXml(submission.text, 'edgarSubmission')
  const issuer = root?.find('primaryissuer')
  const offering = root?.find('offeringdata')
  if (root === undefined || issuer === undefined || offering === undefined) throw notThe('Form D', submission)
  const filing = filingFields(submission.header, {
    formType: textAt(root, 'submissiontype'),
    periodOfReport: null,
    cik: cikAt(issuer, 'cik'),
    companyName: textAt(issuer, 'entityname'),
    ticker: null,
    amendment: {
      accessionNumber: toAccession(offering.find('typeoffiling', 'neworamendment', 'previousaccessionnumber')?.text),
    },
  })
  if (filing.cik === null && filing.companyName === null) throw new ParseError('has no issuer')
  const amount = (name: string) => numberAt(offering, 'offeringsalesamounts', name)
  return {
    ...filing,
    entityType: textAt(issuer, 'entitytype') ?? textAt(issuer, 'entitytypeotherdesc'),
    jurisdiction: textAt(issuer, 'jurisdictionofinc'),
    industryGroup: textAt(offering, 'industrygroup', 'industrygrouptype'),
    exemptions: offering.find('federalexemptionsexclusions')?.list('item').flatMap(ownText) ?? [],
    securityTypes: securityTypesOf(offering.find('typesofsecuritiesoffered')),
    firstSaleDate: dayAt(offering, 'typeoffiling', 'dateoffirstsale'),
    // "Indefinite" is no number.
    totalOfferingAmount: amount('totalofferingamount'),
    totalAmountSold: amount('totalamountsold'),
    totalRemaining: amount('totalremaining'),
    minimumInvestment: numberAt(offering, 'minimuminvestmentaccepted'),
    investorCount: numberAt(offering, 'investors', 'totalnumberalreadyinvested'),
    relatedPersons: root.find('relatedpersonslist')?.list('relatedpersoninfo').map(toPerson) ?? [],
  }
}

const ownText = ({ text }: XmlElement) => toText(text) ?? []

/** Labels of the boxes, as on the form. */
const SECURITY_TYPES = {
  isequitytype: 'Equity',
  isdebttype: 'Debt',
  isoptiontoacquiretype: 'Option, Warrant or Other Right to Acquire Another Security',
  issecuritytobeacquiredtype: 'Security to be Acquired Upon Exercise of Option, Warrant or Other Right',
  ispooledinvestmentfundtype: 'Pooled Investment Fund Interests',
  istenantincommontype: 'Tenant-in-Common Securities',
  ismineralpropertytype: 'Mineral Property Securities',
}

function securityTypesOf(types: XmlElement | undefined): string[] {
  if (types === undefined) return []
  const checked = Object.entries(SECURITY_TYPES).filter(([name]) => flagAt(types, name) === true)
  const other = flagAt(types, 'isothertype') ? [textAt(types, 'descriptionofothertype') ?? 'Other'] : []
  return [...checked.map(([, label]) => label), ...other]
}

function toPerson(person: XmlElement): PrivatePlacement['relatedPersons'][number] {
  const names = ['firstname', 'middlename', 'lastname'].map((name) => textAt(person, 'relatedpersonname', name))
  // Companies have a dash as their first name.
  const parts = names.filter((name) => name !== null && !/^(?:-+|n\/?a|none)$/i.test(name))
  return {
    name: parts.join(' '),
    relationships: person.find('relatedpersonrelationshiplist')?.list('relationship').flatMap(ownText) ?? [],
  }
}
