/** Rotation of API keys: two secrets of one key, for as long as they overlap. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY, HOUR, isoTime, MINUTE } from '../../src/model/time.ts'
import { PLAN_SLUGS } from '../../src/plans/plans.ts'
import { runs } from '../depth.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, onPostgres, serviceForSuite, type TestService } from '../harness.ts'
import { startStreamService, waitUntil } from '../streams.ts'

interface Key {
  id: string
  apiKey: string
}

const rotate = (service: TestService, key: string, id: string, body?: unknown) =>
  service.api(`/account/api-keys/${id}/rotate`, key, { method: 'POST', body })
const rotated = async (service: TestService, key: string, id: string, overlapHours?: number): Promise<string> => {
  const reply = await rotate(service, key, id, overlapHours === undefined ? undefined : { overlapHours })
  assertOk(reply)
  return reply.body.data.apiKey
}
const created = async (service: TestService, key: string, body: object = {}): Promise<Key> => {
  const reply = await service.api('/account/api-keys', key, { method: 'POST', body: { name: 'robot', ...body } })
  assertOk(reply)
  return reply.body.data
}
const revoke = (service: TestService, key: string, id: string) =>
  service.api(`/account/api-keys/${id}`, key, { method: 'DELETE' })
const worksOn = async (service: TestService, secret: string) => {
  const reply = await service.api('/account', secret)
  if (reply.status !== 200) assertError(reply, 401, 'UNAUTHORIZED')
  return reply.status === 200
}

onEveryEngine('rotation of keys', (engine) => {
  const service = serviceForSuite(engine)
  const works = (secret: string) => worksOn(service, secret)

  test('both secrets work until the last millisecond of the overlap, then only the new one', async () => {
    const { key } = await service.openUnlimited()
    for (const [given, hours] of [
      [undefined, 24],
      [0.5, 0.5],
      [168, 168],
    ] as const) {
      const { id, apiKey } = await created(service, key)
      assert.ok(await works(apiKey))
      const next = await rotated(service, key, id, given)
      assert.match(next, /^mtk_[0-9A-Za-z]{44}$/)
      assert.deepEqual([await works(apiKey), await works(next)], [true, true])
      service.clock.advance(hours * HOUR - 1)
      assert.deepEqual([await works(apiKey), await works(next)], [true, true])
      service.clock.advance(1)
      assert.deepEqual([await works(apiKey), await works(next)], [false, true])
    }
  })

  test('without an overlap the old secret is refused on the very next request, even if the clock is set back', async () => {
    const { key } = await service.open()
    const { id, apiKey } = await created(service, key)
    assert.ok(await works(apiKey))
    const next = await rotated(service, key, id, 0)
    assert.deepEqual([await works(apiKey), await works(next)], [false, true])
    service.clock.jump(-MINUTE)
    assert.equal(await works(apiKey), false)
    service.clock.jump(MINUTE)
  })

  test('the answer and the lists show the new prefix, and the end of the overlap only while it lasts', async () => {
    const { key } = await service.open()
    const { id, apiKey } = await created(service, key)
    await service.api('/stats', apiKey)
    await service.mintick.admission.requestWriter.drain()
    const prefixes = async () => {
      await service.mintick.admission.requestWriter.drain()
      const { data: keys } = await service.get('/account/api-keys', key)
      const { data: logs } = await service.get(`/account/logs?apiKeyId=${id}`, key)
      const { byKey } = (await service.get('/account/usage', key)).data
      return [...keys, ...byKey, ...logs]
        .filter((row) => (row.apiKeyId ?? row.id) === id)
        .map(({ keyPrefix }) => keyPrefix)
    }
    assert.deepEqual(
      await prefixes(),
      Array.from({ length: 3 }, () => apiKey.slice(0, 12)),
    )
    const now = service.clock.now()
    const { body } = await rotate(service, key, id, { overlapHours: 2 })
    const { apiKey: next, ...record } = body.data
    assert.deepEqual(
      await prefixes(),
      Array.from({ length: 3 }, () => next.slice(0, 12)),
    )
    assert.partialDeepStrictEqual(record, {
      id,
      name: 'robot',
      keyPrefix: next.slice(0, 12),
      oldSecretExpiresAt: isoTime(now + 2 * HOUR),
    })
    service.clock.advance(2 * HOUR)
    const listed = (await service.get('/account/api-keys', key)).data.find((row: Key) => row.id === id)
    assert.ok(!('oldSecretExpiresAt' in listed))
  })

  test('both secrets share one rate, one usage and one last use, and rotation frees no requests', async () => {
    const { key } = await service.open('free')
    const { id, apiKey } = await created(service, key)
    for (let call = 0; call < 6; call += 1) assertOk(await service.api('/stats', apiKey))
    const next = await rotated(service, key, id)
    for (let call = 0; call < 9; call += 1) assertOk(await service.api('/stats', call % 2 === 0 ? next : apiKey))
    assertError(await service.api('/stats', next), 429, 'RATE_LIMIT_EXCEEDED')
    assertError(await service.api('/stats', apiKey), 429, 'RATE_LIMIT_EXCEEDED')
    await service.mintick.admission.requestWriter.drain()
    const { byKey } = (await service.get('/account/usage', key)).data
    assert.equal(byKey.find((row: { apiKeyId: string }) => row.apiKeyId === id).requests, 15)
    await service.restart()
    assertError(await service.api('/stats', next), 429, 'RATE_LIMIT_EXCEEDED')
  })

  for (const slug of PLAN_SLUGS) {
    test(`${slug}: a key can be rotated, also if the account has all keys of its plan`, async () => {
      const { id, key } = await service.open(slug)
      await service.admin(`/accounts/${id}`, { method: 'PATCH', body: { overrides: { maxApiKeys: 1 } } })
      const [own] = (await service.get('/account/api-keys', key)).data
      const next = await rotated(service, key, own.id)
      assert.deepEqual((await service.get('/account', next)).data.apiKeys, { active: 1, max: 1 })
      assert.ok(await works(key))
    })
  }

  test('rotating again stops the first secret at once; revoking stops all', async () => {
    const { key } = await service.open()
    const { id, apiKey } = await created(service, key)
    const second = await rotated(service, key, id, 168)
    const third = await rotated(service, apiKey, id, 168)
    assert.deepEqual([await works(apiKey), await works(second), await works(third)], [false, true, true])
    assertOk(await revoke(service, key, id))
    assert.deepEqual([await works(apiKey), await works(second), await works(third)], [false, false, false])
    assertError(await rotate(service, key, id), 400, 'BAD_REQUEST')
    assert.equal(await works(third), false)
  })

  test('an old secret does not outlive its key, and an expired key cannot be rotated', async () => {
    const { key } = await service.open()
    const expiresAt = isoTime(service.clock.now() + HOUR)
    const { id, apiKey } = await created(service, key, { expiresAt })
    const { apiKey: next, oldSecretExpiresAt } = (await rotate(service, key, id)).body.data
    assert.equal(oldSecretExpiresAt, expiresAt)
    service.clock.advance(HOUR - 1)
    assert.deepEqual([await works(apiKey), await works(next)], [true, true])
    service.clock.advance(1)
    assert.deepEqual([await works(apiKey), await works(next)], [false, false])
    assertError(await rotate(service, key, id), 400, 'BAD_REQUEST')
  })

  test('restrictions stay, and a restricted key cannot rotate a key that allows more', async () => {
    const { key } = await service.open()
    const restricted = await created(service, key, { scopes: ['account'] })
    const free = await created(service, key)
    assertError(await rotate(service, restricted.apiKey, free.id), 403, 'FORBIDDEN')
    assert.ok(await works(free.apiKey))
    const next = await rotated(service, restricted.apiKey, restricted.id)
    for (const secret of [restricted.apiKey, next]) {
      assertError(await service.api('/stats', secret), 403, 'FORBIDDEN')
    }
  })

  test('a bad overlap answers 400 and rotates nothing', async () => {
    const { key } = await service.open()
    const { id, apiKey } = await created(service, key)
    for (const overlapHours of [-1, 168.001, 1e9, '24', null, [24], {}]) {
      const reply = await rotate(service, key, id, { overlapHours })
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['overlapHours'])
    }
    for (const body of ['{', '[]', 'null', '24']) assertError(await rotate(service, key, id, body), 400, 'BAD_REQUEST')
    const { key: other } = await service.open()
    assertError(await rotate(service, other, id), 404, 'NOT_FOUND')
    const listed = (await service.get('/account/api-keys', key)).data.find((row: Key) => row.id === id)
    assert.equal(listed.keyPrefix, apiKey.slice(0, 12))
  })

  test('of two rotations at once both secrets work, the first as the old one', async () => {
    const { key } = await service.openUnlimited()
    for (let round = 0; round < 10; round += 1) {
      const { id, apiKey } = await created(service, key)
      const secrets = await Promise.all([rotated(service, key, id), rotated(service, apiKey, id)])
      assert.notEqual(secrets[0], secrets[1])
      assert.deepEqual(await Promise.all(secrets.map(works)), [true, true])
      assert.equal(await works(apiKey), false)
      const listed = (await service.get('/account/api-keys', key)).data.find((row: Key) => row.id === id)
      assert.ok(secrets.some((secret) => secret.startsWith(listed.keyPrefix)))
    }
  })

  test('after a revocation during a rotation no secret works', async () => {
    const { key } = await service.openUnlimited()
    for (let delay = 0; delay < 12; delay += 1) {
      const { id, apiKey } = await created(service, key)
      const rotating = rotate(service, key, id)
      for (let turn = 0; turn < delay * 3; turn += 1) await null
      const [reply] = await Promise.all([rotating, revoke(service, key, id), service.api('/stats', apiKey)])
      if (reply.status !== 200) assertError(reply, 400, 'BAD_REQUEST')
      else assert.equal(await works(reply.body.data.apiKey), false)
      assert.equal(await works(apiKey), false)
    }
  })

  test('after any sequence of rotations, time and revocation exactly the expected secrets work', async () => {
    const { key } = await service.openUnlimited()
    const someStep = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(0, 1, 24, 168).map((overlapHours) => ({ overlapHours })) },
      { weight: 5, arbitrary: fc.constantFrom(1, HOUR - 1, HOUR, DAY, 6 * DAY).map((passMs) => ({ passMs })) },
      { weight: 1, arbitrary: fc.constant({ isRevoked: true as const }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(someStep, { minLength: 1, maxLength: 8 }), async (steps) => {
        const { id, apiKey } = await created(service, key)
        const ends = new Map([[apiKey, Number.POSITIVE_INFINITY]])
        let current = apiKey
        for (const step of steps) {
          const now = service.clock.now()
          if ('passMs' in step) service.clock.advance(step.passMs)
          else if ('isRevoked' in step) {
            await revoke(service, key, id)
            for (const secret of ends.keys()) ends.set(secret, 0)
          } else if (ends.get(current) !== 0) {
            for (const secret of ends.keys()) ends.set(secret, 0)
            ends.set(current, now + step.overlapHours * HOUR)
            current = await rotated(service, key, id, step.overlapHours)
            ends.set(current, Number.POSITIVE_INFINITY)
          }
          for (const [secret, end] of ends) assert.equal(await works(secret), end > service.clock.now())
        }
        await revoke(service, key, id)
      }),
      { numRuns: runs(15, 150) },
    )
  })
})

onEveryEngine('streams of rotated keys', (engine) => {
  test('a stream of the old secret ends with the overlap, or with the next rotation; one of the new secret goes on', async () => {
    const { service, url, account } = await startStreamService(engine)
    const { mintick, clock } = service
    const open = async (secret: string) => {
      const stream = await fetch(`${url}/signals/stream`, { headers: { authorization: `Bearer ${secret}` } })
      assert.equal(stream.status, 200)
      return stream
    }
    try {
      const { id, apiKey } = await created(service, account.key)
      const first = await open(apiKey)
      const next = await rotated(service, account.key, id, 1)
      const second = await open(next)
      clock.advance(HOUR - 1)
      await mintick.streamMeter.postMinutes()
      assert.equal(mintick.streams.count, 2)
      clock.advance(1)
      await mintick.streamMeter.postMinutes()
      assert.match(await first.text(), /"reason":"key_revoked"/)
      assert.equal(mintick.streams.count, 1)
      const third = await rotated(service, account.key, id, 1)
      await mintick.streamMeter.review()
      assert.equal(mintick.streams.count, 1)
      const last = await open(third)
      assertOk(await rotate(service, account.key, id, { overlapHours: 1 }))
      assert.match(await second.text(), /"reason":"key_revoked"/)
      assert.equal(mintick.streams.count, 1)
      await revoke(service, account.key, id)
      assert.match(await last.text(), /"reason":"key_revoked"/)
      await waitUntil(() => mintick.streams.count === 0)
    } finally {
      await service.stop()
    }
  })
})

onPostgres('rotation on two instances', () => {
  const service = serviceForSuite('postgres')

  test('rotations on both at once leave exactly the last two secrets', async () => {
    const twin = await service.twin()
    try {
      const { key } = await service.openUnlimited()
      const { id, apiKey } = await created(service, key)
      const secrets = await Promise.all(
        Array.from({ length: 8 }, (_, index) => rotated(index % 2 === 0 ? service : twin, key, id)),
      )
      const working = await Promise.all(secrets.map((secret) => worksOn(twin, secret)))
      assert.equal(working.filter(Boolean).length, 2)
      assert.equal(await worksOn(twin, apiKey), false)
      await revoke(service, key, id)
      for (const secret of secrets) assert.equal(await worksOn(twin, secret), false)
    } finally {
      await twin.mintick.close()
    }
  })
})
