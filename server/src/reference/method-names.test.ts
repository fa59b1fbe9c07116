import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../api/index.ts'
import { isInReference } from '../http/endpoint.ts'
import { methodNames } from './method-names.ts'

const names = [...methodNames(endpoints)].map(([{ method, path }, { client, resource, method: name, pathParams }]) => ({
  endpoint: `${method} ${path}`,
  call: `${client} ${[...resource, name].join('.')}(${pathParams})`,
}))

test('every endpoint of the reference has a method of its own, except WebSockets and files', () => {
  const called = endpoints.filter(
    (endpoint) => isInReference(endpoint) && !['websocket', 'download'].includes(endpoint.returns),
  )
  assert.equal(names.length, called.length)
  const calls = names.map(({ call }) => call.replace(/\(.*/, ''))
  assert.deepEqual([...new Set(calls)], calls)
})

test('methods have the names that developers guess', () => {
  const expected = {
    'GET /health': 'data service.health()',
    'GET /entries': 'data entries.list()',
    'GET /entries/counts': 'data entries.counts()',
    'GET /entries/:id': 'data entries.get(id)',
    'GET /markets/:id/candles': 'data markets.candles(id)',
    'GET /sec/insider-trades': 'data sec.insiderTrades.list()',
    'GET /entries/stream': 'data entries.stream()',
    'GET /signals/stream': 'data signals.stream()',
    'GET /changes': 'data changes.list()',
    'GET /account': 'data account.get()',
    'PATCH /account/alerts': 'data account.alerts.update()',
    'POST /account/api-keys': 'data account.keys.create()',
    'POST /account/api-keys/:id/rotate': 'data account.keys.rotate(id)',
    'DELETE /account/api-keys/:id': 'data account.keys.delete(id)',
    'POST /billing/portal': 'data billing.portal()',
    'DELETE /admin/accounts/:id/api-keys/:keyId': 'admin accounts.keys.delete(id,keyId)',
    'POST /admin/import/prediction-markets': 'admin import.predictionMarkets()',
    'GET /admin/audit-trail': 'admin auditTrail.list()',
  }
  const found = new Map(names.map(({ endpoint, call }) => [endpoint, call]))
  for (const [endpoint, call] of Object.entries(expected)) assert.equal(found.get(endpoint), call)
})
