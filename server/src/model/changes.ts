import Type, { type Static } from 'typebox'
import { Entry } from './entries.ts'
import { Market } from './markets.ts'
import { PredictionMarket } from './prediction-markets.ts'
import { id, integer, nullable, time } from './schema.ts'
import { SEC_DATASETS, SEC_RECORDS, type SecDataset } from './sec/datasets.ts'

export const CHANGE_TYPES = ['entry', 'filing', 'market', 'prediction-market'] as const
export type ChangeType = (typeof CHANGE_TYPES)[number]

const CHANGE_ACTIONS = ['insert', 'revision', 'removal'] as const
export type ChangeAction = (typeof CHANGE_ACTIONS)[number]

/** The list that a changed record belongs to. */
export type ChangeSource = 'entries' | 'markets' | 'prediction-markets' | SecDataset

/** The lists of each type of change. */
export const SOURCES_BY_TYPE: Readonly<Record<ChangeType, readonly ChangeSource[]>> = {
  entry: ['entries'],
  filing: SEC_DATASETS,
  market: ['markets'],
  'prediction-market': ['prediction-markets'],
}

/** Returns the type of the records of a list. */
export function typeOf(source: ChangeSource): ChangeType {
  const type = CHANGE_TYPES.find((one) => SOURCES_BY_TYPE[one].includes(source))
  if (type === undefined) throw new Error(`no type of change has the source ${source}`)
  return type
}

export const Change = Type.Object(
  {
    id: integer('Position in the order of all changes, which is the order of commits. Send the last one as after'),
    type: Type.Enum(CHANGE_TYPES, { description: 'Kind of record' }),
    dataset: nullable(Type.Enum(SEC_DATASETS, { description: 'SEC dataset of a filing; null for other types' })),
    action: Type.Enum(CHANGE_ACTIONS, {
      description: 'insert: the record is new; revision: it replaces what you have; removal: it is gone for good',
    }),
    recordId: id('Id of the record'),
    at: time('When the service stored the change'),
    record: nullable(
      Type.Union([Entry, Market, PredictionMarket, ...Object.values(SEC_RECORDS)], {
        description: 'The record as its list returns it now, which may be later than this change; null after a removal',
      }),
    ),
  },
  { description: 'An insert, a revision or a removal of a record' },
)
export type Change = Static<typeof Change>
