import Type, { type Static } from 'typebox'
import { addedAt, day, flag, id, integer, nullable, text, time } from '../schema.ts'

/** The fields that every SEC record has. */
export const recordFields = {
  id: id('Id of the record; a filing may have several records'),
  accessionNumber: text('Number of the filing at the SEC, such as 0000320193-26-000001; its records share it'),
  formType: text('Form as filed, such as 4 or 10-K; that of an amendment ends in /A'),
  isAmendment: flag('Whether the filing corrects an earlier one'),
  supersedesId: nullable(id('Id of the record that this one replaces; null if it replaces none')),
  supersededById: nullable(
    id('Id of the record that replaces this one; null while it is in force. Lists omit replaced records by default'),
  ),
  filedAt: time('When the SEC accepted it'),
  filingDate: day('Filing date that the SEC states'),
  periodOfReport: nullable(
    day('Last day of the reported period, or day of the reported event; null if the form has none'),
  ),
  cik: text('CIK of the company whose securities the filing is about, ten digits'),
  companyName: text('Name of that company'),
  ticker: nullable(text('Ticker of that company; null if it is not listed or unknown')),
  assetId: nullable(id('Id of the asset of that company; null if this service does not have it')),
  assetKey: nullable(text('Key of the asset of that company; null if this service does not have it')),
  filingUrl: text('Page of the filing at the SEC'),
}

/** Fields that follow those of the dataset. */
export const closingFields = { createdAt: addedAt() }

const SecRecord = Type.Object({ ...recordFields, ...closingFields })
export type SecRecord = Static<typeof SecRecord>

/** Fields that the store adds: its asset, its superseding record, and those that follow from the lines of a filing. */
export const DERIVED_FIELDS = ['assetId', 'supersededById', 'createdAt', 'ownerRole', 'filingValue'] as const

/** A record to insert. */
export type NewRecord<R extends SecRecord> = Omit<R, (typeof DERIVED_FIELDS)[number]>

/** A record to insert, with its additional fields for requests by id. */
export interface NewFiling<R extends SecRecord> {
  record: NewRecord<R>
  detail?: object
}

/**
 * A whole filing as the SEC accepted it. It supersedes other filings from its acceptance on, given by their accession
 * numbers; they may arrive later.
 */
export interface AcceptedFiling<R extends SecRecord> {
  accessionNumber: string
  acceptedAt: number
  supersedes: readonly string[]
  records: readonly NewFiling<R>[]
}

export const items = () =>
  Type.Array(Type.Object({ code: text('Number of the item, such as 2.02'), title: text('Title of the item') }), {
    description: 'Items of Form 8-K that the filing reports; empty for other forms',
  })

const FilingDocument = Type.Object({
  sequence: integer('Position in the filing; 1 is the main document'),
  type: text('Form or exhibit, such as 8-K or EX-99.1'),
  description: nullable(text('Description by the filer; null if there is none')),
  url: text('Address of the document at the SEC'),
})

export const documents = () =>
  Type.Array(FilingDocument, { description: 'Documents of the filing, the main one first' })
