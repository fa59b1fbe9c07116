import type { AnyEndpoint } from '../http/endpoint.ts'
import { IMPORTABLES, RESOURCE_NAMES } from '../import/resources.ts'
import { entryIdOf } from '../ingest/entries/entry-id.ts'

/** A request to an endpoint. */
export interface ExampleRequest {
  params?: Record<string, string>
  query?: string
  body?: unknown
}

/** A request that was sent to a service. */
export interface ExampleCall {
  path: string
  body?: unknown
}

/** A request with its answer. */
export interface Example extends ExampleCall {
  /** The answer, or the first event of a stream. */
  answer: unknown
}

/** By method and path of the endpoint. */
export type Examples = ReadonlyMap<string, Example>

/** Returns the data of the answer to an earlier example, by method and path of its endpoint. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Answered = (name: string) => any

type Request = ExampleRequest | ((answered: Answered) => ExampleRequest)

/** Requests that come before all others: they bring the account to a plan that may do everything. */
export const FIRST_REQUESTS: Record<string, Request> = {
  'POST /billing/subscription': { body: { planSlug: 'professional' } },
  'POST /admin/accounts': { body: { email: 'grace@example.com', name: 'Grace', plan: 'starter' } },
  'POST /admin/sources': { body: { kind: 'kraken', pairs: ['BTC/USD'] } },
  'POST /admin/tokens': { body: { name: 'ci-import', scope: 'owner' } },
  'POST /account/api-keys': { body: { name: 'laptop', scopes: ['data'] } },
}

/** Requests to all endpoints of GET that `usualRequest` does not cover. */
export const READING_REQUESTS: Record<string, Request> = {
  'GET /entries': { query: 'limit=1&language=en&include=publisher' },
  'GET /entries/counts': { query: 'interval=1d&ticker=BTC&publishedAfter=2026-02-27' },
  'GET /topics/tree': { query: 'rootSlug=markets&maxDepth=1' },
  'GET /topics/:id/entries': { params: { id: 'earnings' }, query: 'limit=1' },
  'GET /assets/:id': { params: { id: 'AAPL' } },
  'GET /topics/:id': { params: { id: 'earnings' } },
  'GET /markets/:id': { params: { id: 'BTC-USD' } },
  'GET /markets/:id/chart': { params: { id: 'BTC-USD' }, query: 'range=1d' },
  'GET /markets/:id/candles': { params: { id: 'BTC-USD' }, query: 'interval=1h&maxPoints=2' },
  'GET /signals/by-entry/:id': (answered) => ({ params: { id: answered('GET /signals/:id').entryIds[0] } }),
  'GET /account/cost': { query: 'path=%2Fentries%3Flimit%3D5' },
  'GET /billing/history': { query: 'limit=1&detail=true&type=usage' },
  'GET /changes': { query: 'limit=1&type=entry' },
  'GET /signals': { query: 'limit=1&kind=news_volume_spike' },
  'GET /account/logs': { query: 'limit=1&path=%2Fapi%2Fv1%2Fexport%2Fentries' },
  'GET /account/exports/:requestId': (answered) => ({
    params: { requestId: answered('GET /account/logs')[0].requestId },
  }),
}

/** Requests that change something, in this order, after all others. */
export const CHANGING_REQUESTS: Record<string, Request> = {
  'PATCH /account/alerts': { body: { lowBalance: 500, webhookUrl: 'https://hooks.example.com/mintick' } },
  'PATCH /account/api-keys/:id': (answered) => ({ params: newKey(answered), body: { name: 'workstation' } }),
  'POST /account/api-keys/:id/rotate': (answered) => ({ params: newKey(answered), body: { overlapHours: 1 } }),
  'DELETE /account/api-keys/:id': (answered) => ({ params: newKey(answered) }),
  'POST /billing/checkout': { body: { packageId: 'credits_5000' } },
  'GET /billing/checkout/:sessionId': (answered) => ({
    params: { sessionId: answered('POST /billing/checkout').sessionId },
  }),
  'POST /billing/subscription/change': { body: { planSlug: 'enterprise', preview: true } },
  'DELETE /billing/subscription': {},
  'POST /billing/portal': {},

  'PATCH /admin/accounts/:id': (answered) => ({
    params: newAccount(answered),
    body: { overrides: { maxApiKeys: 10 } },
  }),
  'POST /admin/accounts/:id/credits': (answered) => ({
    params: newAccount(answered),
    body: { credits: 500, reason: 'Compensation for the outage' },
  }),
  'POST /admin/accounts/:id/api-keys': (answered) => ({ params: newAccount(answered), body: { name: 'server' } }),
  'DELETE /admin/accounts/:id/api-keys/:keyId': (answered) => ({
    params: { ...newAccount(answered), keyId: answered('POST /admin/accounts/:id/api-keys').id },
  }),
  'DELETE /admin/accounts/:id': (answered) => ({ params: newAccount(answered) }),
  ...Object.fromEntries(
    RESOURCE_NAMES.map((name) => [`POST /admin/import/${name}`, { body: { rows: [IMPORTABLES[name].example] } }]),
  ),
  'DELETE /admin/entries/:id': { params: { id: entryIdOf(String(IMPORTABLES.entries.example.url)) } },
  'POST /admin/sources/:id/run': (answered) => ({ params: newSource(answered) }),
  'POST /admin/sources/:id/pause': (answered) => ({ params: newSource(answered) }),
  'POST /admin/sources/:id/resume': (answered) => ({ params: newSource(answered) }),
  'DELETE /admin/sources/:id': (answered) => ({ params: newSource(answered) }),
  'DELETE /admin/tokens/:name': { params: { name: 'ci-import' } },
  'POST /admin/payment-events/:id/retry': (answered) => ({
    params: { id: answered('GET /admin/payment-events')[0].id },
  }),
  'POST /admin/sign-in-links': {},
  'POST /admin/reindex': {},
  'POST /admin/sample/clear': {},
}

const newKey = (answered: Answered) => ({ id: answered('POST /account/api-keys').id })
const newAccount = (answered: Answered) => ({ id: answered('POST /admin/accounts').account.id })
const newSource = (answered: Answered) => ({ id: answered('POST /admin/sources').sources[0].id })

/** Returns a request for one item of a list, or for the first item of the list before `:id`. */
export function usualRequest({ path, query }: AnyEndpoint<never>, answered: Answered): ExampleRequest {
  const [list = '', rest] = path.split('/:id')
  const params = rest === undefined ? {} : { params: { id: answered(`GET ${list}`)[0].id } }
  return { ...params, ...(query?.properties.limit !== undefined && { query: 'limit=1' }) }
}
