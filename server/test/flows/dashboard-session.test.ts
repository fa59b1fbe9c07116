/** Sessions of the dashboard and the tokens with which its pages call the API. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { signInLinkCommand } from '../../src/commands/sign-in-link.ts'
import { readConfig } from '../../src/config.ts'
import { DAY, HOUR, isoTime, MINUTE } from '../../src/model/time.ts'
import { assertError, assertOk } from '../envelope.ts'
import { createPlace, onEveryEngine, serviceForSuite, TestService } from '../harness.ts'
import { LAUNCHER, spawnOwned } from '../spawn.ts'
import { ownerToken, Visitor } from '../visitor.ts'

onEveryEngine('sessions of the dashboard', (engine) => {
  const service = serviceForSuite(engine)

  test('the link of the owner signs in once; the session has the owner account and the scope owner', async () => {
    const owner = new Visitor(service)
    assert.deepEqual(await owner.ask('/session'), { user: null, features: { signUp: true, mail: false, oidc: null } })
    const token = await ownerToken(service)
    assert.deepEqual(await owner.ask('/link', { token }), { status: 'signed-in', email: null })
    const user = await owner.user()
    const [account] = (await service.admin('/accounts?email=owner@localhost')).body.data
    assert.deepEqual(user, {
      id: user.id,
      email: null,
      isConfirmed: true,
      hasPassword: false,
      hasSecondFactor: false,
      isManaged: false,
      accountId: account.id,
      operatorScope: 'owner',
    })
    const other = new Visitor(service)
    assertError(await other.call('/link', { body: { token } }), 400, 'BAD_REQUEST')
    assert.equal(await other.user(), null)
  })

  test('of several who redeem one link at once, one wins', async () => {
    const token = await ownerToken(service)
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => new Visitor(service).call('/link', { body: { token } })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400, 400, 400, 400])
  })

  test('a link expires after an hour', async () => {
    const token = await ownerToken(service)
    service.clock.advance(HOUR)
    assertError(await new Visitor(service).call('/link', { body: { token } }), 400, 'BAD_REQUEST')
  })

  test('the cookie is for this host, hidden from scripts and from requests of other sites', async () => {
    const visitor = new Visitor(service)
    const { setCookies } = await visitor.call('/link', { body: { token: await ownerToken(service) } })
    assert.match(
      setCookies[0] ?? '',
      /^mintick-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
    )
    assert.match(
      setCookies[1] ?? '',
      /^mintick-device=[\w-]+\.[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    )
    const rows = JSON.stringify(await service.mintick.store.sessions.list((await visitor.user()).id, 0))
    assert.ok(!rows.includes(visitor.cookies.get('mintick-session') ?? ''))
  })

  test('a session that someone chose before is replaced at sign-in', async () => {
    const victim = new Visitor(service)
    victim.cookies.set('mintick-session', 'x'.repeat(43))
    await victim.signInAsOwner()
    assert.notEqual(victim.cookies.get('mintick-session'), 'x'.repeat(43))
    const first = victim.cookies.get('mintick-session') ?? ''
    await victim.signInAsOwner()
    const old = new Visitor(service)
    old.cookies.set('mintick-session', first)
    assert.equal(await old.user(), null, 'the session before has ended')
  })

  test('a user has at most 50 sessions: a further one ends the oldest with its tokens', async () => {
    service.clock.advance(1)
    const first = new Visitor(service)
    await first.signInAsOwner()
    const token = await first.token()
    assertOk(await service.api('/stats', token))
    let last = first
    for (let time = 0; time < 50; time += 1) {
      assert.notEqual(await first.user(), null)
      service.clock.advance(1)
      last = new Visitor(service)
      await last.signInAsOwner()
    }
    assert.equal((await last.ask('/sessions')).length, 50)
    assert.equal(await first.user(), null)
    assertError(await service.api('/stats', token), 401, 'UNAUTHORIZED')
  })

  test('a session gets 60 tokens at once, then one a second', async () => {
    const visitor = new Visitor(service)
    await visitor.signInAsOwner()
    const mint = async () => (await visitor.call('/token', { body: {} })).status
    for (let time = 0; time < 60; time += 1) assert.equal(await mint(), 200)
    assert.equal(await mint(), 429)
    service.clock.advance(1_000)
    assert.deepEqual([await mint(), await mint()], [200, 429])
    const other = new Visitor(service)
    await other.signInAsOwner()
    await other.token()
  })

  test('pages are not refused on the Free plan, whose keys have its rates', async () => {
    const visitor = new Visitor(service)
    await visitor.ask('/sign-up', { email: 'pages@customer.example', password: 'correct horse battery' })
    const token = await visitor.token()
    for (let page = 0; page < 15; page += 1) {
      const replies = await Promise.all(Array.from({ length: 4 }, () => service.api('/account', token)))
      for (const reply of replies) assertOk(reply)
    }
    const { limits } = (await service.get('/account/usage', token)).data
    assert.equal(limits[0].limit, 100)
    const { apiKey } = (await service.api('/account/api-keys', token, { method: 'POST', body: { name: 'one' } })).body
      .data
    const statuses: number[] = []
    for (let call = 0; call < 17; call += 1) statuses.push((await service.api('/stats', apiKey)).status)
    assert.deepEqual(statuses, [...Array(15).fill(200), 429, 429])
  })

  test('paid calls of a page count apart, by the rates of the plan, and the headers say so', async () => {
    const visitor = new Visitor(service, '192.0.2.9')
    await visitor.ask('/sign-up', { email: 'paid@customer.example', password: 'correct horse battery' })
    const token = await visitor.token()
    const call = async (path: string) => {
      const { status, headers } = await service.api(path, token)
      return `${status} ${/q=\d+/.exec(headers['ratelimit-policy'] ?? '')?.[0]}`
    }
    for (let time = 0; time < 20; time += 1) assert.equal(await call('/account'), '200 q=100')
    const paid = []
    for (let time = 0; time < 17; time += 1) paid.push(await call('/entries?limit=1'))
    assert.deepEqual(paid, [...Array(15).fill('200 q=15'), '429 q=15', '429 q=15'])
    assert.equal(await call('/account'), '200 q=100')
    const { limits } = (await service.get('/account/cost?path=/entries', token)).data
    assert.equal(limits[0].limit, 15)
    await service.restart()
    assert.deepEqual([await call('/account'), await call('/entries?limit=1')], ['200 q=100', '429 q=15'])
  })

  test('a token calls the API as the account, shows as dashboard, and is no key', async () => {
    const visitor = new Visitor(service)
    await visitor.signInAsOwner()
    const { token, expiresAt } = await visitor.ask('/token', {})
    assert.match(token, /^mts_[0-9A-Za-z]{44}$/)
    assert.equal(expiresAt, isoTime(service.clock.now() + 15 * MINUTE))
    const before = (await service.api('/account', token)).body.data
    assert.equal(before.email, 'owner@localhost')
    assert.equal(before.apiKeys.active, 1, 'the owner key alone counts')
    assertOk(await service.api('/stats', token))
    await service.mintick.admission.requestWriter.drain()
    const logs = (await service.api('/account/logs?limit=2', token)).body.data
    assert.deepEqual(
      logs.map(({ keyPrefix, path }: { keyPrefix: string; path: string }) => [keyPrefix, path]),
      [
        ['dashboard', '/api/v1/stats'],
        ['dashboard', '/api/v1/account'],
      ],
    )
    const keys = (await service.api('/account/api-keys', token)).body.data
    assert.deepEqual(
      keys.map(({ name }: { name: string }) => name),
      ['First key'],
    )
    const usage = (await service.api('/account/usage', token)).body.data
    const { apiKeyId, ...dashboard } = usage.byKey.at(-1)
    assert.deepEqual([dashboard.keyPrefix, dashboard.name], ['dashboard', 'Dashboard'])
    assert.ok(dashboard.requests >= 2)
    assertError(await service.api(`/account/api-keys/${apiKeyId}`, token, { method: 'DELETE' }), 404, 'NOT_FOUND')
    assertError(
      await service.call('/admin/accounts', { headers: { authorization: `Bearer ${token}` } }),
      401,
      'UNAUTHORIZED',
    )
  })

  test('a token works for 15 minutes, and the session makes the next one', async () => {
    const visitor = new Visitor(service)
    await visitor.signInAsOwner()
    const token = await visitor.token()
    service.clock.advance(15 * MINUTE - 1)
    assertOk(await service.api('/stats', token))
    service.clock.advance(1)
    assertError(await service.api('/stats', token), 401, 'UNAUTHORIZED')
    assertOk(await service.api('/stats', await visitor.token()))
  })

  for (const [what, end] of [
    ['signing out', (visitor: Visitor) => visitor.ask('/sign-out', {})],
    [
      'ending the session elsewhere',
      async (visitor: Visitor) => {
        const other = new Visitor(service)
        await other.signInAsOwner()
        const sessions = await visitor.ask('/sessions')
        const own = sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)
        await other.ask(`/sessions/${own.id}`, undefined, 'DELETE')
      },
    ],
    [
      'ending all other sessions',
      async () => {
        const other = new Visitor(service)
        await other.signInAsOwner()
        await other.ask('/sessions', undefined, 'DELETE')
        assert.equal((await other.ask('/sessions')).length, 1)
      },
    ],
  ] as const) {
    test(`${what} ends the session and its tokens at once`, async () => {
      const visitor = new Visitor(service)
      await visitor.signInAsOwner()
      const token = await visitor.token()
      const { token: operatorToken } = await visitor.ask('/operator-token', {})
      const admin = () => service.call('/admin/tokens', { headers: { authorization: `Bearer ${operatorToken}` } })
      assertOk(await service.api('/stats', token))
      assertOk(await admin())
      const cookie = visitor.cookies.get('mintick-session') ?? ''
      await end(visitor)
      assertError(await service.api('/stats', token), 401, 'UNAUTHORIZED')
      assertError(await admin(), 401, 'UNAUTHORIZED')
      visitor.cookies.set('mintick-session', cookie)
      assert.equal(await visitor.user(), null)
      assertError(await visitor.call('/token', { body: {} }), 401, 'UNAUTHORIZED')
    })
  }

  test('a stream outlives the token that opened it, and ends with its session', async () => {
    const visitor = new Visitor(service)
    await visitor.signInAsOwner()
    const { admission, streamMeter } = service.mintick
    const caller = await admission.callers.authenticate(`Bearer ${await visitor.token()}`, '192.0.2.1')
    const reasons: string[] = []
    const end = (reason: string) => void reasons.push(reason)
    await streamMeter.open(caller, { id: randomUUID(), endpoint: 'GET /signals/stream', end })
    service.clock.advance(HOUR)
    await streamMeter.renewLease()
    await streamMeter.postMinutes()
    await streamMeter.review()
    assert.deepEqual(reasons, [])
    await visitor.ask('/sign-out', {})
    assert.deepEqual(reasons, ['key_revoked'])
  })

  test('a session ends after a week without use, and after 30 days in any case', async () => {
    const visitor = new Visitor(service)
    await visitor.signInAsOwner()
    for (let week = 0; week < 4; week += 1) {
      service.clock.advance(7 * DAY - 1)
      assert.notEqual(await visitor.user(), null)
    }
    service.clock.advance(2 * DAY + 4)
    assertError(await visitor.call('/sessions'), 401, 'UNAUTHORIZED')
    await visitor.signInAsOwner()
    service.clock.advance(7 * DAY)
    assert.equal(await visitor.user(), null)
  })

  test('what the owner does in the dashboard is in the audit trail as theirs', async () => {
    const visitor = new Visitor(service)
    await visitor.signInAsOwner()
    const { token, scope } = await visitor.ask('/operator-token', {})
    assert.equal(scope, 'owner')
    const reply = await service.call('/admin/accounts', {
      method: 'POST',
      body: { email: 'customer@test.example' },
      headers: { authorization: `Bearer ${token}` },
    })
    assertOk(reply)
    const [record] = (await service.admin('/audit-trail?limit=1')).body.data
    assert.deepEqual([record.token, record.target], ['owner', reply.body.data.account.id])
    assertError(await service.api('/stats', token), 401, 'UNAUTHORIZED')
  })

  test('mintick sign-in-link prints another link, for the owner or for a user, and says if there is none', async () => {
    const own = await TestService.start(engine)
    try {
      const { port } = new URL(await own.listen())
      const config = readConfig({ PORT: port, ADMIN_TOKEN: own.mintick.adminToken })
      const run = (...args: string[]) => signInLinkCommand(args, config)
      const user = new Visitor(own)
      await user.ask('/sign-up', { email: 'ada@test.example', password: 'correct horse battery' })
      for (const [args, email] of [
        [[], null],
        [['--email', 'Ada@test.example'], 'ada@test.example'],
      ] as const) {
        const [, token] =
          /^Sign in to the dashboard, once and within an hour:\n {2}http:\/\/127\.0\.0\.1:\d+\/dashboard\/link#([\w-]{43})\n$/.exec(
            await run(...args),
          ) ?? []
        const visitor = new Visitor(own)
        await visitor.ask('/link', { token })
        assert.equal((await visitor.user()).email, email)
      }
      await assert.rejects(run('--email', 'nobody@test.example'), /No user has this address/)
      assert.equal((await own.admin('/audit-trail?limit=1')).body.data[0].route, 'POST /admin/sign-in-links')
    } finally {
      await own.stop()
    }
  })
})

test('the first start prints the link of the owner, the second one does not', async () => {
  const place = await createPlace('sqlite')
  try {
    const outputs: string[] = []
    for (let start = 0; start < 2; start += 1) {
      const child = spawnOwned(process.execPath, [LAUNCHER, 'serve'], {
        env: { ...process.env, ...place.env },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let output = ''
      child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
        if (output.includes('Try it:')) child.kill('SIGINT')
      })
      await once(child, 'close')
      outputs.push(output)
    }
    const link =
      /\nSign in to the dashboard, once and within an hour:\n {2}http:\/\/127\.0\.0\.1:\d+\/dashboard\/link#[\w-]{43}\n/
    assert.deepEqual(
      outputs.map((output) => link.test(output)),
      [true, false],
    )
  } finally {
    await place.remove()
  }
})
