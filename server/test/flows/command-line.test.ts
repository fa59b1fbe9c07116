/** Help, and hints of commands that lack a setting of the service. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createPlace, type Place } from '../harness.ts'
import { finished, freePort, killHard, ready, spawnCommand, spawnService } from '../spawn.ts'

const run = (env: Record<string, string>, ...args: string[]) => finished(spawnCommand(env, ...args))

describe('help', () => {
  test('is printed for each command that it lists, with exit status 0', async () => {
    const { stdout: all } = await run({}, 'help')
    const commands = new Set([...all.matchAll(/^ {2}([a-z]\S*) /gm)].map(([, command = '']) => command))
    assert.ok(commands.size > 10)
    for (const command of commands) {
      const { code, stdout, stderr } = await run({}, command, 'x', '--help')
      assert.deepEqual([code, stderr], [0, ''], command)
      assert.match(stdout, new RegExp(`^Usage: .+\\n\\n( {2}${command} .+\\n( {3,}.+\\n)*)+$`))
    }
    assert.match(all, /ADMIN_HOST,\nADMIN_PORT, ADMIN_TOKEN/)
    assert.deepEqual(await run({}, 'nonsense', '--help'), {
      code: 1,
      stdout: '',
      stderr: 'mintick: unknown command "nonsense"; "mintick help" lists all commands\n',
    })
  })

  test('--version prints the version', async () => {
    assert.deepEqual(await run({}, '--version'), { code: 0, stdout: '0.1.0\n', stderr: '' })
  })
})

describe('commands without the settings of the service', () => {
  const token = 'a-token-of-the-environment'
  let place: Place
  let port: string
  let adminPort: string
  let service: Awaited<ReturnType<typeof spawnService>>
  before(async () => {
    place = await createPlace('sqlite')
    port = String(await freePort())
    adminPort = String(await freePort())
    service = await spawnService({ ...place.env, PORT: port, ADMIN_PORT: adminPort, ADMIN_TOKEN: token })
  })
  after(async () => {
    await killHard(service.child)
    await place.remove()
  })

  test('are told which one is missing, and where they asked', async () => {
    const refusal = async (env: Record<string, string>) => {
      const { code, stdout, stderr } = await run({ ...place.env, PORT: port, ...env }, 'accounts', 'list')
      assert.deepEqual([code, stdout], [1, ''])
      return stderr
    }
    assert.equal(
      await refusal({ ADMIN_TOKEN: token }),
      `mintick: the admin API is not at http://127.0.0.1:${port}; set ADMIN_HOST and ADMIN_PORT as for the service\n`,
    )
    assert.equal(
      await refusal({ ADMIN_PORT: adminPort, ADMIN_TOKEN: 'another-token-than-that' }),
      `mintick: http://127.0.0.1:${adminPort} refuses the admin token of ADMIN_TOKEN: it is wrong or revoked; set ADMIN_TOKEN or DATA_DIR as for the service\n`,
    )
    assert.match(await refusal({ ADMIN_PORT: adminPort }), /^mintick: no admin token in .*DATA_DIR or ADMIN_TOKEN\n$/)
  })
})

describe('the lines of a start', () => {
  test('offer the demo key only if it works', async () => {
    const place = await createPlace('sqlite')
    const env = { ...place.env, PORT: String(await freePort()) }
    const start = async (work: () => Promise<void>) => {
      const child = spawnCommand(env, 'serve')
      const output = finished(child)
      await ready(child)
      await work()
      await killHard(child)
      return (await output).stdout
    }
    const suspend = async () => {
      const { stdout } = await run(env, 'accounts', 'list')
      const [, id = ''] = /^(\S+) +– /m.exec(stdout) ?? []
      assert.equal((await run(env, 'accounts', 'suspend', id)).code, 0)
    }
    assert.match(await start(suspend), /Try it:\n.+mtk_demo/)
    assert.doesNotMatch(await start(async () => {}), /Try it|mtk_demo/)
    await place.remove()
  })
})
