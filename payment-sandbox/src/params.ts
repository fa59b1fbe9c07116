import { invalidParameter, missingParameter, unknownParameter } from './errors.ts'
import type { FormValue } from './form.ts'

/** Parses one parameter of a request; returns undefined if it is absent. */
export type ParamReader<T> = (value: FormValue | undefined, name: string) => T
export type ParamShape = Record<string, ParamReader<unknown>>

type Values<S extends ParamShape> = { [K in keyof S]: ReturnType<S[K]> }
type OptionalNames<S extends ParamShape> = { [K in keyof S]: undefined extends ReturnType<S[K]> ? K : never }[keyof S]
type Present<R extends ParamReader<unknown>> = NonNullable<ReturnType<R>>

/** The parameters that a shape accepts. */
export type Params<S extends ParamShape> = Omit<Values<S>, OptionalNames<S>> &
  Partial<Pick<Values<S>, OptionalNames<S>>>

export const stringParam: ParamReader<string | undefined> = (value, name) => {
  if (value !== undefined && typeof value !== 'string') throw invalidParameter(name, 'Invalid string')
  return value === '' ? undefined : value
}

export const limitedStringParam =
  (length: number): ParamReader<string | undefined> =>
  (value, name) => {
    const read = stringParam(value, name)
    if (read !== undefined && read.length > length) {
      throw invalidParameter(name, `Invalid string: must be at most ${length} characters`)
    }
    return read
  }

export const emailParam: ParamReader<string | undefined> = (value, name) => {
  const read = stringParam(value, name)
  if (read !== undefined && !/^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$/.test(read)) {
    throw invalidParameter(name, `Invalid email address: ${read}`, 'email_invalid')
  }
  return read
}

/** Accepts web addresses only, because pages link to them. */
export const urlParam: ParamReader<string | undefined> = (value, name) => {
  const read = stringParam(value, name)
  if (read !== undefined && !/^https?:$/.test(URL.parse(read)?.protocol ?? '')) {
    throw invalidParameter(name, 'Not a valid URL', 'url_invalid')
  }
  return read
}

export const integerParam: ParamReader<number | undefined> = (value, name) => {
  const read = stringParam(value, name)
  if (read === undefined) return undefined
  if (!/^-?\d{1,15}$/.test(read)) throw invalidParameter(name, `Invalid integer: ${read}`, 'parameter_invalid_integer')
  return Number(read)
}

export const booleanParam: ParamReader<boolean | undefined> = (value, name) => {
  const read = stringParam(value, name)
  if (read !== undefined && read !== 'true' && read !== 'false') {
    throw invalidParameter(name, `Invalid boolean: ${read}`)
  }
  return read === undefined ? undefined : read === 'true'
}

export const enumParam =
  <const T extends readonly string[]>(...values: T): ParamReader<T[number] | undefined> =>
  (value, name) => {
    const read = stringParam(value, name)
    const known = values.find((one) => one === read)
    if (read !== undefined && known === undefined) {
      throw invalidParameter(name, `Invalid ${name}: must be one of ${values.join(', ')}`)
    }
    return known
  }

/** Also accepts an array, since keys that count up from 0 are decoded as one. */
export const metadataParam: ParamReader<Record<string, string> | undefined> = (value, name) => {
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string') throw invalidParameter(name, 'Invalid hash')
  const entries = Object.entries(value).map(([key, one]) => [key, stringParam(one, `${name}[${key}]`)] as const)
  if (entries.length > 50) throw invalidParameter(name, 'Metadata can have up to 50 keys')
  for (const [key, one] of entries) {
    if (key.length > 40) throw invalidParameter(name, `Metadata keys can have up to 40 characters: ${key}`)
    if (one !== undefined && one.length > 500) {
      throw invalidParameter(`${name}[${key}]`, 'Metadata values can have up to 500 characters')
    }
  }
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

export const arrayParam =
  <R extends ParamReader<unknown>>(reader: R): ParamReader<Present<R>[] | undefined> =>
  (value, name) => {
    if (value === undefined || value === '') return undefined
    if (!Array.isArray(value)) throw invalidParameter(name, 'Invalid array')
    return value.map((one, index) => {
      const read = reader(one, `${name}[${index}]`)
      if (read === undefined) throw invalidParameter(`${name}[${index}]`, 'Invalid value')
      return read as Present<R>
    })
  }

export const objectParam =
  <S extends ParamShape>(shape: S): ParamReader<Params<S> | undefined> =>
  (value, name) => {
    if (value === undefined || value === '') return undefined
    if (typeof value === 'string' || Array.isArray(value)) throw invalidParameter(name, 'Invalid object')
    return readParams(shape, value, (key) => `${name}[${key}]`)
  }

export const required =
  <R extends ParamReader<unknown>>(reader: R): ParamReader<Present<R>> =>
  (value, name) => {
    const read = reader(value, name)
    if (read === undefined) throw missingParameter(name)
    return read as Present<R>
  }

/** Parses a form; refuses parameters that the shape does not have. */
export function readParams<S extends ParamShape>(
  shape: S,
  form: Record<string, FormValue>,
  nameOf = (key: string) => key,
): Params<S> {
  for (const key of Object.keys(form)) if (!Object.hasOwn(shape, key)) throw unknownParameter(nameOf(key))
  const read = Object.entries(shape).map(([key, reader]) => [
    key,
    reader(Object.hasOwn(form, key) ? form[key] : undefined, nameOf(key)),
  ])
  return Object.fromEntries(read) as Params<S>
}

/** The parameters of every list. */
export const PAGE_PARAMS = { limit: integerParam, starting_after: stringParam }
export type PageParams = Params<typeof PAGE_PARAMS>
