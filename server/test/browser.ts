import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export const WIDE = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/** Opens the Chromium installed on the system. Returns undefined if there is none; nothing is downloaded. */
export async function openBrowser(): Promise<Browser | undefined> {
  const executablePath = PLACES.find(existsSync)
  // Chromium's sandbox is unavailable to root. The tests only open their own pages.
  return executablePath === undefined ? undefined : chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

/**
 * Opens a page in a browser without a past. The test fails if the browser complains, for example about the policy of the
 * page, or if the page asks another host for anything.
 */
export async function openPage(
  browser: Browser,
  context: TestContext,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await browser.newPage({ viewport: WIDE, ...options })
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // Chromium reports every answer of 400 and more.
    if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text())
  })
  const { host } = new URL(url)
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (asked.protocol.startsWith('http') && asked.host !== host) complaints.push(`a request to ${asked.host}`)
  })
  context.after(async () => {
    await page.close()
    assert.deepEqual(complaints, [])
  })
  await page.goto(url)
  return page
}
