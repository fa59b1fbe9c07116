import type { Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import { type AnyEndpoint, API_PREFIX, type Assess, isStream } from '../../http/endpoint.ts'
import { ApiError } from '../../model/errors.ts'
import { baseCost, dearerParam, effectiveCost } from '../../plans/cost.ts'
import type { Services } from '../services.ts'
import { describeLimit } from './account.ts'
import type { CostQuery, CostView } from './schema.ts'

export async function describeCost(
  caller: Caller,
  { path, method }: Static<typeof CostQuery>,
  assess: Assess,
  { admission, streams, clock }: Services,
): Promise<Static<typeof CostView>> {
  const url = urlOf(path)
  const { endpoint, query, cost, rate, ...assessed } = await assess(caller, method, url)
  const isOpening = assessed.refusal === undefined && endpoint !== undefined && isStream(endpoint.returns)
  const refusal = isOpening ? await streams.refusalOf(caller) : assessed.refusal
  return {
    method,
    path: url,
    endpoint: endpoint === undefined ? null : `${endpoint.method} ${endpoint.path}`,
    wouldPass: refusal === undefined,
    credits: query === undefined ? null : cost,
    cost: endpoint === undefined || query === undefined ? null : partsOf(endpoint, query, caller),
    available: Math.max(0, admission.meter.available(caller.account.id) ?? 0),
    limits: rate.limits.map((state) => describeLimit(state, clock.now())),
    error: refusal === undefined ? null : errorOf(refusal),
  }
}

/** Returns the URL of a path below /api/v1, as clients send it. */
function urlOf(path: string): string {
  if (!/^\/[^#]*$/.test(path)) {
    throw ApiError.invalid([{ field: 'path', message: 'must be a path such as /entries?limit=5, percent-encoded' }])
  }
  const url = path.replaceAll(/[^\x21-\x7e]+/gu, encodeURIComponent)
  return /^\/api\/v1(?=[/?]|$)/.test(url) ? url : API_PREFIX + url
}

function partsOf({ cost }: AnyEndpoint<never>, query: Record<string, unknown>, { plan }: Caller) {
  return {
    base: baseCost(cost, query),
    parameter: dearerParam(cost, query)?.param ?? null,
    multiplier: plan.creditMultiplier ?? 1,
    ...(cost.perMinute !== undefined && { perMinute: effectiveCost(cost.perMinute, plan) }),
    ...(cost.perRows !== undefined && { perRows: cost.perRows }),
  }
}

function errorOf({ statusCode, code, message, details, retryAfterSeconds }: ApiError) {
  return {
    statusCode,
    code,
    message,
    ...(details !== undefined && { details }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}
