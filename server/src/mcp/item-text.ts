import type { SecDataset } from '../model/sec/datasets.ts'
import { type ItemType, itemId } from './item-id.ts'
import { cell, linesText, minute, oneLine } from './text.ts'

const MAX_TEXT = 1_500
const MAX_LINK = 2_048
const MAX_ITEMS = 20
const MAX_POINTS = 20

type Fields = Record<string, unknown>

/** Fields that name other items, by the type of these. */
const REFERENCES: Record<string, ItemType> = {
  entryIds: 'entry',
  relatedEntryIds: 'entry',
  representativeEntryId: 'entry',
  clusterId: 'cluster',
  predictionMarketIds: 'prediction-market',
  marketIds: 'market',
  marketId: 'market',
  topicSlugs: 'topic',
  assetKeys: 'asset',
  assetKey: 'asset',
}

/** Fields that name another item of the same type. */
const SAME_TYPE = new Set(['id', 'supersedesId', 'supersededById'])

/** Types of the items within another, by the field that has them. */
const PARTS: Record<string, ItemType | undefined> = {
  publisher: 'publisher',
  cluster: 'cluster',
  entries: 'entry',
  relatedMarkets: 'prediction-market',
}

/** Fields that an agent has no use for, or knows by another field. */
const OMITTED = new Set(['assetId', 'imageUrl', 'createdAt', 'updatedAt'])
/** Series in the order of time: shown evenly, rather than from their beginning. */
const SERIES = new Set(['points', 'timeline'])

/** Returns an item as text: a line per field, nested fields by their path, and a table per list of objects. */
export function renderItem(type: ItemType, item: Fields, notes: readonly string[]): string {
  return linesText([...fieldLines(type, item, ''), ...notes.slice(0, -1)], notes.at(-1) ?? '')
}

function fieldLines(type: ItemType | undefined, fields: Fields, prefix: string): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (OMITTED.has(name) || isEmpty(value)) return []
    const path = prefix + oneLine(name, 200)
    if (name === 'secRecords') return [`${path}: ${records(value as SecReference[])}`]
    if (isObjects(value)) return objectLines(name, path, value)
    if (isObject(value)) return fieldLines(PARTS[name], value, `${path}.`)
    return [`${path}: ${scalar(type, name, value)}`]
  })
}

/** Returns a table whose columns are the fields of the objects. */
function objectLines(name: string, path: string, objects: Fields[]): string[] {
  const shown = SERIES.has(name) ? evenly(objects, MAX_POINTS) : objects.slice(0, MAX_ITEMS)
  const flat = shown.map((fields) => flatten(fields))
  const columns = [...new Set(flat.flatMap((fields) => Object.keys(fields)))].filter((key) => !OMITTED.has(key))
  const more = objects.length > shown.length ? `, ${shown.length} of ${objects.length}` : ''
  return [
    `${path} (${columns.map((key) => oneLine(key, 200)).join(' | ')}${more}):`,
    ...flat.map(
      (fields) => `  ${columns.map((key) => oneLine(scalar(PARTS[name], key, fields[key]), 200)).join(' | ')}`,
    ),
  ]
}

/** Moves the fields of nested objects up: { at, probabilities: { yes } } is { at, yes }. */
function flatten(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (isObject(value) ? Object.entries(value) : [[name, value]])),
  )
}

function scalar(type: ItemType | undefined, name: string, value: unknown): string {
  if (isEmpty(value)) return '-'
  const reference = SAME_TYPE.has(name) ? type : REFERENCES[name]
  if (reference !== undefined && typeof value === 'string') return itemId(reference, value)
  if (reference !== undefined && Array.isArray(value)) return references(reference, value)
  if (typeof value === 'string' && /^at$|At$/.test(name)) return minute(value) ?? '-'
  if (typeof value === 'string' && /url$/i.test(name)) return value.length > MAX_LINK ? '-' : value
  return isObject(value) || isObjects(value) ? oneLine(JSON.stringify(value), 200) : cell(value, MAX_TEXT)
}

interface SecReference {
  dataset: SecDataset
  id: string
}

const records = (given: readonly SecReference[]) =>
  given
    .slice(0, MAX_ITEMS)
    .map(({ dataset, id }) => itemId(dataset, id))
    .join(', ')

function references(type: ItemType, ids: readonly unknown[]): string {
  const shown = ids.slice(0, MAX_ITEMS).map((id) => itemId(type, String(id)))
  return [...shown, ...(ids.length > MAX_ITEMS ? [`and ${ids.length - MAX_ITEMS} more`] : [])].join(', ')
}

/** Returns at most `count` of the points, evenly chosen, the first and the last included. */
function evenly<T>(points: readonly T[], count: number): T[] {
  if (points.length <= count) return [...points]
  const step = (points.length - 1) / (count - 1)
  return Array.from({ length: count }, (_, index) => points[Math.round(index * step)] as T)
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isObjects = (value: unknown): value is Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)
