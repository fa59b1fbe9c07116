/**
 * A value already written as JSON, in the bytes that go over the wire. Lists are kept and cached in this form, so
 * that answering a page costs a copy and not a walk over its objects.
 */
export class Json<T> {
  declare private readonly of: T
  readonly bytes: Buffer

  constructor(text: string) {
    this.bytes = Buffer.from(text)
  }

  /** A list of values that are each written as JSON. */
  static list<T>(items: readonly string[]): Json<T[]> {
    return new Json<T[]>(`[${items.join(',')}]`)
  }
}
