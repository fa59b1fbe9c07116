/**
 * A value already written as JSON, in the bytes that go over the wire. Lists are kept and cached in this form, so
 * that answering a page costs a copy and not a walk over its objects.
 */
export class Json<T> {
  declare private readonly of: T
  readonly bytes: Buffer

  constructor(written: string | Uint8Array) {
    this.bytes =
      typeof written === 'string'
        ? Buffer.from(written)
        : Buffer.from(written.buffer, written.byteOffset, written.length)
  }
}
