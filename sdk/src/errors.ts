import type { ResponseInfo } from './response.ts'

/** The base class of all errors of this package. */
export class MintickError extends Error {
  override name = 'MintickError'
}

/** A parameter or body field that the service refused. */
export interface FieldError {
  /** Name of the parameter or path of the body field. */
  field: string
  /** What is wrong with it; follows the name in a sentence. */
  message: string
}

/** An error that the service answered. Each code has a class of its own, such as `NotFoundError`. */
export class ApiError<Code extends string = string> extends MintickError {
  override name = 'ApiError'
  /** The stable code for programs; undefined if something else answered, such as a proxy. */
  readonly code: Code | undefined
  /** The HTTP status. */
  readonly status: number
  /** Fields that failed validation; empty if the error is not about fields. */
  readonly details: readonly FieldError[]
  /** Id of the request, as in the request logs. */
  readonly requestId: string | undefined
  /** Seconds to wait before another attempt, if the service named them. */
  readonly retryAfterSeconds: number | undefined
  /** Status, headers, credits and rate limits of the answer. */
  readonly response: ResponseInfo

  /** Creates the error of an answer. */
  constructor(message: string, response: ResponseInfo, code?: Code, details: readonly FieldError[] = []) {
    super(message)
    this.code = code
    this.details = details
    this.response = response
    this.status = response.status
    this.requestId = response.requestId
    this.retryAfterSeconds = response.retryAfterSeconds
  }
}

/** The service could not be reached, or the connection broke. `cause` is the error of `fetch`. */
export class ConnectionError extends MintickError {
  override name = 'ConnectionError'
}

/** No answer arrived within `timeoutMs`, or a stream stayed silent. */
export class TimeoutError extends MintickError {
  override name = 'TimeoutError'
}

/** Events of a stream were lost: they are no longer available. Iterating again continues after them. */
export class StreamGapError extends MintickError {
  override name = 'StreamGapError'
  /** Id of the first lost event. */
  readonly fromId: number
  /** Id of the last lost event. */
  readonly toId: number

  /** Creates the error of a range of lost events. */
  constructor(fromId: number, toId: number) {
    super(`The events ${fromId} to ${toId} of the stream are lost: they cannot be sent again`)
    this.fromId = fromId
    this.toId = toId
  }
}

/**
 * The call succeeded, but the answer that had its secret was lost: secrets are sent once. `data` is the answer without
 * the secret; rotate or delete the key it names.
 */
export class SecretLostError extends MintickError {
  override name = 'SecretLostError'
  /** The answer without its secret. */
  readonly data: unknown

  /** Creates the error of an answer whose field `secret` is missing. */
  constructor(secret: string, data: unknown) {
    super(`The call succeeded, but its first answer, the only one with ${secret}, was lost`)
    this.data = data
  }
}
