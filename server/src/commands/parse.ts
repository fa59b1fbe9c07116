import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { systemClock } from '../clock.ts'
import { OperatorError } from '../config.ts'
import { PARSERS, type Parser } from '../sources/parsers.ts'

/** Far above any answer of a vendor. Hostile JSON of this size takes about half a gigabyte of memory. */
const MAX_BYTES = 16 * 1024 * 1024
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
    await pipeline(parseFiles(parse, files), process.stdout, { end: false })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
  }
}

async function* parseFiles(parse: Parser, files: readonly string[]): AsyncGenerator<string> {
  for (const file of files) {
    try {
      for (const record of await parseFile(parse, file)) yield `${JSON.stringify({ file, ...record })}\n`
    } catch (error) {
      process.exitCode = 1
      yield `${JSON.stringify({ file, error: error instanceof Error ? error.message : String(error) })}\n`
    }
  }
}

async function parseFile(parse: Parser, file: string): Promise<object[]> {
  const { records, rejected } = parse(await readBounded(file), systemClock.now())
  const [first] = rejected
  if (records.length === 0 && first !== undefined) {
    throw new Error(`has ${rejected.length} bad rows and no good one; row ${first.row}: ${first.reason}`)
  }
  for (const { row, reason } of rejected.slice(0, MAX_REJECTED_SHOWN)) {
    process.stderr.write(`mintick: ${file}: row ${row} is left out: ${reason}\n`)
  }
  const hidden = rejected.length - MAX_REJECTED_SHOWN
  if (hidden > 0) process.stderr.write(`mintick: ${file}: ${hidden} more rows are left out\n`)
  return records
}

async function readBounded(file: string): Promise<Buffer> {
  // Without the flag, opening a pipe that nobody writes to would wait forever.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!(await handle.stat()).isFile()) throw new Error('is not a regular file')
    const chunks: Buffer[] = []
    for await (const chunk of handle.createReadStream({ end: MAX_BYTES, autoClose: false })) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    if (bytes.length > MAX_BYTES) throw new Error(`is larger than ${MAX_BYTES / 1024 / 1024} MB`)
    return bytes
  } finally {
    await handle.close()
  }
}
