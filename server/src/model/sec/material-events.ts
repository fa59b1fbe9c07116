import Type, { type Static } from 'typebox'
import { closingFields, FilingDocument, items, recordFields } from './record.ts'

/** An 8-K, by the items it reports. */
export const MaterialEvent = Type.Object({
  ...recordFields,
  items: items(),
  documents: Type.Array(FilingDocument),
  ...closingFields,
})
export type MaterialEvent = Static<typeof MaterialEvent>
