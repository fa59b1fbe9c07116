/** The pages of operators in a browser: what each scope may do, and that everything done is in the audit trail. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, suite, type TestContext, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { OPERATOR_SCOPES, type OperatorScope } from '../../src/model/operators.ts'
import { MINUTE } from '../../src/model/time.ts'
import { openBrowser, openPage } from '../browser.ts'
import { TestService } from '../harness.ts'
import { startOidcProvider } from '../oidc-provider.ts'
import { assertReadable } from '../readable.ts'
import { Visitor } from '../visitor.ts'

const CLIENT = { clientId: 'mintick', clientSecret: 'secret of the client' }
const NUMBERS = Array.from({ length: 20 }, (_, index) => index + 1)
const emailOf = (scope: OperatorScope, number: number) => `${scope}-${number}@test.example`

const PAGES = {
  '/dashboard/accounts': 'Accounts',
  '/dashboard/sources': 'Sources',
  '/dashboard/health': 'Health',
  '/dashboard/traffic': 'Traffic',
  '/dashboard/payments': 'Payment events',
  '/dashboard/signal-quality': 'Signal quality',
  '/dashboard/audit-trail': 'Audit trail',
}

suite('the pages of operators in a browser', () => {
  let browser: Browser | undefined
  let service: TestService
  let provider: Awaited<ReturnType<typeof startOidcProvider>>
  let url: string
  let operators = 0
  before(async () => {
    browser = await openBrowser()
    provider = await startOidcProvider(CLIENT)
    service = await TestService.start('sqlite', {
      SAMPLE_DATA: 'on',
      SOURCES_RUN: 'off',
      PUBLIC_URL: 'http://127.0.0.1',
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: CLIENT.clientId,
      OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      OIDC_OPERATORS: OPERATOR_SCOPES.flatMap((scope) => NUMBERS.map((n) => `${emailOf(scope, n)}=${scope}`)).join(),
    })
    url = new URL(await service.listen()).origin
  })
  after(async () => {
    await browser?.close()
    await service.stop()
    await provider.close()
  })

  /** Opens a page as another operator with a scope, who has no account. Returns undefined without a browser. */
  async function visit(
    context: TestContext,
    path: string,
    scope: OperatorScope = 'owner',
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; name: string } | undefined> {
    if (browser === undefined) {
      context.skip('no Chromium is installed')
      return undefined
    }
    operators += 1
    const name = emailOf(scope, operators)
    const page = await openPage(browser, context, `${url}/health`, options)
    await page.clock.setFixedTime(service.clock.now())
    const cookies = await signIn(name)
    await page.context().addCookies([...cookies].map(([cookie, value]) => ({ name: cookie, value, url })))
    await page.goto(url + path)
    return { page, name }
  }

  /** Signs an operator in at the provider and returns the cookies of the browser. */
  async function signIn(email: string): Promise<ReadonlyMap<string, string>> {
    const visitor = new Visitor(service)
    const { headers } = await visitor.call('/oidc')
    const answer = provider.approve(headers.location ?? '', { sub: email, email, email_verified: true })
    await visitor.call(`/oidc/callback?${answer}`, { headers: { 'sec-fetch-site': 'cross-site' } })
    return visitor.cookies
  }

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
  const confirm = (page: Page, name: string | RegExp) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  const open = async (email: string, name: string) => {
    const reply = await service.admin('/accounts', { method: 'POST', body: { email, name, plan: 'starter' } })
    return { id: reply.body.data.account.id as string, key: reply.body.data.apiKey as string }
  }
  const deedsOf = async (name: string): Promise<string[]> => {
    const { data } = (await service.admin(`/audit-trail?token=${encodeURIComponent(name)}&limit=100`)).body
    return data
      .map(({ route, statusCode }: { route: string; statusCode: number }) => `${route} ${statusCode}`)
      .reverse()
  }

  test('everyone can read every page', async (context) => {
    const { id, key } = await open('axe@test.example', 'Axe')
    for (const path of ['/entries', '/nowhere']) await service.api(path, key)
    await service.mintick.store.sources.add(
      { key: 'https://feeds.example/a.xml', kind: 'feed', options: {} },
      service.clock.now(),
    )
    for (let minute = 0; minute < 3; minute += 1) {
      service.clock.advance(MINUTE)
      service.mintick.traffic.endMinute()
    }
    const visited = await visit(context, '/dashboard/accounts', 'owner', { bypassCSP: true })
    if (visited === undefined) return
    const { page } = visited
    const pages = { ...PAGES, [`/dashboard/accounts/${id}`]: 'Axe' }
    for (const [path, title] of Object.entries(pages)) {
      await page.goto(url + path)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await loaded(page)
      await assertReadable(page, path)
    }
    for (const [path, button] of [
      ['/dashboard/accounts', 'Create an account'],
      [`/dashboard/accounts/${id}`, 'Change'],
      ['/dashboard/sources', 'Add a source'],
    ] as const) {
      await page.goto(url + path)
      await press(page, button)
      await page.getByRole('dialog').getByRole('combobox').first().waitFor()
      await assertReadable(page, `${path}, ${button}`)
    }
  })

  test('each scope sees every page, and may press only its own buttons', async (context) => {
    const { id } = await open('scopes@test.example', 'Scopes')
    const all: [string, string, OperatorScope][] = [
      ['/dashboard/accounts', 'Create an account', 'support'],
      [`/dashboard/accounts/${id}`, 'Suspend', 'support'],
      [`/dashboard/accounts/${id}`, 'Change', 'support'],
      [`/dashboard/accounts/${id}`, 'Grant credits', 'support'],
      [`/dashboard/accounts/${id}`, 'Create a key', 'support'],
      [`/dashboard/accounts/${id}`, 'Revoke First key', 'support'],
      [`/dashboard/accounts/${id}`, 'Export', 'read'],
      [`/dashboard/accounts/${id}`, 'Delete the account', 'owner'],
      ['/dashboard/sources', 'Add a source', 'owner'],
      ['/dashboard/health', 'Check the ledger', 'read'],
      ['/dashboard/health', 'Reindex', 'owner'],
      ['/dashboard/health', 'Clear the sample', 'owner'],
    ]
    for (const scope of OPERATOR_SCOPES) {
      const visited = await visit(context, '/dashboard/accounts', scope)
      if (visited === undefined) return
      const { page } = visited
      for (const path of [...Object.keys(PAGES), `/dashboard/accounts/${id}`]) {
        await page.goto(url + path)
        await loaded(page)
        assert.equal(await page.getByRole('alert').count(), 0, `${scope} ${path}`)
        for (const [, button, needed] of all.filter(([of]) => of === path)) {
          const found = page.getByRole('button', { name: button, exact: true })
          const isAllowed = OPERATOR_SCOPES.indexOf(scope) >= OPERATOR_SCOPES.indexOf(needed)
          assert.equal(await found.isEnabled(), isAllowed, `${scope}: ${button}`)
          if (!isAllowed) assert.equal(await found.getAttribute('title'), `Needs the scope “${needed}”`)
        }
      }
    }
  })

  test('an account from its opening to its deletion, all of it in the audit trail under the name of the operator', async (context) => {
    const visited = await visit(context, '/dashboard/accounts')
    if (visited === undefined) return
    const { page, name } = visited
    const { mintick } = service

    await press(page, 'Create an account')
    await page.getByLabel('Email address', { exact: true }).fill('grace@test.example')
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper')
    await page.getByLabel('Plan').selectOption('starter')
    await confirm(page, 'Create')
    const key = await page.locator('.secret code').innerText()
    assert.equal((await service.api('/account', key)).body.data.email, 'grace@test.example')
    await press(page, 'I have stored it')
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor()
    assert.ok(!(await page.content()).includes(key), 'the key is shown once')
    const { id } = (await service.api('/account', key)).body.data

    // However often the button is pressed, the credits are granted once.
    await press(page, 'Grant credits')
    await page.getByLabel('Credits', { exact: true }).fill('250')
    await page.getByLabel('Reason').fill('Sorry for the outage')
    await confirm(page, 'Continue')
    await page.getByText('becomes 1,350 credits').waitFor()
    await page.getByRole('button', { name: 'Grant 250 credits' }).dblclick()
    await page.getByRole('heading', { name: 'Balance: 1,350 credits' }).waitFor()
    assert.equal(await service.balance(id), 1_350)

    await press(page, 'Change')
    await page.getByLabel('Plan', { exact: true }).selectOption('professional')
    await page.getByLabel('API keys', { exact: true }).fill('42')
    await page.getByLabel('SEC data', { exact: true }).selectOption('no')
    await confirm(page, 'Save')
    await page.getByRole('heading', { name: 'Plan: Professional' }).waitFor()
    assert.deepEqual((await mintick.store.accounts.find(id))?.overrides, { maxApiKeys: 42, secData: false })
    await page.getByText('Values, 2 of them agreed for this account').click()
    await page.getByRole('row', { name: /API keys 42 agreed/ }).waitFor()

    await press(page, 'Create a key')
    await page.getByLabel('Name', { exact: true }).fill('server')
    await confirm(page, 'Create')
    const second = await page.locator('.secret code').innerText()
    await press(page, 'I have stored it')
    assert.equal((await service.api('/account', second)).status, 200)
    await press(page, 'Revoke server')
    await confirm(page, 'Revoke')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await service.api('/account', second)).status, 401)

    await press(page, 'Suspend')
    await page.getByLabel('Reason').fill('unpaid')
    await confirm(page, 'Suspend')
    await page.getByText('suspended', { exact: true }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('unpaid').waitFor()
    assert.equal((await service.api('/account', key)).status, 401)
    await press(page, 'Resume')
    await confirm(page, 'Resume')
    await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor()
    assert.equal((await service.api('/account', key)).status, 200)

    await press(page, 'Refresh')
    await page.getByRole('cell', { name: '/api/v1/account' }).first().waitFor()

    const downloading = page.waitForEvent('download')
    await press(page, 'Export')
    const exported = JSON.parse(readFileSync(await (await downloading).path(), 'utf8'))
    assert.equal(exported.account.email, 'grace@test.example')
    assert.ok(exported.requests.length >= 3)

    await press(page, 'Delete the account')
    const remove = page.getByRole('button', { name: 'Delete for good' })
    await page.getByLabel(/to confirm/).fill('Grace')
    assert.equal(await remove.isEnabled(), false)
    await page.getByLabel(/to confirm/).fill('Grace Hopper')
    await remove.click()
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
    assert.notEqual((await mintick.store.accounts.find(id))?.deletedAt, null)

    assert.deepEqual(await deedsOf(name), [
      'POST /admin/accounts 200',
      'POST /admin/accounts/:id/credits 200',
      'PATCH /admin/accounts/:id 200',
      'POST /admin/accounts/:id/api-keys 200',
      'DELETE /admin/accounts/:id/api-keys/:keyId 200',
      'PATCH /admin/accounts/:id 200',
      'PATCH /admin/accounts/:id 200',
      'GET /admin/accounts/:id/export 200',
      'DELETE /admin/accounts/:id 200',
    ])
    await page.goto(`${url}/dashboard/audit-trail`)
    await page.getByLabel('Who').fill(name)
    await press(page, 'Filter')
    await page.getByText('1 to 9 of 9 records').waitFor()
    await page.getByText('Sorry for the outage').waitFor()
    await page.getByLabel('About').fill('nobody')
    await press(page, 'Filter')
    await page.getByText('Nothing matches.').waitFor()
  })

  test('an operator without an account starts at the accounts, and has no pages of callers', async (context) => {
    const visited = await visit(context, '/dashboard', 'read')
    if (visited === undefined) return
    const { page } = visited
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
    const names = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()
    assert.deepEqual(names, [...Object.values(PAGES), 'Reference'])
  })

  test('accounts are found, and lists are paged through the address', async (context) => {
    for (let count = 0; count < 60; count += 1) await open(`page-${count}@paging.example`, `Reader ${count}`)
    const visited = await visit(context, '/dashboard/accounts')
    if (visited === undefined) return
    const { page } = visited
    await page.getByLabel('Email address or name').fill('PAGING.example')
    await page.keyboard.press('Enter')
    await page.getByText('1 to 50 of 60 accounts').waitFor()
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByText('51 to 60 of 60 accounts').waitFor()
    await page.goBack()
    await page.getByText('1 to 50 of 60 accounts').waitFor()
    await page.getByLabel('Email address or name').fill('no such thing')
    await press(page, 'Find')
    await page.getByText('No account matches.').waitFor()
    await page.getByRole('link', { name: 'Show all accounts' }).click()
    await page.getByText(/^1 to 50 of \d+ accounts$/).waitFor()
  })

  test('an operator whose organisation manages the sign-in has no forms for it', async (context) => {
    const visited = await visit(context, '/dashboard/profile', 'read')
    if (visited === undefined) return
    await visited.page.getByText(`You are signed in as ${visited.name}. Your organisation manages`).waitFor()
    assert.equal(await visited.page.getByRole('textbox').count(), 0)
    await visited.page.getByRole('table').getByText('this one').waitFor()
  })

  test('sources are added by kind and preset, run, paused, resumed and removed', async (context) => {
    const visited = await visit(context, '/dashboard/sources')
    if (visited === undefined) return
    const { page, name } = visited
    await press(page, 'Add a source')
    await page.getByLabel('What to read').selectOption('kraken')
    await page.getByLabel('pairs').fill('BTC/USD, ETH/USD')
    await confirm(page, 'Add')
    await page.getByText('2 sources were added').waitFor()
    await page.getByText('invented data').waitFor()
    await confirm(page, 'Done')
    await page.getByRole('row', { name: /kraken:ETH\/USD/ }).waitFor()

    await press(page, 'Add a source')
    await page.getByLabel('What to read').selectOption('preset:odds')
    await confirm(page, 'Add')
    await page.getByText('3 sources were added').waitFor()
    await page.keyboard.press('Escape')

    await press(page, 'Add a source')
    await page.getByLabel('What to read').selectOption('edgar')
    await page.getByLabel('contact').fill('ada@example.com')
    await page.getByLabel('forms').fill('nonsense')
    await confirm(page, 'Add')
    await page.getByRole('alert').getByText('forms').waitFor()
    await confirm(page, 'Cancel')

    const stateOf = async (key: string) => (await service.mintick.store.sources.find(key))?.isPaused
    await press(page, 'Pause kraken:ETH/USD')
    await page.getByRole('button', { name: 'Resume kraken:ETH/USD' }).waitFor()
    assert.equal(await stateOf('kraken:ETH/USD'), true)
    await press(page, 'Resume kraken:ETH/USD')
    // With several instances, the removal may otherwise overtake the run.
    const ran = page.waitForResponse((response) => response.url().endsWith('/run'))
    await press(page, 'Run now kraken:ETH/USD')
    await ran
    await press(page, 'Remove kraken:ETH/USD')
    await confirm(page, 'Remove')
    await page.getByRole('row', { name: /kraken:ETH\/USD/ }).waitFor({ state: 'detached' })
    assert.equal(await stateOf('kraken:ETH/USD'), undefined)
    assert.deepEqual(await deedsOf(name), [
      'POST /admin/sources 200',
      'POST /admin/sources 200',
      'POST /admin/sources 400',
      'POST /admin/sources/:id/pause 200',
      'POST /admin/sources/:id/resume 200',
      'POST /admin/sources/:id/run 200',
      'DELETE /admin/sources/:id 200',
    ])
  })

  test('an event that waits is processed by hand', async (context) => {
    const { store } = service.mintick
    const subject = { kind: 'checkout', id: 'cs_unknown' } as const
    const event = { id: 'evt_waits', type: 'checkout.session.expired', subject }
    await store.processorEvents.receive(event, service.clock.now())
    await store.processorEvents.putOff('evt_waits', service.clock.now() + MINUTE, 'the processor is on holiday')
    const visited = await visit(context, '/dashboard/payments?state=Waiting')
    if (visited === undefined) return
    const { page, name } = visited
    await page.getByText('the processor is on holiday').waitFor()
    await press(page, 'Process evt_waits now')
    await page.getByText('No event waits.').waitFor()
    await press(page, 'Processed')
    await page.getByRole('row', { name: /evt_waits.*processed/ }).waitFor()
    assert.deepEqual(await deedsOf(name), ['POST /admin/payment-events/:id/retry 200'])
  })

  test('the ledger is checked, entries are reindexed and the sample is cleared', async (context) => {
    const visited = await visit(context, '/dashboard/health')
    if (visited === undefined) return
    const { page, name } = visited
    await page.getByText('ready', { exact: true }).waitFor()
    await press(page, 'Check the ledger')
    await page.getByText(/Everything agrees: \d+ accounts/).waitFor()
    await press(page, 'Reindex')
    await confirm(page, 'Reindex')
    await page.getByText(/of 6,000 entries/).waitFor()
    await press(page, 'Clear the sample')
    await confirm(page, 'Clear')
    await page
      .getByRole('heading', { name: 'Sample data', exact: true })
      .waitFor({ state: 'detached', timeout: 120_000 })
    assert.equal(await service.mintick.store.entries.total(), 0)
    const deeds = await deedsOf(name)
    assert.deepEqual([...new Set(deeds)], ['POST /admin/reindex 200', 'POST /admin/sample/clear 200'])
  })

  test('an error shows its message and the id of the request, and can be tried again', async (context) => {
    const visited = await visit(context, '/dashboard/accounts/00000000-0000-4000-8000-000000000000')
    if (visited === undefined) return
    const { page } = visited
    const alert = page.getByRole('alert').first()
    await alert.getByText('No account has this id').waitFor()
    assert.match(await alert.locator('code').innerText(), /^[0-9a-f-]{36}$/)
    await alert.getByRole('button', { name: 'Try again' }).click()
  })

  test('everyone can read the public status', async (context) => {
    if (browser === undefined) return context.skip('no Chromium is installed')
    const page = await openPage(browser, context, `${url}/status`, { bypassCSP: true })
    await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor()
    await assertReadable(page, '/status')
  })
})

/** Waits until a page has what it loads. */
async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const outline of await page.getByRole('status', { name: 'Loading' }).all())
    await outline.waitFor({ state: 'detached' })
}
