import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { createSecret } from '../../src/admission/key.ts'
import { MINUTE, SECOND } from '../../src/model/time.ts'
import { assertError, assertOk } from '../envelope.ts'
import { createPlace, onEveryEngine, serviceForSuite, type TestService } from '../harness.ts'
import { logLinesOf } from '../log-lines.ts'
import { finished, spawnCommand, spawnService } from '../spawn.ts'

/** Sends a request to the admin API from an address, through the proxies of X-Forwarded-For. */
function ask(
  service: TestService,
  token: string,
  remoteAddress: string,
  forwardedFor?: string,
): Promise<LightMyRequestResponse> {
  return service.mintick.app.inject({
    url: '/admin/accounts',
    remoteAddress,
    headers: {
      authorization: `Bearer ${token}`,
      ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
    },
  })
}

/** Sends wrong tokens until the address is refused. */
async function exhaust(service: TestService, address: string, forwardedFor?: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    assert.equal((await ask(service, `wrong-${attempt}`, address, forwardedFor)).statusCode, 401)
  }
  assert.equal((await ask(service, 'wrong', address, forwardedFor)).statusCode, 429)
}

test('the commands call the admin API at its own address', async () => {
  const place = await createPlace('sqlite')
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const env = { ...place.env, ADMIN_PORT: String((probe.address() as AddressInfo).port) }
  probe.close()
  const { child } = await spawnService(env)
  const list = await finished(spawnCommand(env, 'accounts', 'list'))
  assert.equal(list.code, 0, list.stderr)
  assert.match(list.stdout, /owner@localhost/)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
  const { code, stderr } = await finished(spawnCommand(env, 'accounts', 'list'))
  assert.equal(code, 1)
  assert.match(stderr, /no service answers at .* set ADMIN_HOST and ADMIN_PORT/)
  await place.remove()
})

onEveryEngine("operator's token", (engine) => {
  describe('without proxies', () => {
    const service = serviceForSuite(engine)
    const lines = logLinesOf(service)

    test('guesses meet the limiter of their address and are logged; the right token always works', async () => {
      const { adminToken } = service.mintick
      await exhaust(service, '192.0.2.1')
      const refused = await ask(service, 'wrong', '192.0.2.1')
      assert.equal(refused.json().error.code, 'RATE_LIMIT_EXCEEDED')
      assert.equal((await ask(service, adminToken, '192.0.2.1')).statusCode, 200)
      assert.equal((await ask(service, 'wrong', '192.0.2.2')).statusCode, 401)
      assert.equal((await ask(service, 'wrong', '192.0.2.1', '198.51.100.9')).statusCode, 429)

      const refusals = lines.filter(({ msg }) => msg === 'refused a wrong admin token')
      assert.deepEqual(
        refusals.map(({ address, failures }) => [address, failures]),
        [
          ['192.0.2.1', 1],
          ['192.0.2.2', 1],
        ],
      )
      service.clock.advance(MINUTE)
      await ask(service, 'wrong', '192.0.2.1')
      assert.equal(lines.at(-1)?.failures, 604)
      assert.ok(!JSON.stringify(lines).includes('wrong-'))
    })

    test('requests without a token are no guesses', async () => {
      const before = lines.length
      assert.equal(
        (await service.mintick.app.inject({ url: '/admin/audit', remoteAddress: '192.0.2.7' })).statusCode,
        401,
      )
      assert.equal(lines.length, before)
    })

    test('no other route tells a right token from a wrong one', async () => {
      const { adminToken } = service.mintick
      for (const path of ['/', '/x', '/api/v1/x', '/administration', '/%']) {
        const call = async (token: string) => {
          const { status, body } = await service.call(path, { headers: { authorization: `Bearer ${token}` } })
          return [status, body.error?.message]
        }
        assert.deepEqual(await call(adminToken), await call(`${adminToken}x`), path)
      }
      assertError(await service.admin('/x'), 404, 'NOT_FOUND')
      assertError(await service.admin('/x', { headers: { authorization: 'Bearer wrong' } }), 401, 'UNAUTHORIZED')
    })

    test('the addresses of one IPv6 network are one client', async () => {
      await exhaust(service, '2001:db8:1:2::1')
      assert.equal((await ask(service, 'wrong', '2001:db8:1:2:ffff::2')).statusCode, 429)
      assert.equal((await ask(service, 'wrong', '2001:db8:1:3::1')).statusCode, 401)
    })
  })

  describe('behind trusted proxies', () => {
    const service = serviceForSuite(engine, { TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8:ffff::/48' })
    const lines = logLinesOf(service)

    test('the client is the rightmost address that is not a proxy', async () => {
      await exhaust(service, '10.0.0.1', '203.0.113.1')
      const sameClient = [
        ['10.9.9.9', '203.0.113.1'],
        ['10.0.0.1', '198.51.100.7, 203.0.113.1, 10.0.0.2'],
        ['10.0.0.1', 'nonsense,203.0.113.1:4711 , 2001:db8:ffff::1'],
        ['::ffff:10.0.0.1', '::ffff:203.0.113.1'],
        ['203.0.113.1', '198.51.100.7'],
      ] as const
      for (const [address, forwarded] of sameClient) {
        assert.equal((await ask(service, 'wrong', address, forwarded)).statusCode, 429, `${address} for ${forwarded}`)
      }
      const others = [
        ['10.0.0.1', '203.0.113.1, 203.0.113.2'],
        ['10.0.0.1', undefined],
        ['10.0.0.1', '203.0.113.1, unknown'],
      ] as const
      for (const [address, forwarded] of others) {
        assert.equal((await ask(service, 'wrong', address, forwarded)).statusCode, 401, `${address} for ${forwarded}`)
      }
      assert.equal(lines[0]?.address, '203.0.113.1')
    })

    test('callers without a valid key are limited by the same address', async () => {
      const call = (forwarded: string) =>
        service.mintick.app.inject({
          url: '/api/v1/entries',
          remoteAddress: '10.0.0.1',
          headers: { authorization: `Bearer ${createSecret()}`, 'x-forwarded-for': forwarded },
        })
      for (let attempt = 0; attempt < 600; attempt += 1) await call('203.0.113.5')
      assert.equal((await call('203.0.113.5')).statusCode, 429)
      assert.equal((await call('203.0.113.6')).statusCode, 401)
      service.clock.advance(SECOND)
      assert.equal((await call('203.0.113.5')).statusCode, 401)
    })
  })

  describe('with an address of its own', () => {
    const service = serviceForSuite(engine, { ADMIN_PORT: '0' })

    test('the admin API answers there only, and nothing else does', async () => {
      const { adminApp, adminToken } = service.mintick
      const headers = { authorization: `Bearer ${adminToken}` }
      const { key } = await service.open()
      for (const path of ['/admin', '/admin/accounts', '/admin?x=1']) {
        for (const authorization of [`Bearer ${adminToken}`, `Bearer ${adminToken}x`, '']) {
          assertError(await service.call(path, { headers: { authorization } }), 404, 'NOT_FOUND')
        }
      }
      assertOk(await service.api('/entries', key))
      const there = await adminApp?.inject({ url: '/admin/accounts', headers })
      assert.equal(there?.statusCode, 200)
      assert.equal((await adminApp?.inject({ url: '/admin/accounts' }))?.statusCode, 401)
      const authorization = `Bearer ${key}`
      const elsewhere = await adminApp?.inject({ url: '/api/v1/entries', headers: { authorization } })
      assert.equal(elsewhere?.statusCode, 404)
    })
  })
})
