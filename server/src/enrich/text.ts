import { Parser } from 'htmlparser2'

/** What an entry says, cleaned. Offsets of mentions count in these texts. */
export interface EntryText {
  title: string
  content: string
}

/** The part of a field that is looked at; the rest of a very long text is kept but not read. */
export const LONGEST_READ = 20_000

/** Plain text on one line: without markup, control and direction signs, with single spaces. Never throws. */
export function cleanText(raw: string, longest = Infinity): string {
  const kept = raw.length > longest * MARKUP_ALLOWANCE ? raw.slice(0, longest * MARKUP_ALLOWANCE) : raw
  const text = MARKUP.test(kept) ? textOfHtml(kept) : kept
  const clean = text
    .toWellFormed()
    .replace(PILED_MARKS, '$1')
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(SPACES, ' ')
    .trim()
  return clean.length <= longest ? clean : clean.slice(0, longest).toWellFormed().trimEnd()
}

/** Markup may make a text this many times longer. */
const MARKUP_ALLOWANCE = 4

/** A tag, a comment or an entity; "3 < 5" and "AT&T" are none. */
const MARKUP = /<[/!]?[a-z!][^<>]*>|<!--|&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);/i

/** Invisible or without meaning: direction marks, zero-width and soft hyphens, what a broken encoding leaves. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffd\u{e0000}-\u{e007f}]/gu
const SPACES = /[\s\u0000-\u001f\u007f-\u009f]+/g

/** No letter has so many marks, and to bring thousands of them into order takes minutes. */
const PILED_MARKS = /(\p{M}{8})\p{M}+/gu

const SILENT = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'svg', 'iframe', 'object'])
const MOST_TAGS = 5_000
const INLINE = new Set('a abbr b bdi bdo cite code em font i mark q s small span strong sub sup u wbr'.split(' '))

function textOfHtml(html: string): string {
  // Of so many tags, open ones perhaps, a parser would search its stack again and again.
  if (html.split('<').length > MOST_TAGS) return html.replace(/<[^<>]*>/g, ' ')
  let text = ''
  let silentDepth = 0
  const parser = new Parser(
    {
      onopentag(name) {
        if (SILENT.has(name)) silentDepth++
        if (!INLINE.has(name)) text += ' '
      },
      ontext(piece) {
        if (silentDepth === 0) text += piece
      },
      onclosetag(name) {
        if (SILENT.has(name)) silentDepth--
        if (!INLINE.has(name)) text += ' '
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return text
}

/** Where each sentence of a clean text begins and ends. */
export function sentencesOf(text: string): { start: number; end: number }[] {
  const sentences: { start: number; end: number }[] = []
  let start = 0
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].trimEnd().length
    const word = /[\p{L}.]*$/u.exec(text.slice(Math.max(start, match.index - 12), match.index))?.[0] ?? ''
    if (ABBREVIATIONS.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word) || /^(?:\p{L}\.)+\p{L}$/u.test(word)) continue
    sentences.push({ start, end })
    start = match.index + match[0].length
  }
  if (start < text.length) sentences.push({ start, end: text.length })
  return sentences
}

/** A full stop ends a sentence when something that may begin one follows; "3.5" and "example.com" go on. */
const SENTENCE_END =
  /(?<![.!?…])[.!?…]{1,10}["'”’)\]]{0,4}\s+(?=["'“‘([]?[\p{Lu}\p{N}$€£])|[。！？]|(?<![!?])[!?]{1,10}["'”’)\]]{0,4}$|\s[|•]\s/gu

const ABBREVIATIONS = new Set(
  'inc corp co ltd plc llc cos bros mr mrs ms dr prof st jr sr vs no nos approx est dept gov sen rep gen jan feb mar apr jun jul aug sep sept oct nov dec fig u.s u.k e.g i.e a.m p.m mn bn'.split(
    ' ',
  ),
)
