import { SEC_DATASETS, type SecDataset } from '../model/sec/datasets.ts'

export type ItemType =
  | 'entry'
  | 'cluster'
  | 'asset'
  | 'market'
  | 'prediction-market'
  | 'signal'
  | 'publisher'
  | 'topic'
  | SecDataset

/** Paths of the endpoints that return one item, by the type in its id. */
const PATHS = {
  entry: '/entries',
  cluster: '/clusters',
  asset: '/assets',
  market: '/markets',
  'prediction-market': '/prediction-markets',
  signal: '/signals',
  publisher: '/publishers',
  topic: '/topics',
  ...Object.fromEntries(SEC_DATASETS.map((dataset) => [dataset, `/sec/${dataset}`])),
} as Record<ItemType, string>

export const ITEM_TYPES = Object.keys(PATHS) as ItemType[]

/** Returns the id of an item as agents see it: it says where the item is, so that it is all that get_item needs. */
export const itemId = (type: ItemType, id: string): string => `${type}:${id}`

/** Returns undefined if the text is no id of an item. */
export function parseItemId(text: string): { type: ItemType; id: string; path: string } | undefined {
  const [, type = '', id = ''] = /^([a-z-]+):(.+)$/s.exec(text.trim()) ?? []
  if (!Object.hasOwn(PATHS, type) || id === '.' || id === '..') return undefined
  return { type: type as ItemType, id, path: `${PATHS[type as ItemType]}/${encodeURIComponent(id)}` }
}
