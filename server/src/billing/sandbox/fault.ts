/** What a caller is told when a request fails, in Stripe's shape. */
export interface FaultBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
  charge?: string
}

/** Thrown, it undoes what the request has done; returned, it is the answer to a request that has left traces. */
export class Fault extends Error {
  readonly status: number
  readonly body: FaultBody
  /** A request that was not understood never ran, so the same key may be used to send it corrected. */
  readonly isKept: boolean

  constructor(status: number, body: FaultBody, isKept = true) {
    super(body.message)
    this.status = status
    this.body = body
    this.isKept = isKept
  }
}

const invalid = (body: Omit<FaultBody, 'type'>, status = 400, isKept = true) =>
  new Fault(status, { type: 'invalid_request_error', ...body }, isKept)

export const refused = (message: string, more: { code?: string; param?: string } = {}) => invalid({ message, ...more })

export const unknownParameter = (param: string) =>
  invalid({ code: 'parameter_unknown', message: `Received unknown parameter: ${param}`, param }, 400, false)

export const missingParameter = (param: string) =>
  invalid({ code: 'parameter_missing', message: `Missing required param: ${param}.`, param }, 400, false)

export const badParameter = (param: string, message: string, code = 'parameter_invalid') =>
  invalid({ code, message, param }, 400, false)

/** 404 when the address names it, 400 when a parameter does. */
export const noSuch = (noun: string, id: string, param?: string) =>
  invalid(
    { code: 'resource_missing', message: `No such ${noun}: '${id}'`, param: param ?? 'id' },
    param === undefined ? 404 : 400,
  )

export const declined = (charge?: string) =>
  new Fault(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
    ...(charge !== undefined && { charge }),
  })

/** What Stripe can do and the sandbox cannot: better refused than done otherwise. */
export const notInSandbox = (what: string, param?: string) =>
  invalid({ message: `The sandbox does not do this: ${what}.`, ...(param !== undefined && { param }) })
