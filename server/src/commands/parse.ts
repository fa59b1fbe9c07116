import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { systemClock } from '../clock.ts'
import { OperatorError } from '../config.ts'
import { PARSERS, type Parser } from '../sources/parsers.ts'

/** Far above most answers of vendors. Hostile JSON of this size takes about half a gigabyte of memory. */
const MAX_MEGABYTES = 16
/** Kinds that are larger, and are not read as one JSON document. */
const LARGER_MEGABYTES: Readonly<Record<string, number>> = { 'sec-companyfacts': 64, 'sec-13f': 64, 'sec-8k': 64 }
const MAX_REJECTED_SHOWN = 5

/**
 * `mintick parse KIND FILE…`: prints the records of each file as NDJSON, each with its file, without a store or network.
 * A file that cannot be read becomes a line with its error; rows that cannot be read are listed on stderr.
 */
export async function parseCommand(args: string[]): Promise<void> {
  const [kind = '', ...files] = args
  const parse = Object.hasOwn(PARSERS, kind) ? PARSERS[kind] : undefined
  if (parse === undefined || files.length === 0) {
    throw new OperatorError(
      `parse needs one of ${Object.keys(PARSERS).join(', ')} and files, such as: mintick parse daily-csv FILE.csv`,
    )
  }
  // The reader of both outputs, such as head, may have enough of them.
  process.stderr.on('error', () => {})
  try {
    const maxBytes = (LARGER_MEGABYTES[kind] ?? MAX_MEGABYTES) * 1024 * 1024
    await pipeline(parseFiles(parse, files, maxBytes), process.stdout, { end: false })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
  }
}

async function* parseFiles(parse: Parser, files: readonly string[], maxBytes: number): AsyncGenerator<string> {
  for (const file of files) {
    try {
      for (const record of await parseFile(parse, file, maxBytes)) yield `${JSON.stringify({ file, ...record })}\n`
    } catch (error) {
      process.exitCode = 1
      yield `${JSON.stringify({ file, error: error instanceof Error ? error.message : String(error) })}\n`
    }
  }
}

async function parseFile(parse: Parser, file: string, maxBytes: number): Promise<Iterable<object>> {
  const { records, rejected } = parse(await readBounded(file, maxBytes), systemClock.now())
  const [first] = rejected
  if (first !== undefined && Iterator.from(records).next().done) {
    throw new Error(`has ${rejected.length} bad rows and no good one; row ${first.row}: ${first.reason}`)
  }
  for (const { row, reason } of rejected.slice(0, MAX_REJECTED_SHOWN)) {
    process.stderr.write(`mintick: ${file}: row ${row} is left out: ${reason}\n`)
  }
  const hidden = rejected.length - MAX_REJECTED_SHOWN
  if (hidden > 0) process.stderr.write(`mintick: ${file}: ${hidden} more rows are left out\n`)
  return records
}

async function readBounded(file: string, maxBytes: number): Promise<Buffer> {
  // Without the flag, opening a pipe that nobody writes to would wait forever.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!(await handle.stat()).isFile()) throw new Error('is not a regular file')
    const chunks: Buffer[] = []
    for await (const chunk of handle.createReadStream({ end: maxBytes, autoClose: false })) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    if (bytes.length > maxBytes) throw new Error(`is larger than ${maxBytes / 1024 / 1024} MB`)
    return bytes
  } finally {
    await handle.close()
  }
}
