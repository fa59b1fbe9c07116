import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Opens the Chromium installed on the system. Returns undefined if there is none; nothing is downloaded. */
export async function openBrowser(): Promise<Browser | undefined> {
  const executablePath = PLACES.find(existsSync)
  // Chromium's sandbox is unavailable to root. The tests only open their own pages.
  return executablePath === undefined ? undefined : chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
