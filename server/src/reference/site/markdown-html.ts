import { type Html, html } from '../../model/html.ts'

/** The subset of Markdown that the generated pages and the descriptions in schemas use. */

export interface Heading {
  level: number
  id: string
  text: string
}

/** Returns a page without its first heading, and the headings below it. */
export function markdownToHtml(markdown: string): { title: string; main: Html; headings: Heading[] } {
  const blocks = blocksOf(markdown.replace(/^<!--.*-->\n+/, ''))
  const [first = '', ...rest] = blocks
  const headings = rest.flatMap((block) => {
    const { level, text } = headingIn(block) ?? {}
    return level === undefined || text === undefined ? [] : [{ level, id: anchorOf(text), text: plain(text) }]
  })
  return { title: plain(headingIn(first)?.text ?? ''), main: html`${rest.map(blockToHtml)}`, headings }
}

/** Splits a text at its empty lines, except within code. */
function blocksOf(markdown: string): string[] {
  const blocks: string[] = []
  let isCode = false
  const block: string[] = []
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    if (line !== '' || isCode) block.push(line)
    else if (block.length > 0) blocks.push(block.splice(0).join('\n'))
  }
  return block.length > 0 ? [...blocks, block.join('\n')] : blocks
}

function headingIn(block: string): { level: number; text: string } | undefined {
  const [, marks = '', text] = /^(#{1,4}) (.*)$/.exec(block) ?? []
  return text === undefined ? undefined : { level: marks.length, text }
}

function blockToHtml(block: string): Html {
  const heading = headingIn(block)
  if (heading !== undefined) {
    const id = anchorOf(heading.text)
    const text = inline(heading.text)
    return heading.level === 2 ? html`<h2 id="${id}">${text}</h2>\n` : html`<h3 id="${id}">${text}</h3>\n`
  }
  const [, language = '', code] = /^```(\w*)\n(.*)\n```$/s.exec(block) ?? []
  if (code !== undefined) return codeBlock(code, language === '' ? 'Example' : `Example: ${language}`)
  if (block.startsWith('| ')) return tableToHtml(block.split('\n'))
  if (block.startsWith('- ')) {
    return html`<ul>${block
      .split(/^- /m)
      .slice(1)
      .map((item) => html`<li>${inline(item.trim())}</li>`)}</ul>\n`
  }
  return html`<p>${inline(block)}</p>\n`
}

function tableToHtml([head = '', , ...rows]: string[]): Html {
  const cellsOf = (row: string) =>
    row
      .slice(2, -2)
      .split(/ \| (?!\|)/)
      .map((cell) => cell.replaceAll('\\|', '|').trim())
  const names = cellsOf(head)
  const label = names.filter((name) => name !== '').join(', ')
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table: ${label}"><table>
<thead><tr>${names.map((name) => (name === '' ? html`<td></td>` : html`<th scope="col">${inline(name)}</th>`))}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cellsOf(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>\n`)}</tbody>
</table></div>\n`
}

const INLINE =
  /`(?<code>[^`]+)`|\[(?<label>(?:[^\]`]|`[^`]*`)+)\]\((?<link>[^)\s]+)\)|\*\*(?<strong>[^*]+)\*\*|(?<![\w*])\*(?<emphasis>[^*\s][^*]*)\*/g

/** Returns a line with code, links and emphasis. */
export function inline(text: string): Html {
  const parts: (Html | string)[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const { code, label, link, strong, emphasis } = match.groups ?? {}
    parts.push(text.slice(end, match.index))
    if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (label !== undefined) parts.push(html`<a href="${link}">${inline(label)}</a>`)
    else if (strong !== undefined) parts.push(html`<strong>${inline(strong)}</strong>`)
    else if (emphasis !== undefined) parts.push(html`<em>${inline(emphasis)}</em>`)
    end = match.index + match[0].length
  }
  return html`${[...parts, text.slice(end)]}`
}

const plain = (text: string) => text.replaceAll(/[`*]/g, '')

/** Returns the anchor of a heading, as code hosts derive it. */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

const TOKENS =
  /(?<key>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`)|(?<word>\b(?:true|false|null|True|False|None|-?\d+(?:\.\d+)?)\b)/g

/** Returns code in a frame that keyboards can scroll, with its names, texts and numbers in colours. */
export function codeBlock(code: string, label: string): Html {
  const parts: (Html | string)[] = []
  let end = 0
  for (const match of code.matchAll(TOKENS)) {
    const { key, text } = match.groups ?? {}
    const kind = key !== undefined ? 'k' : text !== undefined ? 's' : 'n'
    parts.push(code.slice(end, match.index), html`<i class="${kind}">${match[0]}</i>`)
    end = match.index + match[0].length
  }
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${[...parts, code.slice(end)]}</code></pre>\n`
}
