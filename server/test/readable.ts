import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { PHONE, WIDE } from './browser.ts'
import { runs } from './depth.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Axe takes a second for each hundred rows, and the rows of a list are alike: the first ten stand for all. */
const REPEATED = ['tr', 'li', 'article'].map((row) => [`${row}:nth-child(n + 11)`])

/** The rules of axe whose findings depend on the theme. */
const ABOUT_COLOURS: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** Returns what axe finds serious or critical. The page must be opened with `bypassCSP`: its policy forbids foreign scripts. */
export async function seriousFindings(page: Page, options: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.addScriptTag({ path: AXE })
  const { violations } = (await page.evaluate(
    `axe.run({ exclude: ${JSON.stringify(REPEATED)} }, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`,
  )) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

/** Returns by how many pixels the page is wider than the screen. */
export async function overflowOf(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
}

const LOOKS = [
  { viewport: WIDE, colorScheme: 'light', options: {} },
  { viewport: WIDE, colorScheme: 'dark', options: ABOUT_COLOURS },
  { viewport: PHONE, colorScheme: 'light', options: {} },
  { viewport: PHONE, colorScheme: 'dark', options: ABOUT_COLOURS },
] as const

/**
 * Asserts that axe finds nothing serious in both themes, on a wide screen and on a phone, and that the page fits them.
 * Leaves the page wide and light. A quick run leaves out the dark phone.
 */
export async function assertReadable(page: Page, state: string): Promise<void> {
  for (const { viewport, colorScheme, options } of LOOKS.slice(0, runs(3, 4))) {
    const look = `${state}, ${colorScheme}, ${viewport.width} pixels wide`
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await seriousFindings(page, options), [], look)
    assert.ok((await overflowOf(page)) <= 0, `${look}: the page is wider than the screen`)
  }
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light' })
}
