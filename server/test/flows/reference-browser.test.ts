/** The reference in a browser: readable for everyone, and calls that can be tried. */
import assert from 'node:assert/strict'
import { after, before, suite, type TestContext, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser, openPage, PHONE } from '../browser.ts'
import { some } from '../depth.ts'
import { TestService } from '../harness.ts'
import { assertReadable } from '../readable.ts'
import { publishSignal, waitUntil } from '../streams.ts'

suite('the reference in a browser', () => {
  let browser: Browser | undefined
  let service: TestService
  let url: string
  let paths: string[]
  before(async () => {
    browser = await openBrowser()
    service = await TestService.start('sqlite', { SAMPLE_DATA: 'on' })
    url = new URL(await service.listen()).origin
    const { body } = await service.call('/docs')
    paths = ['/docs', ...new Set([...body.matchAll(/href="(\/docs\/[\w/-]+)"/g)].map(([, path = '']) => path))]
  })
  after(async () => {
    await browser?.close()
    await service.stop()
  })

  async function open(
    context: TestContext,
    path: string,
    options: BrowserContextOptions = {},
  ): Promise<Page | undefined> {
    if (browser !== undefined) return openPage(browser, context, url + path, options)
    context.skip('no Chromium is installed')
    return undefined
  }

  test('everyone can read every page', async (context) => {
    // The policy of the pages allows no scripts but their own.
    const page = await open(context, '/docs', { bypassCSP: true })
    if (page === undefined) return
    const checked = new Set(['/docs', '/docs/entries', ...some(paths, 3)])
    for (const path of checked) {
      await page.goto(url + path)
      await assertReadable(page, path)
    }
    await tryIt(page, 'getEntry')
    await assertReadable(page, 'with an open panel')
    for (const bad of ['light-dark(#aaaaaa, black)', 'light-dark(black, #444444)']) {
      await page.evaluate(`document.querySelector('.lead').style.color = '${bad}'`)
      await assert.rejects(assertReadable(page, bad), /color-contrast/)
    }
  })

  test('a call with the demo key shows request, status, credits and answer', async (context) => {
    const page = await open(context, '/docs/entries')
    if (page === undefined) return
    const panel = await tryIt(page, 'listEntries')
    await panel.getByRole('button', { name: 'Use the demo key' }).click()
    await panel.getByRole('button', { name: 'Send GET' }).click()
    await panel.getByText('200 OK').waitFor()
    const text = await panel.innerText()
    assert.match(
      text,
      /curl -H "Authorization: Bearer mtk_demo" "http:\/\/127\.0\.0\.1:\d+\/api\/v1\/entries\?limit=1&/,
    )
    assert.match(text, /x-credits-cost\s+1\s/)
    assert.match(text, /x-request-id\s+[0-9a-f-]{36}/)
    assert.match(text, /"success": true/)
  })

  test('a wrong key shows the message of the error and the id of the request', async (context) => {
    const page = await open(context, '/docs/entries')
    if (page === undefined) return
    const panel = await tryIt(page, 'getEntry')
    await panel.getByLabel('API key').fill('mtk_wrong')
    await panel.getByRole('button', { name: 'Send GET' }).click()
    await panel.getByText('401 Unauthorized').waitFor()
    const { message } = (await service.api('/entries', 'mtk_wrong')).body.error
    assert.ok((await panel.locator('.failed').allInnerTexts()).includes(message))
    const text = await panel.innerText()
    assert.match(text, /x-request-id\s+[0-9a-f-]{36}/)
    assert.doesNotMatch(text, /mtk_wrong/)
  })

  test('the key stays in the tab; parameters can be added; a body is sent', async (context) => {
    const { key } = await service.open('starter')
    const page = await open(context, '/docs/entries')
    if (page === undefined) return
    const panel = await tryIt(page, 'listEntries')
    await panel.getByLabel('API key').fill(key)
    await panel.getByLabel('Add a parameter').selectOption('sentimentScoreMin')
    await panel.getByLabel('sentimentScoreMin').fill('high')
    await panel.getByRole('button', { name: 'Send GET' }).click()
    await panel.getByText('400 Bad Request').waitFor()
    assert.match(await panel.innerText(), /sentimentScoreMin must be a number/)

    await page.goto(`${url}/docs/account`)
    const keys = await tryIt(page, 'createAccountApiKey')
    assert.equal(await keys.getByLabel('API key').inputValue(), key)
    await keys.getByLabel('Body').fill('{"name":"from the reference"}')
    await keys.getByRole('button', { name: 'Send POST' }).click()
    await keys.getByText('200 OK').waitFor()
    assert.match(await keys.innerText(), /"name": "from the reference"/)
  })

  test('a broken connection and the answer of a proxy are shown too', async (context) => {
    const page = await open(context, '/docs/entries')
    if (page === undefined) return
    const panel = await tryIt(page, 'getEntry')
    const send = panel.getByRole('button', { name: 'Send GET' })
    await page.route('**/api/v1/**', (route) => route.abort())
    await send.click()
    await panel.getByText('The service did not answer').waitFor()
    await page.unroute('**/api/v1/**')
    const answer = { status: 502, contentType: 'text/html', body: '<h1>Bad gateway of a proxy</h1>' }
    await page.route('**/api/v1/**', (route) => route.fulfill(answer))
    await send.click()
    await panel.getByText('<h1>Bad gateway of a proxy</h1>').waitFor()
    assert.match(await panel.innerText(), /502 Bad Gateway/)
  })

  test('a stream is started and stopped', async (context) => {
    const { key } = await service.open('starter')
    const page = await open(context, '/docs/signals')
    if (page === undefined) return
    const panel = await tryIt(page, 'getSignalStream')
    await panel.getByLabel('API key').fill(key)
    await panel.getByRole('button', { name: 'Start' }).click()
    await panel.getByText('event: ready').waitFor()
    await publishSignal(service, { title: 'Seen in the reference' })
    await panel.getByText('Seen in the reference').waitFor()
    await panel.getByRole('button', { name: 'Stop' }).click()
    await panel.getByText('Stopped.').waitFor()
    await waitUntil(() => service.mintick.streams.count === 0)
    assert.ok(await panel.getByRole('button', { name: 'Start' }).isVisible())
  })

  test('the search leads to endpoints and guides by keyboard', async (context) => {
    const page = await open(context, '/docs')
    if (page === undefined) return
    await page.keyboard.press('/')
    await page.keyboard.type('insider list')
    await page
      .getByRole('link', { name: /List insider trades/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${url}/docs/sec#listSecInsiderTrades`)
    await page.getByLabel('Search the reference').fill('zzzz')
    await page.getByText('Nothing has all of these words.').waitFor()
  })

  test('theme and language of the examples are remembered', async (context) => {
    const page = await open(context, '/docs/entries', { colorScheme: 'light' })
    if (page === undefined) return
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await background()
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
    assert.notEqual(await background(), light)
    await page.locator('#listEntries label', { hasText: 'Python' }).click()
    await page.goto(`${url}/docs/assets`)
    assert.notEqual(await background(), light)
    assert.ok(await page.getByRole('radio', { name: 'Python' }).first().isChecked())
  })

  test('everything is readable without JavaScript, and nothing else is offered', async (context) => {
    const page = await open(context, '/docs/entries', { javaScriptEnabled: false, viewport: PHONE })
    if (page === undefined) return
    assert.equal(await page.getByRole('button').count(), 0)
    assert.ok(await page.getByRole('heading', { name: 'List news entries, newest first' }).isVisible())
    const first = page.locator('#listEntries')
    assert.ok(await first.getByText('curl -H').isVisible())
    await first.locator('label', { hasText: 'TypeScript' }).click()
    assert.ok(!(await first.getByText('curl -H').isVisible()))
    const contents = page.getByRole('navigation', { name: 'Contents' })
    assert.ok(!(await contents.isVisible()))
    await page.locator('label', { hasText: 'Contents' }).click()
    await contents.getByRole('link', { name: 'Paging' }).click()
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Paging')
  })

  async function tryIt(page: Page, operationId: string) {
    if (!page.url().includes('/docs/')) await page.goto(`${url}/docs/entries`)
    if ((await page.locator(`#${operationId}`).count()) === 0) await page.goto(`${url}/docs/entries`)
    await page
      .locator(`#${operationId}`)
      .getByRole('button', { name: /^Try it/ })
      .click()
    return page.locator(`#${operationId} .try`)
  }
})
