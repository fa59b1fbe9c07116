import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Parser } from 'htmlparser2'
import { endpoints } from '../../api/index.ts'
import { isInReference, routeOf } from '../../http/endpoint.ts'
import type { HtmlDocument } from '../../http/html-page.ts'
import { ERROR_STATUS } from '../../model/errors.ts'
import { PLANS } from '../../plans/plans.ts'
import { codeSamples } from '../code-samples.ts'
import { nameIn } from '../fields-page.ts'
import type { JsonSchema, OpenApi, Operation } from '../openapi.ts'
import { parametersOf } from '../openapi.ts'
import { inline, markdownToHtml } from './markdown-html.ts'
import { writeSite } from './site.ts'

const URL_OF_SERVICE = 'https://mintick.example.com'
const MAX_PAGE_BYTES = 100_000
const MAX_LLMS_BYTES = 20_000

const openApi: OpenApi = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../openapi.json'), 'utf8'))
const schemas: Record<string, JsonSchema> = openApi.components.schemas
const listed = endpoints.filter(isInReference).map((endpoint) => {
  const path = routeOf(endpoint).replaceAll(/:(\w+)/g, '{$1}')
  const operation = openApi.paths[path]?.[endpoint.method.toLowerCase()] as Operation
  return { endpoint, path, operation }
})

