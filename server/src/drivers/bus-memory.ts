import type { Bus, BusListener, Topic } from '../model/bus.ts'
import { BusListeners } from './bus-listeners.ts'

/** The bus of a service that runs in a single process. */
export class MemoryBus implements Bus {
  readonly #listeners: BusListeners

  constructor(onError: (error: unknown) => void) {
    this.#listeners = new BusListeners(onError)
  }

  publish(topic: Topic, text: string): Promise<void> {
    return this.#listeners.tell(topic, text)
  }

  subscribe(topic: Topic, listener: BusListener): void {
    this.#listeners.add(topic, listener)
  }

  async close(): Promise<void> {}
}
