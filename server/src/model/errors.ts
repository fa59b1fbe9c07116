import Type, { type Static } from 'typebox'
import { text } from './schema.ts'

/** HTTP status by error code (spec 7). */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_CREDITS: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

export const FieldError = Type.Object({
  field: text('Name of the parameter, or path of the field of the body'),
  message: text('What is wrong with the field, such as "must be at most 100"'),
})
export type FieldError = Static<typeof FieldError>

/** An error whose message callers may see. All other errors are logged and answered as INTERNAL_ERROR. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly statusCode: number
  readonly details: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** Headers of its answer: `allow` for a method that a route lacks, `content-range` for a range that a file lacks. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      details?: FieldError[]
      retryAfterSeconds?: number
      headers?: Record<string, string>
      statusCode?: number
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.statusCode = more.statusCode ?? ERROR_STATUS[code]
    this.details = more.details
    this.retryAfterSeconds = more.retryAfterSeconds
    this.headers = more.headers ?? {}
  }

  /** Creates a 400 error; `details` name the invalid fields (spec 7). */
  static invalid(details: FieldError[]): ApiError {
    const fields = details.map(({ field, message }) => `${field} ${message}`)
    return new ApiError('BAD_REQUEST', `Invalid request: ${fields.join('; ')}`, { details })
  }
}

/** The database does not answer. The engine logs the outage as a whole, so single failures need no log line. */
export class DatabaseUnavailable extends ApiError {
  constructor() {
    super('INTERNAL_ERROR', 'The database does not answer; try again soon', { retryAfterSeconds: 2 })
  }
}

/** The connection was lost during a commit: the transaction may be committed, now or later. */
export class CommitUnknown extends DatabaseUnavailable {}
