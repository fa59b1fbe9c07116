import { isAscii, isUtf8 } from 'node:buffer'
import { detect } from 'chardet'
import iconv from 'iconv-lite'

/**
 * Decodes a document of unknown encoding. Declarations are often wrong, so the bytes decide where they can: byte order
 * marks, the zeros of UTF-16 and UTF-32, and UTF-8, which other encodings hardly ever resemble. Then follow the HTTP
 * header, the XML declaration, and a guess by the frequency of letters.
 */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const wide = wideEncodingOf(bytes)
  if (wide !== undefined) return iconv.decode(bytes, wide)
  const declared = declaredEncodings(bytes, contentType)
  // This encoding has only ASCII bytes, and so looks like UTF-8.
  if (declared.includes(JAPANESE_MAIL) && isAscii(bytes)) return new TextDecoder(JAPANESE_MAIL).decode(bytes)
  if (isUtf8(bytes)) return iconv.decode(bytes, 'utf-8')
  const text = iconv.decode(bytes, 'utf-8')
  if (isMostlyUtf8(text)) return text
  const declaredName = declared.find((name) => !UNICODE.test(name) && iconv.encodingExists(name))
  return iconv.decode(bytes, declaredName ?? guessEncoding(bytes))
}

const UNICODE = /^(?:utf|ucs|unicode)/i
const JAPANESE_MAIL = 'iso-2022-jp' // unknown to iconv-lite
/** Servers send these by default; browsers read both as windows-1252. */
const LATIN = /^(?:iso-?8859-?1|iso_8859-1|latin-?1|us-ascii|ascii)$/i

/** Byte order marks, and the first characters of XML without them. */
const WIDE: [encoding: string, start: number[]][] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-32le', [0x3c, 0, 0, 0]],
  ['utf-32be', [0, 0, 0, 0x3c]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0x3c, 0]],
  ['utf-16be', [0, 0x3c]],
]

function wideEncodingOf(bytes: Uint8Array): string | undefined {
  return WIDE.find(([, start]) => start.every((byte, index) => bytes[index] === byte))?.[0]
}

/** Returns the encodings that the header and the XML declaration name, the more credible one first. */
function declaredEncodings(bytes: Uint8Array, contentType: string): string[] {
  const [, header = ''] = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType) ?? []
  const beginning = Buffer.from(bytes.subarray(0, 1_000)).toString('latin1')
  const [, xml = ''] = /<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)/i.exec(beginning) ?? []
  const names = LATIN.test(header) ? [xml, header] : [header, xml]
  return names.map((name) => (LATIN.test(name) ? 'windows-1252' : name.toLowerCase()))
}

/** Tells whether most characters outside of ASCII were valid: a few broken ones are no other encoding. */
function isMostlyUtf8(text: string): boolean {
  const broken = text.match(/\ufffd/g)?.length ?? 0
  const valid = text.match(/[^\u0000-\u007f\ufffd]/gu)?.length ?? 0
  return valid > broken * 4
}

const GUESSED_BYTES = 100_000

function guessEncoding(bytes: Uint8Array): string {
  // Tags and addresses are English and would bias the guess.
  const text = Buffer.from(bytes.subarray(0, GUESSED_BYTES))
    .toString('latin1')
    .replace(/<[^<>]*>|https?:\S+/g, ' ')
  const name = detect(Buffer.from(text, 'latin1')) ?? ''
  return UNICODE.test(name) || LATIN.test(name) || !iconv.encodingExists(name) ? 'windows-1252' : name
}
