/**
 * A value serialized as UTF-8 JSON. Lists are stored and cached in this form, so that a response copies bytes instead
 * of serializing objects.
 */
export class Json<T> {
  declare private readonly of: T
  /** The bytes in parts, so that a slice of a larger list needs no copy. */
  readonly parts: readonly Buffer[]

  private constructor(parts: readonly Buffer[]) {
    this.parts = parts
  }

  static text<T>(text: string): Json<T> {
    return new Json<T>([Buffer.from(text)])
  }

  /** Creates an object from objects in JSON, whose fields follow each other. No field may occur twice. */
  static merge<T>(...objects: readonly string[]): Json<T> {
    const fields = objects.map((object) => object.slice(1, -1)).filter((text) => text !== '')
    return Json.text<T>(`{${fields.join(',')}}`)
  }

  /** Creates a list from its items, separated by commas. */
  static list<T>(items: Buffer): Json<T[]> {
    return new Json<T[]>([OPEN, items, CLOSE])
  }

  parse(): T {
    return JSON.parse(Buffer.concat(this.parts).toString())
  }

  get size(): number {
    return this.parts.reduce((size, part) => size + part.length, 0)
  }
}

const OPEN = Buffer.from('[')
const CLOSE = Buffer.from(']')
