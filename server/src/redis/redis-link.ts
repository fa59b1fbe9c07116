import { Cluster, Redis, ReplyError } from 'ioredis'
import { OperatorError } from '../config.ts'
import type { RedisAddress } from '../model/redis-address.ts'

/** A server that keeps silent for this long while a command waits is given up. */
const SILENCE_MS = 1_000
const CONNECT_MS = 2_000
/** How long a start waits for Redis before it goes on without. */
const START_MS = 3_000
const RETRY_MS = { first: 50, most: 1_000 }
const retryDelay = (attempt: number) => Math.min(RETRY_MS.first * attempt, RETRY_MS.most)

/** Redis refuses what the settings ask for; waiting would not help. */
const REFUSALS = /^(WRONGPASS|NOAUTH|NOPERM|ERR DB index|ERR invalid DB)|without any password configured/

/** A command failed: Redis does not answer, or there is no connection. */
export class RedisUnavailable extends Error {}

/** Redis answered a command with an error. */
export class RedisRefused extends RedisUnavailable {}

export interface RedisScript {
  name: string
  lua: string
}

type Client = (Redis | Cluster) & Record<string, (...args: (string | number)[]) => Promise<unknown>>

/**
 * A connection to Redis: to one server, to the primary that Sentinel names, or to a cluster. Commands fail at once while it
 * is down, and none is sent twice.
 */
export class RedisLink {
  readonly #client: Client
  readonly #onUp: (() => void)[] = []
  readonly #onDown: (() => void)[] = []
  #isUp = false

  private constructor(client: Redis | Cluster) {
    this.#client = client as Client
    client.on('error', () => {})
    client.on('ready', () => this.#change(true))
    client.on('close', () => this.#change(false))
    // A node of a cluster that fails takes the state of its accounts along.
    client.on('-node', () => this.#change(false))
    client.on('node error', () => this.#change(false))
  }

  /**
   * Opens a connection, and goes on trying if Redis does not answer. Throws if Redis refuses the credentials. A command that
   * blocks needs a longer `silenceMs`.
   */
  static async open(address: RedisAddress, silenceMs = SILENCE_MS): Promise<RedisLink> {
    const link = new RedisLink(clientOf(address, silenceMs))
    const refusal = await link.#start()
    if (refusal === undefined) return link
    link.close()
    throw new OperatorError(`REDIS_URL: Redis refuses the connection (${refusal})`)
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** Calls `up` whenever the connection is established, and `down` whenever it is lost. */
  watch({ up, down }: { up?: () => void; down?: () => void }): void {
    if (up !== undefined) this.#onUp.push(up)
    if (down !== undefined) this.#onDown.push(down)
  }

  /** Whether accounts are on different nodes. */
  get isCluster(): boolean {
    return this.#client instanceof Cluster
  }

  /** Returns a function that runs the script with the number of its keys, the keys, and other arguments; its text is sent once. */
  script({ name, lua }: RedisScript): (...args: (string | number)[]) => Promise<unknown> {
    this.#client.defineCommand(name, { lua })
    return (...args) => this.#send(() => this.#client[name]?.(...args))
  }

  command(name: string, ...args: (string | number)[]): Promise<unknown> {
    return this.#send(() => this.#client.call(name, ...args))
  }

  close(): void {
    this.#client.disconnect()
  }

  async #send(send: () => Promise<unknown> | undefined): Promise<unknown> {
    if (!this.#isUp) throw new RedisUnavailable('no connection to Redis')
    try {
      return await send()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw error instanceof ReplyError ? new RedisRefused(message) : new RedisUnavailable(message)
    }
  }

  /** Resolves once the connection is up or has waited long enough, to the reason if Redis refuses it. */
  #start(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, START_MS)
      this.#client.once('ready', () => {
        clearTimeout(timer)
        resolve(undefined)
      })
      this.#client.on('error', (error: Error) => {
        if (REFUSALS.test(error.message)) resolve(error.message)
      })
    })
  }

  #change(isUp: boolean): void {
    if (this.#isUp && !isUp) for (const down of this.#onDown) down()
    // A cluster stays connected when one of its nodes changes.
    this.#isUp = isUp || this.#client.status === 'ready'
    if (this.#isUp) for (const up of this.#onUp) up()
  }
}

function clientOf(address: RedisAddress, silenceMs: number): Redis | Cluster {
  const { kind, hosts, name, database, isTls, username, password } = address
  const options = {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isTls && { tls: {} }),
    connectionName: 'mintick',
    connectTimeout: CONNECT_MS,
    socketTimeout: silenceMs,
    protocol: 2 as const,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // The server was demoted to a replica.
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  }
  if (kind === 'cluster') {
    return new Cluster(hosts, {
      redisOptions: options,
      enableOfflineQueue: false,
      clusterRetryStrategy: retryDelay,
      maxRedirections: 5,
      retryDelayOnFailover: 50,
      slotsRefreshTimeout: CONNECT_MS,
    })
  }
  const ofServer = { ...options, db: database, enableOfflineQueue: false, retryStrategy: retryDelay }
  if (kind === 'server') return new Redis({ ...ofServer, ...hosts[0] })
  return new Redis({
    ...ofServer,
    sentinels: hosts,
    ...(name !== undefined && { name }),
    sentinelRetryStrategy: retryDelay,
    enableTLSForSentinelMode: isTls,
  })
}
