import { randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Bus } from '../../bus/bus.ts'
import type { Clock } from '../../clock.ts'
import { isUsable } from '../../model/accounts.ts'
import type { ClosingReason } from '../../model/streams.ts'
import { MINUTE, SECOND } from '../../model/time.ts'
import { effectiveCost } from '../../plans/cost.ts'
import { type Plan, planOf } from '../../plans/plans.ts'
import type { Store } from '../../store/store.ts'
import type { Moment } from '../../store/streams/settle.ts'
import type { Standing } from '../../store/streams/streams.ts'
import type { Caller } from '../caller.ts'
import { Credits } from '../credits.ts'
import type { Meter } from '../meter.ts'
import { BEAT_MS, Silence } from './dead-instances.ts'
import { closedStreams, type Stream, type StreamAccount } from './stream-account.ts'
import { capReached, refusal } from './stream-refusals.ts'
import { StreamSettling } from './stream-settling.ts'
import { streamsToEnd } from './stream-standing.ts'

/** What an open stream holds: a slot of its account and the cost of a minute. */
export interface StreamTicket {
  /** Settles the time that the stream was open and frees its slot. Again: nothing happens. */
  close(): Promise<void>
}

/** Lets streams in and meters them while they are open. */
export interface StreamMeter {
  creditsPerMinute(caller: Caller): number
  /**
   * Takes a slot and holds the cost of a minute; throws 402 or 429. `end` is called when the stream has to be ended:
   * its ticket is closed by then.
   */
  open(
    caller: Caller,
    stream: { id: string; endpoint: string; end: (reason: ClosingReason) => void },
  ): Promise<StreamTicket>
}

const REVIEW_MS = 20_000
const ACCOUNTS_AT_ONCE = 128
const STOP_ATTEMPTS = 3
const RETURN_MS = [10, 40, 200]

/** The streams of this instance. Its slots, its time and what has been charged stand in the store; here are the holds. */
export class MeteredStreams implements StreamMeter {
  /** What has to be done again and again, each never twice at once. */
  readonly chores = [
    { everyMs: SECOND, run: () => this.tick() },
    { everyMs: BEAT_MS, run: () => this.beat() },
    { everyMs: BEAT_MS, run: () => this.sweep() },
    { everyMs: REVIEW_MS, run: () => this.review() },
  ] as const

  readonly #store: Store
  readonly #clock: Clock
  readonly #meter: Meter
  readonly #credits: Credits
  readonly #settling: StreamSettling
  readonly #perMinute: number
  readonly #returnMs: readonly number[]
  readonly #onError: (error: unknown) => void
  readonly #accounts = new Map<string, StreamAccount>()
  readonly #silence = new Silence()
  #instanceId = randomUUID()
  #isStopping = false

