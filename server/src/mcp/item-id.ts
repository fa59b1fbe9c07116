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

/** Names of endpoints beside those of one item: a stream would never end, and cost credits all the time. */
const NO_IDS = ['counts', 'stream', 'tree', 'ws']

/** Returns a text as a part of a path; undefined if it would lead elsewhere. */
export function pathPart(text: string): string | undefined {
  if (text === '.' || text === '..' || !text.isWellFormed()) return undefined
  return encodeURIComponent(text)
}

/** Returns undefined if the text is no id of an item. */
export function parseItemId(text: string): { type: ItemType; id: string; path: string } | undefined {
  const [, type = '', id = ''] = /^([a-z-]+):(.+)$/s.exec(text.trim()) ?? []
  const part = pathPart(id)
  if (!Object.hasOwn(PATHS, type) || part === undefined || NO_IDS.includes(id)) return undefined
  return { type: type as ItemType, id, path: `${PATHS[type as ItemType]}/${part}` }
}
