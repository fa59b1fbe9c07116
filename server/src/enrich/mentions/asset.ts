import type { Asset } from '../../model/assets.ts'
import type { Entity } from '../../model/entities.ts'

/** The fields of an asset that the matcher uses. */
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

/** An asset that a text is about, without its sentiment. */
export type FoundAsset = Omit<Entity, 'sentimentScore'>
export type Mention = Entity['mentions'][number]
