import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseUnavailable } from '../model/errors.ts'
import { BUS_TOPICS, type Bus, type BusListener, type BusTopic } from './bus.ts'
import { BusListeners } from './listeners.ts'

const TIMEOUT_MS = 5_000
const RECONNECT_FIRST_MS = 100
const RECONNECT_MAX_MS = 2_000
/** A query at this interval finds a connection that died silently. */
const PING_MS = 5_000
/** How long to wait for the end of a connection, which a silent server never confirms. */
const CLOSE_MS = 1_000

// Channels belong to the database, so deployments in different schemas of one database receive each other's hints. These
// are harmless: they name ids that the other deployment does not have.
const channelOf = (topic: BusTopic) => `mintick_${topic}`

/** Bus of instances that share a PostgreSQL database: LISTEN on one connection, NOTIFY on another. */
export class PostgresBus implements Bus {
  readonly #url: string
  readonly #listeners: BusListeners
  readonly #onError: (error: unknown) => void
  readonly #sender: pg.Pool
  readonly #instance = randomUUID()
  readonly #closing = new AbortController()
  #receiver: pg.Client | undefined
  #ping: NodeJS.Timeout | undefined

  private constructor(url: string, onError: (error: unknown) => void) {
    this.#url = url
    this.#listeners = new BusListeners(onError)
    this.#onError = onError
    this.#sender = new pg.Pool({ ...connectionTo(url), max: 1 })
    this.#sender.on('error', () => {})
    this.#sender.on('connect', (client) => client.on('error', () => {}))
  }

  static async open(url: string, onError: (error: unknown) => void): Promise<PostgresBus> {
    const bus = new PostgresBus(url, onError)
    try {
      await bus.#listen()
      return bus
    } catch (error) {
      await bus.close()
      throw error
    }
  }

  async publish(topic: BusTopic, text: string): Promise<void> {
    await Promise.all([this.#listeners.call(topic, text), this.#notify(topic, text)])
  }

  subscribe(topic: BusTopic, listener: BusListener): void {
    this.#listeners.add(topic, listener)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#ping)
    const ended = Promise.all([this.#receiver?.end(), this.#sender.end()])
    await Promise.race([ended, delay(CLOSE_MS, undefined, { ref: false })])
  }

  async #notify(topic: BusTopic, text: string): Promise<void> {
    const send = () =>
      this.#sender.query('select pg_notify($1, $2)', [channelOf(topic), `${this.#instance} ${text}`]).then(() => {})
    // The server may have closed the pooled connection, so try twice.
    await send()
      .catch(send)
      .catch((error: unknown) => this.#report(error))
  }

  /** The store logs that the server does not answer; a refusal concerns the bus alone. */
  #report(error: unknown): void {
    this.#onError(error instanceof pg.DatabaseError ? error : new DatabaseUnavailable())
  }

  async #listen(): Promise<void> {
    const client = new pg.Client(connectionTo(this.#url))
    client.on('error', () => {})
    client.on('notification', ({ channel, payload = '' }) => this.#receive(channel, payload))
    try {
      await client.connect()
      for (const topic of BUS_TOPICS) await client.query(`listen "${channelOf(topic)}"`)
    } catch (error) {
      void client.end()
      throw error
    }
    if (this.#closing.signal.aborted) return client.end()
    this.#receiver = client
    this.#ping = setInterval(() => client.query('select 1').catch(() => client.end()), PING_MS).unref()
    client.once('end', () => this.#reconnect())
  }

  #receive(channel: string, payload: string): void {
    const topic = BUS_TOPICS.find((candidate) => channelOf(candidate) === channel)
    const space = payload.indexOf(' ')
    // `publish` has already called the listeners of this instance.
    if (topic === undefined || payload.slice(0, space) === this.#instance) return
    void this.#listeners.call(topic, payload.slice(space + 1))
  }

  async #reconnect(): Promise<void> {
    clearInterval(this.#ping)
    this.#receiver = undefined
    if (this.#closing.signal.aborted) return
    for (let waitMs = RECONNECT_FIRST_MS; ; waitMs = Math.min(waitMs * 2, RECONNECT_MAX_MS)) {
      try {
        await delay(waitMs, undefined, { signal: this.#closing.signal, ref: false })
        await this.#listen()
        break
      } catch (error) {
        if (this.#closing.signal.aborted) return
        if (waitMs === RECONNECT_FIRST_MS) this.#report(error)
      }
    }
    await this.#listeners.callAll()
  }
}

function connectionTo(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'mintick',
    connectionTimeoutMillis: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: TIMEOUT_MS,
  }
}
