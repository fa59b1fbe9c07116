import type { ApiError } from '../model/errors.ts'
import { Json } from '../model/json.ts'
import { isoTime } from '../model/time.ts'

/** Headers and error bodies of one response format: JSON or HTML. */
export interface AnswerFormat {
  headers: Record<string, string>
  errorBody(error: ApiError, now: number): Buffer
}

const SUCCESS = Buffer.from('{"success":true,"data":')

/** Returns `{success: true, data, meta?}`; `data` may be serialized already. */
export function successBody(data: unknown, meta?: object): Buffer {
  const rest = meta === undefined ? '}' : `,"meta":${JSON.stringify(meta)}}`
  if (data instanceof Json) return Buffer.concat([SUCCESS, ...data.parts, Buffer.from(rest)])
  return Buffer.from(`{"success":true,"data":${JSON.stringify(data)}${rest}`)
}

/** Returns the error envelope of spec 2.8. */
export function errorBody(error: ApiError, now: number): Buffer {
  const envelope = {
    success: false,
    error: { message: error.message, code: error.code, ...(error.details && { details: error.details }) },
    statusCode: error.statusCode,
    timestamp: isoTime(now),
  }
  return Buffer.from(JSON.stringify(envelope))
}

export const JSON_FORMAT: AnswerFormat = { headers: { 'content-type': 'application/json; charset=utf-8' }, errorBody }
