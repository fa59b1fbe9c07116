import Type, { type Static } from 'typebox'
import { closingFields, documents, items, recordFields } from './record.ts'

export const MaterialEvent = Type.Object(
  { ...recordFields, items: items(), documents: documents(), ...closingFields },
  { description: 'A Form 8-K, by the items it reports' },
)
export type MaterialEvent = Static<typeof MaterialEvent>
