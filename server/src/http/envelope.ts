import type { ApiError } from '../model/errors.ts'
import { Json } from '../model/json.ts'
import { isoTime } from '../model/time.ts'

/** `{success: true, data, meta?}`, with data that may already be text. */
export function successText(data: unknown, meta?: object): string {
  const dataText = data instanceof Json ? data.text : JSON.stringify(data)
  const metaText = meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`
  return `{"success":true,"data":${dataText}${metaText}}`
}

/** The error envelope of spec 2.8. */
export function errorText(error: ApiError, now: number): string {
  return JSON.stringify({
    success: false,
    error: { message: error.message, code: error.code, ...(error.details && { details: error.details }) },
    statusCode: error.statusCode,
    timestamp: isoTime(now),
  })
}
