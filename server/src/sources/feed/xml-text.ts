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
  return element.children
    .map((child) => {
      if (typeof child === 'string') return isMarkup ? escapeHtml(child) : child
      const { localName, attributes, children } = child
      const given = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
      const end = children.length === 0 && VOID.test(localName) ? '' : `${innerHtml(child, isMarkup)}</${localName}>`
      return `<${localName}${given.join('')}>${end}`
    })
    .join('')
}

const VOID = /^(?:area|br|col|embed|hr|img|input|link|meta|source|wbr)$/

/** Returns undefined for a text that is not in base64. */
function fromBase64(text: string): string | undefined {
  if (!/^[\w+/\s]+={0,2}\s*$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return isUtf8(bytes) ? bytes.toString() : undefined
}
