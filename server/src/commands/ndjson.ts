import { createReadStream, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { OperatorError } from '../config.ts'

export interface Line {
  /** From 1. */
  number: number
  text: string
  /** Bytes read up to its end. */
  position: number
}

/** The lines of a file that have something in them. */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 0
  let position = 0
  const input = createReadStream(file)
  try {
    for await (const text of createInterface({ input, crlfDelay: Infinity })) {
      number += 1
      position += Buffer.byteLength(text) + 1
      if (text.trim() !== '') yield { number, text, position }
    }
  } finally {
    input.destroy()
  }
}

export function sizeOf(file: string): number {
  try {
    const { size } = statSync(file)
    return size
  } catch {
    throw new OperatorError(`the file ${file} cannot be read`)
  }
}

/** The value of a line; undefined when it is no JSON. */
export function parseLine(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}
