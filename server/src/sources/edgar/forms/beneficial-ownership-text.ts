import { parseDate } from '../../../model/dates.ts'
import type { BeneficialOwnership } from '../../../model/sec/beneficial-ownership.ts'
import { isoDay } from '../../../model/time.ts'
import { plainLines } from '../plain-text.ts'
import { toNumber } from '../values.ts'

type Person = BeneficialOwnership['reportingPersons'][number]

/** The cover pages of a Schedule 13D or 13G in HTML or text. */
export interface CoverPage {
  formType: string | null
  amendmentNumber: number | null
  issuerName: string | null
  securityTitle: string | null
  cusips: string[]
  eventDate: string | null
  reportingPersons: Omit<Person, 'cik'>[]
}

/** Reads the first page, whose captions follow the values, and a page per reporting person, whose labels precede them. */
export function readCoverPages(document: string): CoverPage {
  const lines = plainLines(document)
  const starts = lines.flatMap((line, index) => (NAME_LABEL.test(line) ? [index] : []))
  const first = lines.slice(0, starts[0] ?? FIRST_LINES)
  const end = lines.findIndex((line, index) => index > (starts.at(-1) ?? 0) && /^item\s*1\b/i.test(line))
  const pages = starts.map((start, place) => lines.slice(start, starts[place + 1] ?? (end < 0 ? undefined : end)))
  const [, letter, isAmended] = /schedule\s*13(D|G)\s*(\/\s*A)?/i.exec(first.join(' ')) ?? []
  return {
    formType: letter === undefined ? null : `SC 13${letter.toUpperCase()}${isAmended === undefined ? '' : '/A'}`,
    amendmentNumber: toNumber(/amendment\s+no\.?\s*:?\s*(\d+)/i.exec(first.join(' '))?.[1]),
    issuerName: before(first, /^\(?name of issuer/i),
    securityTitle: before(first, /^\(?title of class/i),
    cusips: cusipsOf(first),
    eventDate: dateOf(before(first, /^\(?date of event/i)),
    reportingPersons: pages.map(toPerson).filter(({ name }) => name !== ''),
  }
}

const FIRST_LINES = 100
const NAME_LABEL = /^(?:\(?1\)?[.)]?\s*)?names?\s+of\s+reporting\s+persons?/i
/** Ends of labels that the next row begins with: "2", "(2)", "2. CHECK THE APPROPRIATE BOX". */
const ROW = /^\(?\d{1,2}[.)]*$/
const RULE = /^[\s_\-=*.–—]+$/

/** Returns the lines before a caption, up to the caption before it. */
function before(lines: readonly string[], caption: RegExp): string | null {
  const at = lines.findIndex((line) => caption.test(line))
  const value: string[] = []
  for (let index = at - 1; index >= 0 && value.length < 3; index -= 1) {
    const line = lines[index] ?? ''
    if (RULE.test(line) && value.length === 0) continue
    if (RULE.test(line) || /^\(.*\)$|^schedule 13|^\(?amendment|securities exchange act/i.test(line)) break
    value.unshift(line)
  }
  return value.join(' ').trim() || null
}

function cusipsOf(lines: readonly string[]): string[] {
  const given = before(lines, /^\(?cusip/i) ?? lines.find((line) => /cusip/i.test(line)) ?? ''
  const found = given.toUpperCase().match(/\b[0-9A-Z]{5,6}[\s-]?[0-9A-Z]{2}[\s-]?[0-9]\b/g) ?? []
  return [...new Set(found.map((cusip) => cusip.replace(/[\s-]/g, '')))].filter(
    (cusip) => /\d/.test(cusip) && cusip.length === 9,
  )
}

function dateOf(text: string | null): string | null {
  const time = text === null ? undefined : parseDate(text)
  return time === undefined ? null : isoDay(time)
}

function toPerson(page: readonly string[]): Omit<Person, 'cik'> {
  return {
    name: after(page, NAME_LABEL)?.replace(/\s*\(?(?:s\.?s\.?|i\.?r\.?s\.?)\b.*$/i, '') ?? '',
    type: after(page, /type of reporting person/i),
    citizenship: after(page, /citizenship or place of organi[sz]ation/i),
    sharesOwned: numberAfter(page, /aggregate amount beneficially owned/i),
    percentOfClass: numberAfter(page, /percent of class represented/i),
  }
}

const LABEL_END =
  /(?:persons?|identification nos?\.?(?: of above persons?)?(?: \(entities only\))?|organi[sz]ation|row\s*\(?\d+\)?|\(see instructions\))\s*[:*.]*\s*/gi

/** Returns the value after a label: the rest of its line, or the next line that is no number of a row. */
function after(page: readonly string[], label: RegExp): string | null {
  const at = page.findIndex((line) => label.test(line))
  if (at < 0) return null
  const line = page[at] ?? ''
  const ends = [...line.matchAll(LABEL_END)]
  const last = ends.at(-1)
  const rest = last === undefined ? '' : line.slice(last.index + last[0].length).trim()
  if (/[a-z0-9]/i.test(rest)) return rest
  for (const next of page.slice(at + 1, at + 8)) {
    if (ROW.test(next) || RULE.test(next) || LABEL_LINE.test(next)) continue
    return next
  }
  return null
}

/** Continuations of a label. */
const LABEL_LINE =
  /^\(?(?:s\.?s\.?|i\.?r\.?s\.?)\b|^person$|^\(see instructions\)$|^\(entities only\)|^identification no|^row \(?\d|^each reporting person$|^by amount in row/i

function numberAfter(page: readonly string[], label: RegExp): number | null {
  const at = page.findIndex((line) => label.test(line))
  if (at < 0) return null
  for (const line of page.slice(at, at + 8)) {
    const text = line.replace(/row\s*\(?\d+\)?/gi, '').replace(ROW, '')
    const found = /\d[\d,]*(?:\.\d+)?|\.\d+/.exec(text.replace(/^\(?\d{1,2}[.)]+\s/, ''))
    if (found !== null && !(line === page[at] && !/[:%]|persons?\s+\d/i.test(text))) return toNumber(found[0])
  }
  return null
}
