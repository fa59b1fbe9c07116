import Papa from 'papaparse'
import { ParseError } from './answer.ts'

/** Bounds the memory for rows of a few characters. */
const MAX_ROWS = 1_000_000
const DELIMITERS = [',', ';', '\t', '|']

/** Reads the rows of a CSV text, the header included. Its first line shows the delimiter. Blank lines are skipped. */
export function readCsv(text: string): { rows: string[][]; delimiter: string } {
  const lines = text.trim().replace(/[\r\n]+/g, '\n')
  const delimiter = delimiterOf(lines.slice(0, lines.indexOf('\n') + 1) || lines)
  const parse = (given: string) =>
    Papa.parse<string[]>(given, { delimiter, newline: '\n', skipEmptyLines: 'greedy', preview: MAX_ROWS + 1 })
  const { data, errors } = parse(lines)
  // A quote without its counterpart would hide all rows after it.
  const rows = errors.some(({ type }) => type === 'Quotes') ? parse(lines.replaceAll('"', '')).data : data
  if (rows.length > MAX_ROWS) throw new ParseError(`has more than ${MAX_ROWS} rows`)
  return { rows, delimiter }
}

/** Returns the delimiter that occurs most often in a line. */
export function delimiterOf(line: string): string {
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}
