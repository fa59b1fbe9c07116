/** Keys that may use a part of the API, or may be used from some addresses only. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../../src/api/index.ts'
import { hasEnvelope } from '../../src/http/endpoint.ts'
import { SCOPES } from '../../src/model/accounts.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { type CallOptions, onEveryEngine, onPostgres, serviceForSuite } from '../harness.ts'
import { startStreamService, waitUntil } from '../streams.ts'

const RECORD = ['id', 'name', 'keyPrefix', 'isActive', 'expiresAt', 'lastUsedAt', 'createdAt']

onEveryEngine('restricted keys', (engine) => {
  const service = serviceForSuite(engine, { TRUSTED_PROXIES: '127.0.0.1' })

  const create = (key: string, body: object, options: CallOptions = {}) =>
    service.api('/account/api-keys', key, { ...options, method: 'POST', body: { name: 'test', ...body } })
  const created = async (key: string, body: object): Promise<{ id: string; apiKey: string }> => {
    const reply = await create(key, body)
    assertOk(reply)
    return reply.body.data
  }
  const change = (key: string, id: string, body?: object, options: CallOptions = {}) =>
    service.api(`/account/api-keys/${id}`, key, { ...options, method: 'PATCH', body })
  /** Calls from an address, through a proxy. */
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

  test('a key without restrictions has the fields of the specification and no others', async () => {
    const { key } = await service.open()
    const wrong = (await create(key, { scopes: ['everything'] })).body.error
    assert.deepEqual(wrong.details, [{ field: 'scopes.0', message: 'must be one of data, account, billing' }])
    const plain = (await create(key, { scopes: null, allowedAddresses: null })).body.data
    assert.deepEqual(Object.keys(plain), ['apiKey', ...RECORD])
    const restricted = { scopes: ['data'], allowedAddresses: ['192.0.2.0/24', '2001:db8::1'] }
    const { id } = await created(key, restricted)
    const listed = (await service.api('/account/api-keys', key)).body.data
    const record = listed.find((candidate: { id: string }) => candidate.id === id)
    assert.deepEqual(Object.keys(record), [...RECORD, 'scopes', 'allowedAddresses'])
    assert.deepEqual({ scopes: record.scopes, allowedAddresses: record.allowedAddresses }, restricted)
    const freed = await change(key, id, { scopes: null, allowedAddresses: null })
    assert.deepEqual(Object.keys(freed.body.data), RECORD)
  })

  test('each endpoint needs the scope of its area, and refuses the others without a charge', async () => {
    const { id, key } = await service.openUnlimited()
    const secrets = new Map<string, string>()
    for (const scope of SCOPES) secrets.set(scope, (await created(key, { scopes: [scope] })).apiKey)
    for (const { method, path, access, returns } of endpoints) {
      if (access !== 'key') continue
      const area = path.split('/')[1]
      const needed = area === 'account' || area === 'billing' ? area : 'data'
      for (const [scope, secret] of secrets) {
        if (scope === needed && (!hasEnvelope(returns) || method !== 'GET')) continue
        const balance = await service.balance(id)
        const reply = await service.api(path.replace(':id', 'x'), secret, { method })
        if (scope === needed) {
          assert.notEqual(reply.status, 403, `${scope}: ${path}`)
          continue
        }
        assertError(reply, 403, 'FORBIDDEN')
        assert.match(reply.body.error.message, new RegExp(`scope ${needed}$`))
        assert.equal(await service.balance(id), balance)
      }
    }
    const both = await created(key, { scopes: ['billing', 'data'] })
    assertOk(await service.api('/entries', both.apiKey))
    assertOk(await service.api('/billing/plans', both.apiKey))
    assertError(await service.api('/account', both.apiKey), 403, 'FORBIDDEN')
    assertError(await service.api('/nope', both.apiKey), 404, 'NOT_FOUND')
  })

  test('a key works from its addresses and networks, as seen through trusted proxies', async () => {
    const { key } = await service.open('custom')
    const { apiKey } = await created(key, { allowedAddresses: ['192.0.2.7', '198.51.100.0/25', '2001:db8:1::/48'] })
    const inside = ['192.0.2.7', '::ffff:192.0.2.7', '198.51.100.0', '198.51.100.127', '2001:db8:1:ffff::1']
    const outside = ['192.0.2.6', '192.0.2.8', '198.51.100.128', '2001:db8:2::', '::1', 'unknown', '']
    for (const address of inside) assertOk(await service.api('/stats', apiKey, from(address)))
    for (const address of [...outside, '192.0.2.7, 203.0.113.1']) {
      assertError(await service.api('/stats', apiKey, from(address)), 403, 'FORBIDDEN')
      assertError(await service.api('/nope', apiKey, from(address)), 403, 'FORBIDDEN')
    }
    assertOk(await service.api('/stats', apiKey, from('203.0.113.1, 192.0.2.7')))
    assertError(await service.api('/stats', apiKey), 403, 'FORBIDDEN')
  })

  test('a refused call counts against the rate and is logged, like every call with a valid key', async () => {
    const { key } = await service.open()
    const { id, apiKey } = await created(key, { scopes: ['billing'] })
    const reply = await service.api('/entries', apiKey)
    assert.equal(reply.headers['x-credits-cost'], '0')
    assert.ok('ratelimit' in reply.headers)
    await service.mintick.admission.requestWriter.drain()
    const [logged] = (await service.get(`/account/logs?apiKeyId=${id}`, key)).data
    assert.deepEqual([logged.statusCode, logged.errorCode, logged.route], [403, 'FORBIDDEN', 'GET /entries'])
  })

  test('a change applies to the very next call, also while calls are under way', async () => {
    const { key } = await service.openUnlimited()
    const { id, apiKey } = await created(key, {})
    for (let round = 0; round < 10; round += 1) {
      const scopes = round % 2 === 0 ? ['account'] : ['data', 'account']
      const changed = change(key, id, { scopes })
      for (let turn = 0; turn < round; turn += 1) await null
      const [reply] = await Promise.all([changed, ...Array.from({ length: 5 }, () => service.api('/stats', apiKey))])
      assert.deepEqual(reply.body.data.scopes, scopes)
      const { status } = await service.api('/stats', apiKey)
      assert.equal(status, round % 2 === 0 ? 403 : 200)
    }
    assertOk(await change(key, id, { allowedAddresses: ['192.0.2.1'] }))
    assertError(await service.api('/stats', apiKey), 403, 'FORBIDDEN')
    assertOk(await service.api('/stats', apiKey, from('192.0.2.1')))
  })

  test('a change leaves out what it does not name, and an empty one changes nothing', async () => {
    const { key } = await service.open()
    const { id } = await created(key, { scopes: ['data'], allowedAddresses: ['::1'] })
    const renamed = (await change(key, id, { name: 'new' })).body.data
    assert.partialDeepStrictEqual(renamed, { name: 'new', scopes: ['data'], allowedAddresses: ['::1'] })
    for (const body of [undefined, {}, { nonsense: 1 }])
      assert.deepEqual((await change(key, id, body)).body.data, renamed)
    assert.equal((await change(key, id, { scopes: null })).body.data.scopes, undefined)
  })

  test('bad restrictions answer 400 with their place and change nothing', async () => {
    const { key } = await service.open()
    const { id } = await created(key, { scopes: ['data'] })
    const bad: [body: object, field: RegExp][] = [
      [{ scopes: [] }, /^scopes/],
      [{ scopes: ['admin'] }, /^scopes/],
      [{ scopes: 'data' }, /^scopes/],
      [{ scopes: ['data', 'data', 'data', 'data'] }, /^scopes/],
      [{ allowedAddresses: [] }, /^allowedAddresses$/],
      [{ allowedAddresses: '10.0.0.1' }, /^allowedAddresses/],
      [{ allowedAddresses: ['10.0.0.1', 'localhost'] }, /^allowedAddresses\.1$/],
      [{ allowedAddresses: ['10.0.0.0/33'] }, /^allowedAddresses\.0$/],
      [{ allowedAddresses: ['fe80::1%eth0'] }, /^allowedAddresses\.0$/],
      [{ allowedAddresses: [null] }, /^allowedAddresses/],
      [{ allowedAddresses: Array.from({ length: 101 }, () => '::1') }, /^allowedAddresses$/],
      [{ allowedAddresses: ['1'.repeat(51)] }, /^allowedAddresses/],
      [{ name: ' ' }, /^name$/],
      [{ name: null }, /^name$/],
    ]
    for (const [body, field] of bad) {
      for (const reply of [await create(key, body), await change(key, id, body)]) {
        assertError(reply, 400, 'BAD_REQUEST')
        assert.match(String(fieldsOf(reply)[0]), field)
      }
    }
    assert.equal((await service.api('/account/api-keys', key)).body.data.length, 2)
  })

  test("another account's key answers 404 and stays as it is", async () => {
    const [mine, theirs] = [await service.open(), await service.open()]
    const { id, apiKey } = await created(theirs.key, {})
    assertError(await change(mine.key, id, { scopes: ['billing'] }), 404, 'NOT_FOUND')
    assertOk(await service.api('/stats', apiKey))
  })

  test('a restricted key cannot hand out more than it has: neither to a new key, nor to another, nor to itself', async () => {
    const { key } = await service.open()
    const own = { scopes: ['account', 'data'], allowedAddresses: ['127.0.0.0/8', '2001:db8::/32'] }
    const { id, apiKey } = await created(key, own)
    const free = await created(key, {})
    const more = [
      {},
      { scopes: ['account'] },
      { allowedAddresses: ['127.0.0.1'] },
      { scopes: ['billing'], allowedAddresses: ['127.0.0.1'] },
      { scopes: ['data'], allowedAddresses: ['126.0.0.0/7'] },
      { scopes: ['data'], allowedAddresses: ['127.0.0.1', '2001:db9::1'] },
    ]
    for (const body of more) {
      assertError(await create(apiKey, body), 403, 'FORBIDDEN')
      assertError(await change(apiKey, id, { scopes: null, allowedAddresses: null, ...body }), 403, 'FORBIDDEN')
    }
    assertError(await change(apiKey, free.id, own), 403, 'FORBIDDEN')
    const less = { scopes: ['data'], allowedAddresses: ['127.1.0.0/16', '2001:db8:5::/48'] }
    const inner = await create(apiKey, less)
    assertOk(inner)
    assertOk(await change(apiKey, inner.body.data.id, own))
  })

  test('the demo key cannot be changed', async () => {
    const [demo] = await service.mintick.store.keys.list('00000000-0000-4000-8000-00000000de30')
    assertError(await change('mtk_demo', demo?.id ?? '', { scopes: ['data'] }), 403, 'FORBIDDEN')
  })
})

