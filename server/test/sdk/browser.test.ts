/** The TypeScript client in Chromium, on a page and in a worker of another origin. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { assertValid } from '../answer-schema.ts'
import { openBrowser } from '../browser.ts'
import { TestService } from '../harness.ts'
import { whilePublishing } from '../streams.ts'
import { bundle } from './bundle.ts'
import { endpointNamed, type PlannedCall, planCalls, SDK, WALK_ENV } from './walk.ts'

/** Runs on the page: makes calls and returns the bodies of their answers. */
const PROGRAM = `
  import { MintickAdmin } from './src/admin.ts'
  import { Mintick } from './src/index.ts'
  globalThis.Mintick = Mintick
  globalThis.make = async ({ client, token, method, args, params, isList }, url) => {
    const root = client === 'admin' ? new MintickAdmin({ url, token }) : new Mintick({ url, apiKey: token })
    const resource = method.slice(0, -1).reduce((found, name) => found[name], root)
    const { data, response } = await resource[method.at(-1)](...args, params ?? undefined).withResponse()
    const body = isList ? { data: data.data, meta: data.meta } : { data }
    return { body: { success: true, ...body }, requestId: response.requestId, credits: response.credits }
  }
`

interface Made {
  body: unknown
  requestId: string
  credits: { cost: number; remaining: number } | undefined
}

/** Serves a page with the program on it. Returns its origin. */
async function servePage(context: TestContext): Promise<string> {
  const { code } = await bundle(PROGRAM, SDK)
  const server = createServer(({ url }, response) => {
    if (url === '/program.js') {
      // The worker that imports it has no origin of its own.
      response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' }).end(code)
    } else {
      const html = '<!doctype html><script type="module" src="/program.js"></script>'
      response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('every endpoint can be called from a page, and a stream in a worker', async (context) => {
  const browser = await openBrowser()
  if (browser === undefined) {
    assert.notEqual(process.env.CI, 'true', 'no Chromium is installed')
    return context.skip('no Chromium is installed')
  }
  context.after(() => browser.close())
  const origin = await servePage(context)
  const service = await TestService.start('sqlite', { ...WALK_ENV, CORS_ORIGINS: origin })
  context.after(() => service.stop())
  const url = new URL('/', await service.listen()).href
  const page = await browser.newPage()
  await page.goto(origin)
  await page.waitForFunction('globalThis.make !== undefined')

  for (const call of await planCalls(service)) {
    const made = await page.evaluate<Made>(`make(${JSON.stringify(call satisfies PlannedCall)}, '${url}')`)
    assertValid(endpointNamed(call.name), made.body)
    assert.match(made.requestId, /^[0-9a-f-]{36}$/)
    assert.equal(made.credits === undefined, endpointNamed(call.name).access !== 'key')
  }

  const { key } = await service.openUnlimited()
  const source = `
    import '${origin}/program.js'
    const client = new Mintick({ url: '${url}', apiKey: '${key}' })
    for await (const { data } of client.signals.stream()) postMessage(data.signal.title)`
  await page.evaluate(`
    globalThis.titles = []
    const program = new Blob([${JSON.stringify(source)}], { type: 'text/javascript' })
    const worker = new Worker(URL.createObjectURL(program), { type: 'module' })
    worker.onmessage = ({ data }) => titles.push(data)
  `)
  let published = 0
  await whilePublishing(
    service,
    () => ({ title: `Signal ${published++}` }),
    () => page.waitForFunction('titles.length >= 2'),
  )
  const [first = '', second] = await page.evaluate<string[]>('titles')
  assert.equal(second, `Signal ${Number(first.replace(/\D+/, '')) + 1}`)
})
