import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { Account } from '../../model/accounts.ts'
import type { Store } from '../../store/store.ts'
import type { Instance } from '../../store/streams/instances.ts'
import type { ClosedStream, Moment } from '../../store/streams/settle.ts'

export const RENEW_MS = 5_000
/** Three missed renewals. Slots are then free within 30 seconds of a crash, including the time to free them. */
const DEAD_AFTER_MS = 15_000

/** Membership of this instance among those that hold streams open, and its view of the others. */
export class InstanceLease {
  readonly #store: Store
  readonly #clock: Clock
  readonly #creditsPerMinute: (account: Account) => number
  readonly #lastSeen = new Map<string, { elapsedMs: number; atMs: number }>()
  #lastLookMs = Number.NEGATIVE_INFINITY
  #id = randomUUID()

  constructor(store: Store, clock: Clock, creditsPerMinute: (account: Account) => number) {
    this.#store = store
    this.#clock = clock
    this.#creditsPerMinute = creditsPerMinute
  }

  get id(): string {
    return this.#id
  }

  get elapsedMs(): number {
    return Math.floor(this.#clock.elapsed())
  }

  moment(): Moment {
    return { instanceId: this.#id, elapsedMs: this.elapsedMs, at: this.#clock.now() }
  }

  /** Registers the instance. Streams found in an embedded store were left by a crash. */
  async start(): Promise<void> {
    const { instances } = this.#store.streams
    if (this.#store.exclusive) for (const instance of await instances.list()) await this.#remove(instance)
    await instances.register(this.#id, this.elapsedMs)
  }

  /** Renews the lease, or registers under a new id if other instances have declared this one dead. */
  async renew(closed: readonly ClosedStream[]): Promise<void> {
    const { instances } = this.#store.streams
    if (await instances.renewLease(this.#id, this.elapsedMs, closed)) return
    const id = randomUUID()
    await instances.register(id, this.elapsedMs)
    this.#id = id
  }

  /** Frees the slots of dead instances. */
  async removeDead(): Promise<void> {
    const others = (await this.#store.streams.instances.list()).filter(({ id }) => id !== this.#id)
    const silent = new Set(this.#findSilent(others))
    for (const instance of others) if (instance.isDead || silent.has(instance)) await this.#remove(instance)
  }

  async stop(): Promise<void> {
    const own = (await this.#store.streams.instances.list()).find(({ id }) => id === this.#id)
    if (own !== undefined) await this.#remove(own)
  }

  /** Finds instances that have not renewed their lease for too long by this instance's clock, so clocks need not agree. */
  #findSilent(instances: readonly Instance[]): Instance[] {
    const nowMs = this.elapsedMs
    // After a pause or an outage of the store this instance does not know how long the others were silent.
    if (nowMs - this.#lastLookMs > 2 * RENEW_MS) this.#lastSeen.clear()
    this.#lastLookMs = nowMs
    const ids = new Set(instances.map(({ id }) => id))
    for (const id of this.#lastSeen.keys()) if (!ids.has(id)) this.#lastSeen.delete(id)
    return instances.filter(({ id, elapsedMs }) => {
      const last = this.#lastSeen.get(id)
      if (last?.elapsedMs === elapsedMs) return nowMs - last.atMs >= DEAD_AFTER_MS
      this.#lastSeen.set(id, { elapsedMs, atMs: nowMs })
      return false
    })
  }

  async #remove(instance: Instance): Promise<void> {
    const { instances } = this.#store.streams
    if (!instance.isDead && !(await instances.declareDead(instance))) return
    while (await instances.freeSlots(instance.id, this.#creditsPerMinute, this.moment())) await nextTurn()
  }
}
