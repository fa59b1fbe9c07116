import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type RedisLink, RedisRefused } from '../redis/redis-link.ts'
import { BUS_TOPICS, type Bus, type BusListener, type BusTopic } from './bus.ts'
import { BusListeners } from './listeners.ts'

/** A read waits this long for messages. */
export const BLOCK_MS = 2_000
const RETRY_MS = 100
/** Entries that the stream keeps: more than an instance can be behind without losing its connection. */
const KEPT_MESSAGES = 10_000
/** Messages that wait for Redis. Beyond them, all listeners are asked to check everything. */
const MAX_UNSENT = 1_000

/** Without a text, the message asks to check everything. */
type Message = [topic: BusTopic, text?: string]

/** Bus of instances that share a Redis: a stream that every instance follows on a connection of its own. */
export class RedisBus implements Bus {
  readonly #sender: RedisLink
  readonly #receiver: RedisLink
  readonly #key: string
  readonly #listeners: BusListeners
  readonly #onError: (error: unknown) => void
  readonly #instance = randomUUID()
  #unsent: Message[] = []
  /** Id of the last message received; undefined if messages may have been missed. */
  #lastId: string | undefined
  #isClosed = false
  #following: Promise<void> | undefined

  private constructor(
    links: { sender: RedisLink; receiver: RedisLink },
    key: string,
    onError: (error: unknown) => void,
  ) {
    this.#sender = links.sender
    this.#receiver = links.receiver
    this.#key = key
    this.#onError = onError
    this.#listeners = new BusListeners(onError)
    this.#sender.watch({ up: () => void this.#sendLate() })
    this.#receiver.watch({
      down: () => {
        this.#lastId = undefined
      },
    })
  }

  /** Closes the receiver when it is closed itself, but not the sender. */
  static async open(
    links: { sender: RedisLink; receiver: RedisLink },
    key: string,
    onError: (error: unknown) => void,
  ): Promise<RedisBus> {
    const bus = new RedisBus(links, key, onError)
    // From here on no message is missed.
    await bus.#findEnd().catch(() => {})
    bus.#following = bus.#follow()
    return bus
  }

  async publish(topic: BusTopic, text: string): Promise<void> {
    await Promise.all([this.#listeners.call(topic, text), this.#send([topic, text])])
  }

  subscribe(topic: BusTopic, listener: BusListener): void {
    this.#listeners.add(topic, listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#receiver.close()
    await this.#following
  }

  async #send(message: Message): Promise<void> {
    try {
      const fields = ['from', this.#instance, 'message', JSON.stringify(message)]
      await this.#sender.command('XADD', this.#key, 'MAXLEN', '~', KEPT_MESSAGES, '*', ...fields)
    } catch (error) {
      // That Redis does not answer is logged as a whole.
      if (error instanceof RedisRefused) this.#onError(error)
      if (this.#unsent.length < MAX_UNSENT) this.#unsent.push(message)
      else this.#unsent = BUS_TOPICS.map((topic) => [topic])
    }
  }

  async #sendLate(): Promise<void> {
    for (const message of this.#unsent.splice(0)) await this.#send(message)
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      try {
        if (this.#lastId === undefined) {
          await this.#findEnd()
          await this.#listeners.callAll()
        }
        await this.#receive()
      } catch {
        this.#lastId = undefined
        await delay(RETRY_MS, undefined, { ref: false })
      }
    }
  }

  async #findEnd(): Promise<void> {
    const last = (await this.#receiver.command('XREVRANGE', this.#key, '+', '-', 'COUNT', 1)) as Entry[]
    this.#lastId = last[0]?.[0] ?? '0-0'
  }

  async #receive(): Promise<void> {
    const args = ['BLOCK', BLOCK_MS, 'STREAMS', this.#key, this.#lastId ?? '0-0']
    const answer = (await this.#receiver.command('XREAD', ...args)) as [[key: string, entries: Entry[]]] | null
    for (const [id, [, from, , message = '']] of answer?.[0][1] ?? []) {
      this.#lastId = id
      // `publish` has already called the listeners of this instance.
      if (from === this.#instance) continue
      const [topic, text] = JSON.parse(message) as Message
      void this.#listeners.call(topic, text)
    }
  }
}

type Entry = [id: string, fields: string[]]
