import Type from 'typebox'
import { ApiError } from '../model/errors.ts'

export const IdPath = Type.Object({ id: Type.String() })

/** What was looked for, or 404. */
export function orNotFound<T>(value: T | undefined, noun: string, by = 'id'): T {
  if (value === undefined) throw new ApiError('NOT_FOUND', `No ${noun} has this ${by}`)
  return value
}
