import type { Bus, BusListener, BusTopic } from './bus.ts'
import { BusListeners } from './listeners.ts'

/** Bus of a service that runs in a single process. */
export class MemoryBus implements Bus {
  readonly #listeners: BusListeners

  constructor(onError: (error: unknown) => void) {
    this.#listeners = new BusListeners(onError)
  }

  publish(topic: BusTopic, text: string): Promise<void> {
    return this.#listeners.call(topic, text)
  }

  subscribe(topic: BusTopic, listener: BusListener): void {
    this.#listeners.add(topic, listener)
  }

  async close(): Promise<void> {}
}
