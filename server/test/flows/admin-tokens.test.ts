/** Admin tokens with scopes: who may call which endpoint of the operator API. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { before, describe, test } from 'node:test'
import { endpoints } from '../../src/api/index.ts'
import { tokensCommand } from '../../src/commands/tokens.ts'
import { type Config, OperatorError, readConfig } from '../../src/config.ts'
import { includesScope, OPERATOR_SCOPES, type OperatorScope } from '../../src/model/operators.ts'
import { isoTime } from '../../src/model/time.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { type CallOptions, onEveryEngine, serviceForSuite } from '../harness.ts'

const operatorEndpoints = endpoints.filter(({ access }) => access === 'operator')

test('GET needs the scope read and nothing else does; only changes of accounts need less than owner', () => {
  for (const { method, path, operatorScope } of operatorEndpoints) {
    assert.equal(operatorScope === 'read', method === 'GET', `${method} ${path}`)
    if (operatorScope === 'support') assert.match(path, /^\/admin\/accounts(\/|$)/)
  }
})

onEveryEngine('admin tokens', (engine) => {
  const service = serviceForSuite(engine)
  const post = (body: unknown) => service.admin('/tokens', { method: 'POST', body })
  const create = async (scope: OperatorScope, name = randomUUID()) => {
    const reply = await post({ name, scope })
    assertOk(reply)
    return { name, token: reply.body.data.token as string }
  }
  const as = (token: string, path: string, options: CallOptions = {}) =>
    service.admin(path, { ...options, headers: { authorization: `Bearer ${token}` } })
  const revoke = (name: string) => service.admin(`/tokens/${name}`, { method: 'DELETE' })

  for (const scope of OPERATOR_SCOPES) {
    test(`a token with the scope ${scope} reaches the endpoints of its scope and gets 403 on all others`, async () => {
      const { name, token } = await create(scope)
      for (const { method, path, operatorScope = 'owner' } of operatorEndpoints) {
        // These would start work; their scope is checked by the same code.
        if (/reindex|sample/.test(path) && method === 'POST' && scope === 'owner') continue
        const reply = await service.call(path.replaceAll(/:\w+/g, 'nope'), {
          method,
          headers: { authorization: `Bearer ${token}` },
          ...(method !== 'GET' && { body: 'not JSON' }),
        })
        if (includesScope(scope, operatorScope)) {
          assert.ok([200, 400, 404].includes(reply.status), `${method} ${path}: ${reply.status}`)
        } else {
          assertError(reply, 403, 'FORBIDDEN')
          assert.equal(
            reply.body.error.message,
            `This needs a token with the scope "${operatorScope}"; "${name}" has the scope "${scope}"`,
          )
        }
      }
    })
  }

  test('the token is shown once, stored as a hash, and listed with who created it', async () => {
    const owner = await create('owner')
    service.clock.advance(1)
    const reply = await as(owner.token, '/tokens', {
      method: 'POST',
      body: { name: 'ada@test.example', scope: 'read' },
    })
    const { token, ...shown } = reply.body.data
    assert.match(token, /^mta_[0-9A-Za-z]{44}$/)
    assert.deepEqual(shown, {
      name: 'ada@test.example',
      scope: 'read',
      prefix: token.slice(0, 12),
      createdBy: owner.name,
      createdAt: isoTime(service.clock.now()),
      revokedAt: null,
    })
    const listed = await service.admin('/tokens')
    assert.deepEqual(listed.body.data[0], shown)
    assert.equal(listed.body.data[1].createdBy, 'admin-token')
    assert.ok(!JSON.stringify(listed.body).includes(token.slice(12)))
    assert.ok(!JSON.stringify(await service.mintick.store.adminTokens.list()).includes(token.slice(12)))
  })

  test('bad names, unknown scopes and names that were used before answer 400 naming the field', async () => {
    const { name } = await create('read')
    const { name: revoked } = await create('read')
    assertOk(await revoke(revoked))
    const cases: [body: object, field: string][] = [
      [{ scope: 'read' }, 'name'],
      [{ name: '', scope: 'read' }, 'name'],
      [{ name: 'Ada', scope: 'read' }, 'name'],
      [{ name: 'a b', scope: 'read' }, 'name'],
      [{ name: '-a', scope: 'read' }, 'name'],
      [{ name: 'a\0', scope: 'read' }, 'name'],
      [{ name: 'x'.repeat(65), scope: 'read' }, 'name'],
      [{ name: 7, scope: 'read' }, 'name'],
      [{ name: 'new' }, 'scope'],
      [{ name: 'new', scope: 'admin' }, 'scope'],
      [{ name: 'new', scope: 'READ' }, 'scope'],
      [{ name: 'new', scope: ['read'] }, 'scope'],
      [{ name, scope: 'read' }, 'name'],
      [{ name: revoked, scope: 'owner' }, 'name'],
      [{ name: 'admin-token', scope: 'read' }, 'name'],
    ]
    for (const [body, field] of cases) {
      const reply = await post(body)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), [field], JSON.stringify(body))
    }
    const race = await Promise.all(Array.from({ length: 8 }, () => post({ name: 'race', scope: 'read' })))
    assert.deepEqual(race.map(({ status }) => status).sort(), [200, ...Array(7).fill(400)])
  })

  test('a revoked token gets 401 on the next request; a token is rotated without a restart', async () => {
    const old = await create('owner')
    const { token } = await create('owner')
    assertOk(await as(old.token, '/accounts'))
    const first = await as(token, `/tokens/${old.name}`, { method: 'DELETE' })
    assert.equal(first.body.data.revokedAt, isoTime(service.clock.now()))
    assertError(await as(old.token, '/accounts'), 401, 'UNAUTHORIZED')
    service.clock.advance(1)
    assert.deepEqual((await revoke(old.name)).body, first.body, 'the first revocation counts')
    assertOk(await as(token, '/accounts'))
    for (const name of ['nope', 'admin-token', '%00', "'"]) assertError(await revoke(name), 404, 'NOT_FOUND')
    assertOk(await service.admin('/accounts'))
  })

  test('a token that is revoked while its body arrives changes nothing', async () => {
    const { name, token } = await create('support')
    const url = await service.mintick.app.listen({ port: 0, host: '127.0.0.1' })
    const { body, send } = slowBody(JSON.stringify({ email: 'slow@test.example' }))
    const arrived = once(service.mintick.app.server, 'request')
    const answer = fetch(`${url}/admin/accounts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
      duplex: 'half',
    } as RequestInit)
    await arrived
    assertOk(await revoke(name))
    send()
    assert.equal((await answer).status, 401)
    const { data } = (await service.admin('/accounts')).body
    assert.ok(data.every(({ email }: { email: string }) => email !== 'slow@test.example'))
  })

  test('tokens of the right form meet the limiter as well, and valid ones always pass', async () => {
    const { token } = await create('read')
    const guess = (authorization: string) =>
      service.mintick.app.inject({ url: '/admin/accounts', remoteAddress: '192.0.2.9', headers: { authorization } })
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const wrong = `Bearer mta_${String(attempt).padStart(44, 'x')}`
      assert.equal((await guess(wrong)).statusCode, 401)
    }
    assert.equal((await guess(`Bearer mta_${'y'.repeat(44)}`)).statusCode, 429)
    assert.equal((await guess(`Bearer ${token}`)).statusCode, 200)
  })

  test('an admin token is no API key, and an API key no admin token', async () => {
    const { token } = await create('owner')
    const { key } = await service.open()
    assertError(await service.api('/stats', token), 401, 'UNAUTHORIZED')
    assertError(await as(key, '/accounts'), 401, 'UNAUTHORIZED')
    assertError(await as(token, '/x'), 404, 'NOT_FOUND')
  })

  describe('mintick tokens', () => {
    const own = serviceForSuite(engine)
    let config: Config
    before(async () => {
      const { port } = new URL(await own.mintick.app.listen({ port: 0, host: '127.0.0.1' }))
      config = readConfig({ PORT: port, ADMIN_TOKEN: own.mintick.adminToken })
    })
    const run = (...args: string[]) => tokensCommand(args, config)
    const fails = (args: string[], expected: RegExp) =>
      assert.rejects(run(...args), (error) => error instanceof OperatorError && expected.test(error.message))

    test('create prints the token once, which works for the commands; list and revoke follow', async () => {
      const [, token = ''] =
        /^Admin token, shown only once: {2}(mta_\w{44})\n$/.exec(await run('create', 'ada', '--scope', 'read')) ?? []
      const asAda = { ...config, ADMIN_TOKEN: token }
      const [header, line] = (await tokensCommand(['list'], asAda)).split('\n')
      assert.match(header ?? '', /^NAME +SCOPE +TOKEN +CREATED BY +CREATED AT +STATE$/)
      assert.match(line ?? '', /^ada +read +mta_\w{8}… +admin-token +\S+ +active$/)
      await assert.rejects(tokensCommand(['revoke', 'ada'], asAda), /needs a token with the scope "owner"/)
      assert.equal(await run('revoke', 'ada'), 'Revoked the token ada.\n')
      assert.match(await run('list'), /ada .* revoked 2/)
      await assert.rejects(tokensCommand(['list'], asAda), /refuses the admin token of ADMIN_TOKEN/)
    })

    test('mistakes end in one clear line', async () => {
      await fails([], /tokens needs one of list, create, revoke/)
      await fails(['create'], /needs --scope/)
      await fails(['create', '--scope', 'read'], /needs the name of a token/)
      await fails(['create', 'x', '--scope', 'root'], /scope must be one of read, support, owner/)
      await fails(['revoke', 'nobody'], /No admin token has this name/)
      await fails(['revoke', 'a', 'b'], /unexpected argument "b"/)
    })
  })
})

/** A request body that is sent only when told. */
function slowBody(text: string): { body: ReadableStream; send(): void } {
  let send = () => {}
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text.slice(0, 5)))
      send = () => {
        controller.enqueue(new TextEncoder().encode(text.slice(5)))
        controller.close()
      }
    },
  })
  return { body, send: () => send() }
}
