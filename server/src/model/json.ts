/**
 * A value already written as JSON, in the bytes that go over the wire. Lists are kept and cached in this form, so
 * that answering a page costs a copy and not a walk over its objects.
 */
export class Json<T> {
  declare private readonly of: T
  /** Its bytes in pieces, so that a list can be cut out of a larger one without being copied. */
  readonly parts: readonly Buffer[]

  private constructor(parts: readonly Buffer[]) {
    this.parts = parts
  }

  static text<T>(text: string): Json<T> {
    return new Json<T>([Buffer.from(text)])
  }

  /** A list of which the items, separated by commas, are given. */
  static list<T>(items: Buffer): Json<T[]> {
    return new Json<T[]>([OPEN, items, CLOSE])
  }

  /** What was written. */
  parse(): T {
    return JSON.parse(Buffer.concat(this.parts).toString())
  }

  get size(): number {
    return this.parts.reduce((size, part) => size + part.length, 0)
  }
}

const OPEN = Buffer.from('[')
const CLOSE = Buffer.from(']')
