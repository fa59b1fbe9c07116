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
  cik: Type.String({ description: 'Of the company, ten digits' }),
  companyName: Type.String(),
  ticker: nullable(Type.String()),
  assetId: nullable(id()),
  assetKey: nullable(Type.String()),
  filingUrl: Type.String(),
}

/** After the fields of the dataset. */
export const closingFields = { createdAt: time() }

const SecRecord = Type.Object({ ...recordFields, ...closingFields })
export type SecRecord = Static<typeof SecRecord>

/** A record as it is taken in: the store finds the asset by its key, and what supersedes it. */
export type NewRecord<R extends SecRecord> = Omit<R, 'assetId' | 'supersededById' | 'createdAt'>

/** A record on its way in, with what is answered besides when it is asked for by id. */
export interface NewFiling<R extends SecRecord> {
  record: NewRecord<R>
  detail?: object
}

export const items = () => Type.Array(Type.Object({ code: Type.String(), title: Type.String() }))

export const FilingDocument = Type.Object({
  sequence: Type.Integer(),
  type: Type.String(),
  description: nullable(Type.String()),
  url: Type.String(),
})
