import Type, { type Static } from 'typebox'
import type { ApiError } from '../model/errors.ts'
import { type Html, html } from '../model/html.ts'
import { http } from '../node-http.ts'
import type { AnswerFormat } from './envelope.ts'

/**
 * The result of an HTML endpoint: a page, the location of a redirect (303), or a document that is the same for everyone,
 * which is sent with an entity tag, compressed, and with its own type and further headers.
 */
export const HTML_ANSWER = Type.Union([
  Type.Object({ html: Type.String(), status: Type.Optional(Type.Integer()) }),
  Type.Object({ location: Type.String() }),
  Type.Object({ type: Type.String(), text: Type.String(), headers: Type.Record(Type.String(), Type.String()) }),
])

export type HtmlAnswer = Static<typeof HTML_ANSWER>
export type HtmlDocument = Extract<HtmlAnswer, { type: string }>

/**
 * Chromium applies form-action to every redirect after a form, also on other sites, and shows nothing when it blocks
 * one. Our forms may redirect a buyer to any site, so form-action allows all. Pages load no resources and run no
 * scripts.
 */
const CONTENT_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'self' http: https:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const HTML_FORMAT: AnswerFormat = {
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': CONTENT_POLICY,
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  },
  errorBody: (error) => Buffer.from(errorPage(error)),
}

/** Returns a complete page. Its style is inline and its icon empty, so that browsers request nothing else. */
export function htmlPage(title: string, main: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Mintick</title>
<link rel="icon" href="data:,">
<style>
  :root { --text: #1c2024; --quiet: #5b636b; --page: #f4f5f6; --card: #fff; --line: #d5d9dd; --accent: #0b5cad; --on-accent: #fff; --good: #1a6334; --bad: #a40e26 }
  @media (prefers-color-scheme: dark) {
    :root { --text: #e8eaed; --quiet: #a0a8b0; --page: #131517; --card: #1d2023; --line: #3a4046; --accent: #7ab7f5; --on-accent: #0c1a28; --good: #93d5a8; --bad: #ff9aa2 }
  }
  * { box-sizing: border-box }
  body { margin: 0; padding: 1rem; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
  main { max-width: 34rem; margin: 8vh auto 0; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; overflow-wrap: anywhere }
  h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25 }
  h2 { margin: 1.5rem 0 .5rem; font-size: 1.1rem }
  p:last-child { margin-bottom: 0 }
  a { color: var(--accent) }
  .quiet { color: var(--quiet) }
  table { width: 100%; margin: 1rem 0; border-collapse: collapse }
  th { overflow-wrap: normal }
  th, td { padding: .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
  th .quiet { font-weight: normal }
  thead th:last-child, td:last-child { text-align: right }
  label { display: block; margin: 1rem 0 .25rem }
  input, select, button { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--card); color: inherit; font: inherit }
  button { margin-top: 1rem; border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer }
  button.second { border-color: var(--line); background: none; color: inherit }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`.text
}

function errorPage({ statusCode, message }: ApiError): string {
  return htmlPage(
    http.STATUS_CODES[statusCode] ?? 'Error',
    html`<p>${message}</p>\n<p class="quiet">Error ${statusCode}</p>`,
  )
}
