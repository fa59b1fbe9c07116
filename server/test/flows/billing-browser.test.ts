/** Buying and cancelling in a browser. */
import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../browser.ts'
import { assertBalanced, Buyer } from '../buyer.ts'
import { assertOk } from '../envelope.ts'
import { TestService } from '../harness.ts'

let browser: Browser | undefined
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** Starts a service and opens a page for a buyer without credits. Returns undefined if there is no browser. */
async function visitShop(context: TestContext): Promise<{ buyer: Buyer; page: Page } | undefined> {
  if (browser === undefined) {
    context.skip('no Chromium is installed')
    return undefined
  }
  const service = await TestService.start('sqlite')
  await service.listen()
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('requestfailed', (request) => complaints.push(`${request.method()} ${request.url()}`))
  context.after(async () => {
    await page.close()
    await assertBalanced(service)
    await service.stop()
    assert.deepEqual(complaints, [])
  })
  return { buyer: await Buyer.open(service, 'free', 0), page }
}

const headingOf = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

test('a pack is paid with one click, and the balance has risen on the page and in the API', async (context) => {
  const shop = await visitShop(context)
  if (shop === undefined) return
  const { buyer, page } = shop
  const { checkoutUrl } = await buyer.order('credits_5000')
  await page.goto(checkoutUrl)
  assert.match(await page.innerText('body'), /simulation.*5,000 credits.*\$45\.00/s)
  await press(page, 'Pay $45.00')
  assert.equal(await headingOf(page), 'Thank you')
  assert.match(await page.innerText('main'), /5,000 credits were added.*5,000 credits/s)
  assert.equal((await buyer.get('/account')).balance, 5_000)
  await page.reload()
  await page.goBack()
  assert.match(await page.innerText('body'), /is complete|paid/)
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  assert.equal(await headingOf(page), 'Thank you')
  assert.equal((await buyer.get('/account')).balance, 5_000)
})

test('a declined card is told of, and then paying works', async (context) => {
  const shop = await visitShop(context)
  if (shop === undefined) return
  const { buyer, page } = shop
  const { checkoutUrl } = await buyer.order('credits_1000')
  await page.goto(checkoutUrl)
  await press(page, /^Decline/)
  assert.match(await page.getByRole('alert').innerText(), /declined/)
  assert.equal((await buyer.get('/account')).balance, 0)
  await press(page, /^Pay \$/)
  assert.equal(await headingOf(page), 'Thank you')
  assert.equal((await buyer.get('/account')).balance, 1_000)
})

test('whoever cancels comes back, and nothing was bought', async (context) => {
  const shop = await visitShop(context)
  if (shop === undefined) return
  const { buyer, page } = shop
  const { checkoutUrl } = await buyer.order('credits_1000')
  await page.goto(checkoutUrl)
  await press(page, /^Cancel/)
  assert.equal(await headingOf(page), 'Nothing was bought')
  assert.equal((await buyer.get('/account')).balance, 0)
})

test('a plan is bought, cancelled and kept', async (context) => {
  const shop = await visitShop(context)
  if (shop === undefined) return
  const { buyer, page } = shop
  const { checkoutUrl } = await buyer.begin('starter')
  await page.goto(checkoutUrl)
  assert.match(await page.innerText('body'), /\$29\.00\s+per month/)
  await press(page, /^Pay \$29/)
  assert.match(await page.innerText('main'), /The Starter plan is paid/)
  assert.equal((await buyer.get('/account')).plan.slug, 'starter')

  const portal = await buyer.post('/billing/portal')
  assertOk(portal)
  await page.goto(portal.body.data.portalUrl)
  assert.match(await page.innerText('main'), /Starter.*Renews on/s)
  const isEnding = async () => {
    await buyer.service.mintick.sandbox?.run()
    return (await buyer.subscription()).cancelAtPeriodEnd
  }
  await press(page, /^Cancel/)
  await page.getByText(/Ends on/).waitFor()
  assert.equal(await isEnding(), true)
  await press(page, /^Keep/)
  await page.getByText(/Renews on/).waitFor()
  assert.equal(await isEnding(), false)
  await page.getByRole('link', { name: 'Back' }).click()
  assert.equal(await headingOf(page), 'All set')
})
