/** What users of the dashboard do through the links in mails. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HOUR, MINUTE } from '../../src/model/time.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, TestService } from '../harness.ts'
import { startSmtpServer } from '../smtp-server.ts'
import { codeAt, Visitor } from '../visitor.ts'

const PASSWORD = 'correct horse battery'

onEveryEngine('signing in with a mail server', (engine) => {
  let smtp: Awaited<ReturnType<typeof startSmtpServer>>
  let own: TestService
  before(async () => {
    smtp = await startSmtpServer()
    own = await TestService.start(engine, {
      SMTP_URL: smtp.url,
      SMTP_FROM: 'mintick@test.example',
      PUBLIC_URL: 'https://mintick.example',
    })
  })
  after(async () => {
    await own.stop()
    await smtp.close()
  })
  let number = 0
  const newVisitor = () => new Visitor(own, `198.51.100.${++number}`)
  const newEmail = () => `mail${++number}@test.example`

  /** Waits for mails to an address and returns the tokens of their links, and their subjects. */
  async function mailsTo(email: string) {
    await own.mintick.mails.stop()
    const mails = smtp.mails.filter(({ to }) => to.includes(email))
    const text = (message: string) => message.replaceAll(/=\n/g, '').replaceAll('=3D', '=')
    return mails.map(({ message }) => ({
      subject: /^Subject: (.*)$/m.exec(message)?.[1],
      token: /https:\/\/mintick\.example\/dashboard\/(?:link|reset)#([\w-]+)/.exec(text(message))?.[1] ?? '',
    }))
  }

  /** Signs a user up by the newest mail to the address. */
  async function signUp(visitor: Visitor, email: string, password = PASSWORD) {
    await visitor.ask('/sign-up', { email })
    const token = (await mailsTo(email)).at(-1)?.token
    assert.deepEqual(await visitor.ask('/link', { token, password }), { status: 'signed-in', email })
  }

  test('signing up waits for the link in the mail; only then there are a user, an account and credits', async () => {
    const email = newEmail()
    const visitor = newVisitor()
    assert.deepEqual(await visitor.ask('/sign-up', { email }), { status: 'check-mail' })
    const [mail] = await mailsTo(email)
    for (let time = 0; time < 2; time += 1) {
      assert.deepEqual(await visitor.ask('/link', { token: mail?.token }), { status: 'password-needed', email })
    }
    const short = await visitor.call('/link', { body: { token: mail?.token, password: 'too short' } })
    assert.deepEqual(fieldsOf(short), ['password'])
    assert.deepEqual([...visitor.cookies], [])
    assertError(await visitor.call('/sign-in', { body: { email, password: PASSWORD } }), 401, 'UNAUTHORIZED')
    assert.equal((await own.mintick.store.accounts.page(1, 0, { email })).totalCount, 0)
    const { setCookies } = await visitor.call('/link', { body: { token: mail?.token, password: PASSWORD } })
    assert.match(setCookies[0] ?? '', /^__Host-mintick-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure;/)
    const user = await visitor.user()
    assert.deepEqual([user.email, user.isConfirmed], [email, true])
    const { balance, plan } = (await own.api('/account', await visitor.token())).body.data
    assert.equal(balance, plan.signupCredits + plan.monthlyCredits)
    assertOk(await newVisitor().call('/sign-in', { body: { email, password: PASSWORD } }))
  })

  test('signing up with a taken address gets the same answer, and its owner a mail', async () => {
    const email = newEmail()
    const replies = []
    for (let time = 0; time < 2; time += 1) {
      const reply = await newVisitor().call('/sign-up', { body: { email } })
      assertOk(reply)
      replies.push(JSON.stringify([reply.body, reply.setCookies]))
      const [mail] = await mailsTo(email)
      if (time === 0) await newVisitor().ask('/link', { token: mail?.token, password: PASSWORD })
    }
    assert.equal(replies[0], replies[1])
    assert.deepEqual(
      (await mailsTo(email)).map(({ subject }) => subject),
      ['Confirm your address', 'You have an account already'],
    )
  })

  test('whoever signs up first with the address of another does not know the password of their account', async () => {
    const email = newEmail()
    await newVisitor().ask('/sign-up', { email, password: 'password of the attacker' })
    const token = (await mailsTo(email))[0]?.token
    const victim = newVisitor()
    assert.deepEqual(await victim.ask('/link', { token }), { status: 'password-needed', email })
    assert.equal(await victim.user(), null)
    await victim.ask('/link', { token, password: PASSWORD })
    const attempt = (password: string) => newVisitor().call('/sign-in', { body: { email, password } })
    assertError(await attempt('password of the attacker'), 401, 'UNAUTHORIZED')
    assertOk(await attempt(PASSWORD))
    assertError(await newVisitor().call('/link', { body: { token, password: PASSWORD } }), 400, 'BAD_REQUEST')
  })

  test('two links for one address at once make one account', async () => {
    const email = newEmail()
    for (let time = 0; time < 2; time += 1) {
      await newVisitor().ask('/sign-up', { email })
      await mailsTo(email)
    }
    const replies = await Promise.all(
      (await mailsTo(email)).map(({ token }) => newVisitor().call('/link', { body: { token, password: PASSWORD } })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400])
    assert.equal((await own.mintick.store.accounts.page(1, 0, { email })).totalCount, 1)
  })

  test('a confirmed address gets the account that the operator opened for it', async () => {
    const email = newEmail()
    const { account } = (await own.admin('/accounts', { method: 'POST', body: { email, credits: 7 } })).body.data
    const visitor = newVisitor()
    await signUp(visitor, email)
    assert.equal((await visitor.user()).accountId, account.id)
    assert.equal(await own.balance(account.id), 7)
  })

  test('a reset answers the same for every address, works once within an hour, and ends all sessions', async () => {
    const email = newEmail()
    const visitor = newVisitor()
    await signUp(visitor, email)
    const unknown = newEmail()
    const [known, other] = [
      await newVisitor().call('/reset', { body: { email } }),
      await newVisitor().call('/reset', { body: { email: unknown } }),
    ]
    assert.deepEqual(known.body, other.body)
    assert.deepEqual(await mailsTo(unknown), [])
    const token = (await mailsTo(email)).at(-1)?.token
    const browser = newVisitor()
    const reset = (password: string) => browser.call('/password', { body: { token, password } })
    assert.deepEqual(fieldsOf(await reset('short')), ['password'])
    assertOk(await reset('a new long password'))
    assert.equal(await visitor.user(), null)
    assert.equal(await browser.user(), null, 'a reset does not sign in')
    assertError(await reset('yet another password'), 400, 'BAD_REQUEST')
    assertError(await browser.call('/link', { body: { token } }), 400, 'BAD_REQUEST')
    assertOk(await browser.call('/sign-in', { body: { email, password: 'a new long password' } }))
    await browser.ask('/reset', { email })
    const late = (await mailsTo(email)).at(-1)?.token
    own.clock.advance(HOUR)
    assertError(await browser.call('/password', { body: { token: late, password: PASSWORD } }), 400, 'BAD_REQUEST')
  })

  test('a new address counts once its link is opened; the old one is told, and a taken one stays', async () => {
    const [email, next, taken] = [newEmail(), newEmail(), newEmail()]
    const visitor = newVisitor()
    for (const address of [taken, email]) await signUp(visitor, address)
    const replies = [
      await visitor.call('/user', { method: 'PATCH', body: { email: taken, current: PASSWORD } }),
      await visitor.call('/user', { method: 'PATCH', body: { email: next, current: PASSWORD } }),
    ]
    assert.deepEqual(replies[0]?.body, replies[1]?.body)
    assert.equal((await visitor.user()).email, email)
    assert.equal((await mailsTo(taken)).at(-1)?.subject, 'You have an account already')
    assert.equal((await mailsTo(email)).at(-1)?.subject, 'Your address is being changed')
    await visitor.ask('/link', { token: (await mailsTo(next))[0]?.token })
    assert.equal((await visitor.user()).email, next)
    assert.equal((await own.api('/account', await visitor.token())).body.data.email, next)
    assertError(await newVisitor().call('/sign-in', { body: { email, password: PASSWORD } }), 401, 'UNAUTHORIZED')
    assertOk(await newVisitor().call('/sign-in', { body: { email: next, password: PASSWORD } }))
  })

  test('a reset ends a change of address that was not confirmed', async () => {
    const [email, next] = [newEmail(), newEmail()]
    const visitor = newVisitor()
    await signUp(visitor, email)
    await visitor.ask('/user', { email: next, current: PASSWORD }, 'PATCH')
    await visitor.ask('/reset', { email })
    const { token } = (await mailsTo(email)).find(({ subject }) => subject === 'Set a new password') ?? {}
    await visitor.ask('/password', { token, password: 'a new long password' })
    await visitor.ask('/sign-in', { email, password: 'a new long password' })
    const change = await visitor.call('/link', { body: { token: (await mailsTo(next))[0]?.token } })
    assertError(change, 400, 'BAD_REQUEST')
    assert.equal((await visitor.user()).email, email)
  })

  test('a reset makes its browser a known one, but not without the second factor', async () => {
    for (const hasSecondFactor of [false, true]) {
      const email = newEmail()
      const visitor = newVisitor()
      await signUp(visitor, email)
      if (hasSecondFactor) {
        const { secret } = await visitor.ask('/second-factor', { current: PASSWORD })
        await visitor.ask('/second-factor/confirm', { code: codeAt(secret, own.clock.now()) })
      }
      const browser = newVisitor()
      await browser.ask('/reset', { email })
      await browser.ask('/password', { token: (await mailsTo(email)).at(-1)?.token, password: PASSWORD })
      assert.equal(browser.cookies.has('__Host-mintick-device'), !hasSecondFactor)
    }
  })

  test('an owner who mistypes their address does not hand the service over to its holder', async () => {
    const [email, right] = [newEmail(), newEmail()]
    const owner = newVisitor()
    await owner.signInAsOwner()
    await owner.ask('/user', { email }, 'PATCH')
    assert.deepEqual([(await owner.user()).email, (await owner.user()).isConfirmed], [email, false])
    await newVisitor().ask('/reset', { email })
    assert.deepEqual(
      (await mailsTo(email)).map(({ subject }) => subject),
      ['Confirm your address'],
    )
    const stranger = newVisitor()
    const [mail] = await mailsTo(email)
    assertError(await stranger.call('/link', { body: { token: mail?.token } }), 401, 'UNAUTHORIZED')
    await signUp(stranger, newEmail())
    assertError(await stranger.call('/link', { body: { token: mail?.token } }), 401, 'UNAUTHORIZED')
    assert.equal((await owner.user()).isConfirmed, false)
    await owner.ask('/user', { email: right }, 'PATCH')
    await owner.ask('/link', { token: (await mailsTo(right))[0]?.token })
    assert.deepEqual([(await owner.user()).email, (await owner.user()).isConfirmed], [right, true])
    const { token } = await owner.ask('/operator-token', {})
    const headers = { authorization: `Bearer ${token}` }
    assertOk(await own.call('/admin/accounts', { method: 'POST', body: { email: newEmail() }, headers }))
    assert.equal((await own.admin('/audit-trail?limit=1')).body.data[0].token, right)
    await newVisitor().ask('/reset', { email: right })
    assert.equal((await mailsTo(right)).at(-1)?.subject, 'Set a new password')
  })

  test('an address gets a few mails at most, and the answer does not tell', async () => {
    const email = newEmail()
    for (let time = 0; time < 10; time += 1) {
      assertOk(await newVisitor().call('/sign-up', { body: { email } }))
      await own.mintick.mails.stop()
    }
    assert.equal((await mailsTo(email)).length, 3)
    own.clock.advance(15 * MINUTE)
    await newVisitor().ask('/sign-up', { email })
    assert.equal((await mailsTo(email)).length, 4, 'no pause is longer')
  })

  test('nobody mutes the mails of another kind, and requests that send none do not count', async () => {
    const email = newEmail()
    const repeat = async (path: string) => {
      for (let time = 0; time < 10; time += 1) {
        await newVisitor().ask(path, { email })
        await own.mintick.mails.stop()
      }
    }
    await repeat('/reset')
    const visitor = newVisitor()
    await signUp(visitor, email)
    await repeat('/sign-up')
    await visitor.ask('/reset', { email })
    assert.equal((await mailsTo(email)).at(-1)?.subject, 'Set a new password')
  })
})
