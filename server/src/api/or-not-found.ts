import Type from 'typebox'
import { ApiError } from '../model/errors.ts'
import { text } from '../model/schema.ts'

/** The path parameter `:id`. */
export const idPath = (description: string) => Type.Object({ id: text(description) })

/** Returns the value; throws 404 if it is undefined. */
export function orNotFound<T>(value: T | undefined, noun: string, by = 'id'): T {
  if (value === undefined) throw notFound(noun, by)
  return value
}

const notFound = (noun: string, by = 'id') => new ApiError('NOT_FOUND', `No ${noun} has this ${by}`)
