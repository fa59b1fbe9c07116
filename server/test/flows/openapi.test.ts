import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onAnyEngine, serviceForSuite } from '../harness.ts'

onAnyEngine('the OpenAPI document', (engine) => {
  const service = serviceForSuite(engine)

  test('is served without a key, as the service root says', async () => {
    const { openapi } = (await service.call('/')).body.data.links
    const reply = await service.call(openapi)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
    const committed = readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8')
    assert.deepEqual(reply.body, JSON.parse(committed))
  })

  test('has an ETag, and is not sent again to a client that has it', async () => {
    const { headers } = await service.call('/openapi.json')
    const again = await service.call('/openapi.json', { headers: { 'if-none-match': headers.etag ?? '' } })
    assert.equal(again.status, 304)
    assert.equal(again.body, undefined)
  })
})
