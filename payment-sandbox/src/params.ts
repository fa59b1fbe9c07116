import { invalidParameter, missingParameter, unknownParameter } from './errors.ts'
import type { FormValue } from './form.ts'

/** Parses one parameter of a request; returns undefined if it is absent. */
export type ParamReader<T> = (value: FormValue | undefined, name: string) => T
export type ParamShape = Record<string, ParamReader<unknown>>

type Values<S extends ParamShape> = { [K in keyof S]: ReturnType<S[K]> }
type OptionalNames<S extends ParamShape> = { [K in keyof S]: undefined extends ReturnType<S[K]> ? K : never }[keyof S]
type Present<R extends ParamReader<unknown>> = NonNullable<ReturnType<R>>

/** The parameters that a shape accepts. */
export type ParamsOf<S extends ParamShape> = Omit<Values<S>, OptionalNames<S>> &
  Partial<Pick<Values<S>, OptionalNames<S>>>

const string: ParamReader<string | undefined> = (value, name) => {
  if (value !== undefined && typeof value !== 'string') throw invalidParameter(name, 'Invalid string')
  return value === '' ? undefined : value
}

const checkedString =
  (
    isValid: (text: string) => boolean,
    problem: (text: string) => string,
    code?: string,
  ): ParamReader<string | undefined> =>
  (value, name) => {
    const read = string(value, name)
    if (read !== undefined && !isValid(read)) throw invalidParameter(name, problem(read), code)
    return read
  }

const stringUpTo = (length: number) =>
  checkedString(
    (text) => text.length <= length,
    () => `Invalid string: must be at most ${length} characters`,
  )

const email = checkedString(
  (text) => /^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$/.test(text),
  (text) => `Invalid email address: ${text}`,
  'email_invalid',
)

/** Accepts web addresses only, because pages link to them. */
const url = checkedString(
  (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
  () => 'Not a valid URL',
  'url_invalid',
)

const integer: ParamReader<number | undefined> = (value, name) => {
  const read = string(value, name)
  if (read === undefined) return undefined
  if (!/^-?\d{1,15}$/.test(read)) throw invalidParameter(name, `Invalid integer: ${read}`, 'parameter_invalid_integer')
  return Number(read)
}

const boolean: ParamReader<boolean | undefined> = (value, name) => {
  const read = string(value, name)
  if (read !== undefined && read !== 'true' && read !== 'false') {
    throw invalidParameter(name, `Invalid boolean: ${read}`)
  }
  return read === undefined ? undefined : read === 'true'
}

const enumOf =
  <const T extends readonly string[]>(...values: T): ParamReader<T[number] | undefined> =>
  (value, name) => {
    const read = string(value, name)
    const known = values.find((one) => one === read)
    if (read !== undefined && known === undefined) {
      throw invalidParameter(name, `Invalid ${name}: must be one of ${values.join(', ')}`)
    }
    return known
  }

/** Also accepts an array, since keys that count up from 0 are decoded as one. */
const metadata: ParamReader<Record<string, string> | undefined> = (value, name) => {
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string') throw invalidParameter(name, 'Invalid hash')
  const entries = Object.entries(value).map(([key, one]) => [key, string(one, `${name}[${key}]`)] as const)
  if (entries.length > 50) throw invalidParameter(name, 'Metadata can have up to 50 keys')
  for (const [key, one] of entries) {
    if (key.length > 40) throw invalidParameter(name, `Metadata keys can have up to 40 characters: ${key}`)
    if (one !== undefined && one.length > 500) {
      throw invalidParameter(`${name}[${key}]`, 'Metadata values can have up to 500 characters')
    }
  }
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

const arrayOf =
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

const objectOf =
  <S extends ParamShape>(shape: S): ParamReader<ParamsOf<S> | undefined> =>
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
): ParamsOf<S> {
  for (const key of Object.keys(form)) if (!Object.hasOwn(shape, key)) throw unknownParameter(nameOf(key))
  const read = Object.entries(shape).map(([key, reader]) => [
    key,
    reader(Object.hasOwn(form, key) ? form[key] : undefined, nameOf(key)),
  ])
  return Object.fromEntries(read) as ParamsOf<S>
}

/** Readers of single parameters. */
export const param = {
  string,
  stringUpTo,
  email,
  url,
  integer,
  boolean,
  metadata,
  enum: enumOf,
  array: arrayOf,
  object: objectOf,
}

/** The parameters of every list. */
export const PAGE_PARAMS = { limit: integer, starting_after: string }
export type PageParams = ParamsOf<typeof PAGE_PARAMS>