  constructor(deps: {
    store: Store
    clock: Clock
    meter: Meter
    bus: Bus
    /** Credits for a minute, before the plan's multiplier. */
    perMinute: number
    /** How long one who finds no slot waits, again and again, for one to be returned. */
    returnMs?: readonly number[]
    onError: (error: unknown) => void
  }) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#meter = deps.meter
    this.#perMinute = deps.perMinute
    this.#returnMs = deps.returnMs ?? RETURN_MS
    this.#onError = deps.onError
    this.#credits = new Credits(deps.store.ledger, deps.meter)
    this.#settling = new StreamSettling({
      store: deps.store,
      meter: deps.meter,
      moment: () => this.#moment(),
      creditsPerMinute: (account) => this.creditsPerMinute(account),
      onError: deps.onError,
    })
    deps.bus.subscribe('accounts', (accountId) => this.review(accountId === undefined ? undefined : [accountId]))
  }

  /** Makes the instance known. What streams of an embedded store are there are from before a crash. */
  async start(): Promise<void> {
    const { instances } = this.#store.streams
    if (this.#store.exclusive) {
      for (const instance of await instances.list()) {
        await instances.giveUp(instance)
        await this.#freeSlots(instance.id)
      }
    }
    await instances.join(this.#instanceId, this.#elapsedMs())
  }

  creditsPerMinute({ plan }: { plan: Plan }): number {
    return effectiveCost(this.#perMinute, plan)
  }

  async open(
    caller: Caller,
    { id, endpoint, end }: { id: string; endpoint: string; end: (reason: ClosingReason) => void },
  ): Promise<StreamTicket> {
    const cost = this.creditsPerMinute(caller)
    if (!(await this.#credits.hold(caller.account.id, cost))) throw refusal('credits_exhausted', cost)
    // From here on it is found when its key or plan changes: what changed before is seen by the review that follows.
    const stream = this.#add(caller, { id, endpoint, end, held: cost })
    try {
      if (this.#isStopping) throw refusal('shutdown', cost)
      if (!(await this.#takeSlot(stream)) && !(await this.#takeReturnedSlot(stream))) {
        throw stream.endedBy === undefined ? capReached(caller.plan) : refusal(stream.endedBy, cost)
      }
      await this.#cover(stream.account)
      await this.review([caller.account.id])
      if (stream.endedBy !== undefined) throw refusal(stream.endedBy, cost)
    } catch (error) {
      await this.#close(stream)
      throw error
    }
    stream.isOpening = false
    return {
      close: async () => {
        await this.#close(stream)
        await this.#cover(stream.account)
      },
    }
  }

  /** Posts the minutes that are complete and ends the streams of keys that have expired. */
  async tick(): Promise<void> {
    const [nowMs, now] = [this.#elapsedMs(), this.#clock.now()]
    const expired: Stream[] = []
    const due: StreamAccount[] = []
    for (const account of this.#accounts.values()) {
      if (account.dueMs <= nowMs) due.push(account)
      for (const stream of account.streams) if (!isUsable(stream.key, now)) expired.push(stream)
    }
    for (let start = 0; start < due.length; start += ACCOUNTS_AT_ONCE) {
      const portion = due.slice(start, start + ACCOUNTS_AT_ONCE)
      await Promise.all(portion.map((account) => this.#settle(account).then(() => this.#cover(account))))
    }
    await Promise.all(expired.map((stream) => this.#end(stream, 'key_revoked').then(() => this.#cover(stream.account))))
  }

  /** Tells the others that this instance lives. If they took it for dead, it goes on under another name. */
  async beat(): Promise<void> {
    if (this.#store.exclusive && this.#accounts.size === 0) return
    const { instances } = this.#store.streams
    const nowMs = this.#elapsedMs()
    // The others are being settled. In the order in which accounts are locked there.
    const failing = [...this.#accounts.values()].filter(({ failures }) => failures > 0)
    const closed = failing
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .flatMap((account) => closedStreams(account, nowMs))
    if (!(await instances.beat(this.#instanceId, nowMs, closed))) {
      const instanceId = randomUUID()
      await instances.join(instanceId, this.#elapsedMs())
      this.#instanceId = instanceId
    }
  }

  /** Frees the slots of instances that have died. If this was taken for one, it takes slots again for what it holds open. */
  async sweep(): Promise<void> {
    if (this.#store.exclusive) return
    const { instances } = this.#store.streams
    const own = this.#instanceId
    const others = (await instances.list()).filter(({ id }) => id !== own)
    for (const instance of this.#silence.find(others, this.#elapsedMs())) {
      if (!instance.isGone) instance.isGone = await instances.giveUp(instance)
    }
    for (const { id, isGone } of others) if (isGone) await this.#freeSlots(id)
    // Under a name that it has only just taken, the slots of the old one are not free yet.
    if (own === this.#instanceId) await this.#retakeSlots()
  }

  /** Looks again at the keys and plans of these accounts, or of all, and ends what they no longer allow. */
  async review(accountIds: Iterable<string> = this.#accounts.keys()): Promise<void> {
    const known = [...accountIds].filter((id) => this.#accounts.has(id))
    for (let start = 0; start < known.length; start += ACCOUNTS_AT_ONCE) {
      if (start > 0) await nextTurn()
      const portion = known.slice(start, start + ACCOUNTS_AT_ONCE)
      const standings = await this.#store.streams.standings(portion)
      await Promise.all([...standings.values()].map((standing) => this.#adjust(standing)))
    }
  }

  /** Ends every stream and settles it. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (let attempt = 0; attempt < STOP_ATTEMPTS && this.#accounts.size > 0; attempt += 1) {
      const accounts = [...this.#accounts.values()]
      const streams = accounts.flatMap((account) => account.streams)
      await Promise.all(streams.map((stream) => this.#end(stream, 'shutdown')))
      await Promise.all(
        accounts.filter(({ unsettled }) => unsettled.length > 0).map((account) => this.#settle(account)),
      )
    }
    try {
      const { instances } = this.#store.streams
      const own = (await instances.list()).find(({ id }) => id === this.#instanceId)
      if (own !== undefined && (await instances.giveUp(own))) await this.#freeSlots(own.id)
    } catch (error) {
      this.#onError(error)
    }
  }

  #add(caller: Caller, { id, endpoint, end, held }: Pick<Stream, 'id' | 'endpoint' | 'end' | 'held'>): Stream {
    const { account, key, plan } = caller
    const owner = this.#accounts.get(account.id) ?? {
      id: account.id,
      plan,
      streams: [],
      unsettled: [],
      dueMs: Number.POSITIVE_INFINITY,
      failures: 0,
    }
    this.#accounts.set(account.id, owner)
    const stream: Stream = {
      id,
      endpoint,
      account: owner,
      key,
      end,
      held,
      instanceId: undefined,
      isOpening: true,
      endedBy: undefined,
      closedMs: undefined,
      closed: undefined,
    }
    owner.streams.push(stream)
    return stream
  }

  async #takeSlot(stream: Stream): Promise<boolean> {
    const { id, endpoint, account, key } = stream
    const moment = this.#moment()
    const settled = await this.#store.streams.open(
      // Rounded against us, so that no time is charged twice.
      { id, endpoint, accountId: account.id, apiKeyId: key.id, openedMs: Math.ceil(this.#clock.elapsed()) },
      account.plan.realtimeConnections,
      this.creditsPerMinute(account),
      moment,
    )
    if (settled === undefined) return false
    stream.instanceId = moment.instanceId
    this.#settling.note(account, settled, moment.elapsedMs)
    if (stream.closedMs !== undefined) await this.#settleClosed(stream)
    return true
  }

  async #retakeSlots(): Promise<void> {
    const lost: Stream[] = []
    for (const { streams } of this.#accounts.values()) {
      for (const stream of streams) {
        if (stream.instanceId !== undefined && stream.instanceId !== this.#instanceId) lost.push(stream)
      }
    }
    for (const stream of lost) {
      // In the meantime others may have taken the slot.
      if (stream.closedMs === undefined && !(await this.#takeSlot(stream))) await this.#end(stream, 'rotation')
    }
  }

  /** Who comes back at once to this instance may be faster than the news that they had left. */
  async #takeReturnedSlot(stream: Stream): Promise<boolean> {
    const { account } = stream
    for (const waitMs of this.#returnMs) {
      if (account.streams.length + account.unsettled.length === 1) return false
      await delay(waitMs)
      if (account.unsettled.length > 0) await this.#settle(account)
      if (stream.closedMs !== undefined) return false
      if (await this.#takeSlot(stream)) return true
    }
    return false
  }

  async #adjust(standing: Standing): Promise<void> {
    const account = this.#accounts.get(standing.account.id)
    if (account === undefined) return
    account.plan = planOf(standing.account)
    const reasons = streamsToEnd(standing, this.#clock.now())
    await Promise.all(
      account.streams.map((stream) => {
        const reason = reasons.get(stream.id)
        return reason && this.#end(stream, reason)
      }),
    )
    await this.#cover(account)
  }

  /** Sees to it that every stream holds the cost of a minute; those that cannot, the newest, are ended. */
  async #cover(account: StreamAccount): Promise<void> {
    try {
      while (this.#holdMinutes(account).length > 0) {
        await this.#credits.look(account.id)
        const short = this.#holdMinutes(account)
        await Promise.all(short.toReversed().map((stream) => this.#end(stream, 'credits_exhausted')))
      }
    } catch (error) {
      this.#onError(error)
    }
  }

  /** Gives those that got nothing. */
  #holdMinutes(account: StreamAccount): Stream[] {
    const cost = this.creditsPerMinute(account)
    for (const stream of account.streams) this.#release(stream)
    return account.streams.filter((stream) => {
      if (!this.#meter.hold(account.id, cost)) return true
      stream.held = cost
      return false
    })
  }

  #release(stream: Stream): void {
    this.#meter.release(stream.account.id, stream.held)
    stream.held = 0
  }

  async #end(stream: Stream, reason: ClosingReason): Promise<void> {
    if (stream.closedMs !== undefined) return stream.closed
    stream.endedBy = reason
    await this.#close(stream)
    // Whoever is opening it is told by a refusal.
    if (stream.isOpening) return
    try {
      stream.end(reason)
    } catch (error) {
      this.#onError(error)
    }
  }

  #close(stream: Stream): Promise<void> {
    if (stream.closed === undefined) {
      const { account } = stream
      stream.closedMs = this.#elapsedMs()
      account.streams = account.streams.filter((other) => other !== stream)
      this.#release(stream)
      stream.closed = this.#settleClosed(stream)
    }
    return stream.closed
  }

  #settleClosed(stream: Stream): Promise<void> {
    stream.account.unsettled.push(stream)
    return this.#settle(stream.account)
  }

  async #settle(account: StreamAccount): Promise<void> {
    await this.#settling.settle(account)
    const isIdle = account.streams.length + account.unsettled.length === 0
    if (isIdle && this.#accounts.get(account.id) === account) this.#accounts.delete(account.id)
  }

  /** Frees the slots of an instance that is gone and charges the minutes that its streams leave behind. */
  async #freeSlots(instanceId: string): Promise<void> {
    const { instances } = this.#store.streams
    for (;;) {
      const freed = await instances.freeSlots(instanceId)
      if (freed.length === 0) return
      for (const { accountId } of freed.filter(({ carriedMs }) => carriedMs >= MINUTE)) {
        const account = await this.#store.accounts.find(accountId)
        if (account === undefined) continue
        const creditsPerMinute = this.creditsPerMinute({ plan: planOf(account) })
        await this.#store.streams.settle([{ accountId, creditsPerMinute, closed: [] }], this.#moment())
      }
      await nextTurn()
    }
  }

  #moment(): Moment {
    return { instanceId: this.#instanceId, elapsedMs: this.#elapsedMs(), at: this.#clock.now() }
  }

  #elapsedMs(): number {
    return Math.floor(this.#clock.elapsed())
  }
}
