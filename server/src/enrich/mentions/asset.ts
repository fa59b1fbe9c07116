import type { Asset } from '../../model/assets.ts'
import type { Entity } from '../../model/entities.ts'

/** What the matcher reads of an asset. */
export type CatalogueAsset = Pick<
  Asset,
  | 'key'
  | 'symbol'
  | 'name'
  | 'type'
  | 'status'
  | 'exchange'
  | 'countryCode'
  | 'aliases'
  | 'formerSymbols'
  | 'sector'
  | 'industry'
>

/** An asset that a text names; the sentiment around it is added by others. */
export type FoundAsset = Omit<Entity, 'sentimentScore'>
export type Mention = Entity['mentions'][number]
