import { createReadStream, statSync } from 'node:fs'
import { extname } from 'node:path'
import { OperatorError } from '../config.ts'
import { CsvReader } from './csv.ts'
import { type Line, readLines } from './lines.ts'
import { parseLine } from './ndjson.ts'

/** A row of an imported file. */
export interface Row {
  line: number
  value: unknown
  /** Set if the row is not readable. */
  problem?: string
  /** The size of its text. */
  size: number
}

const FORMATS: Readonly<Record<string, 'csv' | 'json'>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.ndjson': 'json',
  '.jsonl': 'json',
  '.json': 'json',
}
const SHOWN_TEXT = 10_000
const MAX_DEPTH = 30
const LINE_FEED = 10

/**
 * Yields the rows of a file or of stdin (-), NDJSON or CSV. `checkColumns` is called with the header of a CSV file. The
 * file is read once, in chunks.
 */
export async function* readRows(
  file: string,
  checkColumns: (columns: readonly string[]) => void,
): AsyncGenerator<Row[]> {
  const input: AsyncIterable<Buffer> = file === '-' ? process.stdin : createReadStream(file)
  let format = FORMATS[extname(file).toLowerCase()]
  let isFirst = true
  const checked = async function* () {
    for await (const chunk of input) {
      if (isFirst) {
        checkText(file, chunk)
        format ??= /^\s*[[{]/.test(chunk.toString('utf8', 0, 1_000).replace(/^\ufeff/, '')) ? 'json' : 'csv'
      }
      isFirst = false
      yield chunk
    }
  }
  let csv: CsvReader | undefined
  let isStart = true
  for await (const lines of readLines(checked())) {
    const rows: Row[] = []
    for (const line of lines) {
      if (isStart) {
        line.text = line.text.replace(/^\ufeff/, '')
        if (line.text.trim() === '') continue
        isStart = false
        if (format === 'csv') {
          csv = new CsvReader(line.text)
          checkColumns(csv.columns)
          continue
        }
        checkFirstLine(file, line)
      }
      if (csv === undefined) rows.push(...jsonRows(line))
      else rows.push(...csv.read(line).map(csvRow))
    }
    yield rows
  }
  yield (csv?.end() ?? []).map(csvRow)
}

/** Returns the number of lines, or 0 for stdin and pipes, which can be read only once. */
export async function countLines(file: string): Promise<number> {
  if (file === '-') return 0
  let count = 0
  let isAtEnd = true
  try {
    const stats = statSync(file)
    if (stats.isDirectory()) throw new OperatorError(`${file} is a folder; name a file`)
    if (!stats.isFile()) return 0
    if (stats.size === 0) throw new OperatorError(`the file ${file} is empty`)
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) count += 1
      isAtEnd = chunk.at(-1) === LINE_FEED
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`cannot read the file ${file} (${error instanceof Error ? error.message : error})`)
  }
  return isAtEnd ? count : count + 1
}

function checkText(file: string, start: Buffer): void {
  const isUtf16 = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)
  if (isUtf16) throw new OperatorError(`${file} is UTF-16; save it as UTF-8`)
  if (start.subarray(0, SHOWN_TEXT).includes(0)) throw new OperatorError(`${file} is not a text file`)
}

function checkFirstLine(file: string, { text }: Line): void {
  if (!/^[[{]$/.test(text.trim())) return
  throw new OperatorError(
    `${file} has JSON over several lines; write one object per line, for example with: jq -c '.[]' ${file}`,
  )
}

/** Returns the rows of a line: an object, a list of objects, or an answer of the API. */
function jsonRows({ number: line, text, problem }: Line): Row[] {
  if (problem === undefined && text.trim() === '') return []
  const refused = (reason: string) => [
    { line, value: text.slice(0, SHOWN_TEXT).toWellFormed(), problem: reason, size: 0 },
  ]
  if (problem !== undefined) return refused(problem)
  const value = parseLine(text)
  if (value === undefined) return refused('it is not JSON')
  if (isDeep(value)) return refused(`it has more than ${MAX_DEPTH} levels`)
  const values = listOf(value)
  return values.map((one) => ({ line, value: one, size: Math.ceil(text.length / values.length) }))
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  const isAnswer = typeof value === 'object' && value !== null && 'success' in value && 'data' in value
  return isAnswer ? (Array.isArray(value.data) ? value.data : [value.data]) : [value]
}

/** Deep values would overflow the stack of whatever serialises them. */
function isDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
    level = level.filter((one) => typeof one === 'object' && one !== null)
  }
  return false
}

const csvRow = ({ line, value, problem, text }: ReturnType<CsvReader['end']>[number]): Row => ({
  line,
  value: value ?? text.slice(0, SHOWN_TEXT).toWellFormed(),
  size: text.length,
  ...(problem !== undefined && { problem }),
})
