import { parse } from 'csv-parse/sync'
import { ParseError } from './answer.ts'

const DELIMITERS = [',', ';', '\t', '|']

/** Reads the rows of a CSV text, the header included. Its first line shows the delimiter. Blank lines are skipped. */
export function readCsv(text: string): { rows: string[][]; delimiter: string } {
  const delimiter = mostFrequent(/^[^\r\n]*/.exec(text.trimStart())?.[0] ?? '')
  try {
    const rows: string[][] = parse(text, {
      delimiter,
      trim: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_records_with_empty_values: true,
    })
    return { rows, delimiter }
  } catch (error) {
    throw new ParseError(`is not CSV (${error instanceof Error ? error.message.slice(0, 200) : error})`)
  }
}

function mostFrequent(line: string): string {
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}