onEveryEngine('streams of restricted keys', (engine) => {
  test('a stream ends before the change that forbids it answers', async () => {
    const { service, url, account } = await startStreamService(engine)
    try {
      for (const restriction of [{ scopes: ['account'] }, { allowedAddresses: ['192.0.2.1'] }]) {
        const { id, apiKey } = (
          await service.api('/account/api-keys', account.key, { method: 'POST', body: { name: 'stream' } })
        ).body.data
        const stream = await fetch(`${url}/signals/stream`, { headers: { authorization: `Bearer ${apiKey}` } })
        assert.equal(stream.status, 200)
        const patch = (body: object) => service.api(`/account/api-keys/${id}`, account.key, { method: 'PATCH', body })
        assertOk(await patch({ scopes: ['data'], allowedAddresses: ['127.0.0.1'] }))
        assert.equal(service.mintick.streams.count, 1, 'a change that allows the stream leaves it open')
        assertOk(await patch(restriction))
        await waitUntil(() => service.mintick.streams.count === 0)
        assert.match(await stream.text(), /"reason":"key_revoked"/)
      }
    } finally {
      await service.stop()
    }
  })
})

onPostgres('restrictions on two instances', () => {
  const service = serviceForSuite('postgres')

  test('a change on one instance applies to the next call on the other', async () => {
    const twin = await service.twin()
    try {
      const { key } = await service.openUnlimited()
      const { id, apiKey } = (await service.api('/account/api-keys', key, { method: 'POST', body: { name: 'shared' } }))
        .body.data
      for (const scopes of [['account'], ['data'], ['billing'], null]) {
        assertOk(await service.api(`/account/api-keys/${id}`, key, { method: 'PATCH', body: { scopes } }))
        const { status } = await twin.api('/stats', apiKey)
        assert.equal(status, scopes === null || scopes.includes('data') ? 200 : 403)
      }
    } finally {
      await twin.mintick.close()
    }
  })
})
