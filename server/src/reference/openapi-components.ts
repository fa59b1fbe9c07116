/** Parts of the OpenAPI document that all endpoints share: headers, errors and the schemas of pages. */
import Type, { type TSchema } from 'typebox'
import { DEMO_LIST_CAP } from '../admission/demo.ts'
import type { AnyEndpoint } from '../http/endpoint.ts'
import { ERROR_STATUS, type ErrorCode, FieldError } from '../model/errors.ts'
import { SEARCH_MODES } from '../model/paging.ts'
import { count, flag, nullable, text, time } from '../model/schema.ts'

export interface Reference {
  $ref: string
}

export const refTo = (kind: string, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` })

const header = (description: string, schema: TSchema) => ({ description, schema })

export const HEADERS = {
  RateLimit: header(
    'With a valid API key: remaining requests (r) and seconds until reset (t) of each window, such as `"burst";r=14;t=6, "hour";r=99;t=3600, "day";r=499;t=86400`',
    Type.String(),
  ),
  'RateLimit-Policy': header(
    'With a valid API key: quota (q) and length in seconds (w) of each window of the plan, such as `"burst";q=15;w=90, "hour";q=100;w=3600, "day";q=500;w=86400`',
    Type.String(),
  ),
  'X-Credits-Cost': header('With a valid API key: credits charged for this request', Type.Integer({ minimum: 0 })),
  'X-Credits-Remaining': header(
    'With a valid API key: credits left after this request, minus credits held by other requests and open streams',
    Type.Integer({ minimum: 0 }),
  ),
  'X-Request-Id': header('Id of this request, as in the request logs', Type.String({ format: 'uuid' })),
  'X-Total-Count': header(
    'Rows that match the filters, also those before `after` and beyond `limit`',
    Type.Integer({ minimum: 0 }),
  ),
  'X-Ignored-Parameters': header(
    'Parameters of the request that have no effect, each with the nearest known name, such as `"assetkey";nearest="assetKey"`',
    Type.String(),
  ),
  'X-Notice': header(
    'Why the list is empty, if its range of time lies in the future or before the first record',
    Type.String(),
  ),
  ETag: header(
    'On GET: names this answer. Sent as `If-None-Match` in the next request, it is answered with 304 and no body if nothing has changed; the cost is the same',
    Type.String(),
  ),
  Allow: header('If the route exists with other methods: these methods', Type.String()),
  'Retry-After': header('Seconds to wait before retrying', Type.Integer({ minimum: 0 })),
}

export const CALLER_HEADERS = ['RateLimit', 'RateLimit-Policy', 'X-Credits-Cost', 'X-Credits-Remaining'] as const

export const headerRefs = (...names: (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, refTo('headers', name)]))

export const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[]

/** The conditions of each error (spec 7). */
export const ERROR_CONDITIONS: Record<ErrorCode, string> = {
  BAD_REQUEST: `The request is malformed, or parameters or body fields are invalid: \`error.details\` names them. Also if the demo key requests more than ${DEMO_LIST_CAP} items or uses a paging parameter.`,
  UNAUTHORIZED:
    'The API key is missing, malformed, unknown, expired or revoked, or its account is suspended; the answer does not tell which. For the operator API: the token is missing or wrong.',
  INSUFFICIENT_CREDITS:
    'The balance is below the cost of the request. Nothing was executed or charged. For the demo key: the credits of this hour are used up; `Retry-After` says when they are refilled.',
  FORBIDDEN:
    'The plan does not include this feature or allows no more active keys, the key may not call this path (its `scopes`) or not from this address (its `allowedAddresses`), or the request needs a key other than the demo key. For the operator API: the token lacks the scope.',
  NOT_FOUND: 'The resource does not exist, or the route is unknown.',
  RATE_LIMIT_EXCEEDED:
    'A rate limit of the plan, or the shared limit of the demo key, is exceeded, or the plan allows no more open real-time connections. No credits were charged; wait for the number of seconds in `Retry-After`.',
  INTERNAL_ERROR: 'Something went wrong on the server. No credits were charged.',
}

