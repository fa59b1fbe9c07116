import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HtmlDocument } from '../../http/html-page.ts'
import { type Html, html } from '../../model/html.ts'
import { atUrl } from '../code-samples.ts'
import { markdownPages } from '../markdown-pages.ts'
import type { JsonSchema, OpenApi } from '../openapi.ts'
import { groupPath, layout, type Page } from './layout.ts'
import { llmsText } from './llms.ts'
import { inline, markdownToHtml } from './markdown-html.ts'
import { operationSection } from './operation-section.ts'
import { type Group, groupsOf } from './operations.ts'
import { overview } from './overview.ts'

const ROOT = join(import.meta.dirname, '../../../..')

/** Pages load only files of the service, and call only the service. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Further generated pages in Markdown that are part of the site, besides the guides, by path. */
const REFERENCE_PAGES: Record<string, string> = {
  '/docs/plans': 'docs/reference/plans.md',
  '/docs/signal-kinds': 'docs/reference/signals.md',
}

/** Returns the documents of the reference by their paths, for a service that callers reach at `publicUrl`. */
export async function writeSite(publicUrl: string): Promise<ReadonlyMap<string, HtmlDocument>> {
  const openApi: OpenApi = JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8'))
  const groups = groupsOf(openApi)
  const markdown = markdownDocuments(publicUrl)
  const written = markdown.map(({ path, text }) => ({ path, ...markdownToHtml(text) }))
  const textPages = written.map(
    ({ path, title, main, headings }): Page => ({
      path,
      title,
      description: `${title}: a guide to the Mintick API`,
      main,
      places: headings.filter(({ level }) => level === 2).map(({ id, text }) => ({ id, title: text })),
    }),
  )
  const guideEntries = textPages.map(({ path, title }) => ({ path, title }))
  const schemas: Record<string, JsonSchema> = openApi.components.schemas
  const pages: Page[] = [
    {
      path: '/docs',
      title: 'Overview',
      description: 'Reference of the Mintick API: every endpoint, parameter, field, error and cost',
      main: overview(groups, guideEntries, publicUrl),
      places: [],
    },
    ...textPages,
    ...groups.map((group) => groupPage(group, (operation) => operationSection(operation, { schemas, publicUrl }))),
  ]
  const contents = { guides: [{ path: '/docs', title: 'Overview' }, ...guideEntries], groups }
  const document = (type: string, text: string): HtmlDocument => ({
    type: `${type}; charset=utf-8`,
    text,
    headers: { 'cache-control': 'no-cache', 'content-security-policy': POLICY },
  })
  const file = (name: string) => readFile(join(import.meta.dirname, name), 'utf8')
  return new Map([
    ...pages.map((page) => [page.path, document('text/html', layout(page, contents, openApi.info.version))] as const),
    ...markdown.map(({ path, text }) => [`${path}.md`, document('text/markdown', text)] as const),
    ['/docs/docs.css', document('text/css', await file('docs.css'))],
    ['/docs/docs.js', document('text/javascript', await file('docs.js'))],
    ['/docs/search.json', document('application/json', JSON.stringify(searchIndex(pages, textPages, groups)))],
    ['/llms.txt', document('text/plain', llmsText(groups, guideEntries, publicUrl))],
  ])
}

function groupPage(
  { name, title, description, operations }: Group,
  section: (operation: Group['operations'][number]) => Html,
) {
  return {
    path: groupPath(name),
    title,
    description: `${title}: ${description}`,
    main: html`<p class="lead">${inline(description)}.</p>\n${operations.map(section)}`,
    places: operations.map(({ id, summary }) => ({ id, title: summary })),
  }
}

/** Returns the pages in Markdown with links to pages of the site instead of files, and with the address of the service. */
function markdownDocuments(publicUrl: string): { path: string; text: string }[] {
  const texts = markdownPages()
  const guides = Object.keys(texts).filter((file) => file.startsWith('docs/guides/'))
  const files = {
    ...Object.fromEntries(guides.map((file) => [`/${file.replace('.md', '')}`, file])),
    ...REFERENCE_PAGES,
  }
  const paths = new Map(Object.entries(files).map(([path, file]) => [file.replace(/.*\//, ''), path]))
  paths.set('endpoints.md', '/docs')
  return Object.entries(files).map(([path, file]) => ({
    path,
    text: atUrl(texts[file] ?? '', publicUrl).replaceAll(
      /\]\((?:\.\.\/\w+\/)?([\w-]+\.md)(#[\w-]+)?\)/g,
      (_, name: string, place = '') => `](${paths.get(name) ?? name}${place})`,
    ),
  }))
}

/** A place that the search finds: title, path and further words. */
type Found = [title: string, path: string, words: string]

function searchIndex(pages: readonly Page[], texts: readonly Page[], groups: readonly Group[]): Found[] {
  return [
    ...groups.flatMap(({ name, operations }) =>
      operations.map(
        ({ id, method, path, summary, parameters }): Found => [
          summary,
          `${groupPath(name)}#${id}`,
          `${method} ${path} ${parameters.map((parameter) => parameter.name).join(' ')}`,
        ],
      ),
    ),
    ...pages.map(({ title, path, description }): Found => [title, path, description]),
    ...texts.flatMap(({ title, path, places }) =>
      places.map((place): Found => [place.title, `${path}#${place.id}`, title]),
    ),
  ]
}