suite('the site of the reference', () => {
  let site: ReadonlyMap<string, HtmlDocument>
  let pages: Map<string, ParsedPage>
  before(async () => {
    site = await writeSite(URL_OF_SERVICE)
    pages = new Map(
      [...site].filter(([, { type }]) => type.startsWith('text/html')).map(([path, { text }]) => [path, parse(text)]),
    )
  })

  const sectionOf = ({ operationId }: Operation) => {
    const section = [...pages.values()].flatMap(({ sections }) => [...sections]).find(([id]) => id === operationId)?.[1]
    assert.ok(section !== undefined, `${operationId} is on no page`)
    return section
  }

  test('has every endpoint with all its parameters, fields, errors and examples', () => {
    for (const { endpoint, path, operation } of listed) {
      const { names, text } = sectionOf(operation)
      const name = operation.operationId
      assert.ok(text.includes(`${endpoint.method} ${path}`), name)
      for (const { name: parameter } of parametersOf(endpoint))
        assert.ok(names.has(parameter), `${name} lacks ${parameter}`)
      const [response] = Object.values(operation.responses) as { content: Record<string, { schema: JsonSchema }> }[]
      const [{ schema } = { schema: {} }] = Object.values(response?.content ?? {})
      const answer = schema.properties?.data ?? schema
      const fields = [endpoint.body ?? {}, answer, schema.properties?.meta ?? {}].flatMap((part) => namesIn(part))
      for (const field of fields) assert.ok(names.has(field), `${name} lacks the field ${field}`)
      for (const status of Object.keys(operation.responses).filter((code) => Number(code) >= 400)) {
        assert.ok(text.includes(status), `${name} lacks ${status}`)
      }
      for (const { source } of operation['x-codeSamples'] ?? []) {
        const shown = source.replaceAll(/(http|ws):\/\/127\.0\.0\.1:3000/g, '$1s://mintick.example.com')
        assert.ok(text.includes(shown), `${name} lacks ${shown}`)
      }
    }
  })

  test('has the cost of every endpoint, and the plans that include it', () => {
    const textAt = (name: string) => sectionOf(operationNamed(name)).text
    assert.match(textAt('listEntries'), /1 credit, 2 with query/)
    assert.match(textAt('getSignalStream'), /5 credits per minute/)
    assert.match(
      textAt('listSecInsiderTrades'),
      /2 credits.*SEC filing data: Starter, Professional, Enterprise, Custom/,
    )
    assert.match(textAt('createAccountApiKey'), /Free.*Your own key/)
    assert.match(textAt('getHealth'), /No key/)
    assert.match(textAt('createAdminReindex'), /Operator's token: /)
    for (const { name } of Object.values(PLANS)) assert.ok(site.get('/docs/plans')?.text.includes(name))
  })

  test('offers to try what callers can call from a browser', () => {
    for (const { endpoint, operation } of listed) {
      const isCallable = endpoint.access !== 'operator' && !['websocket', 'download'].includes(endpoint.returns)
      assert.equal(sectionOf(operation).canBeTried, isCallable, operation.operationId)
    }
  })

  test('is valid: balanced tags, unique ids, headings in order, and references to ids that exist', () => {
    for (const [path, { problems, ids, idRefs, headings }] of pages) {
      assert.deepEqual(problems, [], path)
      assert.equal(new Set(ids).size, ids.length, `${path} has an id twice`)
      for (const id of idRefs) assert.ok(ids.includes(id), `${path} refers to ${id}`)
      assert.equal(headings.filter((level) => level === 1).length, 1, path)
      headings.reduce((above, level) => {
        assert.ok(level <= above + 1, `${path} skips a level of headings`)
        return level
      }, 0)
    }
  })

  test('has no dead link', () => {
    for (const [path, { links }] of pages) {
      for (const link of links) {
        const { pathname, hash, origin } = new URL(link, `${URL_OF_SERVICE}${path}`)
        assert.equal(origin, URL_OF_SERVICE, `${path} links to another host: ${link}`)
        if (pathname === '/openapi.json') continue
        assert.ok(site.has(pathname), `${path} links to ${link}`)
        if (hash !== '') assert.ok(pages.get(pathname)?.ids.includes(hash.slice(1)), `${path} links to ${link}`)
      }
    }
    for (const [path, { text }] of [...site].filter(([name]) => name.endsWith('.md') || name === '/llms.txt')) {
      for (const [, link = ''] of text.matchAll(/\]\(([^)]*)\)/g)) {
        const { pathname } = new URL(link, URL_OF_SERVICE + path)
        assert.ok(site.has(pathname) || pathname === '/openapi.json', `${path} links to ${link}`)
      }
    }
  })

  test('shows no Markdown to readers', () => {
    for (const [path, { prose }] of pages) assert.doesNotMatch(prose, /`|\]\(|\*\*|\|/, path)
  })

  test('has no script and no style within pages, as its policy demands', () => {
    for (const [path, { text, headers }] of site) {
      assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'self'; script-src 'self'/)
      if (pages.has(path)) assert.doesNotMatch(text, /<style| style=|<script>| on\w+="/, path)
    }
  })

  test('each page is small', () => {
    for (const [path, { text }] of site) assert.ok(gzipSync(text).length < MAX_PAGE_BYTES, path)
  })

  test('/llms.txt has every endpoint on a line with its cost, and is small', () => {
    const text = site.get('/llms.txt')?.text ?? ''
    assert.ok(Buffer.byteLength(text) < MAX_LLMS_BYTES, `${Buffer.byteLength(text)} bytes`)
    const lines = text.split('\n')
    for (const { endpoint, path } of listed) {
      const start = `- ${endpoint.method} ${path.replace('/api/v1', '')}: ${endpoint.summary} (`
      const line = lines.find((candidate) => candidate.startsWith(start))
      assert.ok(line !== undefined, start)
      const { credits, perMinute = credits, perFile } = endpoint.cost
      if (perFile) continue
      if (endpoint.access === 'key') assert.ok(line.includes(perMinute === 0 ? '(free' : `(${perMinute} credit`), line)
    }
  })

  test('the search knows every endpoint and every guide', () => {
    const index: [string, string, string][] = JSON.parse(site.get('/docs/search.json')?.text ?? '')
    const targets = index.map(([, path]) => path)
    for (const { operation } of listed) assert.ok(targets.some((path) => path.endsWith(`#${operation.operationId}`)))
    for (const path of pages.keys()) assert.ok(targets.includes(path), path)
    for (const path of targets) {
      const [page = '', id] = path.split('#')
      assert.ok(id === undefined ? pages.has(page) : pages.get(page)?.ids.includes(id), path)
    }
  })

  test('has a place for every error code', () => {
    const ids = pages.get('/docs/guides/errors')?.ids
    for (const [code, status] of Object.entries(ERROR_STATUS))
      assert.ok(ids?.includes(`${status}-${code.toLowerCase()}`))
  })
})

const operationNamed = (name: string): Operation => {
  const found = listed.find(({ operation }) => operation.operationId === name)
  assert.ok(found !== undefined, name)
  return found.operation
}

/** Returns the names of all fields of a schema, also of the objects that it refers to. */
function namesIn(schema: JsonSchema, above: readonly string[] = []): string[] {
  if (schema.$ref !== undefined) {
    const name = nameIn(schema.$ref)
    return above.includes(name) ? [] : namesIn(schemas[name] ?? {}, [...above, name])
  }
  const { properties = {}, items = {}, anyOf = [] } = schema
  const parts = [...Object.values(properties), ...(Object.keys(items).length > 0 ? [items] : []), ...anyOf]
  return [...Object.keys(properties), ...parts.flatMap((part) => namesIn(part, above))]
}

interface ParsedPage {
  problems: string[]
  ids: string[]
  /** Ids that attributes refer to. */
  idRefs: string[]
  links: string[]
  headings: number[]
  /** The text outside of code. */
  prose: string
  sections: Map<string, { text: string; names: Set<string>; canBeTried: boolean }>
}

const VOID = new Set(['meta', 'link', 'input', 'br', 'hr', 'img'])

function parse(text: string): ParsedPage {
  const page: ParsedPage = {
    problems: [],
    ids: [],
    idRefs: [],
    links: [],
    headings: [],
    prose: '',
    sections: new Map(),
  }
  const open: string[] = []
  let section: { text: string; names: Set<string>; canBeTried: boolean } | undefined
  let isName = false
  const parser = new Parser({
    onopentag(name, attributes) {
      const { id, href, 'aria-labelledby': label, for: target, class: classes = '' } = attributes
      if (!VOID.has(name)) open.push(name)
      if (id !== undefined) page.ids.push(id)
      page.idRefs.push(...[label, target].filter((ref) => ref !== undefined))
      if (href !== undefined && name === 'a') page.links.push(href)
      if (/^h\d$/.test(name)) page.headings.push(Number(name[1]))
      if (name === 'section' && id !== undefined) {
        section = { text: '', names: new Set(), canBeTried: attributes['data-example'] !== undefined }
        page.sections.set(id, section)
      }
      if (attributes['data-name'] !== undefined) section?.names.add(attributes['data-name'])
      isName = classes === 'name'
    },
    onclosetag(name, isImplied) {
      if (VOID.has(name)) return
      if (isImplied || open.pop() !== name) page.problems.push(`</${name}> is missing or misplaced`)
      if (name === 'section') section = undefined
      isName = false
    },
    ontext(value) {
      if (section !== undefined) section.text += value
      if (isName) section?.names.add(value)
      if (!open.includes('code')) page.prose += value
    },
  })
  parser.end(text)
  return page
}

suite('Markdown as HTML', () => {
  test('has headings with anchors, tables, lists, code and links, all escaped', () => {
    const { title, main, headings } = markdownToHtml(
      '<!-- Generated -->\n\n# A *page*\n\nText with `<b>`, **bold** and [a link](/docs#x).\n\n## 404 NOT_FOUND\n\n- one\n- two `a|b`\n\n| | Free |\n| --- | --- |\n| `a\\|b` | 1 & 2 |\n\n```json\n{\n\n"a": 1 }\n```\n',
    )
    assert.equal(title, 'A page')
    assert.deepEqual(headings, [{ level: 2, id: '404-not_found', text: '404 NOT_FOUND' }])
    for (const part of [
      '<p>Text with <code>&#60;b&#62;</code>, <strong>bold</strong> and <a href="/docs#x">a link</a>.</p>',
      '<h2 id="404-not_found">404 NOT_FOUND</h2>',
      '<ul><li>one</li><li>two <code>a|b</code></li></ul>',
      '<td><code>a|b</code></td><td>1 &#38; 2</td>',
      '<i class="k">&#34;a&#34;</i>: <i class="n">1</i> }',
    ]) {
      assert.ok(main.text.includes(part), main.text)
    }
  })

  test('leaves stars and underscores of names alone', () => {
    assert.equal(
      inline('beg* for words, ceil(a * b) and snake_case_name').text,
      'beg* for words, ceil(a * b) and snake_case_name',
    )
  })
})

test('samples quote the texts of their bodies', () => {
  const endpoint = endpoints.find(({ method, path }) => method === 'POST' && path === '/account/api-keys')
  assert.ok(endpoint !== undefined)
  const samples = codeSamples(endpoints)(endpoint, {
    path: '/api/v1/account/api-keys',
    body: { name: `it's "x" \\ ${'y'.repeat(80)}`, a: null },
  })
  const sourceOf = (lang: string) => samples.find((sample) => sample.lang === lang)?.source ?? ''
  assert.match(sourceOf('Shell'), /-d '\{"name":"it'\\''s \\"x\\" \\\\ y+","a":null\}'/)
  assert.match(
    sourceOf('TypeScript'),
    /client\.account\.keys\.create\(\{\n {2}name: 'it\\'s "x" \\\\ y+',\n {2}a: null,\n\}\)/,
  )
  assert.match(sourceOf('Python'), /client\.account\.keys\.create\(name="it's \\"x\\" \\\\ y+", a=None\)/)
})
