import Type, { type Static } from 'typebox'
import { day, id, nullable, time } from '../schema.ts'

/** The fields that every SEC record has. */
export const recordFields = {
  id: id(),
  accessionNumber: Type.String(),
  formType: Type.String(),
  isAmendment: Type.Boolean(),
  supersedesId: nullable(id()),
  supersededById: nullable(id()),
  filedAt: time('When the SEC accepted it'),
  filingDate: day(),
  periodOfReport: nullable(day()),
  cik: Type.String({ description: 'CIK of the company, ten digits' }),
  companyName: Type.String(),
  ticker: nullable(Type.String()),
  assetId: nullable(id()),
  assetKey: nullable(Type.String()),
  filingUrl: Type.String(),
}

/** Fields that follow those of the dataset. */
export const closingFields = { createdAt: time() }

const SecRecord = Type.Object({ ...recordFields, ...closingFields })
export type SecRecord = Static<typeof SecRecord>

/** A record to insert; the store looks up its asset and its superseding record. */
export type NewRecord<R extends SecRecord> = Omit<R, 'assetId' | 'supersededById' | 'createdAt'>

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

export const items = () => Type.Array(Type.Object({ code: Type.String(), title: Type.String() }))

export const FilingDocument = Type.Object({
  sequence: Type.Integer(),
  type: Type.String(),
  description: nullable(Type.String()),
  url: Type.String(),
})
