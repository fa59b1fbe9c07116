/** No answer of a tool is longer: agents read every character of it. */
export const MAX_CHARS = 16_000

const MAX_CELL = 160
const MAX_LINK = 300
const MAX_NOTE = 500

export interface Column<Row> {
  name: string
  value(row: Row): unknown
  maxLength?: number
}

/** Text of a list: its title, a table, and the lines that follow it. */
export interface List<Row> {
  title: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Returns the lines after the table. `shown` is less than the number of rows if they were too long. */
  foot(shown: number): readonly string[]
}

/** Returns the list as text, with as many rows as fit. */
export function listText<Row>({ title, columns, rows, foot }: List<Row>): string {
  const head = [oneLine(title, MAX_NOTE), ...(rows.length > 0 ? [columns.map(({ name }) => name).join(' | ')] : [])]
  const lines = rows.map((row) => columns.map(({ value, maxLength }) => cell(value(row), maxLength)).join(' | '))
  for (let shown = lines.length; ; shown--) {
    const notes = foot(shown).map((note) => oneLine(note, MAX_NOTE))
    const text = [...head, ...lines.slice(0, shown), ...notes].join('\n')
    if (text.length <= MAX_CHARS || shown === 0) return text.slice(0, MAX_CHARS).toWellFormed()
  }
}

/** Returns lines as one text; the last line always fits, others are left out if they do not. */
export function linesText(lines: readonly string[], last: string): string {
  const end = oneLine(last, MAX_NOTE)
  const room = MAX_CHARS - end.length - CUT.length - 2
  let length = 0
  const fitting = lines.findIndex((line) => {
    length += line.length + 1
    return length > room
  })
  return [...(fitting < 0 ? lines : [...lines.slice(0, fitting), CUT]), end].join('\n')
}

const CUT = '… the rest is left out: the item is too long'

/** Returns a value as the text of one cell: no line breaks, no column separators. */
export function cell(value: unknown, maxLength = MAX_CELL): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? '-' : oneLine(value.join(','), maxLength)
  return oneLine(String(value), maxLength)
}

/** Returns a URL as a cell; one that is too long would be useless if it were cut. */
export function link(url: string | null | undefined): string {
  if (!url || url.length > MAX_LINK) return '-'
  return url.replaceAll('|', '%7C')
}

export const LINK_LENGTH = MAX_LINK

/** Replaces line breaks, control characters and column separators, and shortens the text. */
export function oneLine(text: string, maxLength: number): string {
  const line = text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('|', '/')
    .trim()
  return (line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`).toWellFormed()
}

/** Returns an ISO time to the minute, or only the day if it is the start of one. */
export function minute(time: string | null | undefined): string | null {
  if (!time) return null
  return time.endsWith('T00:00:00.000Z') ? time.slice(0, 10) : `${time.slice(0, 16)}Z`
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
