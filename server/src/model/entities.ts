import Type, { type Static } from 'typebox'
import { ASSET_TYPES } from './assets.ts'
import { nullable, score, share } from './schema.ts'

/** An asset that an entry mentions, with the positions in its text. */
export const Entity = Type.Object({
  assetKey: Type.String(),
  name: Type.String(),
  type: Type.Enum(ASSET_TYPES),
  relevanceScore: share('How much the entry is about the asset'),
  sentimentScore: nullable(score('Sentiment of the clauses that mention it')),
  mentions: Type.Array(
    Type.Object({
      field: Type.Enum(['title', 'content']),
      start: Type.Integer({ minimum: 0 }),
      end: Type.Integer({ minimum: 0 }),
      text: Type.String(),
    }),
  ),
})
export type Entity = Static<typeof Entity>
