import { badParameter, missingParameter, unknownParameter } from './fault.ts'
import type { FormValue } from './form.ts'

/** Reads one parameter of a request; undefined when it is not given. */
export type Reader<T> = (value: FormValue | undefined, name: string) => T
export type Shape = Record<string, Reader<unknown>>
export type Values<S extends Shape> = { [K in keyof S]: ReturnType<S[K]> }
type Given<R extends Reader<unknown>> = NonNullable<ReturnType<R>>

export const text: Reader<string | undefined> = (value, name) => {
  if (value !== undefined && typeof value !== 'string') throw badParameter(name, 'Invalid string')
  return value === '' ? undefined : value
}

export const textUpTo =
  (length: number): Reader<string | undefined> =>
  (value, name) => {
    const read = text(value, name)
    if (read !== undefined && read.length > length)
      throw badParameter(name, `Invalid string: must be at most ${length} characters`)
    return read
  }

export const email: Reader<string | undefined> = (value, name) => {
  const read = text(value, name)
  if (read !== undefined && !/^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$/.test(read)) {
    throw badParameter(name, `Invalid email address: ${read}`, 'email_invalid')
  }
  return read
}

/** Pages link to these, so nothing but the web is let in. */
export const url: Reader<string | undefined> = (value, name) => {
  const read = text(value, name)
  if (read !== undefined && !/^https?:$/.test(URL.parse(read)?.protocol ?? '')) {
    throw badParameter(name, 'Not a valid URL', 'url_invalid')
  }
  return read
}

export const integer: Reader<number | undefined> = (value, name) => {
  const read = text(value, name)
  if (read === undefined) return undefined
  if (!/^-?\d{1,15}$/.test(read)) throw badParameter(name, `Invalid integer: ${read}`, 'parameter_invalid_integer')
  return Number(read)
}

export const flag: Reader<boolean | undefined> = (value, name) => {
  const read = text(value, name)
  if (read !== undefined && read !== 'true' && read !== 'false') throw badParameter(name, `Invalid boolean: ${read}`)
  return read === undefined ? undefined : read === 'true'
}

export const oneOf =
  <const T extends readonly string[]>(...values: T): Reader<T[number] | undefined> =>
  (value, name) => {
    const read = text(value, name)
    const known = values.find((one) => one === read)
    if (read !== undefined && known === undefined) {
      throw badParameter(name, `Invalid ${name}: must be one of ${values.join(', ')}`)
    }
    return known
  }

/** A map of texts; keys may look like numbers. */
export const metadata: Reader<Record<string, string> | undefined> = (value, name) => {
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string') throw badParameter(name, 'Invalid hash')
  const entries = Object.entries(value).map(([key, one]) => [key, text(one, `${name}[${key}]`)] as const)
  if (entries.length > 50) throw badParameter(name, 'Metadata can have up to 50 keys')
  for (const [key, one] of entries) {
    if (key.length > 40) throw badParameter(name, `Metadata keys can have up to 40 characters: ${key}`)
    if (one !== undefined && one.length > 500) throw badParameter(`${name}[${key}]`, 'Metadata values end at 500')
  }
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

export const listOf =
  <R extends Reader<unknown>>(reader: R): Reader<Given<R>[] | undefined> =>
  (value, name) => {
    if (value === undefined || value === '') return undefined
    if (!Array.isArray(value)) throw badParameter(name, 'Invalid array')
    return value.map((one, index) => {
      const read = reader(one, `${name}[${index}]`)
      if (read === undefined) throw badParameter(`${name}[${index}]`, 'Invalid value')
      return read as Given<R>
    })
  }

/** What the shape does not name is refused. */
export const object =
  <S extends Shape>(shape: S): Reader<Values<S> | undefined> =>
  (value, name) => {
    if (value === undefined || value === '') return undefined
    if (typeof value === 'string' || Array.isArray(value)) throw badParameter(name, 'Invalid object')
    return readShape(shape, value, (key) => (name === '' ? key : `${name}[${key}]`))
  }

export const required =
  <R extends Reader<unknown>>(reader: R): Reader<Given<R>> =>
  (value, name) => {
    const read = reader(value, name)
    if (read === undefined) throw missingParameter(name)
    return read as Given<R>
  }

function readShape<S extends Shape>(
  shape: S,
  values: Record<string, FormValue>,
  nameOf: (key: string) => string,
): Values<S> {
  for (const key of Object.keys(values)) if (!Object.hasOwn(shape, key)) throw unknownParameter(nameOf(key))
  const read = Object.entries(shape).map(([key, reader]) => [
    key,
    reader(Object.hasOwn(values, key) ? values[key] : undefined, nameOf(key)),
  ])
  return Object.fromEntries(read) as Values<S>
}

/** The parameters of a whole request. */
export const readerOf =
  <S extends Shape>(shape: S) =>
  (form: Record<string, FormValue>): Values<S> =>
    readShape(shape, form, (key) => key)

export const PAGE = { limit: integer, starting_after: text }

/** A page of a list, as every list takes it. */
export interface PageParams {
  limit: number | undefined
  starting_after: string | undefined
}
