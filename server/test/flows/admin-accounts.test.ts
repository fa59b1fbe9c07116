/** What support does with accounts: find them, revoke keys, suspend. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runs } from '../depth.ts'
import { dice } from '../dice.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

onEveryEngine('accounts for operators', (engine) => {
  const service = serviceForSuite(engine)
  const open = async (email: string) => {
    const reply = await service.admin('/accounts', { method: 'POST', body: { email } })
    assertOk(reply)
    return { id: reply.body.data.account.id as string, key: reply.body.data.apiKey as string }
  }
  const patch = (id: string, body: object) => service.admin(`/accounts/${id}`, { method: 'PATCH', body })

  test('accounts are found by email address and by its beginning, as an oracle finds them', async () => {
    const parts = ['a', 'ab', 'Ä', '-', '_', '%', 'z', '.', '漢', '💰', 'é']
    const roll = dice(3)
    const pick = () => parts[Math.floor(roll() * parts.length)] ?? ''
    const emails = new Set<string>()
    for (let count = 0; count < 25; count += 1) emails.add(`${pick()}${pick()}${pick()}@x${pick()}`.toLowerCase())
    for (const email of emails) await open(email)
    const found = async (query: Record<string, string>) => {
      const { body } = await service.admin(`/accounts?limit=100&${new URLSearchParams(query)}`)
      assert.equal(body.meta.totalCount, body.data.length)
      return body.data.map(({ email }: { email: string }) => email).sort()
    }
    for (let run = 0; run < runs(40, 200); run += 1) {
      const emailPrefix = `${pick()}${roll() < 0.6 ? pick() : ''}`
      const expected = [...emails].filter((email) => email.startsWith(emailPrefix.toLowerCase())).sort()
      assert.deepEqual(await found({ emailPrefix }), expected, emailPrefix)
    }
    for (const email of emails) {
      assert.deepEqual(await found({ email: email.toUpperCase().toLowerCase() }), [email])
      assert.deepEqual(
        await found({ email: email.slice(0, -1) }),
        emails.has(email.slice(0, -1)) ? [email.slice(0, -1)] : [],
      )
    }
    const [one = ''] = emails
    assert.deepEqual(await found({ email: one, emailPrefix: 'no' }), [])
    assertError(await service.admin(`/accounts?emailPrefix=${'x'.repeat(1_001)}`), 400, 'BAD_REQUEST')
  })

  test('accounts are found by a part of their email address or name, whatever signs it has', async () => {
    const names: [string, string | null][] = [
      ['deniz@cases.example', 'Deniz ÜNAL'],
      ['50%_off@cases.example', 'Half \\ price'],
      ['nameless@cases.example', null],
    ]
    for (const [email, name] of names) {
      assertOk(await service.admin('/accounts', { method: 'POST', body: { email, name } }))
    }
    const found = async (search: string) => {
      const { body } = await service.admin(`/accounts?${new URLSearchParams({ search })}`)
      return body.data.map(({ email }: { email: string }) => email.split('@')[0]).sort()
    }
    assert.deepEqual(await found('CASES.exam'), ['50%_off', 'deniz', 'nameless'])
    assert.deepEqual(await found('niz ünal'), [])
    assert.deepEqual(await found('dENIZ Ünal'), ['deniz'])
    assert.deepEqual(await found('0%_o'), ['50%_off'])
    assert.deepEqual(await found('%_%_%'), [])
    assert.deepEqual(await found('f \\ p'), ['50%_off'])
    assert.deepEqual((await service.admin('/accounts?search=%20')).body.meta.totalCount > 3, true)
  })

  test('an account is shown with its effective plan, its lots in the order of use, and its requests', async () => {
    const { id, key } = await service.open('starter')
    await patch(id, { overrides: { maxApiKeys: 77 } })
    await service.admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits: 30, reason: 'thanks' } })
    const { data } = (await service.admin(`/accounts/${id}`)).body
    assert.deepEqual([data.effectivePlan.maxApiKeys, data.effectivePlan.burst], [77, 100])
    assert.deepEqual(
      data.lots.map(({ kind, remaining }: { kind: string; remaining: number }) => [kind, remaining]),
      [
        ['monthly', 1_000],
        ['signup', 100],
        ['adjustment', 30],
      ],
    )
    assert.deepEqual(
      data.lots.map(({ expiresAt }: { expiresAt: string | null }) => expiresAt === null),
      [false, true, true],
    )
    await service.api('/entries?limit=2', key)
    await service.api('/nowhere', key)
    await service.mintick.admission.requestWriter.drain()
    const log = (await service.admin(`/accounts/${id}/logs?statusCode=200`)).body
    assert.deepEqual(log.data, (await service.api('/account/logs?statusCode=200&path=/api/v1/entries', key)).body.data)
    assert.equal(log.data[0].query, 'limit=2')
  })

  test('the keys of an account are listed as its owner sees them, and revoked one by one', async () => {
    const { id, key } = await service.open('enterprise')
    const created = await service.api('/account/api-keys', key, { method: 'POST', body: { name: 'second' } })
    const { apiKey: second, id: secondId } = created.body.data
    await service.mintick.admission.requestWriter.drain()
    const { data } = (await service.admin(`/accounts/${id}/api-keys`)).body
    assert.deepEqual(data, (await service.api('/account/api-keys', key)).body.data)
    assert.equal(data.length, 2)
    assert.ok(!JSON.stringify(data).includes(second.slice(12)))
    const revoke = (account: string, keyId: string) =>
      service.admin(`/accounts/${account}/api-keys/${keyId}`, { method: 'DELETE' })
    const reply = await revoke(id, secondId)
    assert.deepEqual([reply.body.data.id, reply.body.data.isActive], [secondId, false])
    assertError(await service.api('/stats', second), 401, 'UNAUTHORIZED')
    assertOk(await service.api('/stats', key))
    assertOk(await revoke(id, secondId))
    const other = await service.open()
    for (const [account, keyId] of [
      [other.id, secondId],
      [id, NOBODY],
      [id, '%00'],
      [NOBODY, secondId],
      ['nope', secondId],
    ] as const) {
      assertError(await revoke(account, keyId), 404, 'NOT_FOUND')
    }
    for (const account of [NOBODY, 'nope']) {
      assertError(await service.admin(`/accounts/${account}/api-keys`), 404, 'NOT_FOUND')
    }
    const demo = (await service.admin('/accounts?limit=100')).body.data.find(
      ({ isDemo }: { isDemo: boolean }) => isDemo,
    )
    const [demoKey] = (await service.admin(`/accounts/${demo.id}/api-keys`)).body.data
    assertError(await revoke(demo.id, demoKey.id), 403, 'FORBIDDEN')
    assertOk(await service.api('/entries', 'mtk_demo'))
    const [record] = (await service.admin(`/audit-trail?target=${id}&limit=100`)).body.data.filter(
      ({ statusCode }: { statusCode: number }) => statusCode === 200,
    )
    assert.equal(record.summary, `keyId=${secondId}`)
  })

  test('a suspension has a reason that only operators see, and the caller the same error as without', async () => {
    const { id, key } = await service.open()
    const suspended = await patch(id, { isActive: false, reason: 'chargeback of a stolen card' })
    assert.partialDeepStrictEqual(suspended.body.data, {
      isActive: false,
      suspendedReason: 'chargeback of a stolen card',
    })
    const shown = (await service.admin(`/accounts/${id}`)).body.data
    assert.equal(shown.suspendedReason, 'chargeback of a stolen card')
    const refused = await service.api('/stats', key)
    assertError(refused, 401, 'UNAUTHORIZED')
    assert.equal(refused.body.error.message, 'This API key is not valid')
    assert.equal((await patch(id, { isActive: false })).body.data.suspendedReason, 'chargeback of a stolen card')
    assert.equal((await patch(id, { plan: 'starter' })).body.data.suspendedReason, 'chargeback of a stolen card')
    assert.equal((await patch(id, { isActive: false, reason: 'fraud' })).body.data.suspendedReason, 'fraud')
    assert.equal((await patch(id, { isActive: true })).body.data.suspendedReason, null)
    assertOk(await service.api('/stats', key))
    for (const body of [
      { reason: 'x' },
      { isActive: true, reason: 'x' },
      { isActive: false, reason: '' },
      { isActive: false, reason: 7 },
    ]) {
      const reply = await patch(id, body)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['reason'])
    }
    const trail = JSON.stringify((await service.admin(`/audit-trail?target=${id}`)).body)
    assert.ok(!/chargeback|fraud/.test(trail))
  })
})
