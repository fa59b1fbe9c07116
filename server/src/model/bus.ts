/** What instances tell each other: `signals`, something is new in the log of signals; `accounts`, the account named changed. */
export type Topic = 'signals' | 'accounts'

/** Carries hints between the parts of an instance and between instances. What is true stands in the store. */
export interface Bus {
  /** Resolves when every instance that can be reached has been told. */
  publish(topic: Topic, text: string): Promise<void>
  /** `text` is undefined when something may have been missed: then everything has to be looked at. */
  subscribe(topic: Topic, listener: (text: string | undefined) => void): void
  close(): Promise<void>
}
