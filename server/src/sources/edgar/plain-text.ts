import { Parser } from 'htmlparser2'
import { toText } from './values.ts'

const BLOCK =
  /<\/?(?:address|blockquote|br|center|dd|div|dl|dt|h[1-6]|hr|li|ol|p|page|pre|table|tbody|td|th|thead|tr|ul)\b[^<>]*>/gi
const HIDDEN = /<(script|style|head|title|ix:header)\b[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi
const TAG = /<[/!?a-z][^<>]*>/gi

/** Returns the lines of a document in HTML or plain text, without markup and empty lines. Each cell is a line. */
export function plainLines(document: string): string[] {
  const isHtml = /<(?:html|body|div|p|table|font)\b/i.test(document.slice(0, 20_000))
  // In HTML a line break is a space.
  const flowing = isHtml ? document.replace(/[\r\n]+/g, ' ') : document
  const text = flowing.replace(HIDDEN, ' ').replace(BLOCK, '\n').replace(TAG, '')
  return decodeEntities(text)
    .split(/[\r\n]+/)
    .flatMap((line) => toText(line.replace(/[\s\u00a0\u200b]+/g, ' ')) ?? [])
}

function decodeEntities(text: string): string {
  let decoded = ''
  // Without tags the parser only decodes.
  const parser = new Parser({
    ontext(piece) {
      decoded += piece
    },
  })
  parser.end(text.replaceAll('<', '&lt;'))
  return decoded
}
