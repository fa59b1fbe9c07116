import { invalidRequest } from './errors.ts'
import type { SandboxTransaction } from './transaction.ts'

type Fields = Record<string, unknown>

/** Functions that add a field to an object, by `<object>.<field>`. */
export type IncludableFields = Record<string, (tx: SandboxTransaction, object: Fields) => Promise<unknown>>

/** Returns a copy in which the fields named by `paths`, such as `latest_invoice.payments`, hold objects instead of ids. */
export async function expandFields(
  tx: SandboxTransaction,
  result: object,
  paths: readonly string[],
  includable: IncludableFields,
): Promise<object> {
  const copy = structuredClone(result) as Fields
  // Shorter paths first: expanding an outer field replaces everything inside it.
  for (const path of paths.toSorted((a, b) => a.length - b.length)) {
    await expandPath(tx, copy, path.split('.'), path, includable)
  }
  return copy
}

async function expandPath(
  tx: SandboxTransaction,
  at: unknown,
  [field, ...rest]: readonly string[],
  path: string,
  includable: IncludableFields,
): Promise<void> {
  if (field === undefined || at === null || at === undefined) return
  if (Array.isArray(at)) {
    for (const one of at) await expandPath(tx, one, [field, ...rest], path, includable)
    return
  }
  if (typeof at !== 'object') throw notExpandable(path)
  const fields = at as Fields
  const include = includable[`${fields.object}.${field}`]
  if (include !== undefined) fields[field] ??= structuredClone(await include(tx, fields))
  const value = fields[field]
  if (value === undefined) throw notExpandable(path)
  if (typeof value === 'string') {
    const object = await tx.findAny(value)
    if (object === undefined) throw notExpandable(path)
    fields[field] = structuredClone(object)
  } else if (typeof value !== 'object') {
    throw notExpandable(path)
  }
  await expandPath(tx, fields[field], rest, path, includable)
}

const notExpandable = (path: string) =>
  invalidRequest(`This property cannot be expanded (${path}).`, { code: 'parameter_invalid', param: 'expand' })
