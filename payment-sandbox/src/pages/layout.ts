import { type Markup, markup } from './markup.ts'

/** A page for the service to show, with the status 404 unless `isFound`. */
export interface HostedPage {
  html: string
  isFound: boolean
}

/** The result of a form: an address to redirect to, or a page that explains the refusal. */
export type ActionResult = { location: string } | HostedPage

const STYLE = markup`<style>
:root { color-scheme: light dark; --text: #1a1f36; --soft: #5b6478; --line: #d8dce6; --edge: #868fa3; --page: #f5f6fa; --card: #fff;
  --main: #4a47d5; --on-main: #fff; --bad: #b3261e; --bad-back: #fdecea; --mark: #7a4a00; --mark-back: #fff3d6 }
@media (prefers-color-scheme: dark) { :root { --text: #eceef4; --soft: #a5adc0; --line: #3a4154; --edge: #7d879d; --page: #12151f;
  --card: #1b2030; --main: #8f8cff; --on-main: #12151f; --bad: #ffb4ab; --bad-back: #4a1512; --mark: #ffdf9e;
  --mark-back: #3f2e05 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
.mark { background: var(--mark-back); color: var(--mark); padding: .6rem 1rem; text-align: center; font-size: .9rem }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 1rem }
h2 { font-size: 1.05rem; margin: 0 0 .25rem }
p { margin: 0 0 .75rem }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin: 0 0 1rem }
section > :last-child { margin-bottom: 0 }
.price { font-size: 1.9rem; font-weight: 650; margin: 0; overflow-wrap: anywhere }
.soft { color: var(--soft); font-size: .9rem }
.bad { background: var(--bad-back); color: var(--bad); border-radius: .5rem; padding: .6rem .8rem;
  overflow-wrap: anywhere }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; justify-content: space-between;
  border-top: 1px solid var(--line); padding: .75rem 0 }
.row p { margin: 0 }
.row:last-child { padding-bottom: 0 }
.acts { display: flex; flex-wrap: wrap; gap: .5rem }
form { margin: 0 }
fieldset { border: 0; margin: 0 0 1rem; padding: 0 }
legend { padding: 0; font-weight: 600 }
label { display: flex; gap: .5rem; align-items: baseline; padding: .25rem 0 }
button, .button { font: inherit; padding: .55rem .9rem; min-height: 2.75rem; border-radius: .5rem; cursor: pointer;
  display: inline-block; border: 1px solid var(--edge); background: transparent; color: inherit; text-decoration: none }
.wide { display: grid; gap: .5rem }
.wide button { width: 100% }
.main { background: var(--main); border-color: var(--main); color: var(--on-main); font-weight: 600 }
a { color: var(--main) }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
</style>`

export function renderPage(title: string, body: Markup): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title} – payment sandbox</title>
${STYLE}
</head>
<body>
<div class="mark" role="note"><strong>Payment sandbox.</strong> This is a simulation: no card is asked for and no money moves.</div>
<main>
${body}
</main>
</body>
</html>
`.text
}

/** Renders a page with a message only. */
export function renderNotice(title: string, text: string, more?: Markup, isFound = true): HostedPage {
  const body = markup`<h1>${title}</h1><section><p>${text}</p>${more}</section>`
  return { html: renderPage(title, body), isFound }
}
