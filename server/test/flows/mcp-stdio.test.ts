import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { before, describe, test } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { TOOLS } from '../../src/mcp/tools.ts'
import { serviceForSuite } from '../harness.ts'
import { callTool, createClient, REVISIONS, type Revision } from '../mcp-client.ts'
import { LAUNCHER } from '../spawn.ts'

describe('mintick mcp', () => {
  const service = serviceForSuite('sqlite', { SAMPLE_DATA: 'on' })
  let url: string
  let account: { id: string; key: string }
  before(async () => {
    url = new URL(await service.listen()).origin
    account = await service.openUnlimited()
  })

  /** Runs the command as a client of the protocol does, and connects to it. */
  async function connect(args: string[], env: Record<string, string>, revision: Revision = '2026-07-28') {
    const client = createClient(revision)
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [LAUNCHER, 'mcp', ...args], env, stderr: 'inherit' }),
    )
    return client
  }

  for (const revision of REVISIONS) {
    test(`the official client lists and calls every tool, revision ${revision}`, async () => {
      const client = await connect([], { MINTICK_URL: `${url}/`, MINTICK_API_KEY: account.key }, revision)
      const { tools } = await client.listTools()
      assert.deepEqual(
        tools.map(({ name }) => name),
        TOOLS.map(({ name }) => name),
      )
      const needed: Record<string, object> = {
        get_asset: { asset: 'AAPL' },
        get_candles: { market: 'BTC-USD' },
        get_item: { id: 'asset:AAPL' },
      }
      for (const { name } of tools) {
        const { text, isError } = await callTool(client, name, { ...needed[name] })
        assert.equal(isError, false, text)
        assert.match(text, /Cost: \d credits?, \d+ left\.$/)
      }
      await client.close()
    })
  }

  test('flags come before the environment, and errors of the API are told in words', async () => {
    const { key } = await service.open('free', 0)
    const client = await connect(['--url', url, '--key', key], {
      MINTICK_URL: 'http://127.0.0.1:9',
      MINTICK_API_KEY: 'x',
    })
    const refused = await callTool(client, 'search_news')
    assert.equal(refused.isError, true)
    assert.match(refused.text, /get_usage is free/)
    await client.close()
  })

  test('a wrong key and a service that is not there are told to the agent', async () => {
    const wrong = await connect(['--url', url, '--key', 'nope'], {})
    assert.match((await callTool(wrong, 'search_news')).text, /Check the API key/)
    await wrong.close()
    const nowhere = await connect(['--url', 'http://127.0.0.1:9', '--key', account.key], {})
    const { text, isError } = await callTool(nowhere, 'search_news')
    assert.equal(isError, true)
    assert.match(text, /^The service at http:\/\/127\.0\.0\.1:9 cannot be reached/)
    await nowhere.close()
  })

  test('without a key, or with a wrong address, the command says what it needs', async () => {
    for (const [args, expected] of [
      [[], 'mintick: this command needs an API key: --key or MINTICK_API_KEY\n'],
      [
        ['--key', 'x', '--url', 'nope'],
        'mintick: --url or MINTICK_URL must be the address of a service, such as https://mintick.example\n',
      ],
      [['--nope'], /Unknown option '--nope'/],
    ] as const) {
      const child = spawn(process.execPath, [LAUNCHER, 'mcp', ...args], { env: {} })
      const errors: string[] = []
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => errors.push(chunk))
      const [code] = await once(child, 'close')
      assert.equal(code, 1)
      if (typeof expected === 'string') assert.equal(errors.join(''), expected)
      else assert.match(errors.join(''), expected)
    }
  })

  test('lines that are no message do not end it; the end of its input does', async () => {
    const child = spawn(process.execPath, [LAUNCHER, 'mcp', '--url', url, '--key', account.key], { env: {} })
    const lines: string[] = []
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => lines.push(chunk))
    child.stderr.resume()
    child.stdin.write('not JSON\n{}\n[]\n')
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } } })}\n`,
    )
    while (!lines.join('').includes('"id":7')) await once(child.stdout, 'data')
    child.stdin.end()
    const [code] = await once(child, 'close')
    assert.equal(code, 0)
    for (const line of lines.join('').trim().split('\n')) JSON.parse(line)
  })
})
