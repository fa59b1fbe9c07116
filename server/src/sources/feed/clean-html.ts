import { Parser } from 'htmlparser2'

export interface CleanHtml {
  html: string
  /** The address of the first image. */
  imageUrl: string | undefined
}

/** Longer texts are cut; intake keeps less than that. */
const LONGEST_HTML = 500_000
/** Tags below this depth are left out: the deeper the nesting, the longer the parser takes per tag. */
const MAX_DEPTH = 200

/**
 * Returns HTML that has only elements and attributes of texts: no scripts, styles, forms or embedded pages. Addresses
 * become absolute. Never throws.
 */
export function cleanHtml(raw: string, base: string | undefined): CleanHtml {
  if (!/[<&]/.test(raw)) return { html: raw.trim(), imageUrl: undefined }
  const cleaner = new Cleaner(base)
  const parser = new Parser(cleaner)
  cleaner.onTooDeep = () => parser.pause()
  parser.end(raw.length > LONGEST_HTML ? raw.slice(0, LONGEST_HTML).toWellFormed() : raw)
  return { html: cleaner.html.trim(), imageUrl: cleaner.imageUrl }
}

/** Not that of model/html.ts, which also escapes apostrophes: texts would be hard to read. */
export function escapeHtml(text: string): string {
  if (!/[&<>"]/.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const words = (text: string) => new Set(text.split(' '))

const KEPT = words(
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em ' +
    'figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q rp rt ruby s samp section small span ' +
    'strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr',
)
/** Elements whose content is not part of the text. Other unknown elements are replaced by their content. */
const DROPPED = words(
  'script style template noscript noframes head title svg math iframe frameset applet embed audio video canvas ' +
    'button datalist input select textarea',
)
const VOID = words('br col hr img wbr')
const ATTRIBUTES = words('alt cite colspan datetime dir height href lang rowspan src title width')
const ADDRESSES = words('cite href src')

/** Images of one pixel count readers. */
function isPixel(name: string, { width, height }: Record<string, string>): boolean {
  return name === 'img' && (/^[01](?:px)?$/.test(width ?? '') || /^[01](?:px)?$/.test(height ?? ''))
}

class Cleaner {
  html = ''
  imageUrl: string | undefined
  onTooDeep: (() => void) | undefined
  readonly #base: string | undefined
  #depth = 0
  #dropped = 0

  constructor(base: string | undefined) {
    this.#base = base
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) this.onTooDeep?.()
    if (DROPPED.has(name)) this.#dropped += 1
    if (this.#dropped > 0 || !KEPT.has(name) || isPixel(name, attributes)) return
    this.html += `<${name}${this.#attributesOf(attributes)}>`
    if (name === 'img') this.imageUrl ??= this.#address(attributes.src ?? '')
  }

  ontext(text: string): void {
    if (this.#dropped === 0) this.html += escapeHtml(text)
  }

  onclosetag(name: string): void {
    this.#depth -= 1
    if (DROPPED.has(name)) this.#dropped -= 1
    else if (this.#dropped === 0 && KEPT.has(name) && !VOID.has(name)) this.html += `</${name}>`
  }

  #attributesOf(attributes: Record<string, string>): string {
    let text = ''
    for (const name in attributes) {
      if (!ATTRIBUTES.has(name)) continue
      const given = attributes[name] ?? ''
      const value = ADDRESSES.has(name) ? this.#address(given) : given
      if (value !== undefined) text += ` ${name}="${escapeHtml(value)}"`
    }
    return text
  }

  #address(given: string): string | undefined {
    const url = URL.parse(given.trim(), this.#base)
    return url !== null && /^(?:https?|mailto):$/.test(url.protocol) ? url.href : undefined
  }
}
