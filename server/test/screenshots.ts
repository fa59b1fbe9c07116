/**
 * `npm run screenshots -- FOLDER [PAGE…]` writes pictures of every page of the dashboard, or of some such as `overview`, in both themes and
 * at two widths, to look at. Those in docs/images, which the README shows, are some of them.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser, PHONE, WIDE } from './browser.ts'
import { TestService } from './harness.ts'
import { Visitor } from './visitor.ts'

const [folder, ...wanted] = process.argv.slice(2)
if (folder === undefined) throw new Error('name the folder for the pictures')
mkdirSync(folder, { recursive: true })
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)

const browser = await openBrowser()
if (browser === undefined) throw new Error('no Chromium is installed')
const service = await TestService.start('sqlite', { SAMPLE_DATA: 'on' })
const url = new URL(await service.listen()).origin
for (const path of ['/entries', '/entries?search=rates', '/assets', '/signals', '/entries/none']) {
  await service.api(path, service.mintick.ownerKey)
}

const owner = new Visitor(service)
await owner.signInAsOwner()
await owner.ask('/user', { email: 'owner@test.example' }, 'PATCH')
await owner.ask('/password', { password: 'correct horse battery' })

for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ viewport: WIDE, colorScheme })
  await page.clock.setFixedTime(service.clock.now())
  const shoot = async (name: string) => {
    if (!isWanted(name)) return
    for (const [width, viewport] of Object.entries({ wide: WIDE, phone: PHONE })) {
      await page.setViewportSize(viewport)
      await settled(page)
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) })
    }
    await page.setViewportSize(WIDE)
  }
  for (const name of ['sign-in', 'sign-up', 'reset']) {
    await page.goto(`${url}/dashboard/${name}`)
    await shoot(name)
  }
  const link = await service.mintick.signIn.createLink()
  await page.goto(`${url}/dashboard/link#${link?.url.split('#')[1]}`)
  await shoot('link')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const links = page.getByRole('navigation', { name: 'Pages', exact: true }).locator('a[href^="/dashboard"]')
  await links.first().waitFor()
  const paths: string[] = await links.evaluateAll((found) => found.map((a) => a.getAttribute('href') ?? ''))
  for (const path of [...paths, '/dashboard/assets/AAPL', '/dashboard/profile']) {
    const name = path.replace(/^\/dashboard\/?/, '').replaceAll('/', '-') || 'overview'
    if (!isWanted(name)) continue
    await page.goto(url + path)
    await settled(page)
    await run(page)
    await shoot(name)
  }
  await page.goto(`${url}/status`)
  await shoot('status')
  await page.close()
}
await browser.close()
await service.stop()

/** Makes the calls that a view waits for. */
async function run(page: Page): Promise<void> {
  for (const name of [/^Run ·/, /^Load the asset ·/]) {
    const button = page.getByRole('button', { name })
    if ((await button.count()) > 0) await button.first().click()
    await settled(page)
  }
}

async function settled(page: Page): Promise<void> {
  await page.waitForTimeout(300)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(700)
}
