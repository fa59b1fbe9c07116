export type FormValue = string | FormValue[] | { [name: string]: FormValue }
export type Form = { [name: string]: FormValue }

const DEPTH_MAX = 8
const FIELDS_MAX = 1_000

export class FormError extends Error {}

/** Decodes application/x-www-form-urlencoded with brackets: `items[0][price]=a&metadata[b]=c&expand[]=d`. */
export function decodeForm(text: string): Form {
  const root: Branch = new Map()
  let fields = 0
  for (const pair of text.split('&')) {
    if (pair === '') continue
    fields += 1
    if (fields > FIELDS_MAX) throw new FormError('too many parameters')
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    put(root, pathOf(name), equals < 0 ? '' : decode(pair.slice(equals + 1)), name)
  }
  return toMap(root)
}

type Branch = Map<string, Branch | string>

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new FormError('a parameter is not valid percent-encoding')
  }
}

/** Splits `a[b][]` into a, b and '': an empty name appends to an array. */
function pathOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (match === null) throw new FormError(`invalid parameter name: ${name}`)
  const inner = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')
  if (inner.length >= DEPTH_MAX) throw new FormError(`parameter nested too deeply: ${name}`)
  return [match[1] ?? '', ...inner]
}

function put(root: Branch, path: readonly string[], value: string, name: string): void {
  let branch = root
  for (const [index, part] of path.entries()) {
    const key = part === '' ? String(branch.size) : part
    const existing = branch.get(key)
    if (index === path.length - 1) {
      if (existing instanceof Map) throw new FormError(`parameter is both a value and a container: ${name}`)
      branch.set(key, value)
      return
    }
    if (typeof existing === 'string') throw new FormError(`parameter is both a value and a container: ${name}`)
    const next = existing ?? new Map()
    branch.set(key, next)
    branch = next
  }
}

/** Returns an array if the names count up from 0; other numbers are names, as in `metadata[7]`. */
function toValue(branch: Branch | string): FormValue {
  if (typeof branch === 'string') return branch
  const isArray =
    branch.size > 0 && Array.from({ length: branch.size }, (_, i) => String(i)).every((i) => branch.has(i))
  if (!isArray) return toMap(branch)
  return Array.from({ length: branch.size }, (_, i) => toValue(branch.get(String(i)) ?? ''))
}

/** `fromEntries` defines properties instead of assigning them, so `__proto__` is an ordinary name. */
function toMap(branch: Branch): Form {
  return Object.fromEntries([...branch].map(([name, value]) => [name, toValue(value)]))
}
