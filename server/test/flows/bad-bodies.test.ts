/** Bad bodies get a clear 400 in the envelope and have no effect, however they arrive. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

const BAD_BODIES: [body: string, fields?: string[]][] = [
  [''],
  ['{'],
  ['{"name":"x"} {}'],
  ['{"name":"x",}'],
  ['name=x'],
  ["{'name':'x'}"],
  ['NaN'],
  ['null', ['body']],
  ['1', ['body']],
  ['"x"', ['body']],
  ['[]', ['body']],
  ['[{"name":"x"}]', ['body']],
  [`${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  [`${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  [`{"name":"x","more":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`],
  ['{}', ['name']],
  ['{"__proto__":{"name":"x"}}', ['name']],
  ['{"name":null}', ['name']],
  ['{"name":1}', ['name']],
  ['{"name":["x"]}', ['name']],
  ['{"name":{}}', ['name']],
  ['{"name":""}', ['name']],
  [`{"name":"${'x'.repeat(101)}"}`, ['name']],
  ['{"name":"\\u0000"}', ['name']],
  ['{"name":"x\\ud800"}', ['name']],
  ['{"name":"\\udc00\\ud800"}', ['name']],
  ['{"name":"x","expiresAt":1767225600}', ['expiresAt']],
  ['{"name":"x","expiresAt":{}}', ['expiresAt']],
  ['{"name":"x","expiresAt":"soon"}', ['expiresAt']],
  ['{"name":"x","expiresAt":"2027-02-30"}', ['expiresAt']],
]

onEveryEngine('bad bodies', (engine) => {
  const service = serviceForSuite(engine)
  let account: { id: string; key: string }
  before(async () => {
    account = await service.open('custom')
  })

  const create = (body: string, headers = {}) =>
    service.api('/account/api-keys', account.key, { method: 'POST', body, headers })

  test('a bad body answers 400, naming the field where there is one, and does nothing', async () => {
    for (const [body, fields] of BAD_BODIES) {
      const reply = await create(body)
      assertError(reply, 400, 'BAD_REQUEST')
      if (fields !== undefined) assert.deepEqual(fieldsOf(reply), fields, body.slice(0, 100))
    }
    assertError(await service.api('/account/api-keys', account.key, { method: 'POST' }), 400, 'BAD_REQUEST')
    assert.equal((await service.api('/account/api-keys', account.key)).body.data.length, 1)
  })

  test('a body of 64 KB is read and one byte more answers 400; operators may send 1 MB', async () => {
    const ofBytes = (size: number) => '{"name":"large"}'.padEnd(size)
    assertOk(await create(ofBytes(65_536)))
    assertError(await create(ofBytes(65_537)), 400, 'BAD_REQUEST')
    const openKey = (body: string) => service.admin(`/accounts/${account.id}/api-keys`, { method: 'POST', body })
    assertOk(await openKey(ofBytes(1_048_576)))
    assertError(await openKey(ofBytes(1_048_577)), 400, 'BAD_REQUEST')
  })

  test('brackets in texts are not nesting', async () => {
    assertOk(await create(`{"name":"${'['.repeat(90)}\\"${'{'.repeat(5)}"}`))
  })

  test('a body is read as JSON whatever its Content-Type says', async () => {
    for (const type of [
      '',
      ';;;',
      'garbage',
      'a/b/c',
      'text/plain',
      'application/json; charset=x',
      'x'.repeat(1_000),
    ]) {
      assertOk(await create('{"name":"typed"}', { 'content-type': type }))
      assertError(await create('{}', { 'content-type': type }), 400, 'BAD_REQUEST')
    }
  })
})
