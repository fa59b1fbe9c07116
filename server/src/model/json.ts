/**
 * A value already written as JSON. Lists are kept and cached in this form, so that answering a page costs a
 * concatenation and not a walk over its objects.
 */
export class Json<T> {
  declare private readonly of: T
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  static of<T>(value: T): Json<T> {
    return new Json<T>(JSON.stringify(value))
  }

  static array<T>(items: readonly Json<T>[]): Json<T[]> {
    return new Json<T[]>(`[${items.map((item) => item.text).join(',')}]`)
  }

  parse(): T {
    return JSON.parse(this.text)
  }
}
