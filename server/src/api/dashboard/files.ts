import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HtmlDocument } from '../../http/html-page.ts'
import { lazily } from '../../lazily.ts'

const DIST = join(import.meta.dirname, '../../../../dashboard/dist')

/** Pages load only files of the service, and call only the service. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }

interface DashboardFiles {
  index: HtmlDocument
  named: ReadonlyMap<string, HtmlDocument>
}

/** Returns the files of the dashboard, which are read at the first call; undefined if it is not built. */
export const dashboardFiles = lazily(async (): Promise<DashboardFiles | undefined> => {
  const names = await readdir(join(DIST, 'files')).catch(() => undefined)
  if (names === undefined) return undefined
  const named = await Promise.all(names.map(async (name) => [name, await fileOf(name)] as const))
  return {
    index: {
      type: 'text/html; charset=utf-8',
      text: await readFile(join(DIST, 'index.html'), 'utf8'),
      headers: { 'content-security-policy': POLICY, 'cache-control': 'no-cache' },
    },
    named: new Map(named),
  }
})

/** A file is named after its contents, so that browsers may keep it. */
async function fileOf(name: string): Promise<HtmlDocument> {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return {
    type: `${type}; charset=utf-8`,
    text: await readFile(join(DIST, 'files', name), 'utf8'),
    headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  }
}
