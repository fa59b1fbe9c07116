/** Helpers to assert how parsers reject bad input. */
import assert from 'node:assert/strict'
import { ApiError, type FieldError } from '../src/model/errors.ts'

/** Returns the 400 error that `read` throws. */
export function refusalOf(read: () => unknown): ApiError {
  let value: unknown
  try {
    value = read()
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    assert.equal(error.code, 'BAD_REQUEST')
    assert.equal(error.statusCode, 400)
    return error
  }
  assert.fail(`was read as ${JSON.stringify(value)}`)
}

export function detailsOf(read: () => unknown): FieldError[] {
  const { details } = refusalOf(read)
  assert.ok(details !== undefined && details.length > 0)
  for (const { message } of details) assert.notEqual(message, '')
  return details
}

export const fieldsOf = (read: () => unknown) => detailsOf(read).map(({ field }) => field)
