/** What a form holds: texts, lists and maps of them. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue }
export type Form = { [name: string]: FormValue }

const DEPTH_MAX = 8
const FIELDS_MAX = 1_000

export class BadForm extends Error {}

/** Decodes application/x-www-form-urlencoded with brackets: `items[0][price]=a&metadata[b]=c&expand[]=d`. */
export function decodeForm(text: string): Form {
  const root: Branch = new Map()
  let fields = 0
  for (const pair of text.split('&')) {
    if (pair === '') continue
    fields += 1
    if (fields > FIELDS_MAX) throw new BadForm('too many parameters')
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
    throw new BadForm('a parameter is not encoded as it should be')
  }
}

/** `a[b][]` is the path a, b, '': an empty name is the next place of a list. */
function pathOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (match === null) throw new BadForm(`the name of a parameter cannot be read: ${name}`)
  const inner = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')
  if (inner.length >= DEPTH_MAX) throw new BadForm(`a parameter is nested too deeply: ${name}`)
  return [match[1] ?? '', ...inner]
}

function put(root: Branch, path: readonly string[], value: string, name: string): void {
  let branch = root
  for (const [index, part] of path.entries()) {
    const key = part === '' ? String(branch.size) : part
    const existing = branch.get(key)
    if (index === path.length - 1) {
      if (existing instanceof Map) throw new BadForm(`a parameter is given twice: ${name}`)
      branch.set(key, value)
      return
    }
    if (typeof existing === 'string') throw new BadForm(`a parameter is given twice: ${name}`)
    const next = existing ?? new Map()
    branch.set(key, next)
    branch = next
  }
}

/** Names that count up from 0 make a list. */
function toValue(branch: Branch | string): FormValue {
  if (typeof branch === 'string') return branch
  const isList = branch.size > 0 && Array.from({ length: branch.size }, (_, i) => String(i)).every((i) => branch.has(i))
  if (!isList) return toMap(branch)
  return Array.from({ length: branch.size }, (_, i) => toValue(branch.get(String(i)) ?? ''))
}

/** `fromEntries` defines its properties, so that even `__proto__` is a name like others. */
function toMap(branch: Branch): Form {
  return Object.fromEntries([...branch].map(([name, value]) => [name, toValue(value)]))
}
