/** The pages of a caller in a browser: from the first start to keys, logs, payments and the second factor. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, suite, type TestContext, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser, openPage, PHONE } from '../browser.ts'
import { assertBalanced, Buyer } from '../buyer.ts'
import { assertOk } from '../envelope.ts'
import { TestService } from '../harness.ts'
import { assertReadable, overflowOf } from '../readable.ts'
import { startSmtpServer } from '../smtp-server.ts'
import { waitUntil } from '../streams.ts'
import { Visitor } from '../visitor.ts'

const PATHS = ['/dashboard', '/dashboard/keys', '/dashboard/logs', '/dashboard/billing', '/dashboard/profile']
const PASSWORD = 'correct horse battery'

suite('the dashboard of a caller', () => {
  let browser: Browser | undefined
  let service: TestService
  let url: string
  let customers = 0
  before(async () => {
    browser = await openBrowser()
    service = await TestService.start('sqlite', { SAMPLE_DATA: 'on' })
    url = new URL(await service.listen()).origin
  })
  after(async () => {
    await browser?.close()
    await assertBalanced(service)
    await service.stop()
  })

  /** Opens the dashboard by a link that signs in. Returns undefined if there is no browser. */
  async function open(context: TestContext, email: string | undefined, options: BrowserContextOptions) {
    if (browser === undefined) {
      context.skip('no Chromium is installed')
      return undefined
    }
    const page = await openPage(browser, context, `${url}/health`, options)
    await page.clock.setFixedTime(service.clock.now())
    const link = await service.mintick.signIn.createLink(email)
    await page.goto(`${url}/dashboard/link#${link?.url.split('#')[1]}`)
    await press(page, 'Sign in')
    await titled(page, 'Overview')
    return page
  }

  /** Opens the dashboard as a new customer with an API key. */
  async function openAsCustomer(context: TestContext, plan = 'free', options: BrowserContextOptions = {}) {
    customers += 1
    const email = `customer${customers}@test.example`
    await new Visitor(service, `198.51.100.${customers}`).ask('/sign-up', { email, password: PASSWORD })
    const [account] = (await service.admin(`/accounts?email=${email}`)).body.data
    if (plan !== 'free') {
      assertOk(await service.admin(`/accounts/${account.id}`, { method: 'PATCH', body: { plan } }))
    }
    const page = await open(context, email, options)
    return page && { page, email, accountId: account.id as string }
  }

  /** Creates an API key for an account. */
  async function keyOf(accountId: string): Promise<string> {
    const body = { name: 'program' }
    return (await service.admin(`/accounts/${accountId}/api-keys`, { method: 'POST', body })).body.data.apiKey
  }

  test('everyone can read every page', async (context) => {
    const opened = await openAsCustomer(context, 'professional', { bypassCSP: true })
    if (opened === undefined) return
    const { page, accountId } = opened
    const key = await keyOf(accountId)
    for (const path of ['/entries', '/entries/nope', '/stats']) await service.api(path, key)
    for (const path of PATHS) {
      await page.goto(url + path)
      await page.waitForLoadState('networkidle')
      await assertReadable(page, path)
    }
    await page.goto(`${url}/dashboard/keys`)
    await press(page, 'Create a key')
    await page.getByText('Restrict').click()
    await assertReadable(page, 'with a dialog')
  })

  test('from the first start to the first call', async (context) => {
    const page = await open(context, undefined, {})
    if (page === undefined) return
    await page.getByRole('heading', { name: 'Make your first call' }).waitFor()
    assert.match(await page.getByRole('tabpanel').innerText(), /curl .*\/api\/v1\/entries\?limit=1/s)
    await page.getByRole('tab', { name: 'Python' }).click()
    assert.match(await page.getByRole('tabpanel').innerText(), /client\.entries\.list\(limit=1\)/)
    await press(page, /^Run it · 1 credit/)
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.waitFor()
    const text = await answer.innerText()
    assert.match(text, /^200\s+1 credit\b/)
    assert.match(text, /"success": true/)
    const [, requestId = ''] = /Request\s+(\S+)/.exec(text) ?? []
    await service.mintick.admission.requestWriter.drain()
    const { data } = await service.get('/account/logs?route=GET%20/entries', service.mintick.ownerKey ?? '')
    assert.deepEqual(
      data.map(({ requestId, creditsCharged, keyPrefix }: Record<string, unknown>) => [
        requestId,
        creditsCharged,
        keyPrefix,
      ]),
      [[requestId, 1, 'dashboard']],
    )

    await page.reload()
    const spent = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Where the credits go' }) })
    await spent.getByText('1 credit in 1 call').waitFor()
    await page.goto(`${url}/dashboard/logs?path=/entries`)
    await page.getByText('No request of your keys matches.').waitFor()
    await page.getByRole('link', { name: 'Show the calls of this dashboard' }).click()
    await page.getByText('GET /entries?limit=1').waitFor()
  })

  test('an owner who came by a link is reminded to set an address and a password', async (context) => {
    const page = await open(context, undefined, {})
    if (page === undefined) return
    await page.getByRole('link', { name: 'Set an address and a password' }).click()
    await titled(page, 'Profile and security')
    const opened = await openAsCustomer(context)
    await opened?.page.getByRole('heading', { name: 'Balance' }).waitFor()
    assert.equal(await opened?.page.getByText('You signed in with a one-time link').count(), 0)
  })

  test('people who cannot sign in learn what to do', async (context) => {
    if (browser === undefined) return context.skip('no Chromium is installed')
    const page = await openPage(browser, context, `${url}/dashboard/link#used`)
    await press(page, 'Sign in')
    await page.getByText('This link has expired or was used before').waitFor()
    await page.getByText('npx mintick sign-in-link').waitFor()
    await page.getByRole('link', { name: 'Sign in with a password' }).click()
    await page.getByRole('link', { name: 'I forgot my password' }).click()
    await page.getByLabel('Email address').fill('nobody@test.example')
    await press(page, 'Send me a link')
    await titled(page, 'Ask the operator')
  })

  test('a large balance fits on a phone', async (context) => {
    const opened = await openAsCustomer(context, 'free', { viewport: PHONE })
    if (opened === undefined) return
    const { page, accountId } = opened
    const body = { credits: 100_000_000, reason: 'Trial' }
    assertOk(await service.admin(`/accounts/${accountId}/credits`, { method: 'POST', body }))
    await page.reload()
    await page.getByText(/^100,000,\d+ credits$/).waitFor()
    assert.ok((await overflowOf(page)) <= 0)
  })

  test('a key is created, used, rotated and revoked', async (context) => {
    const opened = await openAsCustomer(context, 'professional')
    if (opened === undefined) return
    const { page } = opened
    await page.goto(`${url}/dashboard/keys`)
    await press(page, 'Create a key')
    await page.getByLabel('Name').fill('laptop')
    await page.getByText('Restrict').click()
    await page.getByLabel('buy packs and change the plan').uncheck()
    await page.getByLabel('Addresses').fill('nowhere')
    await press(page, 'Create', true)
    await page.getByText(/must be an address or a network/).waitFor()
    await page.getByLabel('Addresses').fill('127.0.0.0/8\n192.0.2.7')
    await press(page, 'Create', true)
    const secret = await shownSecret(page, 'Your new key')
    const row = page.getByRole('row').filter({ hasText: 'laptop' })
    assert.match(await row.innerText(), /data, account only.*from 2 networks.*never/s)
    assert.equal((await service.api('/entries', secret)).status, 200)
    assert.equal((await service.api('/billing/plans', secret)).status, 403)

    await press(page, 'Rotate laptop')
    await page.getByLabel('How long the old secret still works').selectOption('For a week')
    await press(page, 'Rotate', true)
    const next = await shownSecret(page, 'The new secret of laptop')
    await row.getByText(/old secret works until/).waitFor()
    assert.deepEqual(
      [(await service.api('/stats', secret)).status, (await service.api('/stats', next)).status],
      [200, 200],
    )

    await press(page, 'Edit laptop')
    await page.getByLabel('Name').fill('<b>desk</b>')
    await press(page, 'Save')
    await page.getByText('<b>desk</b>', { exact: true }).waitFor()

    await press(page, 'Revoke <b>desk</b>')
    await press(page, 'Cancel')
    await press(page, 'Revoke <b>desk</b>')
    await press(page, 'Revoke the key')
    await page.getByText('Revoked and expired keys (1)').waitFor()
    assert.deepEqual(
      [(await service.api('/stats', secret)).status, (await service.api('/stats', next)).status],
      [401, 401],
    )
  })

  test('a key is created and revoked by keyboard alone', async (context) => {
    const opened = await openAsCustomer(context)
    if (opened === undefined) return
    const { page } = opened
    await page.keyboard.press('Control+k')
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.type('API keys')
    await page.getByRole('option', { name: 'API keys', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await titled(page, 'API keys')
    await tabTo(page, 'Create a key')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').waitFor()
    await tabTo(page, 'Name')
    await page.keyboard.type('by hand')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Your new key' })
    await dialog.waitFor()
    const secret = await dialog.locator('code').innerText()
    await tabTo(page, 'I have stored it')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await service.api('/stats', secret)).status, 200)
    await tabTo(page, 'Revoke by hand')
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Revoke by hand?' })
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    assert.equal(await focused(page), 'Revoke by hand', 'focus returns to the button')
    await page.keyboard.press('Enter')
    await question.waitFor()
    await tabTo(page, 'Revoke the key')
    await page.keyboard.press('Enter')
    await page.getByText('Revoked and expired keys (1)').waitFor()
    assert.equal((await service.api('/stats', secret)).status, 401)
  })

  test('a Free plan explains what it does not allow', async (context) => {
    const opened = await openAsCustomer(context)
    if (opened === undefined) return
    const { page } = opened
    await page.goto(`${url}/dashboard/keys`)
    await page.getByText('0 of 2 keys of the Free plan are active.').waitFor()
    await page.getByText('You have no active key.').waitFor()
    for (const name of ['one', 'two']) {
      await press(page, 'Create a key')
      assert.equal(await page.getByLabel('Expires').isDisabled(), true)
      await page.getByText('Keys with an expiry need the Professional plan.').waitFor()
      await page.getByLabel('Name').fill(name)
      await press(page, 'Create', true)
      await press(page, 'I have stored it')
    }
    await page.getByText('Your plan allows no more keys.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Create a key' }).isDisabled(), true)
  })

  test('logs are filtered, grouped and opened, also from the chart', async (context) => {
    const opened = await openAsCustomer(context)
    if (opened === undefined) return
    const { page, accountId } = opened
    const key = await keyOf(accountId)
    for (const path of ['/entries?limit=2', '/entries/nope', '/entries/none', '/nowhere', '/stats'])
      await service.api(path, key)
    await service.mintick.admission.requestWriter.drain()
    await page.goto(`${url}/dashboard`)
    const chart = page.getByRole('img', { name: 'Requests and errors per day' })
    await chart.locator('canvas').waitFor()
    const { width = 0, height = 0 } = (await chart.locator('.u-over').boundingBox()) ?? {}
    await chart.locator('.u-over').click({ position: { x: width - width / 60, y: height - 5 } })
    await titled(page, 'Logs')
    const { searchParams } = new URL(page.url())
    const today = new Date(service.clock.now()).toISOString().slice(0, 10)
    assert.deepEqual(
      [...searchParams],
      [
        ['from', `${today}T00:00:00.000Z`],
        ['to', `${today}T23:59:59.999Z`],
      ],
    )
    const paths = async () => {
      await page.waitForLoadState('networkidle')
      return (await page.locator('.asked').allInnerTexts()).map((text) => text.trim())
    }
    const all = ['GET /stats', 'GET /nowhere', 'GET /entries/none', 'GET /entries/nope', 'GET /entries?limit=2']
    await page.getByText('5 requests', { exact: true }).waitFor()
    assert.deepEqual(await paths(), all)

    await page.getByLabel('Status').selectOption('errors')
    await page.getByText('3 requests', { exact: true }).waitFor()
    assert.deepEqual(await paths(), all.slice(1, 4))
    await page.getByLabel('Path or endpoint').fill('GET /entries/:id')
    await page.getByLabel('Path or endpoint').press('Enter')
    await page.getByText('2 requests', { exact: true }).waitFor()
    assert.deepEqual(await paths(), all.slice(2, 4))
    await page.goBack()
    await page.getByText('3 requests', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Path or endpoint').inputValue(), '')
    await page.reload()
    await page.getByText('3 requests', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Clear the filters' }).click()
    await page.getByText('5 requests', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Errors by kind' }).click()
    const groups = page.getByRole('table', { name: 'Errors by kind and endpoint' })
    await groups.waitFor()
    assert.match(await groups.getByRole('row').nth(1).innerText(), /404 NOT_FOUND.*GET \/entries\/:id.*2/s)
    await groups.getByRole('link', { name: '2' }).click()
    await page.getByText('2 requests', { exact: true }).waitFor()

    await page.getByRole('row').nth(1).getByRole('link').click()
    const panel = page.getByRole('complementary', { name: 'Request' })
    const { data } = (await service.api('/account/logs?path=/api/v1/entries/none', key)).body
    assert.match(await panel.innerText(), new RegExp(`404 NOT_FOUND.*0 credits.*${data[0].requestId}`, 's'))
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Clear the filters' }).click()
    await page.getByLabel('Show the calls of this dashboard').check()
    await page
      .getByText(/GET \/account\/usage/)
      .first()
      .waitFor()
  })

  test('new requests appear at the top until the log is paused', async (context) => {
    const opened = await openAsCustomer(context)
    if (opened === undefined) return
    const { page, accountId } = opened
    const key = await keyOf(accountId)
    await page.goto(`${url}/dashboard/logs`)
    await page.getByText('New requests appear here as they are made.').waitFor()
    await service.api('/entries', key)
    await page.getByText('GET /entries', { exact: true }).waitFor()
    await press(page, 'Pause')
    await page.getByRole('button', { name: 'Follow new requests' }).waitFor()
    await page.waitForLoadState('networkidle')
    let isAsked = false
    page.on('request', () => {
      isAsked = true
    })
    await service.api('/topics', key)
    await page.waitForTimeout(4_000)
    assert.equal(isAsked, false)
    await press(page, 'Follow new requests')
    await page.getByText('GET /topics', { exact: true }).waitFor()
  })

  test('a pack is bought, and the way leads back', async (context) => {
    const opened = await openAsCustomer(context)
    if (opened === undefined) return
    const { page, accountId } = opened
    const adjustment = { credits: -1, reason: '=1+1 "x", y' }
    await service.admin(`/accounts/${accountId}/credits`, { method: 'POST', body: adjustment })
    await page.goto(`${url}/dashboard/billing`)
    await press(page, 'Buy 5,000 credits')
    await press(page, 'Pay $45.00')
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Thank you')
    await page.getByRole('link', { name: 'Go to your dashboard' }).click()
    await page.getByText('The payment is confirmed, and the credits are in your balance.').waitFor()
    await page.getByText('5,099 credits').waitFor()
    const history = page.getByRole('table', { name: 'Changes of the balance, newest first' })
    assert.match(await history.getByRole('row').nth(1).innerText(), /purchase.*\$45.*\+5,000.*5,099/s)
    const downloading = page.waitForEvent('download')
    await press(page, 'Download as CSV')
    const stream = await (await downloading).createReadStream()
    const lines = (await stream.toArray()).join('').trim().split('\r\n')
    assert.equal(lines[0], 'createdAt,type,description,credits,balanceAfter,amountUsd,packageId,planSlug,sessionId,id')
    const [purchase = '', adjusted = '', grant = ''] = lines.slice(1)
    assert.match(purchase, /^[\d-]+T[^,]+,purchase,.*,5000,5099,45,credits_5000,,\w+,[\w-]+$/)
    // Spreadsheets must not take a text for a formula.
    assert.match(adjusted, /,adjustment,"'=1\+1 ""x"", y",-1,99,,,,,[\w-]+$/)
    assert.match(grant, /,grant,[^,]+,100,100,,,,,[\w-]+$/)
    await page.getByRole('link', { name: 'Close' }).click()
    assert.equal(new URL(page.url()).search, '')
  })

  test('a plan is bought, raised, lowered, kept and cancelled', async (context) => {
    const opened = await openAsCustomer(context)
    if (opened === undefined) return
    const { page } = opened
    await page.goto(`${url}/dashboard/billing`)
    await press(page, 'Choose Starter')
    const changes = page.getByRole('table', { name: 'What changes with the plan' })
    assert.match(await changes.innerText(), /Credits a month\s+0\s+1,000/)
    await press(page, 'Go to the payment')
    await press(page, /^Pay \$29/)
    await page.getByRole('link', { name: 'Go to your dashboard' }).click()
    await page.getByText('your new plan is in effect').waitFor()
    await page.getByText('1,100 credits').waitFor()

    await press(page, 'Choose Professional')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/The change takes effect at once\. Due now: \$70/).waitFor()
    await press(page, /^Pay \$70 and change/)
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('5,100 credits').waitFor()

    await press(page, 'Choose Starter')
    await dialog.getByText('Until then nothing changes and nothing is due.').waitFor()
    await press(page, 'Change the plan')
    await page.getByText(/you have the Starter plan/).waitFor()
    await press(page, 'Stay on Professional')
    await page.getByText(/you have the Starter plan/).waitFor({ state: 'detached' })

    await press(page, 'Cancel the subscription')
    await press(page, 'Cancel it')
    await page.getByText(/Your subscription ends on/).waitFor()
    await press(page, 'Keep the subscription')
    await page.getByText(/renews on/).waitFor()
    await service.mintick.sandbox?.run()
  })

  test('an alert about a low balance is set, with its secret, and turned off', async (context) => {
    const opened = await openAsCustomer(context)
    if (opened === undefined) return
    const { page, accountId } = opened
    const key = await keyOf(accountId)
    const alert = async () => {
      const { lowBalance, webhookUrl } = (await service.get('/account/alerts', key)).data
      return [lowBalance, webhookUrl]
    }
    await page.goto(`${url}/dashboard/billing`)
    await page.getByLabel('Tell me below').fill('50')
    await page.getByLabel('Webhook').fill('http://127.0.0.1/')
    await press(page, 'Save the alert')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Webhook').fill('https://hooks.example/mintick')
    await press(page, 'Save the alert')
    await page.getByText('On, below 50 credits').waitFor()
    await page.getByText('The secret that signs the requests to your webhook.').waitFor()
    assert.deepEqual(await alert(), [50, 'https://hooks.example/mintick'])
    await page.getByLabel('Tell me below').fill('')
    await press(page, 'Save the alert')
    await page.getByText('On, below 50 credits').waitFor({ state: 'detached' })
    assert.deepEqual(await alert(), [null, 'https://hooks.example/mintick'])
  })

  test('the second factor is turned on, asked for, and turned off', async (context) => {
    const opened = await openAsCustomer(context)
    if (opened === undefined) return
    const { page, email } = opened
    const nextCode = (secret: string) => {
      service.clock.advance(30_000)
      return totp(secret, service.clock.now())
    }
    await page.goto(`${url}/dashboard/profile`)
    await press(page, 'Set it up')
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
    await press(page, 'Continue')
    await page.getByRole('img', { name: 'Code to scan with your authenticator app' }).waitFor()
    const secret = await page.locator('.secret code').innerText()
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await press(page, 'Turn it on')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(nextCode(secret))
    await press(page, 'Turn it on')
    const region = page.getByRole('region', { name: 'Recovery codes' })
    await region.waitFor()
    const codes = await region.getByRole('listitem').allInnerTexts()
    assert.ok(codes.length >= 8)
    await press(page, 'I have stored them')

    const signIn = async (code: string) => {
      await page.getByRole('button', { name: 'Your account' }).click()
      await press(page, 'Sign out', true)
      await titled(page, 'Sign in')
      await page.goto(`${url}/dashboard/profile`)
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password').fill(PASSWORD)
      await press(page, 'Sign in')
      await page.getByLabel('Code').fill(code)
      await press(page, 'Continue')
      await titled(page, 'Profile and security')
    }
    await signIn(nextCode(secret))
    await signIn(codes[0] ?? '')
    await press(page, 'Turn it off')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByLabel('Code').fill(nextCode(secret))
    await dialog.getByRole('button', { name: 'Turn it off' }).click()
    await page.getByRole('button', { name: 'Set it up' }).waitFor()
  })

  test('the password changes, and other browsers are signed out', async (context) => {
    const opened = await openAsCustomer(context)
    if (opened === undefined || browser === undefined) return
    const { page, email } = opened
    const other = await openPage(browser, context, `${url}/dashboard/sign-in`)
    await other.clock.setFixedTime(service.clock.now())
    await other.getByLabel('Email address').fill(email)
    await other.getByLabel('Password').fill(PASSWORD)
    await press(other, 'Sign in')
    await titled(other, 'Overview')

    await page.goto(`${url}/dashboard/profile`)
    const sessions = page.getByRole('table', { name: 'Sessions' })
    await sessions.waitFor()
    assert.equal(await sessions.getByRole('row').count(), 4, 'with the header and the sign-up')
    await press(page, 'Sign out everywhere else')
    await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'detached' })
    await other.goto(`${url}/dashboard/keys`)
    await titled(other, 'Sign in')

    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill('another long one')
    await press(page, 'Change the password')
    await page.getByText('The password is saved.').waitFor()
    await other.getByLabel('Email address').fill(email)
    await other.getByLabel('Password').fill('another long one')
    await press(other, 'Sign in')
    await titled(other, 'API keys')
  })

  test('a failed payment is told, with the way to the card and back', async (context) => {
    const opened = await openAsCustomer(context)
    if (opened === undefined) return
    const { accountId, email } = opened
    const buyer = new Buyer(service, { id: accountId, key: await keyOf(accountId) })
    await buyer.subscribe('starter', 'fail')
    await buyer.passPeriod()
    const page = await open(context, email, {})
    if (page === undefined) return
    await page.goto(`${url}/dashboard/billing`)
    await page.getByRole('alert').filter({ hasText: 'The last payment failed.' }).waitFor()
    await press(page, 'Check your card')
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('link', { name: 'Go to your dashboard' }).click()
    await titled(page, 'Billing')
  })
})

