/** `mintick accounts …` against a running service. Every failure ends in one clear line. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, test } from 'node:test'
import { accountsCommand } from '../../src/commands/accounts.ts'
import { type Config, OperatorError, readConfig } from '../../src/config.ts'
import { assertError, assertOk } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

onEveryEngine('mintick accounts', (engine) => {
  const service = serviceForSuite(engine)
  let config: Config
  before(async () => {
    const { port } = new URL(await service.mintick.app.listen({ port: 0, host: '127.0.0.1' }))
    config = readConfig({ PORT: port, ADMIN_TOKEN: service.mintick.adminToken })
  })

  const run = (...args: string[]) => accountsCommand(args, config)
  const create = async (email: string, ...args: string[]) => {
    const text = await run('create', email, ...args)
    const [, id = ''] = /"id": "(.+?)"/.exec(text) ?? []
    const [, key = ''] = /API key, shown only once: {2}(mtk_\w{44})\n$/.exec(text) ?? []
    return { id, key }
  }
  const fails = async (settings: Config, args: string[], expected: RegExp) => {
    await assert.rejects(accountsCommand(args, settings), (error) => {
      assert.ok(error instanceof OperatorError, String(error))
      assert.match(error.message, expected)
      assert.ok(!error.message.includes('\n'), error.message)
      return true
    })
  }

  test('create prints the account and its key once; the key works', async () => {
    const { id, key } = await create('ada@test.example', '--name', 'Ada L', '--plan', 'starter', '--credits', '42')
    const { data } = (await service.api('/account', key)).body
    assert.deepEqual([data.id, data.name, data.plan.slug, data.balance], [id, 'Ada L', 'starter', 42])
    assert.ok(!(await run('show', id)).includes(key.slice(12)))
  })

  test('list prints a line per account, newest first, and show prints one', async () => {
    service.clock.advance(1)
    const { id } = await create('grace@test.example', '--plan', 'enterprise')
    const [header, first] = (await run('list')).split('\n')
    assert.match(header ?? '', /^ID +EMAIL +PLAN +BALANCE +STATE$/)
    assert.deepEqual(first?.split(/ +/), [id, 'grace@test.example', 'enterprise', '25100', 'active'])
    assert.equal(JSON.parse(await run('show', id)).email, 'grace@test.example')
  })

  test('plan, credits, suspend and enable are in force on the next request', async () => {
    const { id, key } = await create('alan@test.example', '--credits', '5')
    assert.equal(JSON.parse(await run('plan', id, 'professional')).plan, 'professional')
    assert.equal((await service.api('/account', key)).body.data.plan.slug, 'professional')
    assert.equal(JSON.parse(await run('credits', id, '10', '--reason', 'a gift')).balance, 15)
    assert.equal(JSON.parse(await run('credits', id, '-12')).balance, 3)
    assert.equal((await service.api('/entries', key)).headers['x-credits-remaining'], '2')
    const suspended = JSON.parse(await run('suspend', id, '--reason', 'unpaid'))
    assert.deepEqual([suspended.isActive, suspended.suspendedReason], [false, 'unpaid'])
    assert.match(await run('find', 'ALAN@'), / suspended\n$/)
    assertError(await service.api('/stats', key), 401, 'UNAUTHORIZED')
    await run('enable', id)
    assertOk(await service.api('/stats', key))
  })

  test('find, keys and revoke lead from an email address to a revoked key', async () => {
    const { id, key } = await create('barbara@test.example')
    const [header, found, end] = (await run('find', 'Barb')).split('\n')
    assert.match(header ?? '', /^ID +EMAIL/)
    assert.match(found ?? '', new RegExp(`^${id} +barbara@test.example`))
    assert.equal(end, '')
    const line = (await run('keys', id)).split('\n')[1] ?? ''
    const [keyId = ''] = line.split(' ')
    assert.match(line, new RegExp(`${key.slice(0, 12)}… +First key +active +never +never$`))
    assert.equal(await run('revoke', id, keyId), `Revoked the key ${key.slice(0, 12)}… (First key).\n`)
    assertError(await service.api('/stats', key), 401, 'UNAUTHORIZED')
    await fails(config, ['revoke', id, NOBODY], /has no API key with this id/)
    await fails(config, ['revoke', id], /needs the id of a key/)
    await fails(config, ['find'], /needs the beginning of an email address/)
    await fails(config, ['keys', NOBODY], /No account has this id/)
  })

  test('audit prints the report', async () => {
    assert.partialDeepStrictEqual(JSON.parse(await run('audit')), { isBalanced: true, problems: [] })
  })

  test('what the service refuses is said in its own words', async () => {
    const { id } = await create('twice@test.example')
    await fails(config, ['create', 'twice@test.example'], /email already has an account/)
    await fails(config, ['create', 'nobody'], /email/)
    await fails(config, ['create', 'x@test.example', '--plan', 'gold'], /plan must be one of free, starter/)
    await fails(config, ['show', NOBODY], /No account has this id/)
    await fails(config, ['show', '../audit?x#y'], /No account has this id/)
    await fails(config, ['plan', id, 'gold'], /plan must be one of/)
    await fails(config, ['credits', id, '-101'], /more than the balance/)
    await fails(config, ['credits', id, '0'], /must not be 0/)
  })

  test('arguments that are missing or make no sense are named', async () => {
    await fails(config, [], /accounts needs one of list, find/)
    await fails(config, ['remove', NOBODY], /accounts needs one of list, find/)
    await fails(config, ['create'], /needs an email/)
    await fails(config, ['show'], /needs an account id/)
    await fails(config, ['plan', NOBODY], /needs a plan/)
    await fails(config, ['credits', NOBODY], /needs a number/)
    await fails(config, ['credits', NOBODY, 'many'], /"many" is not a whole number/)
    await fails(config, ['create', 'x@test.example', '--credits', '1.5'], /"1.5" is not a whole number/)
  })

  test('a wrong token, no token and no service are told apart', async () => {
    await fails({ ...config, ADMIN_TOKEN: 'not-the-token-of-it' }, ['list'], /refuses the admin token of ADMIN_TOKEN/)
    const nowhere = { ...config, ADMIN_TOKEN: undefined, DATA_DIR: '/nonexistent' }
    await fails(nowhere, ['list'], /no admin token in \/nonexistent/)
    const { port } = await listening(createServer())
    await fails({ ...config, PORT: port }, ['list'], /no service answers at http:\/\/127\.0\.0\.1:/)
    await fails({ ...config, HOST: '::1', PORT: port }, ['list'], /no service answers at http:\/\/\[::1\]:/)
  })

  test('something else that answers at the port is not taken for the service', async () => {
    for (const body of ['<html>hello</html>', '{}', 'null', '[1]', '']) {
      const { server, port } = await listening(
        createServer((_request, response) => response.end(body)),
        false,
      )
      await fails({ ...config, PORT: port }, ['list'], /is not Mintick/)
      server.close()
    }
  })

  test('the program itself prints one line on stderr and ends with 1', async () => {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, PORT: String(config.PORT), ADMIN_TOKEN: config.ADMIN_TOKEN }
    const bin = new URL('../../bin/mintick.js', import.meta.url).pathname
    const program = (...args: string[]) =>
      new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        execFile(process.execPath, [bin, ...args], { env }, (error, stdout, stderr) =>
          resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
        )
      })
    const [list, unknown, option] = await Promise.all([
      program('accounts', 'list'),
      program('nonsense'),
      program('accounts', 'list', '--nonsense'),
    ])
    assert.deepEqual([list.code, list.stderr], [0, ''])
    assert.match(list.stdout, /owner@localhost/)
    for (const { code, stdout, stderr } of [unknown, option]) {
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /^mintick: .*nonsense.*\n$/)
    }
  })
})

/** Returns a port with a listening server or, by default, a port that was just closed. */
async function listening(server: Server, close = true): Promise<{ server: Server; port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  if (close) await new Promise((resolve) => server.close(resolve))
  return { server, port }
}
