import { isUtf8 } from 'node:buffer'
import { escapeHtml } from './clean-html.ts'
import type { XmlElement } from './xml.ts'

/** Returns the text of an element without that of its children. */
export function textOf(element: XmlElement | undefined): string {
  return element?.children.filter((child) => typeof child === 'string').join('') ?? ''
}

/** Returns the content of an element as HTML: markup as text, as elements, or in base64. */
export function htmlOf(element: XmlElement): string {
  const { type = '', mode = '', src } = element.attributes
  if (src !== undefined || /^(?:image|audio|video)\//.test(type)) return ''
  const isMarkup = /xhtml|xml$/.test(type) || mode === 'xml'
  if (element.children.some((child) => typeof child !== 'string')) return innerHtml(element, isMarkup)
  const text = textOf(element)
  const isEncoded = mode === 'base64' || (type.includes('/') && !/^text\/|html|xml$/.test(type))
  return (isEncoded ? fromBase64(text) : undefined) ?? text
}

/** Only markup escapes its signs: elsewhere, tags beside text with escaped tags are a mistake of the publisher. */
function innerHtml(element: XmlElement, isMarkup: boolean): string {
  let html = ''
  for (const child of element.children) {
    if (typeof child === 'string') {
      html += isMarkup ? escapeHtml(child) : child
      continue
    }
    html += `<${child.localName}`
    for (const name in child.attributes) html += ` ${name}="${escapeHtml(child.attributes[name] ?? '')}"`
    html += '>'
    if (child.children.length > 0 || !VOID.test(child.localName))
      html += `${innerHtml(child, isMarkup)}</${child.localName}>`
  }
  return html
}

const VOID = /^(?:area|br|col|embed|hr|img|input|link|meta|source|wbr)$/

/** Returns undefined for a text that is not in base64. */
function fromBase64(text: string): string | undefined {
  if (!/^[\w+/\s]+={0,2}$/.test(text.trim())) return undefined
  const bytes = Buffer.from(text, 'base64')
  return isUtf8(bytes) ? bytes.toString() : undefined
}
