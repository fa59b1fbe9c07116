/** The life of an API key: spec 2.2, 2.3, 3, 4.4 and 5, with the decisions of design 6. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, isoTime, MINUTE } from '../../src/model/time.ts'
import { PLAN_SLUGS, PLANS } from '../../src/plans/plans.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

const RECORD = ['id', 'name', 'keyPrefix', 'isActive', 'expiresAt', 'lastUsedAt', 'createdAt']

onEveryEngine('API keys', (engine) => {
  const service = serviceForSuite(engine)

  const create = (key: string, body: object) => service.api('/account/api-keys', key, { method: 'POST', body })
  const created = async (key: string, body: object = { name: 'test' }): Promise<{ id: string; apiKey: string }> => {
    const reply = await create(key, body)
    assertOk(reply)
    return reply.body.data
  }
  const list = async (key: string) => (await service.api('/account/api-keys', key)).body.data
  const revoke = (id: string, key: string) => service.api(`/account/api-keys/${id}`, key, { method: 'DELETE' })

  test('creating answers the full secret with the record, and the key works at once, free of charge', async () => {
    const { id, key } = await service.open('starter', 10)
    const reply = await create(key, { name: 'robot' })
    const { apiKey, ...record } = reply.body.data
    assert.match(apiKey, /^mtk_[0-9A-Za-z]{44}$/)
    assert.deepEqual(Object.keys(record).sort(), [...RECORD].sort())
    assert.equal(record.name, 'robot')
    assert.equal(record.keyPrefix, apiKey.slice(0, 12))
    assert.equal(record.isActive, true)
    assert.equal(record.expiresAt, null)
    assert.equal(record.lastUsedAt, null)
    assert.equal(record.createdAt, isoTime(service.clock.now()))
    assertOk(await service.api('/account', apiKey))
    assert.equal(await service.balance(id), 10)
  })

  test('the secret is shown once: the list has prefixes only, and no two secrets are alike', async () => {
    const { key } = await service.open('professional')
    const secrets = [key]
    for (let count = 0; count < 10; count += 1) secrets.push((await created(key)).apiKey)
    assert.equal(new Set(secrets).size, secrets.length)
    const reply = await service.api('/account/api-keys', key)
    assert.deepEqual(Object.keys(reply.body), ['success', 'data'])
    for (const record of reply.body.data) assert.deepEqual(Object.keys(record), RECORD)
    assert.deepEqual(
      reply.body.data.map(({ keyPrefix }: { keyPrefix: string }) => keyPrefix).sort(),
      secrets.map((secret) => secret.slice(0, 12)).sort(),
    )
    for (const secret of secrets) assert.ok(!JSON.stringify(reply.body).includes(secret.slice(12)))
  })

  test('a secret is not kept: the store has neither it nor anything it could be read from', async () => {
    const { id, key } = await service.open()
    const kept = JSON.stringify(await service.mintick.store.keys.list(id))
    assert.ok(!kept.includes(key.slice(4)) && !kept.includes(key.slice(12)))
  })

  test('a revoked key answers 401 on the very next request, also to itself', async () => {
    const { key } = await service.open('starter')
    const other = await created(key)
    assertOk(await service.api('/stats', other.apiKey))
    const reply = await revoke(other.id, key)
    assertOk(reply)
    assert.deepEqual(Object.keys(reply.body.data), RECORD)
    assert.deepEqual([reply.body.data.id, reply.body.data.isActive], [other.id, false])
    assertError(await service.api('/stats', other.apiKey), 401, 'UNAUTHORIZED')

    const own = (await list(key)).find(({ keyPrefix }: { keyPrefix: string }) => key.startsWith(keyPrefix))
    assertOk(await revoke(own.id, key))
    assertError(await service.api('/account', key), 401, 'UNAUTHORIZED')
  })

  test('a key first used while it is being revoked is refused afterwards', async () => {
    const { key } = await service.open('custom')
    for (let delay = 0; delay < 25; delay += 1) {
      const { id, apiKey } = await created(key)
      const revoked = revoke(id, key)
      for (let turn = 0; turn < delay; turn += 1) await null
      await Promise.all([revoked, ...Array.from({ length: 5 }, () => service.api('/stats', apiKey))])
      assertError(await service.api('/stats', apiKey), 401, 'UNAUTHORIZED')
    }
  })

  test('revoking again answers 200 with the same record', async () => {
    const { key } = await service.open('starter')
    const { id } = await created(key)
    const first = await revoke(id, key)
    assert.deepEqual((await revoke(id, key)).body, first.body)
    assert.deepEqual((await revoke(id.toUpperCase(), key)).body, first.body)
  })

  test("another account's key answers 404 like one that does not exist, and goes on working", async () => {
    const [mine, theirs] = [await service.open(), await service.open()]
    const { id, apiKey } = await created(theirs.key)
    assertError(await revoke(id, mine.key), 404, 'NOT_FOUND')
    assertError(await revoke('00000000-0000-4000-8000-000000000000', mine.key), 404, 'NOT_FOUND')
    assertError(await revoke(apiKey.slice(0, 12), theirs.key), 404, 'NOT_FOUND')
    assertOk(await service.api('/stats', apiKey))
    assert.equal((await list(mine.key)).length, 1)
  })

  test('a key with an expiry works until that instant and answers 401 from then on', async () => {
    const { key } = await service.open('professional')
    const expiresAt = isoTime(service.clock.now() + HOUR)
    const { id, apiKey } = await created(key, { name: 'short', expiresAt })
    service.clock.advance(HOUR - 1)
    assertOk(await service.api('/stats', apiKey))
    service.clock.advance(1)
    assertError(await service.api('/stats', apiKey), 401, 'UNAUTHORIZED')
    const record = (await list(key)).find((candidate: { id: string }) => candidate.id === id)
    assert.deepEqual([record.isActive, record.expiresAt], [false, expiresAt])
  })

  test('an expiry may be written in any zone, and null is none', async () => {
    const { key } = await service.open('professional')
    const day = isoTime(service.clock.now() + 3 * DAY).slice(0, 10)
    const { body } = await create(key, { name: 'zone', expiresAt: `${day}T02:30:00+02:30` })
    assert.equal(body.data.expiresAt, `${day}T00:00:00.000Z`)
    assert.equal((await create(key, { name: 'none', expiresAt: null })).body.data.expiresAt, null)
  })

  test('an expiry that is not in the future answers 400', async () => {
    const { key } = await service.open('professional')
    const now = service.clock.now()
    for (const expiresAt of [isoTime(now), isoTime(now - MINUTE), '1970-01-01', '2026-02-30', 'tomorrow', '']) {
      const reply = await create(key, { name: 'late', expiresAt })
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['expiresAt'])
    }
    assert.equal((await list(key)).length, 1)
  })

  for (const slug of PLAN_SLUGS) {
    const { customKeyExpiration } = PLANS[slug]
    test(`${slug}: an expiry ${customKeyExpiration ? 'is taken' : 'answers 403'}`, async () => {
      const { key } = await service.open(slug)
      const reply = await create(key, { name: 'x', expiresAt: isoTime(service.clock.now() + DAY) })
      if (customKeyExpiration) assertOk(reply)
      else assertError(reply, 403, 'FORBIDDEN')
    })
  }

  // The custom plan's 1,000 keys would take too long, so an override lowers the limit.
  const caps = { free: 2, starter: 5, professional: 20, enterprise: 100, custom: 30 }
  for (const slug of PLAN_SLUGS) {
    const max = caps[slug]
    test(`${slug}: parallel requests fill the cap of ${max} active keys and never exceed it`, async () => {
      const { id, key } = await service.open(slug)
      if (slug === 'custom')
        await service.admin(`/accounts/${id}`, { method: 'PATCH', body: { overrides: { maxApiKeys: max } } })
      const replies = await Promise.all(Array.from({ length: max + 10 }, () => create(key, { name: 'race' })))
      const refused = replies.filter(({ status }) => status !== 200)
      assert.equal(refused.length, 11)
      for (const reply of refused) assertError(reply, 403, 'FORBIDDEN')
      assert.equal((await list(key)).length, max)
      const { apiKeys } = (await service.api('/account', key)).body.data
      assert.deepEqual(apiKeys, { active: max, max })
    })
  }

  test('a revoked key and an expired key each free a place', async () => {
    const { id, key } = await service.open('professional')
    await service.admin(`/accounts/${id}`, { method: 'PATCH', body: { overrides: { maxApiKeys: 3 } } })
    const doomed = await created(key)
    await created(key, { name: 'short', expiresAt: isoTime(service.clock.now() + HOUR) })
    assertError(await create(key, { name: 'over' }), 403, 'FORBIDDEN')
    await revoke(doomed.id, key)
    await created(key)
    assertError(await create(key, { name: 'over' }), 403, 'FORBIDDEN')
    service.clock.advance(HOUR)
    await created(key)
    assertError(await create(key, { name: 'over' }), 403, 'FORBIDDEN')
  })

  test('a name has 1 to 100 characters, of any script', async () => {
    const { key } = await service.open('custom')
    for (const name of [
      'x',
      'x'.repeat(100),
      '日本'.repeat(50),
      '😀'.repeat(50),
      "Robert'); drop table",
      ' x ',
      '</script>',
    ]) {
      assert.equal((await create(key, { name })).body.data.name, name)
    }
    for (const name of ['', '  ', 'x'.repeat(101), null, 7, undefined]) {
      const reply = await create(key, { name })
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['name'])
    }
  })

  test('lastUsedAt is the time of the latest call with that key, whatever it ended in', async () => {
    const { key } = await service.open('starter')
    const other = await created(key)
    const lastUsedAt = async () => {
      await service.mintick.admission.requestWriter.drain()
      return (await list(key)).find(({ id }: { id: string }) => id === other.id).lastUsedAt
    }
    assert.equal(await lastUsedAt(), null)
    for (const path of ['/stats', '/entries', '/nope', '/entries?limit=0']) {
      service.clock.advance(MINUTE)
      await service.api(path, other.apiKey)
      const usedAt = isoTime(service.clock.now())
      service.clock.advance(MINUTE)
      assert.equal(await lastUsedAt(), usedAt, path)
    }
  })

  test('no key of an account that the operator has deactivated works, until it is active again', async () => {
    const { id, key } = await service.open('starter')
    const other = await created(key)
    const setActive = (isActive: boolean) => service.admin(`/accounts/${id}`, { method: 'PATCH', body: { isActive } })
    await setActive(false)
    for (const secret of [key, other.apiKey]) assertError(await service.api('/stats', secret), 401, 'UNAUTHORIZED')
    await setActive(true)
    for (const secret of [key, other.apiKey]) assertOk(await service.api('/stats', secret))
  })
})
