/** The command and the clients in sdk/ download exports over connections that break. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { ExportError, Mintick } from '../../../sdk/src/index.ts'
import { TestService } from '../harness.ts'
import { LAUNCHER } from '../spawn.ts'

const execute = promisify(execFile)
const SDK = join(import.meta.dirname, '../../../sdk/python')
const skip = spawnSync('python3', ['--version']).status !== 0 && 'no python3 is installed'

/** Forwards connections to a port, and cuts the first ones after a number of bytes of the answer to an export. */
function cuttingProxy(port: number) {
  const plan: number[] = []
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    let left = Infinity
    client.on('data', (data: Buffer) => {
      if (data.includes('GET /api/v1/export/')) left = plan.shift() ?? Infinity
      upstream.write(data)
    })
    upstream.on('data', (data: Buffer) => {
      left -= data.length
      client.write(left < 0 ? data.subarray(0, data.length + left) : data)
      if (left >= 0) return
      client.end()
      upstream.destroy()
    })
    for (const socket of [client, upstream]) socket.on('error', () => {})
    upstream.on('close', () => client.destroySoon())
    client.on('close', () => upstream.destroy())
  })
  return { server, plan }
}

describe('clients of exports', () => {
  let service: TestService
  let proxy: { server: Server; plan: number[] }
  let url: string
  let key: string
  let folder: string
  const whole = { ndjson: '', csv: '' }
  before(async () => {
    service = await TestService.start('sqlite', { SAMPLE_DATA: 'on' })
    const direct = new URL(await service.listen())
    proxy = cuttingProxy(Number(direct.port))
    proxy.server.listen(0, '127.0.0.1')
    await once(proxy.server, 'listening')
    url = `http://127.0.0.1:${(proxy.server.address() as AddressInfo).port}`
    key = (await service.openUnlimited()).key
    folder = mkdtempSync(join(tmpdir(), 'mintick-export-'))
    for (const format of ['ndjson', 'csv'] as const) {
      whole[format] = (await service.api(`/export/entries?language=en&format=${format}`, key)).body
    }
  })
  after(async () => {
    proxy.server.close()
    rmSync(folder, { recursive: true })
    await service.stop()
  })

  const command = (args: string[], apiKey = key) =>
    execute(process.execPath, [LAUNCHER, 'export', ...args], {
      cwd: folder,
      env: { ...process.env, MINTICK_URL: url, MINTICK_API_KEY: apiKey },
    })
  const python = (program: string, apiKey = key) =>
    execute('python3', ['-c', `import mintick\nclient = mintick.Client()\n${program}`], {
      cwd: folder,
      env: { ...process.env, MINTICK_URL: url, MINTICK_API_KEY: apiKey, PYTHONPATH: SDK, PYTHONDONTWRITEBYTECODE: '1' },
    })
  const written = (name: string) => readFileSync(join(folder, name), 'utf8')

  test('mintick export goes on after each cut, and leaves nothing but the file', async () => {
    for (const format of ['ndjson', 'csv'] as const) {
      proxy.plan.push(100_000, 150_000)
      const { stdout } = await command(['entries', `out.${format}`, '--language', 'en'])
      assert.equal(written(`out.${format}`), whole[format])
      assert.match(stdout, /checksum verified/)
      assert.deepEqual(proxy.plan, [])
    }
    await command(['entries', 'out.parquet', '--language=en'])
    assert.equal(written('out.parquet').slice(0, 4), 'PAR1')
    assert.deepEqual(readdirSync(folder).sort(), ['out.csv', 'out.ndjson', 'out.parquet'])
  })

  test('mintick export stops when the credits are used up, and continues the file once there are more', async () => {
    const account = await service.open('enterprise', 4)
    await assert.rejects(command(['entries', 'later.csv', '--language', 'en'], account.key), ({ stderr }) => {
      // A client that is slow to read loses the last rows when the connection breaks.
      const [, rows] = /credits are used up after (\d+) rows; run the command again/.exec(stderr) ?? []
      assert.ok(Number(rows) <= 400, stderr)
      return true
    })
    await service.admin(`/accounts/${account.id}/credits`, { method: 'POST', body: { credits: 100, reason: 'test' } })
    await command(['entries', 'later.csv', '--language', 'en'], account.key)
    assert.equal(written('later.csv'), whole.csv)
  })

  test('mintick export says what is wrong with its arguments', async () => {
    const problems: [string[], RegExp][] = [
      [['entries'], /usage: mintick export/],
      [['entries', 'out.xlsx'], /must end with/],
      [['nope', 'out.csv'], /There is no dataset nope; the datasets are entries, /],
      [['entries', 'out.csv', '--assetkey', 'AAPL'], /assetkey is not available/],
    ]
    for (const [args, message] of problems) {
      await assert.rejects(command(args), ({ stderr }) => message.test(stderr))
    }
  })

  test('the TypeScript client iterates over all rows across cuts', async () => {
    const client = new Mintick({ url, apiKey: key })
    proxy.plan.push(100_000, 20_000)
    const rows: unknown[] = []
    let known = 0
    const onProgress = (count: number, total: number) => {
      assert.ok(count >= known && count <= total)
      known = count
    }
    for await (const row of client.exports.rows('entries', { language: 'en' }, { onProgress })) rows.push(row)
    assert.deepEqual(
      rows,
      whole.ndjson
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    )
    assert.equal(known, rows.length)
    const parts: Uint8Array[] = []
    for await (const part of client.exports.bytes('entries', { language: 'en', format: 'csv' })) parts.push(part)
    assert.equal(Buffer.concat(parts).toString(), whole.csv)
  })

  test('the TypeScript client reports the end of the credits with the id to go on after', async () => {
    const account = await service.open('enterprise', 2)
    const client = new Mintick({ url, apiKey: account.key })
    const ids: string[] = []
    await assert.rejects(
      async () => {
        for await (const { id } of client.exports.rows('entries')) ids.push(id)
      },
      (error) => {
        assert.ok(error instanceof ExportError)
        assert.equal(error.status, 'credits_exhausted')
        assert.equal(error.lastId, ids.at(-1))
        return true
      },
    )
    assert.equal(ids.length, 200)
  })

  test('the Python client goes on after each cut, also in another process', { skip }, async () => {
    for (const format of ['ndjson', 'csv'] as const) {
      proxy.plan.push(100_000, 150_000)
      const { stdout } = await python(`print(client.exports.download("entries", "py.${format}", language="en"))`)
      assert.equal(written(`py.${format}`), whole[format])
      assert.equal(Number(stdout), whole.ndjson.split('\n').length - 1)
    }
    const account = await service.open('enterprise', 4)
    const program = 'client.exports.download("entries", "later.ndjson", language="en")'
    await assert.rejects(python(program, account.key), ({ stderr }) => /ExportError.*credits_exhausted/.test(stderr))
    await service.admin(`/accounts/${account.id}/credits`, { method: 'POST', body: { credits: 100, reason: 'test' } })
    await python(program, account.key)
    assert.equal(written('later.ndjson'), whole.ndjson)
  })

  test('an incomplete row at the end of a part is replaced', async () => {
    const lines = whole.csv.split('\n')
    await command(['entries', 'torn.csv', '--limit', '150'])
    const complete = written('torn.csv')
    const account = await service.open('enterprise', 1)
    await assert.rejects(command(['entries', 'torn.csv', '--limit', '150'], account.key))
    const [part = ''] = readdirSync(folder).filter((name) => name.endsWith('.part') && name.startsWith('torn'))
    writeFileSync(join(folder, part), `${written(part)}${lines[1]?.slice(0, 20)}`)
    await command(['entries', 'torn.csv', '--limit', '150'])
    assert.equal(written('torn.csv'), complete)
  })
})
