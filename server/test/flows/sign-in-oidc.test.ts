/** Operators sign in through OpenID Connect. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OperatorError, readConfig } from '../../src/config.ts'
import { assertError, assertOk } from '../envelope.ts'
import { onEveryEngine, TestService } from '../harness.ts'
import { startOidcProvider } from '../oidc-provider.ts'
import { Visitor } from '../visitor.ts'

const CLIENT = { clientId: 'mintick', clientSecret: 'secret of the client' }

onEveryEngine('signing in through OpenID Connect', (engine) => {
  let provider: Awaited<ReturnType<typeof startOidcProvider>>
  let service: TestService
  before(async () => {
    provider = await startOidcProvider(CLIENT)
    service = await TestService.start(engine, {
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: CLIENT.clientId,
      OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      OIDC_OPERATORS: 'Ada@Test.Example=owner, bob@test.example=read',
      PUBLIC_URL: 'https://mintick.example',
    })
  })
  after(async () => {
    await service.stop()
    await provider.close()
  })

  const ada = { sub: 'ada', email: 'ada@test.example', email_verified: true }
  /** Goes to the provider and returns its address. */
  const begin = async (visitor: Visitor) => {
    const reply = await visitor.call('/oidc')
    assert.equal(reply.status, 303)
    return reply.headers.location ?? ''
  }
  /** Signs in with these claims and returns the answer to the browser that comes back. */
  const signIn = async (visitor: Visitor, claims: object) =>
    visitor.call(`/oidc/callback?${provider.approve(await begin(visitor), claims)}`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    })

  test('an operator is sent there and back, and has the scope of the settings', async () => {
    const visitor = new Visitor(service)
    assert.deepEqual((await visitor.ask('/session')).features.oidc, { name: new URL(provider.url).host })
    const location = new URL(await begin(visitor))
    assert.equal(location.origin + location.pathname, `${provider.url}/authorize`)
    assert.equal(location.searchParams.get('redirect_uri'), 'https://mintick.example/dashboard/auth/oidc/callback')
    const reply = await signIn(visitor, ada)
    assert.deepEqual([reply.status, reply.headers.location], [303, 'https://mintick.example/dashboard'])
    assert.deepEqual(
      [...visitor.cookies.keys()],
      ['__Host-mintick-session'],
      'the cookie of the sign-in is gone, and there is none of a known browser',
    )
    const user = await visitor.user()
    assert.deepEqual(
      [user.email, user.operatorScope, user.accountId, user.hasPassword, user.isManaged],
      ['ada@test.example', 'owner', null, false, true],
    )
    assertError(await visitor.call('/token', { body: {} }), 403, 'FORBIDDEN')
    const { token, scope } = await visitor.ask('/operator-token', {})
    assert.equal(scope, 'owner')
    const headers = { authorization: `Bearer ${token}` }
    const opened = await service.call('/admin/accounts', { method: 'POST', body: { email: 'c@test.example' }, headers })
    assertOk(opened)
    assert.equal((await service.admin('/audit-trail?limit=1')).body.data[0].token, 'ada@test.example')
    const again = new Visitor(service)
    await signIn(again, { ...ada, email: 'ADA@test.example' })
    assert.equal((await again.user()).id, user.id)
  })

  test('a scope is never exceeded', async () => {
    const bob = new Visitor(service)
    await signIn(bob, { sub: 'bob', email: 'bob@test.example', email_verified: true })
    const { token, scope } = await bob.ask('/operator-token', {})
    assert.equal(scope, 'read')
    const headers = { authorization: `Bearer ${token}` }
    assertOk(await service.call('/admin/accounts', { headers }))
    const refused = await service.call('/admin/accounts', {
      method: 'POST',
      body: { email: 'd@test.example' },
      headers,
    })
    assertError(refused, 403, 'FORBIDDEN')
  })

  test('addresses that are not verified or not listed are refused', async () => {
    for (const claims of [
      { ...ada, email_verified: false },
      { ...ada, email_verified: 'true' },
      { sub: 'ada', email: ada.email },
      { sub: 'ada' },
      { sub: 'eve', email: 'eve@test.example', email_verified: true },
    ]) {
      const visitor = new Visitor(service, '198.51.100.4')
      assert.equal((await signIn(visitor, claims)).status, 403, JSON.stringify(claims))
      assert.equal(await visitor.user(), null)
    }
  })

  test('forged, foreign and expired identities are refused', async () => {
    const now = Math.floor(Date.now() / 1_000)
    for (const claims of [
      { ...ada, iss: 'https://evil.example' },
      { ...ada, aud: 'another client' },
      { ...ada, nonce: 'of another sign-in' },
      { ...ada, exp: now - 600, iat: now - 900 },
    ]) {
      const visitor = new Visitor(service, '198.51.100.5')
      assert.equal((await signIn(visitor, claims)).status, 401, JSON.stringify(claims))
      assert.equal(await visitor.user(), null)
    }
    provider.forge(true)
    const visitor = new Visitor(service)
    assert.equal((await signIn(visitor, ada)).status, 401)
    assert.equal(await visitor.user(), null)
    provider.forge(false)
  })

  test('only the browser that began may come back, and only once', async () => {
    const [victim, attacker] = [new Visitor(service), new Visitor(service)]
    const query = provider.approve(await begin(attacker), ada)
    assert.equal((await victim.call(`/oidc/callback?${query}`)).status, 401, 'a browser that did not begin')
    await begin(victim)
    assert.equal((await victim.call(`/oidc/callback?${query}`)).status, 401, 'the state of another browser')
    assert.equal(await victim.user(), null)
    assert.equal((await attacker.call(`/oidc/callback?${query}`)).status, 303)
    assert.equal((await attacker.call(`/oidc/callback?${query}`)).status, 401, 'a second time')
    for (const nonsense of ['', 'error=access_denied', 'code=x', 'state=x', 'code=%00&state=x']) {
      const reply = await new Visitor(service).call(`/oidc/callback?${nonsense}`)
      assert.ok([400, 401].includes(reply.status), `${nonsense}: ${reply.status}`)
    }
  })

  test('forged replies are throttled before the provider is asked, and right ones do not count', async () => {
    const visitor = new Visitor(service, '198.51.100.1')
    const asked = provider.tokenRequests()
    const statuses = []
    for (let time = 0; time < 30; time += 1) {
      const state = new URL(await begin(visitor)).searchParams.get('state')
      statuses.push((await visitor.call(`/oidc/callback?code=x&state=${state}`)).status)
    }
    assert.deepEqual(statuses, [...Array(20).fill(401), ...Array(10).fill(429)])
    assert.equal(provider.tokenRequests() - asked, 20)
    const other = new Visitor(service, '198.51.100.2')
    for (let time = 0; time < 25; time += 1) assert.equal((await signIn(other, ada)).status, 303)
  })

  test('signing in ends the session of another user in the browser, with its token', async () => {
    const visitor = new Visitor(service, '198.51.100.3')
    await visitor.ask('/sign-up', { email: 'carol@test.example', password: 'password of carol' })
    const token = await visitor.token()
    assertOk(await service.api('/stats', token))
    await signIn(visitor, ada)
    assertError(await service.api('/stats', token), 401, 'UNAUTHORIZED')
  })

  test('nothing in the query chooses where the browser goes', async () => {
    const visitor = new Visitor(service)
    const query = provider.approve(await begin(visitor), ada)
    const others = ['returnTo', 'redirect_uri', 'next', 'url'].map((name) => `&${name}=https://evil.example`).join('')
    const reply = await visitor.call(`/oidc/callback?${query}${others}`)
    assert.deepEqual([reply.status, reply.headers.location], [303, 'https://mintick.example/dashboard'])
  })

  test('who signed up with the address of an operator is none, and stays apart from them', async () => {
    const eve = new Visitor(service)
    await eve.ask('/sign-up', { email: 'bob@test.example', password: 'password of eve' })
    const bob = new Visitor(service)
    await signIn(bob, { sub: 'bob', email: 'bob@test.example', email_verified: true })
    assert.notEqual((await bob.user()).id, (await eve.user()).id)
    assert.equal((await eve.user()).operatorScope, null)
    assertError(await eve.call('/operator-token', { body: {} }), 403, 'FORBIDDEN')
    for (const [path, method, body] of [
      ['/password', 'POST', { password: 'password of bob' }],
      ['/user', 'PATCH', { email: 'other@test.example' }],
      ['/second-factor', 'POST', {}],
    ] as const) {
      const reply = await bob.call(path, { method, body })
      assert.ok([400, 403].includes(reply.status), path)
    }
  })

  test('a provider that is down answers 503, and works once it is back', async () => {
    const other = await TestService.start(engine, {
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: CLIENT.clientId,
      OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      OIDC_OPERATORS: 'ada@test.example=owner',
    })
    try {
      provider.setDown(true)
      assert.equal((await new Visitor(other).call('/oidc')).status, 503)
      provider.setDown(false)
      assert.equal((await new Visitor(other).call('/oidc')).status, 303)
    } finally {
      await other.stop()
    }
  })
})

test('settings of OpenID Connect belong together and are checked', () => {
  const all = {
    OIDC_ISSUER: 'https://login.example',
    OIDC_CLIENT_ID: 'x',
    OIDC_CLIENT_SECRET: 'y',
    OIDC_OPERATORS: 'a@test.example=owner',
  }
  assert.deepEqual([...readConfig(all).OIDC_OPERATORS], [['a@test.example', 'owner']])
  const refused = (env: Record<string, string>) => assert.throws(() => readConfig(env), OperatorError)
  for (const name of Object.keys(all)) refused({ ...all, [name]: '' })
  for (const operators of ['a@test.example', 'a@test.example=root', '=owner', 'a=owner', 'a@b@c=owner']) {
    refused({ ...all, OIDC_OPERATORS: operators })
  }
  for (const issuer of ['http://login.example', 'login.example', 'ftp://login.example']) {
    refused({ ...all, OIDC_ISSUER: issuer })
  }
})
