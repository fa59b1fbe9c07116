import type { Desk } from './desk.ts'
import { refused } from './fault.ts'

type Document = Record<string, unknown>

/** Fields that an object has only when they are asked for, by the names of the object and of the field. */
export type Includable = Record<string, (desk: Desk, object: Document) => Promise<unknown>>

/** A copy of the answer in which the fields named by `paths`, as `latest_invoice.payments`, hold objects instead of ids. */
export async function expanded(
  desk: Desk,
  answer: object,
  paths: readonly string[],
  includable: Includable,
): Promise<object> {
  const copy = structuredClone(answer) as Document
  // The outer before the inner, which stand in what they give.
  for (const path of paths.toSorted((a, b) => a.length - b.length)) {
    await expandPath(desk, copy, path.split('.'), path, includable)
  }
  return copy
}

async function expandPath(
  desk: Desk,
  at: unknown,
  [field, ...rest]: readonly string[],
  path: string,
  includable: Includable,
): Promise<void> {
  if (field === undefined || at === null || at === undefined) return
  if (Array.isArray(at)) {
    for (const one of at) await expandPath(desk, one, [field, ...rest], path, includable)
    return
  }
  if (typeof at !== 'object') throw notExpandable(path)
  const document = at as Document
  const include = includable[`${document.object}.${field}`]
  if (include !== undefined) document[field] ??= structuredClone(await include(desk, document))
  const value = document[field]
  if (value === undefined) throw notExpandable(path)
  if (typeof value === 'string') {
    const object = await desk.findAny(value)
    if (object === undefined) throw notExpandable(path)
    document[field] = structuredClone(object)
  } else if (typeof value !== 'object') {
    throw notExpandable(path)
  }
  await expandPath(desk, document[field], rest, path, includable)
}

const notExpandable = (path: string) =>
  refused(`This property cannot be expanded (${path}).`, { code: 'parameter_invalid', param: 'expand' })
