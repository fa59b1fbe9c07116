import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { after, before, test } from 'node:test'
import { TestService } from '../../test/harness.ts'

const loaded: string[] = []
registerHooks({
  resolve(specifier, context, next) {
    if (/^(@modelcontextprotocol|zod)/.test(specifier)) loaded.push(specifier)
    return next(specifier, context)
  },
})

let service: TestService
before(async () => {
  service = await TestService.start('sqlite')
})
after(() => service.stop())

test('the library of the protocol is loaded by the first request that has a key, and by nothing else', async () => {
  const { key } = await service.open()
  await service.get('/entries', key)
  await service.call('/openbb/news', { headers: { 'x-api-key': key } })
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  assert.equal((await service.call('/mcp', { method: 'POST', body: message, headers })).status, 401)
  assert.equal(loaded.length, 0)
  const authorization = `Bearer ${key}`
  assert.equal(
    (await service.call('/mcp', { method: 'POST', body: message, headers: { ...headers, authorization } })).status,
    200,
  )
  assert.ok(loaded.includes('@modelcontextprotocol/server'))
})
