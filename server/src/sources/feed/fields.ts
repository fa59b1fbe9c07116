import { cleanText } from '../../model/clean-text.ts'
import { type CleanHtml, cleanHtml } from './clean-html.ts'

const LONGEST_NAME = 1_000

/** Returns the plain text of a title or another short field. Publishers often escape HTML twice, so it is read twice. */
export function cleanName(html: string): string | null {
  if (html === '') return null
  const text = cleanText(html, LONGEST_NAME)
  return (/[<&]/.test(text) ? cleanText(text) : text) || null
}

/** Returns the name in `a@b.example (Name)`, `Name (a@b.example)` and `Name <a@b.example>`, or else the address. */
export function cleanPerson(html: string): string | null {
  const text = cleanName(html.replace(/<([^<>\s@]+@[^<>\s@]+)>/, '($1)'))
  if (text === null) return null
  const [, first = '', second = ''] = /^(.*?)\s*\(([^()]*)\)$/.exec(text) ?? []
  const name = [first, second].find((part) => part.trim() !== '' && !part.includes('@'))
  return (name ?? (first || text)).trim().replace(/^mailto:/i, '')
}

/** Returns undefined for content without text and images. */
export function cleanContent(html: string, base: string | undefined): CleanHtml | undefined {
  const content = cleanHtml(html, base)
  return content.html === '' ? undefined : content
}

/** Returns an absolute address as it is given, a relative one resolved if there is a base. */
export function cleanUrl(given: string, base: string | undefined): string | null {
  // Some publishers escape twice.
  const address = given.trim().replaceAll('&amp;', '&')
  if (address === '') return null
  if (URL.canParse(address)) return address
  return URL.parse(address, base)?.href ?? address
}
