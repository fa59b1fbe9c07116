import type { BusListener, BusTopic } from './bus.ts'

/** Listeners of this instance. Errors of listeners are reported and do not reach the publisher. */
export class BusListeners {
  readonly #byTopic = new Map<BusTopic, BusListener[]>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  add(topic: BusTopic, listener: BusListener): void {
    const listeners = this.#byTopic.get(topic) ?? []
    this.#byTopic.set(topic, [...listeners, listener])
  }

  /** Resolves when all listeners are done. */
  async call(topic: BusTopic, text: string | undefined): Promise<void> {
    const listeners = this.#byTopic.get(topic) ?? []
    await Promise.all(listeners.map(async (listener) => listener(text)).map((done) => done.catch(this.#onError)))
  }

  /** Reports to all listeners that messages may have been missed. */
  async callAll(): Promise<void> {
    await Promise.all([...this.#byTopic.keys()].map((topic) => this.call(topic, undefined)))
  }
}
