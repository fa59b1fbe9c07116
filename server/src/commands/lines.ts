import { isUtf8 } from 'node:buffer'

export interface Line {
  /** Counts from 1. */
  number: number
  text: string
  /** Set if the text is not usable. */
  problem?: string
}

/** A longer line is refused without being kept in memory. */
const MAX_LINE_BYTES = 16_000_000
const LINE_FEED = 10

/** Yields the lines of a stream, those of each chunk together. */
export async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  const current = new LineBuffer()
  for await (const chunk of input) {
    const lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      current.add(chunk.subarray(start, end))
      lines.push(current.finish())
      start = end + 1
    }
    current.add(chunk.subarray(start))
    yield lines
  }
  if (!current.isEmpty) yield [current.finish()]
}

/** The bytes of a line that is being read. */
class LineBuffer {
  #number = 0
  #parts: Buffer[] = []
  #size = 0

  get isEmpty(): boolean {
    return this.#size === 0
  }

  add(part: Buffer): void {
    this.#size += part.length
    if (this.#size <= MAX_LINE_BYTES) this.#parts.push(part)
    else this.#parts = []
  }

  finish(): Line {
    const [bytes, size] = [Buffer.concat(this.#parts), this.#size]
    this.#number += 1
    this.#parts = []
    this.#size = 0
    const number = this.#number
    if (size > MAX_LINE_BYTES) return { number, text: '', problem: `it is longer than ${MAX_LINE_BYTES / 1e6} MB` }
    const text = bytes.toString('utf8').replace(/\r$/, '')
    return isUtf8(bytes) ? { number, text } : { number, text, problem: 'it is not UTF-8; save the file as UTF-8' }
  }
}
