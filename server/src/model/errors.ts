/** The error table of spec 7: the one place where a code meets its status. */
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

export interface FieldError {
  field: string
  message: string
}

/** An error that a caller may read. Anything else thrown is logged and answered as INTERNAL_ERROR. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly statusCode: number
  readonly details: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: FieldError[]; retryAfterSeconds?: number; statusCode?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.statusCode = more.statusCode ?? ERROR_STATUS[code]
    this.details = more.details
    this.retryAfterSeconds = more.retryAfterSeconds
  }

  /** Spec 7: `details` name the fields that failed validation. */
  static invalid(details: FieldError[]): ApiError {
    const fields = details.map(({ field, message }) => `${field} ${message}`)
    return new ApiError('BAD_REQUEST', `Invalid request: ${fields.join('; ')}`, { details })
  }
}
