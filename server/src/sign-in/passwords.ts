import { type Argon2Parameters, argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { ApiError } from '../model/errors.ts'

/** Argon2id with the least parameters that OWASP recommends: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32
/** Computations at once: they take processors and threads that requests need, too. */
const AT_ONCE = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)))
/** Attempts in progress, most of which wait. */
const MAX_ATTEMPTS = 32
/** Of these, attempts of one known user, who could otherwise keep all others waiting. */
const MAX_ATTEMPTS_OF_USER = 2
const RETRY_AFTER_SECONDS = 5

const compute = promisify(argon2)

/** Where an attempt comes from: a session or a browser that has signed in before, with the id of its user; or anywhere. */
export type Origin = { userId: string } | 'unknown'

type Lane = 'known' | 'unknown'

/**
 * Hashes passwords. Without the pepper a stolen store cannot confirm a guessed password. A flood of attempts waits or is
 * refused, and attempts of known browsers have a queue of their own.
 */
export class Passwords {
  readonly #secret: Buffer
  /** Verified instead of the hash of a user who does not exist, which takes as long. */
  readonly #nobody = format(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES))
  readonly #waiting: Record<Lane, (() => void)[]> = { known: [], unknown: [] }
  readonly #attempts: Record<Lane, number> = { known: 0, unknown: 0 }
  /** Attempts in progress of known users, by their ids. */
  readonly #ofUsers = new Map<string, number>()
  #running = 0
  #lastLane: Lane = 'unknown'

  constructor(pepper: string) {
    this.#secret = createHmac('sha256', pepper).update('passwords').digest()
  }

  /**
   * Runs an attempt, which computes hashes. Throws 429 if too many others are in progress, before this one costs
   * anything.
   */
  async attempt<Result>(origin: Origin, work: () => Promise<Result>): Promise<Result> {
    const [lane, user] = [laneOf(origin), origin === 'unknown' ? '' : origin.userId]
    const ofUser = this.#ofUsers.get(user) ?? 0
    if (this.#attempts[lane] >= MAX_ATTEMPTS || (lane === 'known' && ofUser >= MAX_ATTEMPTS_OF_USER)) {
      throw new ApiError('RATE_LIMIT_EXCEEDED', 'Too many people are signing in; try again in a few seconds', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    this.#count(lane, user, 1)
    try {
      return await work()
    } finally {
      this.#count(lane, user, -1)
    }
  }

  async hash(password: string, origin: Origin): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    return format(salt, await this.#compute(password, { ...COST, salt }, origin))
  }

  /** Returns whether the password is right; false if there is none. Takes as long in each case. */
  async verify(password: string, kept: string | null | undefined, origin: Origin): Promise<boolean> {
    const { tag, ...given } = parse(kept ?? this.#nobody)
    const computed = await this.#compute(password, given, origin)
    return timingSafeEqual(computed, tag) && typeof kept === 'string'
  }

  async #compute(password: string, { salt: nonce, ...cost }: Cost, origin: Origin): Promise<Buffer> {
    await this.#takeTurn(origin)
    try {
      const parameters: Argon2Parameters = {
        // The same text may arrive composed or decomposed, depending on the system.
        message: password.normalize('NFKC'),
        nonce,
        secret: this.#secret,
        tagLength: TAG_BYTES,
        ...cost,
      }
      return await compute('argon2id', parameters)
    } finally {
      this.#passTurn()
    }
  }

  #count(lane: Lane, user: string, change: number): void {
    this.#attempts[lane] += change
    const ofUser = (this.#ofUsers.get(user) ?? 0) + change
    if (ofUser === 0) this.#ofUsers.delete(user)
    else this.#ofUsers.set(user, ofUser)
  }

  async #takeTurn(origin: Origin): Promise<void> {
    if (this.#running < AT_ONCE) {
      this.#running += 1
      return
    }
    await new Promise<void>((resolve) => this.#waiting[laneOf(origin)].push(resolve))
  }

  /** Passes the turn on, to the lanes alternately, so that neither waits forever. */
  #passTurn(): void {
    const lanes: Lane[] = this.#lastLane === 'known' ? ['unknown', 'known'] : ['known', 'unknown']
    const lane = lanes.find((name) => this.#waiting[name].length > 0)
    if (lane === undefined) this.#running -= 1
    else {
      this.#lastLane = lane
      this.#waiting[lane].shift()?.()
    }
  }
}

const laneOf = (origin: Origin): Lane => (origin === 'unknown' ? 'unknown' : 'known')

interface Cost {
  memory: number
  passes: number
  parallelism: number
  salt: Buffer
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** Returns the hash with its parameters, in the format of other implementations. */
function format(salt: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

/** The parameters are those of the time when the password was set. */
function parse(hash: string): Cost & { tag: Buffer } {
  const [, memory, passes, parallelism, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash) ?? []
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}
