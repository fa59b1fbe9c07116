import { ApiError } from '../../model/errors.ts'
import type { ClosingReason } from '../../model/streams.ts'
import type { Plan } from '../../plans/plans.ts'

const RETRY_AFTER_SECONDS = 5

export function capReached({ name, realtimeConnections }: Plan): ApiError {
  const connections =
    realtimeConnections === 1 ? '1 real-time connection' : `${realtimeConnections} real-time connections`
  return new ApiError('RATE_LIMIT_EXCEEDED', `The ${name} plan allows ${connections} at a time; close one first`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

/** Returns the error for a stream that is ended while it opens. */
export function refusal(reason: ClosingReason, cost: number): ApiError {
  switch (reason) {
    case 'credits_exhausted':
      return new ApiError(
        'INSUFFICIENT_CREDITS',
        `A minute of the stream costs ${cost} ${cost === 1 ? 'credit' : 'credits'} and the balance does not cover it`,
      )
    case 'key_revoked':
      return new ApiError('UNAUTHORIZED', 'This API key is not valid')
    case 'shutdown':
      return new ApiError('INTERNAL_ERROR', 'The service is shutting down', {
        statusCode: 503,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    default:
      return new ApiError('FORBIDDEN', 'The plan of this account no longer allows this stream')
  }
}
