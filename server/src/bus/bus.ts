/** `signals`: the signal log has new events. `changes`: the log of changes may have new ones. `accounts`: the account with this id has changed. */
export const BUS_TOPICS = ['signals', 'changes', 'accounts'] as const
export type BusTopic = (typeof BUS_TOPICS)[number]

/** `text` is undefined after messages may have been missed: the listener then has to check everything. */
export type BusListener = (text: string | undefined) => void | Promise<void>

/** Carries hints within an instance and between instances. The store is the source of truth. */
export interface Bus {
  /**
   * Resolves when the listeners of this instance are done and the message has been sent to the other instances. Never
   * rejects: an instance that misses a hint finds the change later.
   */
  publish(topic: BusTopic, text: string): Promise<void>
  subscribe(topic: BusTopic, listener: BusListener): void
  close(): Promise<void>
}
