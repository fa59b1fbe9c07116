import { DEMO_KEY } from '../../admission/key.ts'
import { type Html, html } from '../../model/html.ts'
import type { Group } from './operations.ts'

/** A link of the table of contents. */
export interface Entry {
  path: string
  title: string
}

export interface Contents {
  guides: readonly Entry[]
  groups: readonly Group[]
}

export interface Page extends Entry {
  description: string
  main: Html
  /** Places within the page, listed below it in the table of contents. */
  places: readonly { id: string; title: string }[]
}

/** Returns a complete page: a header, the table of contents and the page itself. */
export function layout(page: Page, { guides, groups }: Contents, version: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${page.description}">
<title>${page.title} – Mintick API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/docs.js"></script>
</head>
<body data-demo-key="${DEMO_KEY}">
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="/docs">Mintick <span>API ${version}</span></a>
<div class="tools"></div>
<input type="checkbox" id="menu" class="hidden"><label for="menu" class="menu">Contents</label>
</header>
<nav aria-label="Contents">
<p id="nav-guides">Guides</p>
<ul aria-labelledby="nav-guides">${guides.map((entry) => navItem(entry, page))}</ul>
<p id="nav-endpoints">Endpoints</p>
<ul aria-labelledby="nav-endpoints">${groups.map(({ name, title }) => navItem({ path: groupPath(name), title }, page))}</ul>
<p id="nav-programs">For programs</p>
<ul aria-labelledby="nav-programs"><li><a href="/openapi.json">openapi.json</a></li><li><a href="/llms.txt">llms.txt</a></li></ul>
</nav>
<main id="main" tabindex="-1">
<h1>${page.title}</h1>
${page.main}
</main>
</body>
</html>
`.text
}

export const groupPath = (name: string): string => `/docs/${name}`

function navItem({ path, title }: Entry, page: Page): Html {
  if (path !== page.path) return html`<li><a href="${path}">${title}</a></li>\n`
  const places = page.places.map((place) => html`<li><a href="#${place.id}">${place.title}</a></li>\n`)
  return html`<li><a href="${path}" aria-current="page">${title}</a>${places.length > 0 ? html`<ul>${places}</ul>` : ''}</li>\n`
}
