import { Parser } from 'htmlparser2'

/** Returns plain text on one line, without markup, control characters and repeated spaces. Never throws. */
export function cleanText(raw: string, longest = Infinity): string {
  const kept = raw.length > longest * MARKUP_ALLOWANCE ? raw.slice(0, longest * MARKUP_ALLOWANCE) : raw
  const text = MARKUP.test(kept) ? textOfHtml(kept) : kept
  const clean = text
    .toWellFormed()
    .replace(STACKED_MARKS, '$1')
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .trim()
  return clean.length <= longest ? clean : clean.slice(0, longest).toWellFormed().trimEnd()
}

/** HTML is read up to this many times the length of the text. */
const MARKUP_ALLOWANCE = 4

/** Tags, comments and entities, but not "3 < 5" and "AT&T". */
const MARKUP = /<[/!]?[a-z!][^<>]*>|<!--|&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);/i

/** Invisible characters: direction marks, zero-width characters, soft hyphens and leftovers of broken encodings. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffd\u{e0000}-\u{e007f}]/gu
const SPACES = /[\s\u0000-\u001f\u007f-\u009f]+/g

/** No letter has so many combining marks, and normalising thousands of them takes minutes. */
const STACKED_MARKS = /(\p{M}{8})\p{M}+/gu

const HIDDEN = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'svg', 'iframe', 'object'])
const MAX_TAGS = 5_000
const INLINE = new Set('a abbr b bdi bdo cite code em font i mark q s small span strong sub sup u wbr'.split(' '))

function textOfHtml(html: string): string {
  // With very many open tags the parser would search its stack in quadratic time.
  if (html.split('<').length > MAX_TAGS) return html.replace(/<[^<>]*>/g, ' ')
  let text = ''
  let hiddenDepth = 0
  const parser = new Parser(
    {
      onopentag(name) {
        if (HIDDEN.has(name)) hiddenDepth++
        if (!INLINE.has(name)) text += ' '
      },
      ontext(piece) {
        if (hiddenDepth === 0) text += piece
      },
      onclosetag(name) {
        if (HIDDEN.has(name)) hiddenDepth--
        if (!INLINE.has(name)) text += ' '
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return text
}
