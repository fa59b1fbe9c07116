import { randomUUID } from 'node:crypto'
import { endpoints } from '../src/api/index.ts'
import type { Services } from '../src/api/services.ts'
import type { AnyEndpoint } from '../src/http/endpoint.ts'
import { IMPORTABLES, RESOURCE_NAMES } from '../src/import/resources.ts'
import { Buyer } from './buyer.ts'
import type { TestService } from './harness.ts'

export const nameOf = (endpoint: AnyEndpoint<Services>) => `${endpoint.method} ${endpoint.path}`

export interface OpenAccount {
  id: string
  key: string
}

interface Fixture {
  path?: string
  body?: unknown
}

/** Valid bodies, and existing ids for paths whose list before `:id` returns none. */
const FIXTURES: Record<string, (service: TestService, account: OpenAccount) => Promise<Fixture>> = {
  'GET /signals/by-entry/:id': async (service) => ({ path: `/signals/by-entry/${await firstId(service, '/entries')}` }),
  'GET /account/cost': async () => ({ path: '/account/cost?path=%2Fentries%3Flimit%3D5' }),
  'GET /account/exports/:requestId': async (service, account) => {
    const id = randomUUID()
    await service.mintick.store.bulkExports.save({
      id,
      accountId: account.id,
      apiKeyId: '',
      endpoint: 'GET /export/entries',
      format: 'csv',
      status: 'complete',
      rows: 0,
      bytes: 0,
      sha256: null,
      createdAt: 0,
      updatedAt: 0,
    })
    return { path: `/account/exports/${id}` }
  },
  'GET /export/files/:id': async (service) => {
    const file = {
      id: randomUUID(),
      dataset: 'entries',
      day: randomUUID(),
      rows: 1,
      bytes: 4,
      sha256: '',
      rowsSha256: '',
    }
    await service.mintick.store.exportFiles.add({ ...file, createdAt: 0, version: null })
    return { path: `/export/files/${file.id}` }
  },
  'PATCH /account/alerts': async () => ({ body: { lowBalance: 100, webhookUrl: 'https://hooks.example/mintick' } }),
  'POST /account/api-keys': async () => ({ body: { name: 'test' } }),
  'PATCH /account/api-keys/:id': async (service, account) => ({
    path: `/account/api-keys/${await firstKeyId(service, account)}`,
    body: { name: 'renamed', scopes: ['account'], allowedAddresses: ['127.0.0.0/8', '::1'] },
  }),
  'POST /account/api-keys/:id/rotate': async (service, account) => ({
    path: `/account/api-keys/${await firstKeyId(service, account)}/rotate`,
  }),
  'DELETE /account/api-keys/:id': async (service, account) => ({
    path: `/account/api-keys/${await firstKeyId(service, account)}`,
  }),
  'POST /billing/checkout': async () => ({ body: { packageId: 'credits_1000' } }),
  'GET /billing/checkout/:sessionId': async (service, account) => {
    const order = { method: 'POST', body: { packageId: 'credits_1000' } }
    const { sessionId } = (await service.api('/billing/checkout', account.key, order)).body.data
    return { path: `/billing/checkout/${sessionId}` }
  },
  'GET /billing/subscription': subscribed,
  'POST /billing/subscription': async () => ({ body: { planSlug: 'starter' } }),
  'POST /billing/subscription/change': async (service, account) => ({
    ...(await subscribed(service, account)),
    body: { planSlug: 'enterprise', preview: true },
  }),
  'DELETE /billing/subscription': subscribed,
}

/** Endpoints that do not work for the custom plan or the demo account: neither can have a subscription. */
export const ABOUT_SUBSCRIPTIONS = Object.keys(FIXTURES).filter((name) => name.includes('/billing/subscription'))

async function firstKeyId({ mintick }: TestService, account: OpenAccount): Promise<string | undefined> {
  const [key] = await mintick.store.keys.list(account.id)
  return key?.id
}

