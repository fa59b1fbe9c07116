/** Endpoints that return pages: HTML, forms as bodies, readable errors. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { endpointFactory } from '../../src/http/endpoint.ts'
import { HTML_ANSWER, htmlPage } from '../../src/http/html-page.ts'
import { ApiError } from '../../src/model/errors.ts'
import { html } from '../../src/model/html.ts'
import { startApp } from '../app.ts'
import { openBrowser } from '../browser.ts'
import { assertPage, errorOn, textsOf } from '../page.ts'

const endpoint = endpointFactory<{ leadsTo: string }>()
const page = { access: 'open', cost: { credits: 0 }, returns: 'html', data: HTML_ANSWER } as const

const greeting = endpoint({
  ...page,
  method: 'GET',
  path: '/pages/:name',
  summary: 'A greeting and a form',
  query: Type.Object({ times: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })) }),
  handle({ params, query: { times = 1 } }) {
    const { name } = params as { name: string }
    if (name === 'nobody') throw new ApiError('NOT_FOUND', 'No <b>such</b> page & none like it')
    if (name === 'broken') throw new Error('the password is hunter2')
    const form = html`<form method="post"><input name="card" value="${name}"><button>Pay</button></form>`
    return {
      html: htmlPage('Hello', html`<p>${name.repeat(times)}</p>${form}`),
      ...(name === 'gone' && { status: 410 }),
    }
  },
})

const sent = endpoint({
  ...page,
  method: 'POST',
  path: '/pages/:name',
  summary: 'What was sent',
  body: Type.Object({ card: Type.String({ minLength: 1, maxLength: 200_000 }), note: Type.Optional(Type.String()) }),
  handle({ params, body }, { leadsTo }) {
    if ((params as { name: string }).name === 'shown')
      return { html: htmlPage('Sent', html`<p>${JSON.stringify(body)}</p>`) }
    return { location: leadsTo || body.card }
  },
})

describe('pages', () => {
  const services = { leadsTo: '' }
  let app: FastifyInstance
  let base: string
  let stop: () => Promise<void>
  before(async () => {
    ;({ app, stop } = await startApp([greeting, sent], services))
    base = await app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => stop())

  async function call(method: 'GET' | 'HEAD' | 'POST', url: string, payload?: string) {
    const {
      statusCode: status,
      headers,
      body,
    } = await app.inject({ method, url, ...(payload !== undefined && { payload }) })
    return { status, headers: headers as Record<string, unknown>, body }
  }
  const formOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

  test('a page is HTML with headers that let it load and run nothing', async () => {
    const reply = await call('GET', '/pages/Ann%3Ci%3E?times=2')
    assert.equal(reply.status, 200)
    assertPage(reply)
    assert.deepEqual(textsOf(reply.body, 'p'), ['Ann<i>Ann<i>'])
    assert.deepEqual(textsOf(reply.body, 'i'), [])
    assert.equal((await call('GET', '/pages/gone')).status, 410)
  })

  test('HEAD answers what GET does, without the page', async () => {
    for (const path of ['/pages/Ann', '/pages/gone', '/pages/nobody', '/pages/Ann?times=0']) {
      const [got, head] = [await fetch(base + path), await fetch(base + path, { method: 'HEAD' })]
      assert.equal(await head.text(), '')
      assert.equal(head.status, got.status)
      assert.equal(Number(head.headers.get('content-length')), (await got.arrayBuffer()).byteLength)
      assertPage({ headers: Object.fromEntries(head.headers) })
    }
  })

  test('an error is a page with its status and its message', async () => {
    assert.equal(errorOn(await call('GET', '/pages/nobody'), 404), 'No <b>such</b> page & none like it')
    assert.match(errorOn(await call('GET', '/pages/Ann?times=0'), 400), /times must be a whole number/)
    assert.match(errorOn(await call('GET', `/pages/Ann?x=${'x'.repeat(9_000)}`), 400), /URL must be at most/)
    assert.match(errorOn(await call('GET', '/pages/%00'), 404), /No such resource/)
  })

  test('of an unexpected error nothing is told', async () => {
    const reply = await call('GET', '/pages/broken')
    assert.equal(errorOn(reply, 500), 'Something went wrong on the server')
    assert.doesNotMatch(reply.body, /hunter2|\.ts/)
  })

  test('what a browser sends of a form is read as it was filled in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string(), async (card, note) => {
        fc.pre(!`${card}${note}`.includes('\0'))
        const reply = await call('POST', '/pages/shown', formOf({ note, card, unknown: card }))
        assert.equal(reply.status, 200)
        assertPage(reply)
        assert.deepEqual(JSON.parse(textsOf(reply.body, 'p')[0] ?? ''), { card, note })
      }),
    )
  })

  for (const [what, body, message] of [
    ['no body', undefined, /card is required/],
    ['no field', 'note=x', /card is required/],
    ['an empty field', 'card=', /card must not be empty/],
    ['a field given twice', 'card=1&card=2', /card must be given only once/],
    ['a NUL byte', 'card=%00', /card must not contain NUL/],
    ['bad percent-encoding', 'card=%zz', /form is not valid/],
    ['bytes that are not UTF-8', 'card=%ff', /form is not valid/],
    ['JSON', '{"card":"1"}', /card is required/],
    ['more than 64 KB', `card=${'x'.repeat(65_536)}`, /larger than 64 KB/],
  ] as const) {
    test(`a form with ${what} answers 400 in a page`, async () => {
      assert.match(errorOn(await call('POST', '/pages/shown', body), 400), message)
    })
  }

  test('a redirect is 303 to an address that a header can carry and that means the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (end) => {
        fc.pre(!end.includes('\0'))
        const url = `https://shop.example/paid?for=${encodeURIComponent(end)}&raw=x${end.replaceAll(/[\t\r\n]/g, '')}x`
        const reply = await call('POST', '/pages/Ann', formOf({ card: url }))
        assert.equal(reply.status, 303)
        assertPage(reply)
        assert.equal(reply.body, '')
        assert.equal(new URL(String(reply.headers.location)).href, new URL(url).href)
      }),
    )
    const split = await call('POST', '/pages/Ann', formOf({ card: '/a\r\nset-cookie: b=c' }))
    assert.equal(split.headers.location, '/a%0D%0Aset-cookie:%20b=c')
    assert.equal(split.headers['set-cookie'], undefined)
  })

  test('a page that asks for a key stops the start', async () => {
    const closed = endpoint({
      ...page,
      access: 'key',
      method: 'GET',
      path: '/closed',
      summary: '',
      handle: () => ({ html: '' }),
    })
    await assert.rejects(startApp([closed], services), /must be open/)
  })

  test('in a browser, a form leads on to another site, also over its redirects, and nothing else is asked for', async (context) => {
    const browser = await openBrowser()
    if (browser === undefined) return context.skip('no Chromium is installed')
    const asked: string[] = []
    const elsewhere = createServer(({ url }, response) => {
      asked.push(url ?? '')
      if (url === '/moved') response.writeHead(302, { location: `http://localhost:${portOf(elsewhere)}/paid` }).end()
      else response.end('Thank you')
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    services.leadsTo = `http://127.0.0.1:${portOf(elsewhere)}/moved`

    const view = await browser.newPage()
    const complaints: string[] = []
    view.on('console', (message) => complaints.push(message.text()))
    const requests: string[] = []
    view.on('request', (request) => requests.push(request.url()))
    await view.goto(`${base}/pages/Ann`)
    assert.deepEqual(requests, [`${base}/pages/Ann`])
    await view.getByRole('button').click()
    await view.getByText('Thank you').waitFor()
    assert.deepEqual(complaints, [])
    assert.equal(asked[0], '/moved')
    await browser.close()
    elsewhere.closeAllConnections()
    elsewhere.close()
  })
})

const portOf = (server: Server) => (server.address() as AddressInfo).port
