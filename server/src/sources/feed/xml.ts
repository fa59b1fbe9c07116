import { Parser } from 'htmlparser2'
import { FeedError } from './feed.ts'
import { namespacePrefix } from './namespaces.ts'

/** An element of a document, with lower-case names. */
export class XmlElement {
  /** The name with the usual prefix of its namespace, such as `dc:date`; names of RSS have none. */
  readonly name: string
  readonly localName: string
  readonly attributes: Record<string, string>
  readonly children: (XmlElement | string)[] = []
  /** From xml:base and the address of the document. */
  readonly base: string | undefined
  /** From xml:lang. */
  readonly language: string | undefined
  #byName: Map<string, XmlElement[]> | undefined

  constructor(given: Pick<XmlElement, 'name' | 'localName' | 'attributes' | 'base' | 'language'>) {
    this.name = given.name
    this.localName = given.localName
    this.attributes = given.attributes
    this.base = given.base
    this.language = given.language
  }

  get elements(): XmlElement[] {
    return this.children.filter((child) => typeof child !== 'string')
  }

  /** Returns the children of a name. Groups them once: a hostile item may have very many. */
  list(name: string): readonly XmlElement[] {
    this.#byName ??= Map.groupBy(this.elements, (child) => child.name)
    return this.#byName.get(name) ?? []
  }
}

const MAX_DEPTH = 250
const MAX_ELEMENTS = 1_000_000
const MAX_ATTRIBUTES = 1_000

/**
 * Parses XML, also if it is not well-formed, and returns the root element. Document types are skipped, so that no
 * declared entity is ever expanded; the named entities of HTML stay as they are, since texts are read as HTML later.
 */
export function parseXml(text: string, url: string | undefined): XmlElement {
  const builder = new TreeBuilder(url)
  const parser = new Parser(builder, { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true })
  parser.write(text.slice(rootStart(text)).replace(ILLEGAL, ''))
  builder.dropCutElement()
  parser.end()
  if (builder.root === undefined) throw new FeedError('the document has no elements')
  return builder.root
}

/** Control characters, which XML forbids. */
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g
const PROLOG = /[^<]+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE[^<>[]*(?:\[[\s\S]*?\]\s*)?>/iy
const ROOT = /<(?:[\w.-]+:)?(?:rss|rdf|feed|entry|channel)[\s/>]/iy
/** Error messages of a program may precede the feed. */
const LATER_ROOT = /<(?:[\w.-]+:)?(?:rss|rdf|feed)[\s>]/i
const SEARCHED = 100_000

function rootStart(text: string): number {
  PROLOG.lastIndex = 0
  let start = 0
  while (PROLOG.test(text)) start = PROLOG.lastIndex
  ROOT.lastIndex = start
  if (ROOT.test(text)) return start
  const later = LATER_ROOT.exec(text.slice(start, start + SEARCHED))
  if (later !== null) return start + later.index
  const [, name] = /^<([^\s<>/]{1,100})/.exec(text.slice(start, start + SEARCHED)) ?? []
  throw new FeedError(
    name === undefined ? 'the document is neither XML nor JSON' : `<${name}> is not the root of a feed`,
  )
}

/** Prefixes and their namespaces; the prototype is the scope of the parent element. */
type Scope = Record<string, string>

interface OpenElement {
  element: XmlElement
  scope: Scope
}

class TreeBuilder {
  root: XmlElement | undefined
  readonly #url: string | undefined
  readonly #open: OpenElement[] = []
  #elements = 0
  #attributes = 0

  constructor(url: string | undefined) {
    this.#url = url
  }

  onattribute(): void {
    this.#attributes += 1
    if (this.#attributes > MAX_ATTRIBUTES) throw new FeedError(`an element has more than ${MAX_ATTRIBUTES} attributes`)
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    this.#attributes = 0
    this.#elements += 1
    if (this.#elements > MAX_ELEMENTS) throw new FeedError(`the document has more than ${MAX_ELEMENTS} elements`)
    if (this.#open.length >= MAX_DEPTH) throw new FeedError(`elements are nested more than ${MAX_DEPTH} deep`)
    const parent = this.#open.at(-1)
    const scope = scopeOf(attributes, parent?.scope)
    const [localName = '', prefix = ''] = name.split(':').reverse()
    const element = new XmlElement({
      name: namespacePrefix(prefix, scope[prefix]) + localName,
      localName,
      attributes,
      base: resolvedBase(attributes['xml:base'], parent === undefined ? this.#url : parent.element.base),
      language: attributes['xml:lang'] ?? parent?.element.language,
    })
    if (parent !== undefined) parent.element.children.push(element)
    else this.root ??= element
    this.#open.push({ element, scope })
  }

  ontext(text: string): void {
    const children = this.#open.at(-1)?.element.children
    const last = children?.at(-1)
    if (children === undefined) return
    if (typeof last === 'string') children[children.length - 1] = last + text
    else children.push(text)
  }

  onclosetag(): void {
    this.#open.pop()
  }

  /** Removes the field of an item in which the document ends: half an address is worse than none. */
  dropCutElement(): void {
    const item = this.#open.findIndex(({ element }) => /^(?:item|entry)$/.test(element.localName))
    if (item >= 0 && item < this.#open.length - 1) this.#open[item]?.element.children.pop()
  }
}

const EMPTY_SCOPE: Scope = Object.create(null)

function scopeOf(attributes: Record<string, string>, parent: Scope = EMPTY_SCOPE): Scope {
  let scope = parent
  for (const name in attributes) {
    if (!name.startsWith('xmlns')) continue
    if (scope === parent) scope = Object.create(parent)
    scope[name.slice('xmlns:'.length)] = attributes[name] ?? ''
  }
  return scope
}

function resolvedBase(own: string | undefined, parent: string | undefined): string | undefined {
  return own === undefined ? parent : (URL.parse(own.trim(), parent)?.href ?? parent)
}
