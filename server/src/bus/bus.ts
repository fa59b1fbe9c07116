/** What instances tell each other: `signals`, something is new in the log of signals; `accounts`, the account named changed. */
export const BUS_TOPICS = ['signals', 'accounts'] as const
export type BusTopic = (typeof BUS_TOPICS)[number]

/** `text` is undefined when something may have been missed: then everything has to be looked at. */
export type BusListener = (text: string | undefined) => void | Promise<void>

/** Carries hints between the parts of an instance and between instances. What is true stands in the store. */
export interface Bus {
  /**
   * Resolves when the listeners of this instance are done and every other instance that can be reached has been told.
   * It never fails: who misses a hint finds out later.
   */
  publish(topic: BusTopic, text: string): Promise<void>
  subscribe(topic: BusTopic, listener: BusListener): void
  close(): Promise<void>
}
