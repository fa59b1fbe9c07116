import { createReadStream, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { OperatorError } from '../config.ts'

interface Line {
  /** Counts from 1. */
  number: number
  text: string
}

/** Yields the non-blank lines of a file. */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 0
  const input = createReadStream(file)
  try {
    for await (const text of createInterface({ input, crlfDelay: Infinity })) {
      number += 1
      if (text.trim() !== '') yield { number, text }
    }
  } finally {
    input.destroy()
  }
}

/** Returns the number of lines, or 0 for a pipe, which can be read only once. */
export async function countLines(file: string): Promise<number> {
  let count = 0
  let isAtEnd = true
  try {
    if (!statSync(file).isFile()) return 0
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) count += 1
      isAtEnd = chunk.at(-1) === LINE_FEED
    }
  } catch (error) {
    throw new OperatorError(`cannot read the file ${file} (${error instanceof Error ? error.message : error})`)
  }
  return isAtEnd ? count : count + 1
}

const LINE_FEED = 10

/** Returns the value of a line; undefined if it is not JSON. */
export function parseLine(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''), ESCAPED_INVALID.test(text) ? removeInvalid : undefined)
  } catch {
    return undefined
  }
}

/** NUL and unpaired surrogates, which no store can keep and which requests refuse. */
const ESCAPED_INVALID = /\\u(?:0000|d[89a-f])/i

const removeInvalid = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
