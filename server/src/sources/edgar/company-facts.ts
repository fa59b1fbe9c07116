import { DAY } from '../../model/time.ts'
import { ParseError, parseJson, readText } from '../answer.ts'
import { type Fields, isFields, listField, numberField, textField } from '../fields.ts'
import { toAccession, toCik, toDay } from './values.ts'

/** How long the period of a fact is. */
export type PeriodType = 'instant' | 'quarter' | 'half-year' | 'nine-months' | 'year' | 'other'

/** A figure that a filing reports for a period. */
export interface ReportedFact {
  cik: string
  companyName: string | null
  /** XBRL tag, such as us-gaap:Revenues. */
  concept: string
  label: string | null
  unit: string
  value: number
  /** Null for a figure as of a day. */
  periodStart: string | null
  periodEnd: string
  periodType: PeriodType
  /** Whether the period is the two or three quarters since the start of the fiscal year. */
  isYearToDate: boolean
  accessionNumber: string
  formType: string
  filingDate: string
  /** Fiscal year and period of the filing, not of the fact: a filing repeats figures of earlier years. */
  filingFiscalYear: number | null
  filingFiscalPeriod: string | null
  /** The earlier filing whose different value for the same period this one replaces. */
  supersedesAccessionNumber: string | null
  /** The later filing that replaces this value with a different one. */
  supersededByAccessionNumber: string | null
}

/**
 * Lists the facts of companyfacts, concept by concept. Reads the text piece by piece, since the objects of a large company
 * need ten times the memory of their text.
 */
export function* parseCompanyFacts(bytes: Uint8Array): Generator<ReportedFact> {
  const text = readText(bytes)
  const cik = toCik(/^\s*\{\s*"cik"\s*:\s*"?(\d{1,10})"?/.exec(text)?.[1])
  const at = /"facts"\s*:\s*\{/.exec(text.slice(0, HEAD))
  if (cik === null || at === null) throw new ParseError('has no cik and facts')
  const [, name = '""'] = /"entityName"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text.slice(0, at.index)) ?? []
  const company = { cik, companyName: textField(parseJson(name)) }
  for (const [taxonomy, start] of membersOf(text, at.index + at[0].length)) {
    if (text[start] !== '{') continue
    for (const [tag, from, to] of membersOf(text, start + 1)) {
      if (to - from > MAX_CONCEPT) throw new ParseError(`has more than ${MAX_CONCEPT} characters about ${tag}`)
      yield* factsOf(company, `${taxonomy}:${tag}`, parseJson(text.slice(from, to)))
    }
  }
}

/** Far above the facts of one concept, and small enough for hostile JSON. */
const MAX_CONCEPT = 16_000_000
/** The name and the CIK come first. */
const HEAD = 10_000

/** Lists the members of an object that starts before `at`: the name, and where the value starts and ends. */
function* membersOf(text: string, at: number): Generator<[name: string, start: number, end: number]> {
  const NAME = /\s*,?\s*"((?:[^"\\]|\\.)*)"\s*:\s*/y
  const CLOSE = /\s*\}/y
  let position = at
  for (;;) {
    CLOSE.lastIndex = position
    if (CLOSE.test(text)) return
    NAME.lastIndex = position
    const [, name] = NAME.exec(text) ?? []
    if (name === undefined) throw new ParseError(`is not JSON at position ${position}`)
    const start = NAME.lastIndex
    position = endOfValue(text, start)
    yield [name, start, position]
  }
}

/** Returns the position after a value. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfText(text, at)
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) depth += 1
    else if (depth === 0 && (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET)) return at
    else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1
  }
  throw new ParseError('is cut off')
}

/** Returns the position of the quote that ends a text. */
function endOfText(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}

const [QUOTE, COMMA, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [34, 44, 92, 91, 93, 123, 125]

function* factsOf(
  company: Pick<ReportedFact, 'cik' | 'companyName'>,
  concept: string,
  given: unknown,
): Generator<ReportedFact> {
  const { label, units } = isFields(given) ? given : {}
  for (const [unit, rows] of Object.entries(isFields(units) ? units : {})) {
    const known = { ...company, concept, label: textField(label), unit }
    const facts = listField(rows).flatMap((row) => toFact(row, known) ?? [])
    supersede(facts)
    yield* facts
  }
}

function toFact(
  row: unknown,
  known: Pick<ReportedFact, 'cik' | 'companyName' | 'concept' | 'label' | 'unit'>,
): ReportedFact | null {
  const { start, end, val, accn, fy, fp, form, filed }: Fields = isFields(row) ? row : {}
  const day = (value: unknown) => toDay(textField(value) ?? undefined)
  const value = numberField(val)
  const periodStart = day(start)
  const periodEnd = day(end)
  const accessionNumber = toAccession(textField(accn) ?? undefined)
  const filingDate = day(filed)
  if (value === null || periodEnd === null || accessionNumber === null || filingDate === null) return null
  const periodType = periodTypeOf(periodStart, periodEnd)
  return {
    ...known,
    value,
    periodStart,
    periodEnd,
    periodType,
    isYearToDate: periodType === 'half-year' || periodType === 'nine-months',
    accessionNumber,
    formType: textField(form) ?? '',
    filingDate,
    filingFiscalYear: numberField(fy),
    filingFiscalPeriod: textField(fp),
    supersedesAccessionNumber: null,
    supersededByAccessionNumber: null,
  }
}

/** Fiscal quarters have 12 to 14 weeks, fiscal years 52 or 53. */
function periodTypeOf(start: string | null, end: string): PeriodType {
  if (start === null) return 'instant'
  const days = (Date.parse(end) - Date.parse(start)) / DAY + 1
  if (days >= 80 && days <= 100) return 'quarter'
  if (days >= 165 && days <= 200) return 'half-year'
  if (days >= 255 && days <= 290) return 'nine-months'
  return days >= 345 && days <= 385 ? 'year' : 'other'
}

/** Links filings that report different values of the same fact, in the order of filing. */
function supersede(facts: readonly ReportedFact[]): void {
  const periods = Map.groupBy(facts, ({ periodStart, periodEnd }) => `${periodStart} ${periodEnd}`)
  for (const versions of periods.values()) {
    const ordered = versions.toSorted(byFiling)
    let current: ReportedFact[] = []
    for (const fact of ordered) {
      const [last] = current
      if (last !== undefined && last.value !== fact.value && last.accessionNumber !== fact.accessionNumber) {
        fact.supersedesAccessionNumber = last.accessionNumber
        for (const replaced of current) replaced.supersededByAccessionNumber = fact.accessionNumber
        current = []
      }
      current.push(fact)
    }
  }
}

const byFiling = (a: ReportedFact, b: ReportedFact) =>
  a.filingDate < b.filingDate ? -1 : a.filingDate > b.filingDate ? 1 : a.accessionNumber < b.accessionNumber ? -1 : 1
