import { createReadStream, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { OperatorError } from '../config.ts'

export interface Line {
  /** From 1. */
  number: number
  text: string
}

/** The lines of a file that have something in them. */
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

/** 0 where only reading them tells: of a pipe. */
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
    throw new OperatorError(`the file ${file} cannot be read (${error instanceof Error ? error.message : error})`)
  }
  return isAtEnd ? count : count + 1
}

const LINE_FEED = 10

/** The value of a line; undefined when it is no JSON. */
export function parseLine(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''), ESCAPED_NON_TEXT.test(text) ? withoutNonText : undefined)
  } catch {
    return undefined
  }
}

/** NUL and halves of characters: no text of a request may have them, and no store could keep them. */
const ESCAPED_NON_TEXT = /\\u(?:0000|d[89a-f])/i

const withoutNonText = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
