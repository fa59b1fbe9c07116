import Type from 'typebox'
import { ApiError } from '../model/errors.ts'

export const IdPath = Type.Object({ id: Type.String() })

/** Returns the value; throws 404 if it is undefined. */
export function orNotFound<T>(value: T | undefined, noun: string, by = 'id'): T {
  if (value === undefined) throw new ApiError('NOT_FOUND', `No ${noun} has this ${by}`)
  return value
}
