import { Parser } from 'htmlparser2'
import { ParseError } from '../answer.ts'

/** An element with its name in lower case and without a namespace: filers choose prefixes and case freely. */
export class XmlElement {
  readonly name: string
  readonly attributes: Record<string, string>
  readonly elements: XmlElement[] = []
  /** The text of the element, without that of its children. */
  text = ''

  constructor(name: string, attributes: Record<string, string>) {
    this.name = name
    this.attributes = attributes
  }

  list(name: string): XmlElement[] {
    return this.elements.filter((element) => element.name === name)
  }

  /** Returns the first element at the path. */
  find(...path: string[]): XmlElement | undefined {
    let found: XmlElement | undefined = this
    for (const name of path) found = found?.elements.find((element) => element.name === name)
    return found
  }

  /** Lists all elements of the name below this one, in the order of the document. */
  *descendants(name: string): Generator<XmlElement> {
    for (const element of this.elements) {
      if (element.name === name) yield element
      yield* element.descendants(name)
    }
  }
}

const MAX_DEPTH = 100
const MAX_ELEMENTS = 1_000_000
const MAX_ATTRIBUTES = 1_000

/** Returns the first element of the name anywhere in a text, such as in a submission around the XML. */
export function findXml(text: string, name: string): XmlElement | undefined {
  return listXml(text, name).next().value ?? undefined
}

/** Lists the elements of the name one by one, so that a table of any length needs little memory. */
export function* listXml(text: string, name: string): Generator<XmlElement, void> {
  const start = new RegExp(`<((?:[\\w.-]+:)?${name})(?=[\\s/>])`, 'gi')
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    const end = endOf(text, match.index, match[1] ?? name)
    yield parse(text.slice(match.index, end))
    start.lastIndex = end
  }
}

function endOf(text: string, start: number, name: string): number {
  const empty = /^<[^<>]*\/>/.exec(text.slice(start, start + 1_000))
  if (empty !== null) return start + empty[0].length
  const end = text.indexOf(`</${name}`, start)
  const close = end < 0 ? -1 : text.indexOf('>', end)
  if (close < 0) throw new ParseError(`is cut off: <${name}> has no end`)
  return close + 1
}

/** Parses XML, also if it is not well-formed. No declared entity is expanded. */
function parse(xml: string): XmlElement {
  const top = new XmlElement('', {})
  const open = [top]
  let elements = 0
  let attributes = 0
  const parser = new Parser(
    {
      onattribute() {
        attributes += 1
        if (attributes > MAX_ATTRIBUTES)
          throw new ParseError(`has an element with more than ${MAX_ATTRIBUTES} attributes`)
      },
      onopentag(name, given) {
        attributes = 0
        elements += 1
        if (elements > MAX_ELEMENTS) throw new ParseError(`has more than ${MAX_ELEMENTS} elements`)
        if (open.length > MAX_DEPTH) throw new ParseError(`has elements that are nested more than ${MAX_DEPTH} deep`)
        const element = new XmlElement(name.slice(name.indexOf(':') + 1), given)
        open.at(-1)?.elements.push(element)
        open.push(element)
      },
      ontext(text) {
        const element = open.at(-1)
        if (element !== undefined) element.text += text
      },
      onclosetag() {
        open.pop()
      },
    },
    { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  parser.end(xml)
  return top.elements[0] ?? top
}
