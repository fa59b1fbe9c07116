import { createReadStream } from 'node:fs'
import type { ExportFormat } from '../model/exports.ts'

/** The complete rows at the beginning of a file. */
export interface Tail {
  rows: number
  /** Position after the last complete row. */
  end: number
  /** Id of the last complete row, if it has one. */
  id: string | undefined
}

const [LINE_END, QUOTE] = [10, 34]

/** Finds the last complete row of a file. In CSV, line ends within quotes are part of a cell. */
export async function findTail(path: string, format: ExportFormat): Promise<Tail> {
  let [lines, end, position, isQuoted] = [0, 0, 0, false]
  let line: Buffer[] = []
  let [header, last] = ['', '']
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0
    for (let place = 0; place < chunk.length; place += 1) {
      const byte = chunk[place]
      if (byte === QUOTE && format === 'csv') isQuoted = !isQuoted
      if (byte !== LINE_END || isQuoted) continue
      line.push(chunk.subarray(start, place))
      last = Buffer.concat(line).toString()
      if (lines === 0) header = last
      line = []
      start = place + 1
      lines += 1
      end = position + start
    }
    line.push(chunk.subarray(start))
    position += chunk.length
  }
  const rows = format === 'csv' ? Math.max(0, lines - 1) : lines
  return { rows, end: rows === 0 ? 0 : end, id: rows === 0 ? undefined : idOf(last, header, format) }
}

function idOf(row: string, header: string, format: ExportFormat): string | undefined {
  // The id is the first of the fields, and needs no quotes.
  if (format === 'csv') return header.split(',')[0] === 'id' ? row.split(',')[0] : undefined
  const { id } = JSON.parse(row) as { id?: string }
  return id
}
