/** What attackers of the sign-in try. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../../src/api/index.ts'
import { isOfDashboard } from '../../src/http/endpoint.ts'
import { HOUR, MINUTE, SECOND } from '../../src/model/time.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite, TestService } from '../harness.ts'
import { ownerToken, Visitor } from '../visitor.ts'

const PASSWORD = 'correct horse battery'
const own = endpoints.filter(isOfDashboard)
const changing = own.filter(({ method }) => method !== 'GET')
const pathOf = ({ path }: { path: string }) => path.replace('/dashboard/auth', '').replace(':id', 'x')

onEveryEngine('attacks on the sign-in', (engine) => {
  const service = serviceForSuite(engine)
  let number = 0

  async function signUp() {
    number += 1
    const visitor = new Visitor(service, `198.51.100.${number}`)
    const email = `user${number}@test.example`
    await visitor.ask('/sign-up', { email, password: PASSWORD })
    return { visitor, email }
  }
  const guess = (visitor: Visitor, email: string, password = 'a wrong guess') =>
    visitor.call('/sign-in', { body: { email, password } })

  for (const [what, headers] of [
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same domain', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ] as const) {
    test(`requests of ${what} change nothing: 403`, async () => {
      const { visitor } = await signUp()
      for (const endpoint of changing) {
        const reply = await visitor.call(pathOf(endpoint), { method: endpoint.method, body: {}, headers })
        assertError(reply, 403, 'FORBIDDEN')
      }
      assert.notEqual(await visitor.user(), null)
    })
  }

  test('without Sec-Fetch-Site the origin must be the one that the browser asked for', async () => {
    const { visitor } = await signUp()
    visitor.headers = {}
    const ask = (headers: Record<string, string>) => visitor.call('/token', { body: {}, headers })
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost:80.evil.example',
      'https://localhost:80',
      '',
    ]) {
      assertError(await ask({ origin, host: 'localhost:80' }), 403, 'FORBIDDEN')
    }
    assertOk(await ask({ origin: 'http://localhost:80', host: 'localhost:80' }))
    const { origin: _, ...none } = { origin: '' }
    const bare = await service.mintick.app.inject({ method: 'POST', url: '/dashboard/auth/token', headers: none })
    assert.equal(bare.statusCode, 403)
  })

  test('with PUBLIC_URL the origin must be that of PUBLIC_URL, whatever the host', async () => {
    const behind = await TestService.start(engine, { PUBLIC_URL: 'https://mintick.example' })
    try {
      const visitor = new Visitor(behind)
      visitor.headers = {}
      const ask = (origin: string) => visitor.call('/sign-out', { body: {}, headers: { origin, host: 'evil.example' } })
      assertOk(await ask('https://mintick.example'))
      for (const origin of ['http://mintick.example', 'https://evil.example', 'http://evil.example']) {
        assertError(await ask(origin), 403, 'FORBIDDEN')
      }
    } finally {
      await behind.stop()
    }
  })

  test('forms of other sites are no JSON: 400', async () => {
    const { visitor } = await signUp()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/json', '']) {
      for (const endpoint of changing.filter(({ method }) => method !== 'DELETE')) {
        const reply = await visitor.call(pathOf(endpoint), {
          method: endpoint.method,
          body: '{}',
          headers: { 'content-type': type },
        })
        assertError(reply, 400, 'BAD_REQUEST')
      }
    }
  })

  test('no answer is for other origins or caches, also if CORS_ORIGINS allows all', async () => {
    const open = await TestService.start(engine, { CORS_ORIGINS: '*' })
    try {
      const visitor = new Visitor(open)
      for (const { path, method, returns } of own.filter((each) => each.returns !== 'html')) {
        const reply = await visitor.call(pathOf({ path }), { method, ...(method !== 'GET' && { body: {} }) })
        assert.ok(!('access-control-allow-origin' in reply.headers), `${method} ${path} ${returns}`)
        assert.equal(reply.headers['cache-control'], 'no-store')
      }
    } finally {
      await open.stop()
    }
  })

  test('endpoints with a session answer 401 without one, with an invented one and with a key', async () => {
    const { key } = await service.open()
    for (const cookie of [undefined, '', 'x', 'x'.repeat(43), "' or 1=1 --", 'x'.repeat(5_000)]) {
      const visitor = new Visitor(service)
      if (cookie !== undefined) visitor.cookies.set('mintick-session', cookie)
      for (const endpoint of own.filter(({ access }) => access === 'session')) {
        const reply = await visitor.call(pathOf(endpoint), {
          method: endpoint.method,
          headers: { authorization: `Bearer ${key}` },
          ...(endpoint.method !== 'GET' && {
            body: { email: 'a@test.example', code: '000000', password: PASSWORD },
          }),
        })
        assertError(reply, 401, 'UNAUTHORIZED')
      }
    }
  })

  test('sessions of others cannot be seen or ended', async () => {
    const [one, other] = [await signUp(), await signUp()]
    const [{ id }] = await other.visitor.ask('/sessions')
    assertError(await one.visitor.call(`/sessions/${id}`, { method: 'DELETE' }), 404, 'NOT_FOUND')
    await one.visitor.ask('/sessions', undefined, 'DELETE')
    assert.equal((await other.visitor.ask('/sessions')).length, 1)
  })

  test('guesses meet growing pauses, also with the right password, and a pause passes', async () => {
    const { email } = await signUp()
    const attacker = new Visitor(service, '203.0.113.1')
    const waits = []
    for (let time = 0; time < 5; time += 1) assertError(await guess(attacker, email), 401, 'UNAUTHORIZED')
    for (let time = 0; time < 6; time += 1) {
      const reply = await guess(attacker, email, PASSWORD.slice(1))
      assertError(reply, 429, 'RATE_LIMIT_EXCEEDED')
      const seconds = Number(reply.headers['retry-after'])
      waits.push(seconds)
      assertError(await guess(new Visitor(service, '203.0.113.2'), email, PASSWORD), 429, 'RATE_LIMIT_EXCEEDED')
      service.clock.advance(seconds * SECOND)
      assertError(await guess(attacker, email), 401, 'UNAUTHORIZED')
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32])
    service.clock.advance(15 * MINUTE)
    assertOk(await guess(new Visitor(service, '203.0.113.2'), email, PASSWORD))
  })

  test('a browser that has signed in before is not delayed by the guesses of others, nor are its own unlimited', async () => {
    const { visitor, email } = await signUp()
    await visitor.ask('/sign-out', {})
    const attacker = new Visitor(service, visitor.remoteAddress)
    for (let time = 0; time < 30; time += 1) await guess(attacker, email)
    assert.equal((await guess(attacker, email)).status, 429)
    assertOk(await guess(visitor, email, PASSWORD))
    for (let time = 0; time < 10; time += 1) assertError(await guess(visitor, email), 401, 'UNAUTHORIZED')
    assertError(await guess(visitor, email), 429, 'RATE_LIMIT_EXCEEDED')
  })

  test('the cookie of a known browser helps against no other account, and cannot be invented', async () => {
    const [victim, attacker] = [await signUp(), await signUp()]
    for (const device of [attacker.visitor.cookies.get('mintick-device') ?? '', 'x.y', '.', 'x'.repeat(4_000)]) {
      const visitor = new Visitor(service, '203.0.113.3')
      visitor.cookies.set('mintick-device', device)
      for (let time = 0; time < 5; time += 1) await guess(visitor, victim.email)
      assert.equal((await guess(visitor, victim.email)).status, 429)
      service.clock.advance(25 * HOUR)
    }
  })

  test('one network that tries many addresses is delayed, others are not', async () => {
    const attacker = new Visitor(service, '2001:db8:1:2::1')
    const statuses = []
    for (let time = 0; time < 22; time += 1) {
      const spray = new Visitor(service, `2001:db8:1:2::${time + 1}`)
      statuses.push((await guess(spray, `nobody${time}@test.example`)).status)
    }
    assert.deepEqual(statuses, [...Array(20).fill(401), 429, 429])
    assert.equal((await guess(attacker, 'somebody@test.example')).status, 429)
    const { email } = await signUp()
    assertOk(await guess(new Visitor(service, '2001:db8:1:3::1'), email, PASSWORD))
  })

  test('signing in to an own account between guesses does not reset the pauses', async () => {
    const [victim, attacker] = [await signUp(), await signUp()]
    const browser = new Visitor(service, '203.0.113.4')
    const statuses = []
    for (let time = 0; time < 25; time += 1) {
      browser.cookies.clear()
      statuses.push((await guess(browser, `nobody-${time}@test.example`)).status)
      browser.cookies.clear()
      await guess(browser, attacker.email, PASSWORD)
    }
    assert.deepEqual(statuses.slice(20), Array(5).fill(429))
    assert.ok(victim)
  })

  test('guesses at once are not more than guesses one after the other', async () => {
    const { email } = await signUp()
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, place) => guess(new Visitor(service, `192.0.2.${place}`), email)),
    )
    const count = (status: number) => replies.filter((reply) => reply.status === status).length
    assert.deepEqual([count(401), count(429)], [5, 25])
  })

  test('a known or an unknown address takes the same work', async () => {
    const { email } = await signUp()
    const timeOf = async (address: string, place: number) => {
      const start = performance.now()
      assertError(await guess(new Visitor(service, `192.0.3.${place}`), address), 401, 'UNAUTHORIZED')
      return performance.now() - start
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let time = 0; time < 5; time += 1) {
      known.push(await timeOf(email, time))
      unknown.push(await timeOf(`missing${time}@test.example`, time))
    }
    const fastest = [Math.min(...known), Math.min(...unknown)]
    assert.ok(Math.max(...fastest) < 3 * Math.min(...fastest), `${fastest} ms`)
  })

  test('tokens of links and sessions are not in answers, and a link is not a session', async () => {
    const token = await ownerToken(service)
    const visitor = new Visitor(service)
    visitor.cookies.set('mintick-session', token)
    assert.equal(await visitor.user(), null)
    assertError(await visitor.call('/password', { body: { token, password: PASSWORD } }), 400, 'BAD_REQUEST')
    const reply = await visitor.call('/link', { body: { token } })
    assert.ok(!JSON.stringify(reply.body).includes(visitor.cookies.get('mintick-session') ?? 'none'))
  })

  test('bodies that are no objects, too long or deeply nested answer 400', async () => {
    const visitor = new Visitor(service)
    for (const body of ['', 'null', '[]', '"x"', '{', '['.repeat(100), `{"email":"${'x'.repeat(20_000)}"}`]) {
      assertError(await visitor.call('/sign-in', { body }), 400, 'BAD_REQUEST')
    }
    assert.deepEqual(
      fieldsOf(await visitor.call('/sign-in', { body: { email: 'a@test.example', password: 'x'.repeat(201) } })),
      ['password'],
    )
  })

  test('with SIGNUP=off nobody signs up, and the page knows', async () => {
    const closed = await TestService.start(engine, { SIGNUP: 'off' })
    try {
      const visitor = new Visitor(closed)
      assert.equal((await visitor.ask('/session')).features.signUp, false)
      const body = { email: 'new@test.example', password: PASSWORD }
      assertError(await visitor.call('/sign-up', { body }), 403, 'FORBIDDEN')
    } finally {
      await closed.stop()
    }
  })

  test('with ADMIN_PORT the dashboard operates nothing', async () => {
    const apart = await TestService.start(engine, { ADMIN_PORT: '0' })
    try {
      const owner = new Visitor(apart)
      await owner.signInAsOwner()
      assert.equal((await owner.user()).operatorScope, null)
      assertError(await owner.call('/operator-token', { body: {} }), 403, 'FORBIDDEN')
    } finally {
      await apart.stop()
    }
  })
})