test('a forgotten password is reset by a mailed link, also while another person is signed in', async (context) => {
  const browser = await openBrowser()
  if (browser === undefined) return context.skip('no Chromium is installed')
  const smtp = await startSmtpServer()
  const service = await TestService.start('sqlite', { SMTP_URL: smtp.url, SMTP_FROM: 'mintick@test.example' })
  context.after(async () => {
    await browser.close()
    await service.stop()
    await smtp.close()
  })
  const url = new URL(await service.listen()).origin
  const page = await openPage(browser, context, `${url}/dashboard/sign-up`)
  await page.clock.setFixedTime(service.clock.now())
  /** Returns the address in the newest mail to a person. */
  const mailedLink = async (to: string) => {
    const find = () => {
      const { message = '' } = smtp.mails.findLast((mail) => mail.to.includes(to)) ?? {}
      return /\/dashboard\/(?:link|reset)#[\w-]+/.exec(message.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))?.[0]
    }
    await waitUntil(
      () => find() !== undefined,
      () => JSON.stringify(smtp.mails),
    )
    return `${url}${find()}`
  }
  const email = 'ada@test.example'
  await page.getByLabel('Email address').fill(email)
  await press(page, 'Create the account')
  await titled(page, 'Check your mail')
  await page.goto(await mailedLink(email))
  await press(page, 'Sign in')
  await page.getByText(`with the address ${email}`).waitFor()
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'Create the account')
  await titled(page, 'Overview')

  const other = await openPage(browser, context, `${url}/dashboard/sign-in`)
  await other.clock.setFixedTime(service.clock.now())
  await other.getByRole('link', { name: 'I forgot my password' }).click()
  await other.getByLabel('Email address').fill(email)
  smtp.mails.length = 0
  await press(other, 'Send me a link')
  await titled(other, 'Check your mail')
  // The link is opened in the browser that is still signed in.
  await page.goto(await mailedLink(email))
  await page.getByLabel('Password').fill('a new long password')
  await press(page, 'Save the password')
  await titled(page, 'Sign in')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill('a new long password')
  await press(page, 'Sign in')
  await titled(page, 'Overview')
})

const press = (page: Page, name: string | RegExp, exact = false) => page.getByRole('button', { name, exact }).click()
const titled = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Returns the secret that a dialog shows, and closes it. */
async function shownSecret(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title })
  const secret = await dialog.locator('.secret code').innerText()
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await dialog.waitFor({ state: 'detached' })
  return secret
}

/** Returns the name of the focused element. */
async function focused(page: Page): Promise<string> {
  return String(
    await page.evaluate(`(() => {
      const element = document.activeElement
      return element?.ariaLabel ?? element?.labels?.[0]?.innerText ?? element?.innerText ?? ''
    })()`),
  )
}

/** Presses Tab until the element with this name has focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused(page)).trim() === name) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not reach ${name}`)
}

/** Returns the code of an authenticator app (RFC 6238). */
function totp(secret: string, now: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)))
  const hash = createHmac('sha1', key).update(step).digest()
  const offset = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
