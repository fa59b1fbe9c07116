/** The life of a user of the dashboard: signing up, passwords, second factor, leaving. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY, HOUR, MINUTE } from '../../src/model/time.ts'
import { dumpTables } from '../dump.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, onPostgres, serviceForSuite, TestService } from '../harness.ts'
import { codeAt, ownerToken, Visitor } from '../visitor.ts'

const PASSWORD = 'correct horse battery'

onEveryEngine('signing in without a mail server', (engine) => {
  const service = serviceForSuite(engine)
  let number = 0
  const newEmail = () => `user${++number}@test.example`

  /** Signs a new user up, from a network of their own. */
  async function signUp(email = newEmail()) {
    const visitor = new Visitor(service, `198.51.100.${number}`)
    assert.deepEqual(await visitor.ask('/sign-up', { email, password: PASSWORD }), { status: 'signed-in' })
    return { visitor, email, user: await visitor.user() }
  }
  const signIn = (visitor: Visitor, email: string, password = PASSWORD, code?: string) =>
    visitor.call('/sign-in', { body: { email, password, ...(code !== undefined && { code }) } })

  test('signing up opens an account on Free with its credits and no key, and signs in', async () => {
    const { visitor, email, user } = await signUp('Ada@Test.Example')
    assert.deepEqual(
      [user.email, user.isConfirmed, user.hasPassword, user.operatorScope],
      ['ada@test.example', false, true, null],
    )
    const account = (await service.api('/account', await visitor.token())).body.data
    assert.deepEqual(
      [account.id, account.email, account.plan.slug, account.apiKeys.active],
      [user.accountId, 'ada@test.example', 'free', 0],
    )
    assert.equal(account.balance, account.plan.signupCredits + account.plan.monthlyCredits)
    await visitor.ask('/sign-out', {})
    assert.equal(await visitor.user(), null)
    assertOk(await signIn(visitor, email.toUpperCase()))
    assert.equal((await visitor.user()).id, user.id)
    assertError(await visitor.call('/operator-token', { body: {} }), 403, 'FORBIDDEN')
  })

  test('wrong passwords, unknown addresses and wrong codes get the same answer', async () => {
    const { email } = await signUp()
    const answers = []
    for (const [address, password] of [
      [email, 'wrong password'],
      [newEmail(), PASSWORD],
      ['owner@localhost', PASSWORD],
    ] as const) {
      const reply = await signIn(new Visitor(service, '203.0.113.1'), address, password)
      assertError(reply, 401, 'UNAUTHORIZED')
      const { 'x-request-id': _, date: _date, ...headers } = reply.headers
      answers.push(JSON.stringify([reply.body.error, headers, reply.setCookies]))
    }
    assert.equal(new Set(answers).size, 1)
  })

  test('an address has one user and one account, also if many sign up at once', async () => {
    const email = newEmail()
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, place) =>
        new Visitor(service, `198.51.101.${place}`).call('/sign-up', { body: { email, password: PASSWORD } }),
      ),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400, 400, 400, 400, 400])
    const { data } = (await service.admin(`/accounts?email=${email}`)).body
    assert.equal(data.length, 1)
    assert.deepEqual((await service.mintick.store.audit.run()).problems, [])
  })

  test('nobody takes over an account that the operator opened by signing up with its address', async () => {
    const email = newEmail()
    assertOk(await service.admin('/accounts', { method: 'POST', body: { email } }))
    const reply = await new Visitor(service).call('/sign-up', { body: { email, password: PASSWORD } })
    assert.deepEqual(fieldsOf(reply), ['email'])
  })

  test('bad addresses and short passwords answer 400 naming the field', async () => {
    const visitor = new Visitor(service, '203.0.113.2')
    for (const email of ['', 'x', 'a@b@c', 'a b@c', 'a@b,c', '<a@b>', 'a@b\r\nBcc: c@d', `${'x'.repeat(250)}@test`]) {
      const reply = await visitor.call('/sign-up', { body: { email, password: PASSWORD } })
      assert.deepEqual(fieldsOf(reply), ['email'], email)
    }
    for (const password of [undefined, '', 'too short', 'x'.repeat(201)]) {
      const reply = await visitor.call('/sign-up', { body: { email: newEmail(), password } })
      assert.deepEqual(fieldsOf(reply), ['password'])
    }
  })

  test('a new password needs the current one and ends all other sessions', async () => {
    const { visitor, email } = await signUp()
    const other = new Visitor(service, visitor.remoteAddress)
    assertOk(await signIn(other, email))
    const token = await other.token()
    assertOk(await service.api('/stats', token))
    const change = (current?: string) =>
      visitor.call('/password', { body: { password: 'another long password', ...(current && { current }) } })
    assert.deepEqual(fieldsOf(await change()), ['current'])
    assert.deepEqual(fieldsOf(await change('wrong')), ['current'])
    assertOk(await change(PASSWORD))
    assert.notEqual(await visitor.user(), null)
    assert.equal(await other.user(), null)
    assertError(await service.api('/stats', token), 401, 'UNAUTHORIZED')
    assertError(await signIn(other, email), 401, 'UNAUTHORIZED')
    assertOk(await signIn(other, email, 'another long password'))
  })

  test('a session alone changes neither the address nor the second factor: both need the password', async () => {
    const { visitor } = await signUp()
    for (const [path, method, body] of [
      ['/user', 'PATCH', { email: newEmail() }],
      ['/second-factor', 'POST', {}],
    ] as const) {
      const change = (given: object) => visitor.call(path, { method, body: { ...body, ...given } })
      for (const given of [{}, { current: 'wrong' }]) assert.deepEqual(fieldsOf(await change(given)), ['current'])
      assertOk(await change({ current: PASSWORD }))
    }
  })

  test('signing up in a browser ends its session before, with the token of that', async () => {
    const { visitor } = await signUp()
    const token = await visitor.token()
    assertOk(await service.api('/stats', token))
    await visitor.ask('/sign-up', { email: newEmail(), password: PASSWORD })
    assertError(await service.api('/stats', token), 401, 'UNAUTHORIZED')
  })

  test('signing in as another ends the session before, with the token of that', async () => {
    const [{ visitor }, { email }] = [await signUp(), await signUp()]
    const token = await visitor.token()
    assertOk(await service.api('/stats', token))
    assertOk(await signIn(visitor, email))
    assertError(await service.api('/stats', token), 401, 'UNAUTHORIZED')
  })

  test('one network opens five accounts at once, then fewer and fewer; refused addresses do not count', async () => {
    const visitor = new Visitor(service, '203.0.113.50')
    const { email: taken } = await signUp()
    const open = async (email = newEmail()) => {
      const { status, headers } = await visitor.call('/sign-up', { body: { email, password: PASSWORD } })
      return status === 429 ? Number(headers['retry-after']) : status
    }
    for (let time = 0; time < 3; time += 1) assert.equal(await open(taken), 400)
    for (let time = 0; time < 5; time += 1) assert.equal(await open(), 200)
    assert.equal(await open(), 600)
    service.clock.advance(10 * MINUTE)
    assert.deepEqual([await open(), await open()], [200, 1_200])
    await signUp()
  })

  test('the owner sets an address and a password, and signs in with them', async () => {
    const owner = new Visitor(service, '203.0.113.3')
    await owner.signInAsOwner()
    const { email: taken } = await signUp()
    assert.deepEqual(fieldsOf(await owner.call('/user', { method: 'PATCH', body: { email: taken } })), ['email'])
    await owner.ask('/user', { email: 'Boss@Test.Example' }, 'PATCH')
    await owner.ask('/password', { password: PASSWORD })
    const elsewhere = new Visitor(service, '203.0.113.4')
    assertOk(await signIn(elsewhere, 'boss@test.example'))
    assert.equal((await elsewhere.user()).operatorScope, 'owner')
    const { token } = await elsewhere.ask('/operator-token', {})
    const headers = { authorization: `Bearer ${token}` }
    assertOk(await service.call('/admin/accounts', { method: 'POST', body: { email: newEmail() }, headers }))
    assert.equal(
      (await service.admin('/audit-trail?limit=1')).body.data[0].token,
      'owner',
      'not an unconfirmed address',
    )
  })

  describe('the second factor', () => {
    const codeOf = (secret: string, offset = 0) => codeAt(secret, service.clock.now(), offset)

    async function enable(visitor: Visitor): Promise<{ secret: string; recoveryCodes: string[] }> {
      const { secret, uri } = await visitor.ask('/second-factor', { current: PASSWORD })
      assert.ok(uri.startsWith('otpauth://totp/Mintick%3A') && uri.includes(`secret=${secret}&issuer=Mintick`))
      const { recoveryCodes } = await visitor.ask('/second-factor/confirm', { code: codeOf(secret) })
      service.clock.advance(MINUTE)
      return { secret, recoveryCodes }
    }

    test('a code is needed besides the password, works once, and also a step early or late', async () => {
      const { visitor, email } = await signUp()
      const { secret } = await enable(visitor)
      assert.equal((await visitor.user()).hasSecondFactor, true)
      const elsewhere = new Visitor(service, '203.0.113.5')
      assert.deepEqual((await signIn(elsewhere, email)).body.data, { status: 'code-needed' })
      assert.equal(await elsewhere.user(), null)
      const code = codeOf(secret)
      assertError(await signIn(elsewhere, email, 'wrong password', code), 401, 'UNAUTHORIZED')
      assertOk(await signIn(elsewhere, email, PASSWORD, code))
      assertError(await signIn(elsewhere, email, PASSWORD, code), 401, 'UNAUTHORIZED')
      assertError(await signIn(elsewhere, email, PASSWORD, codeOf(secret, -1)), 401, 'UNAUTHORIZED')
      assertOk(await signIn(elsewhere, email, PASSWORD, codeOf(secret, 1)))
      assertError(await signIn(elsewhere, email, PASSWORD, codeOf(secret, 2)), 401, 'UNAUTHORIZED')
      service.clock.advance(2 * MINUTE)
      const race = codeOf(secret)
      const replies = await Promise.all(
        Array.from({ length: 4 }, (_, place) =>
          signIn(new Visitor(service, `198.51.102.${place}`), email, PASSWORD, race),
        ),
      )
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401, 401])
    })

    test('turning it on ends the other sessions with their tokens', async () => {
      const { visitor, email } = await signUp()
      const other = new Visitor(service, visitor.remoteAddress)
      assertOk(await signIn(other, email))
      const token = await other.token()
      assertOk(await service.api('/stats', token))
      await enable(visitor)
      assert.notEqual(await visitor.user(), null)
      assert.equal(await other.user(), null)
      assertError(await service.api('/stats', token), 401, 'UNAUTHORIZED')
    })

    test('recovery codes work once each, in any spelling', async () => {
      const { visitor, email } = await signUp()
      const { recoveryCodes } = await enable(visitor)
      assert.equal(new Set(recoveryCodes).size, 10)
      const [first = '', second = ''] = recoveryCodes
      const elsewhere = new Visitor(service, '203.0.113.6')
      assertOk(await signIn(elsewhere, email, PASSWORD, first))
      assertError(await signIn(elsewhere, email, PASSWORD, first), 401, 'UNAUTHORIZED')
      assertOk(await signIn(elsewhere, email, PASSWORD, ` ${second.toUpperCase().replaceAll('-', ' ')}`))
      assertError(await signIn(elsewhere, email, PASSWORD, 'abcd-efgh-ijkl-mnop'), 401, 'UNAUTHORIZED')
    })

    test('a secret that is not confirmed protects nothing, and a second one cannot replace a confirmed one', async () => {
      const { visitor, email } = await signUp()
      await visitor.ask('/second-factor', { current: PASSWORD })
      assert.deepEqual(fieldsOf(await visitor.call('/second-factor/confirm', { body: { code: '000000' } })), ['code'])
      assertOk(await signIn(new Visitor(service, '203.0.113.7'), email))
      await enable(visitor)
      assertError(await visitor.call('/second-factor', { body: { current: PASSWORD } }), 400, 'BAD_REQUEST')
    })

    test('removing it needs the password and a code', async () => {
      const { visitor, email } = await signUp()
      const { secret } = await enable(visitor)
      const remove = (body: object) => visitor.call('/second-factor/remove', { body })
      assert.deepEqual(fieldsOf(await remove({ code: codeOf(secret) })), ['password'])
      assert.deepEqual(fieldsOf(await remove({ password: PASSWORD, code: '000000' })), ['code'])
      assertOk(await remove({ password: PASSWORD, code: codeOf(secret) }))
      assert.deepEqual((await signIn(new Visitor(service, '203.0.113.8'), email)).body.data, { status: 'signed-in' })
    })

    test('a thief of a session who knows the password does not guess the code', async () => {
      const { visitor } = await signUp()
      await enable(visitor)
      const statuses = []
      for (let time = 0; time < 7; time += 1) {
        const body = { password: PASSWORD, code: `00000${time}` }
        statuses.push((await visitor.call('/second-factor/remove', { body })).status)
        await visitor.call('/password', { body: { current: PASSWORD, password: PASSWORD } })
        await visitor.call('/user', { method: 'PATCH', body: { current: PASSWORD, email: newEmail() } })
      }
      assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429, 429])
    })

    test('a link does not replace it, and stays valid until the code is right', async () => {
      const own = await TestService.start(engine, {}, service.clock)
      try {
        const owner = new Visitor(own)
        await owner.signInAsOwner()
        const { secret } = await enable(owner)
        const elsewhere = new Visitor(own)
        const token = await ownerToken(own)
        assert.deepEqual(await elsewhere.ask('/link', { token }), { status: 'code-needed', email: null })
        assertError(await elsewhere.call('/link', { body: { token, code: '000000' } }), 401, 'UNAUTHORIZED')
        assert.equal(await elsewhere.user(), null)
        assert.equal((await elsewhere.ask('/link', { token, code: codeOf(secret) })).status, 'signed-in')
        assertError(await elsewhere.call('/link', { body: { token, code: codeOf(secret, 1) } }), 400, 'BAD_REQUEST')
      } finally {
        await own.stop()
      }
    })
  })

  test('a suspended account ends tokens at once, and its users call nothing until it is enabled', async () => {
    const { visitor, email, user } = await signUp()
    const token = await visitor.token()
    assertOk(await service.api('/stats', token))
    const suspend = (isActive: boolean) =>
      service.admin(`/accounts/${user.accountId}`, { method: 'PATCH', body: { isActive } })
    assertOk(await suspend(false))
    assertError(await service.api('/stats', token), 401, 'UNAUTHORIZED')
    assertError(await visitor.call('/token', { body: {} }), 403, 'FORBIDDEN')
    assertOk(await signIn(visitor, email))
    assertError(await visitor.call('/token', { body: {} }), 403, 'FORBIDDEN')
    assertOk(await suspend(true))
    assertOk(await service.api('/stats', await visitor.token()))
  })

  test('a deleted account takes its users and sessions with it, and the address can sign up again', async () => {
    const { visitor, email, user } = await signUp()
    const token = await visitor.token()
    const exported = await service.admin(`/accounts/${user.accountId}/export`)
    assert.deepEqual(
      exported.body.data.users.map(({ email: address }: { email: string }) => address),
      [email],
    )
    assert.ok(!/argon2|"hash"|[sS]ecret"/.test(JSON.stringify(exported.body.data)))
    assertOk(await service.admin(`/accounts/${user.accountId}`, { method: 'DELETE' }))
    const dump = JSON.stringify(await dumpTables(service.place, []))
    for (const trace of [email, user.id]) assert.ok(!dump.includes(trace))
    assertError(await service.api('/stats', token), 401, 'UNAUTHORIZED')
    assert.equal(await visitor.user(), null)
    assertError(await signIn(visitor, email), 401, 'UNAUTHORIZED')
    assert.notEqual((await signUp(email)).user.id, user.id)
  })

  test('deleting the account of the owner keeps the owner', async () => {
    const own = await TestService.start(engine)
    try {
      const owner = new Visitor(own)
      await owner.signInAsOwner()
      const { id, accountId } = await owner.user()
      const token = await owner.token()
      assertOk(await own.api('/stats', token))
      assertOk(await own.admin(`/accounts/${accountId}`, { method: 'DELETE' }))
      assertError(await own.api('/stats', token), 401, 'UNAUTHORIZED')
      const user = await owner.user()
      assert.deepEqual([user?.id, user?.accountId, user?.operatorScope], [id, null, 'owner'])
      assertError(await owner.call('/token', { body: {} }), 403, 'FORBIDDEN')
      assertOk(await owner.call('/operator-token', { body: {} }))
      await new Visitor(own).signInAsOwner()
    } finally {
      await own.stop()
    }
  })

  test('what has expired is removed', async () => {
    const { visitor, user } = await signUp()
    await visitor.token()
    await ownerToken(service)
    await signIn(visitor, newEmail())
    service.clock.advance(31 * DAY)
    await service.mintick.signIn.removeExpired()
    assert.deepEqual(await service.mintick.store.sessions.list(user.id, 0), [])
    const { store } = service.mintick
    const { before } = (await store.signInFailures.begin(['network:198.51.100.1'], service.clock.now(), () => 0)) as {
      before: { failures: number }[]
    }
    assert.equal(before[0]?.failures, 0)
  })

  test('a crash in the middle of redeeming a link changes nothing', async () => {
    const { store, clock } = service.mintick
    const { visitor } = await signUp()
    const now = clock.now()
    const hash = 'hash of a link'
    await store.users.addLink({
      kind: 'sign-up',
      email: 'crash@test.example',
      hash,
      createdAt: now,
      expiresAt: now + HOUR,
    })
    const [{ id }] = await visitor.ask('/sessions')
    assert.ok(id)
    const session = {
      replaces: undefined,
      address: '',
      browser: '',
      createdAt: now,
      expiresAt: now + HOUR,
    }
    const opening = (email: string) => ({
      account: {
        id: `id of ${email}`,
        email,
        name: null,
        planSlug: 'free',
        overrides: {},
        isDemo: false,
        periodAnchor: now,
        nextPeriodAt: now + DAY,
        createdAt: now,
      },
      grants: [{ lot: 'signup' as const, credits: 5, description: 'Signup credits' }],
    })
    await store.users.addLink({
      kind: 'sign-in',
      userId: (await visitor.user()).id,
      hash: 'other',
      createdAt: now,
      expiresAt: now + HOUR,
    })
    const redeem = (link: string, secret: string) =>
      store.users.redeem(link, { passwordHash: 'x' }, { ...session, hash: secret }, opening)
    assert.notEqual(await redeem('other', 'session'), undefined)
    // The last statement fails: a session has this hash already.
    await assert.rejects(redeem(hash, 'session'))
    assert.equal(await store.users.findByEmail('crash@test.example'), undefined)
    assert.equal((await store.accounts.page(1, 0, { email: 'crash@test.example' })).totalCount, 0)
    assert.notEqual(await redeem(hash, 'new'), undefined)
    assert.equal(await store.ledger.balance('id of crash@test.example'), 5)
  })
})

onPostgres('two instances', () => {
  test('a session of one works on the other, and its end ends tokens on both', async () => {
    const one = await TestService.start('postgres')
    const two = await one.twin()
    try {
      const visitor = new Visitor(one)
      await visitor.signInAsOwner()
      const same = new Visitor(two)
      for (const [name, value] of visitor.cookies) same.cookies.set(name, value)
      assert.equal((await same.user()).operatorScope, 'owner')
      const token = await visitor.token()
      for (const instance of [one, two]) assertOk(await instance.api('/stats', token))
      await same.ask('/sign-out', {})
      for (const instance of [one, two]) assertError(await instance.api('/stats', token), 401, 'UNAUTHORIZED')
      assert.equal(await visitor.user(), null)
    } finally {
      await two.mintick.close()
      await one.stop()
    }
  })
})
