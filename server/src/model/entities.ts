import Type, { type Static } from 'typebox'
import { ASSET_TYPES } from './assets.ts'
import { assetKey, nullable, score, share, text } from './schema.ts'

/** An asset that an entry mentions, with the positions in its text. */
export const Entity = Type.Object({
  assetKey: assetKey(),
  name: text('Name of the asset'),
  type: Type.Enum(ASSET_TYPES, { description: 'Type of the asset' }),
  relevanceScore: share(
    'How much the entry is about the asset, by its place in title and text and the number of mentions',
  ),
  sentimentScore: nullable(
    score('Sentiment of the clauses that mention it, as in entries; null if they say nothing good or bad'),
  ),
  mentions: Type.Array(
    Type.Object({
      field: Type.Enum(['title', 'content'], {
        description: 'content is the full text, or the excerpt if it is unknown',
      }),
      start: Type.Integer({ minimum: 0, description: 'Position of the first character, from 0, in UTF-16 units' }),
      end: Type.Integer({ minimum: 0, description: 'Position after the last character' }),
      text: text('The mention as it is written there'),
    }),
    { description: 'Where the entry names it, the title first' },
  ),
})
export type Entity = Static<typeof Entity>