export function errorsOf({ access, cost, path }: AnyEndpoint<never>): ErrorCode[] {
  const isPossible: Record<ErrorCode, boolean> = {
    // A URL may be too long, or its query string not valid.
    BAD_REQUEST: true,
    UNAUTHORIZED: access !== 'open',
    INSUFFICIENT_CREDITS:
      cost.credits > 0 || cost.with !== undefined || cost.perMinute !== undefined || cost.perFile === true,
    // A key or token may be restricted.
    FORBIDDEN: access !== 'open',
    NOT_FOUND: path.includes(':'),
    RATE_LIMIT_EXCEEDED: access !== 'open',
    INTERNAL_ERROR: true,
  }
  return ERROR_CODES.filter((code) => isPossible[code])
}

const ERROR_CONTENT = { 'application/json': { schema: refTo('schemas', 'Error') } }

export function errorResponse(code: ErrorCode) {
  // Without a valid key there is no plan and no balance.
  const caller = code === 'UNAUTHORIZED' ? [] : CALLER_HEADERS
  const retry = code === 'RATE_LIMIT_EXCEEDED' || code === 'INSUFFICIENT_CREDITS' ? (['Retry-After'] as const) : []
  return {
    description: ERROR_CONDITIONS[code],
    headers: headerRefs(...caller, 'X-Request-Id', ...retry, ...(code === 'NOT_FOUND' ? (['Allow'] as const) : [])),
    content: ERROR_CONTENT,
  }
}

/** Returns an error response that only few endpoints have. */
export function errorBodyOf(condition: string) {
  return { description: condition, headers: headerRefs('X-Request-Id'), content: ERROR_CONTENT }
}

const totals = {
  totalCount: count('Number of records that match the filters, on all pages'),
  count: count('Number of items on this page'),
  limit: count('Applied page size; may be lower than requested'),
}
const applied = {
  sort: text('Applied sort order'),
  query: nullable(text('Applied search term; null if there was none')),
  plan: Type.Optional(text("Slug of the caller's plan")),
}
const hasMore = flag('Whether more results follow')
const pageNumber = (description: string) => Type.Integer({ minimum: 1, description })

/** Spec 2.7 and 2.8. */
export const SHARED_SCHEMAS = {
  CursorMeta: Type.Object(
    {
      ...totals,
      hasMore,
      hasPrev: flag('Whether there are results before this page'),
      nextCursor: nullable(text('Opaque cursor to send as after. Null if hasMore is false')),
      prevCursor: nullable(text('Opaque cursor to send as before. Null if hasPrev is false')),
      sort: applied.sort,
      query: applied.query,
      mode: Type.Optional(
        Type.Enum(SEARCH_MODES, {
          description:
            'With query: semantic, or words if it was answered by words alone, for example in another language than the model knows',
        }),
      ),
      plan: applied.plan,
    },
    { description: 'The place of this page in a list paged by cursor' },
  ),
  OffsetMeta: Type.Object(
    {
      ...totals,
      offset: count('Number of skipped records'),
      hasMore,
      prevOffset: nullable(count('offset of the page before; null on the first page')),
      nextOffset: nullable(count('offset of the next page; null on the last page')),
    },
    { description: 'The place of this page in a list paged by offset' },
  ),
  PageMeta: Type.Object(
    {
      ...totals,
      page: pageNumber('Number of this page'),
      totalPages: count('Number of pages'),
      prevPage: nullable(pageNumber('Number of the page before; null on the first page')),
      nextPage: nullable(pageNumber('Number of the next page; null on the last page')),
      hasMore,
      ...applied,
    },
    { description: 'The place of this page in a list paged by number' },
  ),
  Error: Type.Object(
    {
      success: Type.Literal(false, { description: 'Always false' }),
      error: Type.Object(
        {
          message: text('For people; may change at any time'),
          code: Type.Enum(ERROR_CODES, { description: 'For programs; stable' }),
          details: Type.Optional(Type.Array(FieldError, { description: 'Present only if fields failed validation' })),
        },
        { description: 'What went wrong' },
      ),
      statusCode: Type.Integer({ description: 'Equals the HTTP status' }),
      timestamp: time('Time of the error'),
    },
    { description: 'The body of every error' },
  ),
}
