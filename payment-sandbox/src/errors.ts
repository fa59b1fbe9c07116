/** The error object of a response, in Stripe's format. */
export interface ErrorBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
  charge?: string
}

/** An error response. A handler that throws it undoes its changes; one that returns it keeps them. */
export class RequestError extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** False for a malformed request: it was never executed, so the client may correct it and send it with the same key. */
  readonly isReplayed: boolean

  constructor(status: number, body: ErrorBody, isReplayed = true) {
    super(body.message)
    this.status = status
    this.body = body
    this.isReplayed = isReplayed
  }
}

const invalid = (body: Omit<ErrorBody, 'type'>, status = 400, isReplayed = true) =>
  new RequestError(status, { type: 'invalid_request_error', ...body }, isReplayed)

export const invalidRequest = (message: string, more: { code?: string; param?: string } = {}) =>
  invalid({ message, ...more })

export const unknownParameter = (param: string) =>
  invalid({ code: 'parameter_unknown', message: `Received unknown parameter: ${param}`, param }, 400, false)

export const missingParameter = (param: string) =>
  invalid({ code: 'parameter_missing', message: `Missing required param: ${param}.`, param }, 400, false)

export const invalidParameter = (param: string, message: string, code = 'parameter_invalid') =>
  invalid({ code, message, param }, 400, false)

/** Creates a 404 for an id in the URL, a 400 for an id in a parameter. */
export const missingObject = (kind: string, id: string, param?: string) =>
  invalid(
    { code: 'resource_missing', message: `No such ${kind}: '${id}'`, param: param ?? 'id' },
    param === undefined ? 404 : 400,
  )

export const CARD_DECLINED = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
} as const

export const cardDeclined = (charge?: string) =>
  new RequestError(402, { type: 'card_error', ...CARD_DECLINED, ...(charge !== undefined && { charge }) })

/** Refuses a request that Stripe accepts; `supported` names the part that the sandbox implements. */
export const notSupported = (supported: string, param?: string) =>
  invalid({ message: `The sandbox supports only ${supported}.`, ...(param !== undefined && { param }) })
