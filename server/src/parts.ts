/** A part of the service: it runs from `start` to `stop`. */
export interface Part {
  start?(): void | Promise<void>
  stop(): void | Promise<void>
}

/**
 * The parts that run, stopped in reverse order. A part that fails to stop does not keep the others from stopping; its
 * error is thrown at the end.
 */
export class Parts {
  readonly #running = new AsyncDisposableStack()

  /** Starts a part. */
  async start(part: Part): Promise<void> {
    await part.start?.()
    this.#running.defer(() => part.stop())
  }

  /** Adds something that was opened, such as a connection; `close` is its stop. */
  add<T extends { close(): void | Promise<void> }>(opened: T): T {
    return this.#running.adopt(opened, () => opened.close())
  }

  stop(): Promise<void> {
    return this.#running.disposeAsync()
  }
}
