import type { BusListener, BusTopic } from './bus.ts'

/** Who listens in this instance. One that fails is reported: it must not fail the one who publishes. */
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

  /** Resolves when all of them are done. */
  async tell(topic: BusTopic, text: string | undefined): Promise<void> {
    const listeners = this.#byTopic.get(topic) ?? []
    await Promise.all(listeners.map(async (listener) => listener(text)).map((told) => told.catch(this.#onError)))
  }

  async tellAllToLook(): Promise<void> {
    await Promise.all([...this.#byTopic.keys()].map((topic) => this.tell(topic, undefined)))
  }
}
