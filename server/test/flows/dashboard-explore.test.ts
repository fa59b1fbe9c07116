/** The explorer of the dashboard in a browser: every view from its empty state to data and details. */
import assert from 'node:assert/strict'
import { after, before, suite, type TestContext, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { MINUTE } from '../../src/model/time.ts'
import { openBrowser, openPage } from '../browser.ts'
import { some } from '../depth.ts'
import { TestService } from '../harness.ts'
import { assertReadable, seriousFindings } from '../readable.ts'
import { publishSignal, waitUntil } from '../streams.ts'
import { TcpProxy } from '../tcp-proxy.ts'

const NOTHING_YET = 'Nothing is loaded yet.'

/** The views with their button, and a part of what they show afterwards. */
const VIEWS = [
  { path: '/dashboard/news', title: 'News', run: 'Run', row: '.feed .headline' },
  { path: '/dashboard/news?view=events', title: 'News', run: 'Run', row: '.feed .headline' },
  { path: '/dashboard/assets', title: 'Assets', run: 'Run', row: 'table .tag' },
  { path: '/dashboard/prediction-markets', title: 'Prediction markets', run: 'Run', row: 'table a' },
  { path: '/dashboard/sec', title: 'SEC filings', run: 'Run', row: 'table td a' },
  { path: '/dashboard/sec/financial-filings', title: 'SEC filings', run: 'Run', row: 'table td a' },
  { path: '/dashboard/topics', title: 'Topics', run: 'Run', row: '.tree a' },
  { path: '/dashboard/signals', title: 'Signals', run: 'Run', row: '.feed .headline' },
] as const

/** Views in which axe looks at the empty state; their filters remain beside the data. */
const SEEN_EMPTY = some(
  VIEWS.map(({ path }) => path),
  1,
)

suite('the explorer in a browser', () => {
  let browser: Browser | undefined
  let service: TestService
  let url: string
  let ownerId: string
  /** Cookies of the owner, who has signed in once. */
  let signedIn: NonNullable<BrowserContextOptions['storageState']>
  before(async () => {
    browser = await openBrowser()
    service = await TestService.start('sqlite', { SAMPLE_DATA: 'on' })
    url = new URL(await service.listen()).origin
    ownerId = (await service.get('/account', service.mintick.ownerKey ?? '')).data.id
    if (browser === undefined) return
    const page = await browser.newPage()
    const link = await service.mintick.signIn.createLink()
    await page.goto(`${url}/dashboard/link#${link?.url.split('#')[1]}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    signedIn = await page.context().storageState()
    await page.close()
  })
  after(async () => {
    await browser?.close()
    await service.stop()
  })
  const balance = () => service.balance(ownerId)

  /** Opens a page as the owner. Returns undefined without a browser. */
  async function visit(
    context: TestContext,
    path: string,
    { origin = url, ...options }: BrowserContextOptions & { origin?: string } = {},
  ): Promise<Page | undefined> {
    if (browser === undefined) {
      context.skip('no Chromium is installed')
      return undefined
    }
    const page = await openPage(browser, context, `${origin}/health`, { storageState: signedIn, ...options })
    await page.clock.setFixedTime(service.clock.now())
    await page.goto(origin + path)
    return page
  }

  for (const { path, title, run, row } of VIEWS) {
    test(`${path} shows its price, then data, and everyone can read it`, async (context) => {
      const page = await visit(context, path, { bypassCSP: true })
      if (page === undefined) return
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.getByText(NOTHING_YET).waitFor()
      if (SEEN_EMPTY.includes(path)) await assertReadable(page, 'empty')
      const before = await balance()
      const button = page.getByRole('button', { name: new RegExp(`^${run} · \\d credits?$`) })
      const price = Number(/\d/.exec(await button.innerText())?.[0])
      await button.click()
      await page.locator(row).first().waitFor()
      assert.equal(before - (await balance()), price)
      await assertReadable(page, 'with data')
    })
  }

  test('a search by meaning costs more, is in the address, and coming back is free', async (context) => {
    const page = await visit(context, '/dashboard/news')
    if (page === undefined) return
    await page.getByRole('button', { name: 'Run · 1 credit' }).click()
    const first = await page.locator('.feed .headline').first().innerText()
    await page.getByLabel('Meaning', { exact: true }).fill('central banks lower rates')
    await page.getByRole('textbox', { name: 'Language' }).fill('en')
    await page.getByRole('button', { name: 'Run · 2 credits' }).click()
    await page.waitForURL(/query=central\+banks\+lower\+rates/)
    await page.locator('.feed').waitFor()
    assert.notEqual(await page.locator('.feed .headline').first().innerText(), first)
    const paid = await balance()

    await page.goBack()
    await page.locator('.feed .headline', { hasText: first }).first().waitFor()
    assert.equal(await page.getByLabel('Meaning', { exact: true }).inputValue(), '')
    await page.goForward()
    await page.locator('.feed').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Language' }).inputValue(), 'en')
    assert.equal(await balance(), paid)

    await page.getByRole('button', { name: 'Copy as code' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'The call as code' })
    for (const [language, text] of [
      ['curl', 'query=central+banks+lower+rates'],
      ['TypeScript', 'client.entries.list({ include: "publisher,cluster", query: "central banks lower rates"'],
      ['Python', 'client.entries.list(include="publisher,cluster", query="central banks lower rates"'],
    ] as const) {
      await dialog.getByRole('tab', { name: language }).click()
      assert.ok((await dialog.locator('code').innerText()).includes(text), language)
    }
  })

  test('an entry opens beside the list, with its assets, event and signals; Escape closes it', async (context) => {
    const page = await visit(context, '/dashboard/news?hasAssets=true')
    if (page === undefined) return
    await page.getByRole('button', { name: /^Run ·/ }).click()
    const headline = page.locator('.feed .headline').first()
    // Not the inner text: that of a row which is not painted yet is empty.
    const title = (await headline.textContent()) ?? ''
    await headline.focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: title })
    await panel.getByRole('button', { name: 'Load · 1 credit' }).first().click()
    await panel.getByRole('table', { name: 'Assets that the entry names' }).waitFor()
    await panel.getByRole('button', { name: 'Load · 1 credit' }).first().click()
    await panel.getByRole('heading', { name: 'Signals based on it' }).waitFor()
    assert.match(page.url(), /open=/)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    assert.doesNotMatch(page.url(), /open=/)
    assert.equal(await page.evaluate('document.activeElement.textContent'), title)

    await page.getByRole('button', { name: /^Load · 1 credit/ }).click()
    await page.getByRole('img', { name: /^Entries per day: / }).waitFor()
    await page.getByRole('button', { name: /^Next page · 1 credit/ }).click()
    await page.waitForURL(/after=/)
    await page.getByRole('button', { name: /^Previous page · 1 credit/ }).waitFor()
  })

  test('bad filters show what the service says about them', async (context) => {
    const page = await visit(context, '/dashboard/news')
    if (page === undefined) return
    const before = await balance()
    await page.getByLabel('Sentiment score, at least').fill('5')
    await page.getByRole('button', { name: /^Run ·/ }).click()
    await page.getByRole('alert').getByText('sentimentScoreMin must be a number from -1 to 1').waitFor()
    await page
      .getByRole('alert')
      .getByText(/^Request /)
      .waitFor()
    assert.equal(await page.getByLabel('Sentiment score, at least').getAttribute('aria-invalid'), 'true')
    await page.goto(`${url}/dashboard/news?publishedAfter=yesterday`)
    await page.getByRole('button', { name: /^Run ·/ }).click()
    await page
      .getByRole('alert')
      .getByText(/^publishedAfter must be/)
      .waitFor()
    assert.equal(await balance(), before)
  })

  test('the chart of an asset shows the figures of the candle under the pointer', async (context) => {
    const page = await visit(context, '/dashboard/assets/AAPL')
    if (page === undefined) return
    await page.getByText(NOTHING_YET).waitFor()
    const before = await balance()
    await page.getByRole('button', { name: 'Load the asset · up to 8 credits' }).click()
    await page.getByRole('heading', { level: 1, name: 'Apple Inc. (AAPL)' }).waitFor()
    const chart = page.getByRole('img', { name: /^Candles of AAPL/ })
    await chart.locator('canvas').first().waitFor()
    await page.getByRole('button', { name: 'Load the asset again · 8 credits' }).waitFor()
    assert.equal(await balance(), before - 8)
    const legend = page.getByRole('region', { name: 'Candle under the pointer' })
    const last = await legend.innerText()
    assert.match(last, /Open [\d.,]+\s+High [\d.,]+\s+Low [\d.,]+\s+Close [\d.,]+/)
    await chart.hover({ position: { x: 200, y: 100 } })
    await waitUntil(async () => (await legend.innerText()) !== last)
    await page.getByRole('group', { name: 'Range' }).getByRole('button', { name: '1 month' }).click()
    await page.getByRole('group', { name: 'Interval' }).getByRole('button', { name: '1w' }).click()
    await page.waitForURL(/interval=1w/)
    await page.getByText(/^The last \d+ candles as a table$/).click()
    await page.getByRole('table', { name: 'Candles' }).waitFor()
    for (const title of ['News', 'Signals', 'Odds of related prediction markets', 'Filings at the SEC', 'About']) {
      await page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor()
    }
    await page.getByRole('button', { name: 'Load · 2 credits' }).first().click()
    await page.getByRole('table', { name: 'Financial filings' }).waitFor()
  })

  test('a mistyped asset costs nothing and leads to the search', async (context) => {
    const page = await visit(context, '/dashboard/assets/APPL')
    if (page === undefined) return
    const before = await balance()
    await page.getByRole('button', { name: /^Load the asset ·/ }).click()
    await page.getByText('No asset has the key APPL.').waitFor()
    await page.getByRole('link', { name: 'Search the assets' }).click()
    assert.equal(await page.getByLabel('Words').inputValue(), 'APPL')
    assert.equal(await balance(), before)
  })

  test('an asset without a market costs less than the most that the button names', async (context) => {
    const page = await visit(context, '/dashboard/assets/MMM')
    if (page === undefined) return
    const before = await balance()
    await page.getByRole('button', { name: 'Load the asset · up to 8 credits' }).click()
    await page.getByText('No market has its prices.').waitFor()
    await page.getByRole('button', { name: 'Load the asset again · 6 credits' }).waitFor()
    assert.equal(await balance(), before - 6)
  })

  test('an asset with its chart is readable for everyone', async (context) => {
    const page = await visit(context, '/dashboard/assets/BTC', { bypassCSP: true })
    if (page === undefined) return
    await page.getByRole('button', { name: /^Load the asset ·/ }).click()
    await page.locator('canvas').first().waitFor()
    await assertReadable(page, 'with a chart')
  })

  test('a prediction market shows its odds over time', async (context) => {
    const page = await visit(context, '/dashboard/prediction-markets', { bypassCSP: true })
    if (page === undefined) return
    await page.getByRole('button', { name: /^Run ·/ }).click()
    await page.getByRole('table', { name: 'Prediction markets' }).getByRole('link').first().click()
    await page.getByRole('button', { name: 'Load · 2 credits' }).click()
    await page.getByRole('table', { name: 'Outcomes' }).waitFor()
    await page
      .getByRole('img', { name: /^Odds of / })
      .locator('canvas')
      .first()
      .waitFor()
    await assertReadable(page, 'with odds')
  })

  test('every dataset of the SEC has a table and records, also of the past', async (context) => {
    const page = await visit(context, '/dashboard/sec')
    if (page === undefined) return
    const tabs = page.getByRole('navigation', { name: 'Datasets' }).getByRole('link')
    for (const name of await tabs.allInnerTexts()) {
      await tabs.getByText(name, { exact: true }).click()
      await page.getByRole('button', { name: 'Run · 2 credits' }).click()
      const table = page.getByRole('table', { name })
      await table.waitFor()
      assert.ok((await table.getByRole('columnheader').count()) > 3, name)
      await table.getByRole('link').first().click()
      const record = page.getByRole('complementary')
      await record.getByText('Accession number').waitFor()
      // It may cover the next tab.
      await record.getByRole('link', { name: 'Close' }).click()
      await record.waitFor({ state: 'detached' })
    }
    await page.goto(`${url}/dashboard/sec/insider-trades?asOf=2000-01-01T00%3A00%3A00.000Z`)
    await page.getByRole('button', { name: 'Run · 2 credits' }).click()
    await page.getByText('No record matches.').waitFor()
  })

  test('a plan without SEC data says which plan has it', async (context) => {
    const page = await visit(context, '/dashboard/sign-up', { storageState: { cookies: [], origins: [] } })
    if (page === undefined) return
    await page.getByLabel('Email address').fill('ada@customer.example')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.goto(`${url}/dashboard/sec`)
    await page.getByText('The Free plan does not include SEC filing data; the Starter plan does').waitFor()
    await page.getByRole('button', { name: 'Run · not in your plan' }).waitFor()
    await page.goto(`${url}/dashboard/signals`)
    await page.getByText(/The Free plan does not include .*; the Starter plan does/).waitFor()
    await page.getByRole('button', { name: 'Start · not in your plan' }).waitFor()
    await page.getByRole('link', { name: 'See plans and packs' }).click()
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
  })

  test('a topic opens its news', async (context) => {
    const page = await visit(context, '/dashboard/topics')
    if (page === undefined) return
    await page.getByRole('button', { name: 'Run · 1 credit' }).click()
    await page.getByLabel('Find a topic').fill('gold')
    await page.getByRole('link', { name: 'Gold', exact: true }).click()
    await page.waitForURL(/\/dashboard\/news\?topicSlug=gold/)
    assert.equal(await page.getByLabel('Topic', { exact: true }).inputValue(), 'gold')
  })

  test('live signals arrive for longer than a token works, also after the connection broke', async (context) => {
    const proxy = await TcpProxy.start(new URL(url))
    context.after(() => proxy.close())
    const page = await visit(context, '/dashboard/signals', { origin: new URL(proxy.urlOf(url)).origin })
    if (page === undefined) return
    await page.getByRole('button', { name: /^Start ·/ }).click()
    await page.getByText('Connected').waitFor()
    service.clock.advance(16 * MINUTE)
    await page.clock.setFixedTime(service.clock.now())
    await publishSignal(service, { title: 'Signal after the token' })
    await page.getByRole('link', { name: 'Signal after the token' }).waitFor()

    proxy.refuse()
    await page.getByText('Connection lost, connecting again…').waitFor()
    await publishSignal(service, { title: 'Signal for the new token' })
    proxy.restore()
    await page.getByRole('link', { name: 'Signal for the new token' }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await waitUntil(() => service.mintick.streams.count === 0)
  })

  test('without a connection a page says so, and goes on when asked', async (context) => {
    const proxy = await TcpProxy.start(new URL(url))
    context.after(() => proxy.close())
    const page = await visit(context, '/dashboard/news', {
      origin: new URL(proxy.urlOf(url)).origin,
      bypassCSP: true,
    })
    if (page === undefined) return
    const run = page.getByRole('button', { name: /^Run ·/ })
    const notice = page.getByRole('alert').getByText('The service cannot be reached.')
    await run.waitFor()
    proxy.refuse()
    await run.click()
    await notice.waitFor()
    assert.deepEqual(await seriousFindings(page), [])
    proxy.restore()
    const before = await balance()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.feed .headline').first().waitFor()
    assert.equal(await notice.count(), 0)
    assert.equal(before - (await balance()), 1)

    proxy.refuse()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'API keys' }).click()
    await notice.waitFor()
    proxy.restore()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
  })

  test('live signals arrive until the page is left, also after the connection broke', async (context) => {
    const proxy = await TcpProxy.start(new URL(url))
    context.after(() => proxy.close())
    const page = await visit(context, '/dashboard/signals', { origin: new URL(proxy.urlOf(url)).origin })
    if (page === undefined) return
    const open = (count: number) => waitUntil(() => service.mintick.streams.count === count)
    await page.getByRole('button', { name: 'Start · 5 credits a minute' }).click()
    await page.getByText('Connected').waitFor()
    await publishSignal(service, { title: 'First live signal' })
    await page.getByRole('link', { name: 'First live signal' }).waitFor()
    await page.getByText(/open for \d+:\d\d, 0 credits so far/).waitFor()

    proxy.refuse()
    await page.getByText('Connection lost, connecting again…').waitFor()
    await publishSignal(service, { title: 'Missed live signal' })
    proxy.restore()
    await page.getByRole('link', { name: 'Missed live signal' }).waitFor()
    await page.getByText('Connected').waitFor()

    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped').waitFor()
    await open(0)
    await page.getByRole('button', { name: /^Start ·/ }).click()
    await open(1)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Topics' }).click()
    await open(0)
  })

  test('views run when they are opened if the reader wants that', async (context) => {
    const page = await visit(context, '/dashboard/topics')
    if (page === undefined) return
    await page.getByLabel('Run views when I open them').check()
    await page.getByRole('link', { name: 'Assets', exact: true }).click()
    await page.getByRole('table', { name: 'Assets' }).waitFor()
  })

  test('texts of data are never markup', async (context) => {
    const markup = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`
    const page = await visit(context, '/dashboard')
    if (page === undefined) return
    await page.route('**/api/v1/**', async (route) => {
      if (route.request().url().includes('/account')) return route.continue()
      const response = await route.fetch()
      await route.fulfill({ response, json: withMarkup(await response.json(), markup) })
    })
    for (const { path, run } of [...VIEWS, { path: '/dashboard/assets/AAPL', run: 'Load the asset' }]) {
      await page.goto(url + path)
      await page.getByRole('button', { name: new RegExp(`^${run} ·`) }).click()
      await page.getByText('<img src=x').first().waitFor()
      const opener = page.locator('a[href*="open="]').first()
      if ((await opener.count()) > 0) await opener.click()
      for (const load of await page.getByRole('button', { name: /^Load ·/ }).all()) {
        await load.click({ timeout: 1_000 }).catch(() => undefined)
      }
      await page.waitForLoadState('networkidle')
      assert.equal(await page.locator('img, main script, a[href^="javascript:"]').count(), 0, path)
      assert.equal(await page.evaluate('window.hacked'), undefined, path)
    }
  })

  test('an imported entry with markup in every field is shown as text', async (context) => {
    const markup = '&lt;img src=x onerror="window.hacked=1"&gt;'
    const { status } = await service.admin('/import/entries', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: {
        rows: [
          {
            title: `Zanzibar ${markup}`,
            url: 'https://markup.example/"><img src=x onerror=window.hacked=1>',
            excerpt: markup,
            content: `Zanzibar ${markup}`,
            author: markup,
            imageUrl: 'https://markup.example/i.png',
            publisher: { name: markup, slug: 'markup', domain: 'markup.example' },
            publishedAt: '2026-03-02T10:00:00Z',
          },
        ],
      },
    })
    assert.equal(status, 200)
    const page = await visit(context, '/dashboard/news?search=Zanzibar')
    if (page === undefined) return
    await page.getByRole('button', { name: /^Run ·/ }).click()
    await page.getByRole('link', { name: /^Zanzibar/ }).click()
    const panel = page.getByRole('complementary')
    await panel.getByText('Read it at markup.example').waitFor()
    await panel
      .getByRole('button', { name: /^Load ·/ })
      .first()
      .click()
    assert.equal(await page.locator('img').count(), 0)
    assert.equal(await page.evaluate('window.hacked'), undefined)
    const link = panel.getByRole('link', { name: /^Read it at/ })
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer')
  })
})

/** Returns an answer whose texts are markup: all but ids, times, numbers and the names of fields. Addresses are scripts. */
function withMarkup(value: unknown, markup: string, field = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withMarkup(item, markup, field))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withMarkup(item, markup, name)]))
  }
  if (typeof value !== 'string') return value
  if (/[uU]rl$/.test(field)) return 'javascript:window.hacked=1'
  const isNeeded = /(?:^id|Ids?|At|^at|Date|^from|^to|Cursor|^interval|^intervals|^kind|^direction|^status)$/.test(
    field,
  )
  return isNeeded || /^\d{4}-\d\d-\d\d/.test(value) ? value : `${value} ${markup}`
}
