import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Chromium as the system has it, or undefined: none is downloaded. */
export async function openBrowser(): Promise<Browser | undefined> {
  const executablePath = PLACES.find(existsSync)
  // The sandbox cannot be had where tests run as root; they open nothing but pages of their own.
  return executablePath === undefined ? undefined : chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