async function subscribed(service: TestService, account: OpenAccount): Promise<Fixture> {
  await new Buyer(service, account).subscribe('starter')
  return {}
}

/** Returns a request that the endpoint answers with 200. */
export async function fixtureOf(endpoint: AnyEndpoint<Services>, service: TestService, account: OpenAccount) {
  const { method, path } = endpoint
  const make = FIXTURES[nameOf(endpoint)]
  const fixture = make === undefined ? {} : await make(service, account)
  const [list, rest] = path.split('/:id')
  const found = async () => (rest === undefined ? path : `${list}/${await firstId(service, list ?? '')}${rest}`)
  return { path: fixture.path ?? (await found()), options: { method, body: fixture.body } }
}

async function firstId(service: TestService, list: string): Promise<string> {
  const reply = await service.api(`${list}?limit=1`, service.mintick.ownerKey)
  return reply.body.data[0].id
}

/** The same for the operator API. Sources need the setting SOURCES_RUN=off, or they would be read. */
export async function adminFixtureOf(endpoint: AnyEndpoint<Services>, service: TestService, account: OpenAccount) {
  const name = nameOf(endpoint)
  const make = ADMIN_FIXTURES[name]
  const fixture = make === undefined ? {} : await make(service, account)
  return {
    path: fixture.path ?? endpoint.path.replace('/accounts/:id', `/accounts/${account.id}`),
    options: { method: endpoint.method, body: fixture.body },
  }
}

const ADMIN_FIXTURES: typeof FIXTURES = {
  'POST /admin/accounts': async () => ({ body: { email: `${randomUUID()}@test.example` } }),
  'PATCH /admin/accounts/:id': async () => ({ body: { isActive: false, reason: 'test' } }),
  'POST /admin/accounts/:id/credits': async () => ({ body: { credits: 5, reason: 'test' } }),
  'POST /admin/accounts/:id/api-keys': async () => ({ body: { name: 'test' } }),
  'DELETE /admin/accounts/:id/api-keys/:keyId': async (service, account) => ({
    path: `/admin/accounts/${account.id}/api-keys/${await firstKeyId(service, account)}`,
  }),
  ...Object.fromEntries(
    RESOURCE_NAMES.map((name) => [
      `POST /admin/import/${name}`,
      async () => ({ body: { rows: [IMPORTABLES[name].example] } }),
    ]),
  ),
  'DELETE /admin/entries/:id': async (service) => ({ path: `/admin/entries/${await firstId(service, '/entries')}` }),
  'POST /admin/sources': async () => ({ body: { kind: 'kraken', pairs: ['BTC/USD'] } }),
  ...Object.fromEntries(
    endpoints
      .filter(({ path }) => path.startsWith('/admin/sources/:id'))
      .map((endpoint) => [nameOf(endpoint), (service) => sourceFixture(service, endpoint)]),
  ),
  'POST /admin/payment-events/:id/retry': async (service) => {
    const event = { id: `evt_${randomUUID()}`, type: 'checkout.session.expired' }
    const { store, clock } = service.mintick
    await store.processorEvents.receive(
      { ...event, subject: { kind: 'checkout', id: `cs_${randomUUID()}` } },
      clock.now(),
    )
    return { path: `/admin/payment-events/${event.id}/retry` }
  },
  'POST /admin/tokens': async () => ({ body: { name: `test-${randomUUID()}`, scope: 'read' } }),
  'DELETE /admin/tokens/:name': async (service) => {
    const name = `test-${randomUUID()}`
    await service.admin('/tokens', { method: 'POST', body: { name, scope: 'read' } })
    return { path: `/admin/tokens/${name}` }
  },
}

/** Adds a source for one request, so that requests do not depend on each other. */
async function sourceFixture(service: TestService, { path }: AnyEndpoint<Services>): Promise<Fixture> {
  const url = `https://feeds.example/${randomUUID()}.xml`
  const reply = await service.admin('/sources', { method: 'POST', body: { kind: 'feed', url } })
  return { path: path.replace(':id', reply.body.data.sources[0].id) }
}
